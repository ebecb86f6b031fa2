"""Things drawn beside the bodies: wires, surfaces and frames that show how a joint moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["Drawn", "Frames", "Line", "Sheet"]

RED, GREY = (0.78, 0.24, 0.16), (0.62, 0.66, 0.7)


@dataclass(frozen=True, eq=False)
class Line:
    """Points (N, 3) [m] joined in order, in the frame of a body (None: the world)."""

    body: str | None
    points: np.ndarray
    color: tuple[float, float, float] = RED


@dataclass(frozen=True, eq=False)
class Sheet:
    """A grid of points (n, m, 3) [m] in the frame of a body (None: the world), or a function of time that gives one."""

    body: str | None
    points: np.ndarray | Callable[[float], np.ndarray]
    color: tuple[float, float, float] = GREY

    def at(self, t: float) -> np.ndarray:
        """The grid at time t [s]."""
        return self.points(t) if callable(self.points) else self.points


@dataclass(frozen=True, eq=False)
class Frames:
    """Poses (N, 4, 4) shown as three arrows of a `size` [m], in the frame of a body (None: the world)."""

    body: str | None
    poses: np.ndarray
    size: float


Drawn = Line | Sheet | Frames
