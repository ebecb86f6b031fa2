"""A recorded motion of a skeleton."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..simulation.events import described_stops
from .convert.free_trajectory import as_trajectory
from .drawing import draw_strip
from .report import report
from .state import State

if TYPE_CHECKING:
    from .skeleton import Skeleton

__all__ = ["Stop", "Trajectory"]


class Stop(NamedTuple):
    """Why a member of a batch did not reach the end."""

    time: float  # [s], of the first state that is missing
    reason: str

    def __str__(self) -> str:
        return f"stopped at t = {self.time:.6g} s: {self.reason}"


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """States at times t (T,): `states` has shape (..., T); `stopped` (...,) holds a Stop or None.

    `loads` (..., T or 1, numbers) are the motors and external loads at those times, as the kernels read them.
    """

    skeleton: Skeleton
    t: np.ndarray
    states: State
    stopped: np.ndarray | Stop | None
    loads: np.ndarray

    report, draw_strip, as_trajectory = report, draw_strip, as_trajectory

    def __repr__(self) -> str:
        span = f"{len(self.t)} states to {self.t[-1]:g} s, batch {self.states.shape[:-1]}"
        stopped = f"{described_stops(self.stopped)}; " if described_stops(self.stopped) else ""
        return f"<Trajectory of {self.skeleton!r}: {stopped}{span}>"

    def stops(self) -> list[Stop | None]:
        """`stopped` of every member, in order."""
        return list(self.stopped.flat) if isinstance(self.stopped, np.ndarray) else [self.stopped]

    @property
    def last(self) -> State:
        """The states at the end."""
        time = len(self.states.shape) - 1
        return State(*(part.take(-1, axis=time) for part in vars(self.states).values()))
