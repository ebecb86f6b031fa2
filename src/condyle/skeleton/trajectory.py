"""A recorded motion of a skeleton."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..simulation import BaseTrajectory, Stop
from .convert.free_trajectory import as_trajectory
from .drawing import draw_strip
from .report import report
from .state import State

if TYPE_CHECKING:
    from .skeleton import Skeleton

__all__ = ["Stop", "Stopped", "Trajectory"]


@dataclass(frozen=True, eq=False)
class Stopped(Stop):
    """Why and when a member of a batch stopped; `state` is its last good one, None where an old file has none."""

    state: State | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(BaseTrajectory):
    """States at times `t` (T,): `states` has shape (..., T), NaN after a member stopped.

    `stopped`: None, or for a batch an object array, of `Stopped`. `loads` (..., T or 1, numbers) are the motors and
    external loads at those times, as the kernels read them. What stopped is said first when a trajectory is printed.
    """

    skeleton: Skeleton
    t: np.ndarray
    states: State
    stopped: Stop | np.ndarray | None
    loads: np.ndarray

    report, draw_strip, as_trajectory = report, draw_strip, as_trajectory

    @property
    def batch(self) -> tuple[int, ...]:
        """The batch shape; () for a single member."""
        return self.states.shape[:-1]

    @property
    def _mechanism(self) -> Skeleton:
        """The skeleton."""
        return self.skeleton

    @property
    def last(self) -> State:
        """The states at the end."""
        time = len(self.states.shape) - 1
        return State(*(part.take(-1, axis=time) for part in vars(self.states).values()))
