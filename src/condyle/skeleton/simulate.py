"""Motion over time.  [Hakenberg, "Algorithm for animation"; integrators of our own beside the printed one]"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadValue, require, unknown_name
from ..simulation.events import StoppedWarning, stopped_words
from .engine.batch_driver import Drive
from .engine.joint_gaps import check_closed
from .friction import friction_over
from .kernels.run import run_printed, run_rk4, run_variational
from .state import State
from .trajectory import Trajectory

if TYPE_CHECKING:
    from .skeleton import Skeleton

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
    with a StoppedWarning and the reason in `stopped`; the others go on.
    """
    state = skeleton.given(state)
    steps = _steps(duration, step, every)
    if integrator not in METHODS:
        raise unknown_name("integrator", integrator, METHODS, "condyle.skeleton")
    treated = friction_over(skeleton, friction, integrator, step)
    check_closed(skeleton, state)
    drive = Drive(skeleton, treated, METHODS[integrator], SAMPLES[integrator], step, every, threads)
    if control is None:
        motion = drive.scheduled(state, steps, motors, forces, torques)
    else:
        motion = drive.controlled(state, steps, (motors, forces, torques), control)
    if any(stop is not None for stop in motion.stops()):
        warnings.warn(stopped_words(motion.t[-1], motion.stopped), StoppedWarning, stacklevel=2)
    return motion


def _steps(duration: float, step: float, every: int) -> int:
    """How many steps, checked."""
    require(step > 0 and np.isfinite(step), "the step must be positive [s]", BadValue, step=step)
    require(duration >= step and np.isfinite(duration), "the duration must be at least one step [s]", duration=duration)
    require(every >= 1 and every == int(every), "every must be a whole number of steps, at least 1", every=every)
    return max(every, round(duration / step / every) * every)
