"""The engine of skeletons in maximal coordinates: blocks of states, their loads and their records, for the driver."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...model.kernels.status import KINDS, NOT_SOLVED
from ...numeric import aligned_zeros, interleaved, lanes_for, over_blocks, separated
from ...simulation.kernels.batch_block import Clock
from ...simulation.run_progress import SECONDS
from ...simulation.schedule import Plan, require_memory
from ..friction import Friction
from ..state import State
from ..trajectory import Stopped, Trajectory
from .kernel_tables import STATE
from .lane_blocks import packed, unpacked
from .sampled_loads import Loads, require_fitting

if TYPE_CHECKING:
    from ..skeleton import Skeleton


NOT_CLOSED = "did not close within the iterations"
ON_A_LOOP = (
    "is on a loop. Take a smaller step; if it stops there again, the loop is at a singular pose (bars in line), from "
    "where it can go on in more than one way: keep it off that pose, or take one joint of the loop out"
)
DIVERGED = "exceeded 1e9 m/s or rad/s. Take a smaller step or another integrator"
AFFORDED = 5000  # steps of one body that take well below a second, loops included


class Method(NamedTuple):
    """A compiled loop, how many instants of load each of its steps reads, how it treats friction."""

    loop: Callable
    samples: int
    friction: Friction
    threads: int | None


class SkeletonEngine:
    """Marches states of a skeleton; see `simulation.driver.Engine`. Its buffers hold `room` records after `origin`."""

    parts: tuple[str, ...] = ("state",)

    def __init__(
        self, skeleton: Skeleton, state: State, plan: Plan, method: Method, loads: Loads, room: int | None = None
    ) -> None:  # fmt: skip
        self.skeleton, self.plan, self.method, self.loads = skeleton, plan, method, loads
        held = loads.at(plan.start)
        self.batch = np.broadcast_shapes(state.shape, held.shape[:-1])
        self.z, self.lanes = lanes_for(self.batch)
        x, o = interleaved(packed(skeleton, state, self.batch), 1, self.lanes), skeleton.offsets
        count, good = int(np.prod(self.batch, dtype=int)), o.good * self.lanes
        self.origin, room = 0, plan.records if room is None else room
        require_memory(count, room, x.shape[1] // self.lanes)
        self._works = aligned_zeros((len(x), o.end * self.lanes))
        self._works[:, : x.shape[1]] = x
        self._begin_turns(self._works.reshape(len(x), o.end, self.lanes))
        self._good = self._works[:, good : good + x.shape[1]]
        self._good[:] = x
        self._records = np.full((len(x), room, x.shape[1]), np.nan)
        self._records[:, 0] = x
        self._status, self._ended = np.zeros((len(x), self.lanes)), np.zeros((len(x), self.lanes))
        self.status, self.ended = self._status.reshape(-1, 1)[:count], self._ended.reshape(-1, 1)[:count]
        self._held, self._used = interleaved_loads(held[None], self.batch, self.lanes)[:, 0], []
        self._constant = held
        self.first_steps, self.patience = max(1, AFFORDED // (len(skeleton.masses) * max(1, count))), SECONDS

    def _begin_turns(self, works: np.ndarray) -> None:
        """Rotation rates of a step before the first, from which the first one's is expected: as at its start."""
        o, n = self.skeleton.offsets, len(self.skeleton.masses)
        states = works[:, o.x : o.x + STATE * n].reshape(len(works), n, STATE, self.lanes)
        works[:, o.turn : o.turn + 3 * n] = states[:, :, 10:].reshape(len(works), 3 * n, self.lanes)

    def advance(self, base: int, steps: int, control: Callable | None) -> None:
        """March all blocks `steps` steps from step `base`; a control is asked first."""
        skeleton, drag = self.skeleton, self.method.friction.drag
        inputs, size = self._loads_of(base, steps, control)
        brake = np.stack([0.0 * drag, drag]), self.method.friction.share
        clock = Clock(float(self.plan.start), float(self.plan.step), base - self.origin, steps, self.plan.every)

        def block(k: int) -> None:
            tally = self._records[k], self._status[k], self._ended[k]
            self.method.loop(
                self.z, self._works[k], skeleton.offsets, skeleton.plan, brake, clock, (inputs[k], size), tally
            )

        over_blocks(len(self._works), block, self.method.threads)

    def _loads_of(self, base: int, steps: int, control: Callable | None) -> tuple[np.ndarray, int]:
        """(blocks, numbers · lanes) of all instants of the steps, and the size of each; 0 for one that holds."""
        if control is None and not self.loads.varying:
            return self._held, 0
        rows, samples = self._sampled(base, steps, control), self.method.samples
        self._used += list(rows[samples * (-base % self.plan.every) : samples * steps : samples * self.plan.every])
        if control is None and base + steps == self.plan.steps:
            self._used.append(rows[-1])
        inputs = interleaved_loads(rows, self.batch, self.lanes)
        return inputs.reshape(len(inputs), int(np.prod(inputs.shape[1:]))), rows.shape[-1] if len(rows) > 1 else 0

    def _sampled(self, base: int, steps: int, control: Callable | None) -> np.ndarray:
        """(instants, ..., numbers) of some steps; one instant for a control."""
        start = self.plan.time(base)
        if control is not None:
            ended = self.status[:, 0].reshape(self.batch) > 0
            return self.loads.asked(control, start, *self.seen(), ended)[None]
        samples = self.method.samples
        instants = range(samples * base, samples * (base + steps) + 1)
        return np.stack(
            np.broadcast_arrays(*(self._at(self.plan.start + k * (self.plan.step / samples)) for k in instants))
        )

    def _at(self, t: float) -> np.ndarray:
        """Loads at a time, of the batch that those at the start had."""
        loads = self.loads.at(t)
        require_fitting(loads, self.batch, f"what motors, forces and torques give at t = {t:g} s")
        return loads

    def seen(self) -> tuple[State]:
        """The last good states."""
        x = separated(self._good, self.batch, (self._good.shape[1] // self.lanes,), self.lanes)
        return (unpacked(self.skeleton, np.array(x)),)

    def state(self, i: int) -> tuple[np.ndarray, ...]:
        """The numbers of member i: those of its lane of its block."""
        block, lane = divmod(i, self.lanes)
        return (self._good[block, lane :: self.lanes],)

    def records(self, i: int) -> tuple[np.ndarray, ...]:
        """Those of its records."""
        block, lane = divmod(i, self.lanes)
        return (self._records[block, :, lane :: self.lanes],)

    def kept(self) -> dict[str, np.ndarray]:
        """States with the guesses of their reactions: all scratch, member by member."""
        count, size = len(self.status), self.skeleton.offsets.end
        return {"works": separated(self._works, (count,), (size,), self.lanes)}

    def go_on(self, kept: Mapping[str, np.ndarray]) -> None:
        """From what was kept."""
        self._works[:] = interleaved(kept["works"], 1, self.lanes)

    def rows(self, first: int, stop: int) -> Iterator[np.ndarray]:
        """The numbers of the states."""
        count, some = len(self.status), self._records[:, first:stop]
        for k in range(some.shape[2] // self.lanes):
            row = some[:, :, k * self.lanes : (k + 1) * self.lanes]
            yield row.swapaxes(1, 2).reshape(-1, row.shape[1])[:count]

    def take_loads(self) -> np.ndarray | None:
        """(instants, ..., numbers) of the records since they were last taken; None if they do not vary."""
        used, self._used = self._used, []
        return np.stack(np.broadcast_arrays(*used)) if used else None

    def stopped(self, i: int, time: float, words: str | None) -> Stopped:
        """The end of member i."""
        return Stopped(time, words or self._reason(i), unpacked(self.skeleton, self.state(i)[0].copy()))

    def _reason(self, i: int) -> str:
        """Why member i failed, in words."""
        place, kind = divmod(int(self.status[i, 0]), KINDS)
        if kind != NOT_SOLVED:
            return f"the motion diverged: body {self.skeleton.body_names[place]!r} {DIVERGED}"
        name = self.skeleton.joint_names[place]
        if place in self.skeleton.plan.core:
            return f"joint {name!r} {NOT_CLOSED}; it {ON_A_LOOP}"
        return f"joint {name!r} {NOT_CLOSED}; take a smaller step"

    def trajectory(self, plan: Plan, stopped) -> Trajectory:
        """Records in the caller's shape, with the loads at their times."""
        states = self.recorded(0, plan.records)
        return Trajectory(self.skeleton, plan.times, states, stopped, self._loads_at_records(plan))

    def recorded(self, first: int, stop: int) -> State:
        """Records first … stop of the buffers, of batch shape (..., T)."""
        kept, numbers = self._records[:, first:stop], self._records.shape[2] // self.lanes
        x = separated(
            kept.reshape(len(kept), int(np.prod(kept.shape[1:]))), self.batch, (kept.shape[1], numbers), self.lanes
        )
        return unpacked(self.skeleton, x)

    def _loads_at_records(self, plan: Plan) -> np.ndarray:
        """(..., T or 1, numbers): those that were used; the last ones hold on."""
        if not self._used:
            return self._constant[..., None, :]
        rows = [*self._used, *[self._used[-1]] * plan.records][: plan.records]
        return np.stack(np.broadcast_arrays(*rows), axis=-2)


def interleaved_loads(loads: np.ndarray, batch: tuple[int, ...], lanes: int) -> np.ndarray:
    """(instants, ..., numbers) as (blocks, instants, numbers · lanes)."""
    missing = (1,) * (len(batch) - loads.ndim + 2)
    spread = np.broadcast_to(
        loads.reshape(len(loads), *missing, *loads.shape[1:]), (len(loads), *batch, loads.shape[-1])
    )
    return np.stack([interleaved(row, 1, lanes) for row in spread], axis=1)
