"""A recorded motion of a skeleton."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..simulation import BaseTrajectory, Stop
from .conservation_report import report
from .convert.free_trajectory import as_trajectory
from .drawing import draw_strip
from .state import State

if TYPE_CHECKING:
    from .skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Stopped(Stop):
    """Why and when a member of a batch stopped.

    Attributes
    ----------
    state : State or None
        Its last good one; None where an old file has none.
    """

    state: State | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(BaseTrajectory):
    """Recorded states of a skeleton; NaN after a member stopped.

    Attributes
    ----------
    skeleton : Skeleton
    t : ndarray, shape (T,)
        [s]
    states : State
        Of batch shape (..., T).
    stopped : Stopped, None or ndarray of them
        Why a run ended before its time; an object array of shape (...) for a batch.
    loads : ndarray, shape (..., T or 1, numbers)
        The motors and external loads at those times, as the kernels read them.
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
