"""Motion over time.  [Hakenberg, "Algorithm for animation"; integrators of our own beside the printed one]"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadValue, require, unknown_name
from .blocks import interleaved, lanes_for, over_blocks, separated, with_world
from .friction import Rows, rows_for
from .inputs import instant, sampled
from .plan import Offsets, part, work_for
from .residuals import check_closed
from .run import GOING, NOT_CONVERGED, run_printed, run_rk4, run_variational
from .state import State, as_numbers, from_numbers
from .trajectory import Stop, Trajectory

if TYPE_CHECKING:
    from .data import Skeleton

__all__ = ["simulate"]

METHODS = {"variational": run_variational, "rk4": run_rk4, "printed": run_printed}
SAMPLES = {"variational": 1, "rk4": 2, "printed": 1}  # instants of load per step


def simulate(
    skeleton: Skeleton,
    state: State | None = None,
    *,
    duration: float,
    step: float = 0.01,
    integrator: str = "variational",
    friction: str | None = None,
    motors=None,
    forces=None,
    torques=None,
    control: Callable | None = None,
    every: int = 1,
    threads: int | None = None,
) -> Trajectory:
    """Simulate from `state` (default: the skeleton's own) for `duration` [s] in steps of `step` [s].

    `motors` (per joint), `forces` and `torques` (per body, world axes) are constants or functions of time;
    `control(t, state)` is called once per step with the whole batch, returns {"motors": …, "forces": …, "torques": …}
    to add, and is held over the step. Every `every`-th state is recorded. A state that fails stops, NaN from there on,
    with the reason in `stopped`; the others go on.
    """
    state = state or skeleton.initial
    steps = _steps(duration, step, every)
    if integrator not in METHODS:
        raise unknown_name("integrator", integrator, METHODS, "condyle.skeleton")
    rows = rows_for(skeleton, friction, integrator, step)
    check_closed(skeleton, state)
    drive = _Drive(skeleton, rows, METHODS[integrator], step, every, threads)
    samples = SAMPLES[integrator]
    if control is None:
        times = np.arange(samples * steps + 1) * (step / samples)
        return _fixed(drive, state, steps, sampled(skeleton, motors, forces, torques, times))
    return _controlled(drive, state, steps, (motors, forces, torques), control)


def _steps(duration: float, step: float, every: int) -> int:
    """How many steps, checked."""
    require(step > 0 and np.isfinite(step), "the step must be positive [s]", BadValue, step=step)
    require(duration >= step and np.isfinite(duration), "the duration must be at least one step [s]", duration=duration)
    require(every >= 1 and every == int(every), "every must be a whole number of steps, at least 1", every=every)
    return max(every, round(duration / step / every) * every)


@dataclass
class _Drive:
    """What all blocks share."""

    skeleton: Skeleton
    rows: Rows
    method: Callable
    step: float
    every: int
    threads: int | None
    works: list[tuple[np.ndarray, Offsets]] = field(default_factory=list)

    def advance(self, x, loads, steps: int, every: int, z, lanes: int, status: np.ndarray) -> np.ndarray:
        """Advance blocks x in place; recorded states (blocks, records · numbers · lanes)."""
        plan, rows = self.skeleton.plan, self.rows
        size = 0 if loads.shape[1] == 1 else loads.shape[2] // lanes
        both = np.stack([rows.rigid, rows.all])
        self.works = self.works or [work_for(plan, rows.all, lanes) for _ in x]
        out = np.full((len(x), (steps // every) * 13 * len(self.skeleton.masses) * lanes), np.nan)

        def block(k: int) -> None:
            w, o = self.works[k]
            part(w, o, "x")[:] = x[k]
            inputs = loads[k].reshape(-1), size, out[k], status[k]
            self.method(z, w, o, plan, both, rows.soft, rows.share, self.step, steps, every, *inputs)
            x[k] = part(w, o, "x")

        over_blocks(len(x), block, self.threads)
        return out


def _fixed(drive: _Drive, state: State, steps: int, loads: np.ndarray) -> Trajectory:
    """All steps in one compiled loop per block."""
    batch = np.broadcast_shapes(state.shape, loads.shape[1:-1])
    z, lanes = lanes_for(batch)
    n = len(drive.skeleton.masses)
    start = np.array(np.broadcast_to(as_numbers(state), (*batch, n, 13)))
    x = interleaved(with_world(start), 2, lanes)
    status = np.zeros((len(x), 2 * lanes), np.int64)
    out = drive.advance(x, _load_blocks(loads, batch, lanes), steps, drive.every, z, lanes, status)
    records = steps // drive.every
    motion = separated(out, batch, (records, n, 13), lanes)
    return _trajectory(
        drive, np.concatenate([start[..., None, :, :], motion], axis=-3), _stops(status, batch, lanes, drive)
    )


def _load_blocks(loads: np.ndarray, batch: tuple[int, ...], lanes: int) -> np.ndarray:
    """(instants, ..., numbers) as (blocks, instants, numbers · lanes)."""
    spread = np.broadcast_to(
        loads.reshape(len(loads), *(1,) * (len(batch) - loads.ndim + 2), *loads.shape[1:]),
        (len(loads), *batch, loads.shape[-1]),
    )
    return np.stack([interleaved(instant_loads, 1, lanes) for instant_loads in spread], axis=1)


def _controlled(drive: _Drive, state: State, steps: int, fixed: tuple, control: Callable) -> Trajectory:
    """One compiled step at a time, the control asked before each."""
    batch, n = state.shape, len(drive.skeleton.masses)
    z, lanes = lanes_for(batch)
    now = as_numbers(state)
    x = interleaved(with_world(now), 2, lanes)
    status = np.zeros((len(x), 2 * lanes), np.int64)
    motion = [now]
    for k in range(steps):
        loads = _asked(drive, fixed, control, k * drive.step, from_numbers(now))
        before = status[:, :lanes] == GOING
        drive.advance(x, _load_blocks(loads[None], batch, lanes), 1, 1, z, lanes, status)
        status[:, lanes:][before & (status[:, :lanes] != GOING)] = k + 1
        now = separated(x, batch, (n + 1, 13), lanes)[..., :n, :]
        if (k + 1) % drive.every == 0:
            motion.append(now)
    return _trajectory(drive, np.stack(motion, axis=-3), _stops(status, batch, lanes, drive))


def _asked(drive: _Drive, fixed: tuple, control: Callable, t: float, state: State) -> np.ndarray:
    """Fixed loads at time t plus what the control adds."""
    answer = control(t, state) or {}
    names = ("motors", "forces", "torques")
    for name in answer:
        if name not in names:
            raise unknown_name("load", name, names, "what a control returns")
    given = instant(drive.skeleton, *(load(t) if callable(load) else load for load in fixed))
    return given + instant(drive.skeleton, *(answer.get(name) for name in names))


def _stops(status: np.ndarray, batch: tuple[int, ...], lanes: int, drive: _Drive) -> np.ndarray:
    """Why and when each member stopped: (...,) of Stop or None."""
    table = separated(status.reshape(len(status), -1), batch, (2,), lanes)
    out = np.full(batch, None, dtype=object)
    for index in np.argwhere(np.atleast_1d(table[..., 0] != GOING)):
        where = tuple(index) if batch else ()
        code, step = table[where]
        reason = (
            "the joints did not close within the iterations; take a smaller step"
            if code == NOT_CONVERGED
            else ("the motion left the range of numbers; take a smaller step or another integrator")
        )
        out[where] = Stop(float(step * drive.step), reason)
    return out


def _trajectory(drive: _Drive, x: np.ndarray, stopped: np.ndarray) -> Trajectory:
    t = np.arange(x.shape[-3]) * (drive.step * drive.every)
    return Trajectory(drive.skeleton, t, from_numbers(x), stopped)
