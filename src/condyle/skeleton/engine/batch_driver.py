"""A batch driven through time: blocks of states, their loads, and one compiled loop for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...errors import unknown_name
from ...numeric import interleaved, lanes_for, over_blocks, separated
from ..friction import Friction
from ..kernels.run import GOING, NOT_CONVERGED
from ..state import State
from ..trajectory import Stop, Trajectory
from .lane_blocks import packed, unpacked
from .sampled_loads import instant, sampled, steady

if TYPE_CHECKING:
    from ..skeleton import Skeleton

__all__ = ["Drive"]

NOT_CLOSED = "did not close within the iterations"
ON_A_LOOP = (
    "is on a loop. Take a smaller step; if it stops there again, the loop is at a singular pose (bars in line), from "
    "where it can go on in more than one way: keep it off that pose, or take one joint of the loop out"
)
BLOWN_UP = "the motion left the range of numbers; take a smaller step or another integrator"
LOADS = ("motors", "forces", "torques")


@dataclass
class Drive:
    """What all blocks share. `samples` is how many instants of load a step reads."""

    skeleton: Skeleton
    friction: Friction
    method: Callable
    samples: int
    step: float
    every: int
    threads: int | None
    works: list[np.ndarray] = field(default_factory=list)

    def scheduled(self, state: State, steps: int, motors, forces, torques) -> Trajectory:
        """All steps in one compiled loop per block; loads are known beforehand."""
        times = np.arange(self.samples * steps + 1) * (self.step / self.samples)
        loads = sampled(self.skeleton, motors, forces, torques, times)
        blocks = Blocks.of(self.skeleton, state, np.broadcast_shapes(state.shape, loads.shape[1:-1]))
        start = blocks.numbers()
        out = self.advance(blocks, loads, steps, self.every)
        motion = separated(out, blocks.batch, (steps // self.every, start.shape[-1]), blocks.lanes)
        at_records = np.moveaxis(loads[:: self.samples * self.every], 0, -2)
        return self.trajectory(np.concatenate([start[..., None, :], motion], axis=-2), blocks, at_records)

    def controlled(self, state: State, steps: int, fixed: tuple, control: Callable) -> Trajectory:
        """One compiled step at a time, the control asked before each."""
        blocks = Blocks.of(self.skeleton, state, state.shape)
        motion, used = [blocks.numbers()], []
        for k in range(steps):
            loads = self.asked(fixed, control, k * self.step, unpacked(self.skeleton, blocks.numbers()))
            before = blocks.status[:, : blocks.lanes] == GOING
            self.advance(blocks, loads[None], 1, 1)
            stopped = before & (blocks.status[:, : blocks.lanes] != GOING)
            blocks.status[:, blocks.lanes : 2 * blocks.lanes][stopped] = k + 1
            used.append(loads)
            if (k + 1) % self.every == 0:
                motion.append(blocks.numbers())
        at_records = np.stack([*used[:: self.every], used[-1]], axis=-2)
        return self.trajectory(np.stack(motion, axis=-2), blocks, at_records)

    def asked(self, fixed: tuple, control: Callable, t: float, state: State) -> np.ndarray:
        """Fixed loads at time t plus what the control adds."""
        answer = control(t, state) or {}
        for name in answer:
            if name not in LOADS:
                raise unknown_name("load", name, LOADS, "what a control returns")
        given = instant(self.skeleton, *(load(t) if callable(load) else load for load in fixed))
        return steady(self.skeleton) + given + instant(self.skeleton, *(answer.get(name) for name in LOADS))

    def advance(self, blocks: Blocks, loads: np.ndarray, steps: int, every: int) -> np.ndarray:
        """Advance all blocks; the recorded states (blocks, records · numbers · lanes)."""
        plan, o, drag, lanes = self.skeleton.plan, self.skeleton.offsets, self.friction.drag, blocks.lanes
        inputs = blocks.load_blocks(loads)
        size = loads.shape[-1] if len(loads) > 1 else 0
        both = np.stack([0.0 * drag, drag])
        self.works = self.works or [np.zeros(o.end * lanes) for _ in blocks.x]
        out = np.full((len(blocks.x), (steps // every) * blocks.x.shape[1]), np.nan)

        def block(k: int) -> None:
            w, x = self.works[k], blocks.x[k]
            w[: len(x)] = x
            settings = both, self.friction.share, self.step, steps, every
            self.method(blocks.z, w, o, plan, *settings, inputs[k].reshape(-1), size, out[k], blocks.status[k])
            x[:] = w[: len(x)]

        over_blocks(len(blocks.x), block, self.threads)
        return out

    def trajectory(self, x: np.ndarray, blocks: Blocks, loads: np.ndarray) -> Trajectory:
        """What was recorded, with the reasons of those that stopped."""
        t = np.arange(x.shape[-2]) * (self.step * self.every)
        return Trajectory(self.skeleton, t, unpacked(self.skeleton, x), blocks.stops(self.step, self.reason), loads)

    def reason(self, code: int, joint: int) -> str:
        """Why a member stopped, in words."""
        if code != NOT_CONVERGED:
            return BLOWN_UP
        name = self.skeleton.joint_names[joint]
        if joint in self.skeleton.plan.core:
            return f"joint {name!r} {NOT_CLOSED}; it {ON_A_LOOP}"
        return f"joint {name!r} {NOT_CLOSED}; take a smaller step"


@dataclass
class Blocks:
    """A batch as the kernels see it."""

    batch: tuple[int, ...]
    z: object
    lanes: int
    x: np.ndarray  # (blocks, numbers · lanes)
    status: np.ndarray  # (blocks, 3 · lanes): why, after how many steps, which joint

    @classmethod
    def of(cls, skeleton: Skeleton, state: State, batch: tuple[int, ...]) -> Blocks:
        """The batch of a state, broadcast to that of its loads."""
        z, lanes = lanes_for(batch)
        x = interleaved(packed(skeleton, state, batch), 1, lanes)
        return cls(batch, z, lanes, x, np.zeros((len(x), 3 * lanes), np.int64))

    def numbers(self) -> np.ndarray:
        """(..., numbers) of now."""
        return np.array(separated(self.x, self.batch, (self.x.shape[1] // self.lanes,), self.lanes))

    def load_blocks(self, loads: np.ndarray) -> np.ndarray:
        """(instants, ..., numbers) as (blocks, instants, numbers · lanes)."""
        missing = (1,) * (len(self.batch) - loads.ndim + 2)
        spread = np.broadcast_to(
            loads.reshape(len(loads), *missing, *loads.shape[1:]), (len(loads), *self.batch, loads.shape[-1])
        )
        return np.stack([interleaved(row, 1, self.lanes) for row in spread], axis=1)

    def stops(self, step: float, reason: Callable[[int, int], str]):
        """Why and when each member stopped: a Stop or None, in the batch shape."""
        table = separated(self.status, self.batch, (3,), self.lanes)
        out = np.full(self.batch, None, dtype=object)
        for index in np.ndindex(*self.batch):
            code, steps, joint = table[index].tolist()
            if code != GOING:
                out[index] = Stop(steps * step, reason(code, joint))
        return out[()]
