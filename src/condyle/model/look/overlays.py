"""Things drawn beside the bodies: wires, surfaces and frames that show how a joint moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import BadShape, BadValue, NotFinite, require
from ...spatial.arrays import real_numbers

GRAY = (0.62, 0.66, 0.7)


def _numbers(points, what: str, good: Callable[[np.ndarray], bool], expected: str) -> np.ndarray:
    """Finite numbers of a shape."""
    array = real_numbers(points, f"{what}: points")
    require(good(array), f"{what}: {expected}", BadShape, shape=array.shape)
    require(bool(np.isfinite(array).all()), f"{what}: points must be finite numbers", NotFinite)
    return array


def _color(color, what: str) -> tuple[float, float, float]:
    """Red, green and blue from 0 to 1."""
    array = real_numbers(color, f"{what}: a colour")
    good = array.shape == (3,) and bool(((array >= 0.0) & (array <= 1.0)).all())
    require(good, f"{what}: a colour is red, green and blue from 0 to 1", BadValue, color=color)
    return float(array[0]), float(array[1]), float(array[2])


@dataclass(frozen=True, eq=False)
class Line:
    """Points (N, 3) [m] joined in order, in the frame of a body (None: the world), in the body's colour.

    Attributes
    ----------
    body : str or None
        In whose frame it is; None is the world.
    points : ndarray, shape (N, 3)
        [m]
    color : tuple of three float, or None
        Red, green, blue from 0 to 1; None is the body's colour.
    """

    body: str | None
    points: np.ndarray
    color: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        points = _numbers(self.points, "a line", lambda p: p.ndim == 2 and p.shape[1] == 3, "points (N, 3) are needed")
        object.__setattr__(self, "points", points)
        if self.color is not None:
            object.__setattr__(self, "color", _color(self.color, "a line"))


@dataclass(frozen=True, eq=False)
class Sheet:
    """A grid of points (n, m, 3) [m] in the frame of a body (None: the world), or a function of time that gives one.

    One is seen through a sheet of `opacity` below 1.

    Attributes
    ----------
    body : str or None
        In whose frame it is; None is the world.
    points : array_like, shape (n, m, 3), or callable
        [m]; a function of time [s] gives one grid for each time.
    color : tuple of three float
        Red, green, blue from 0 to 1.
    opacity : float
        From 0 to 1.
    grid : bool
        Whether the lines of the grid are drawn where they are far enough apart.
    """

    body: str | None
    points: Any  # an array, or a function of time [s]
    color: tuple[float, float, float] = GRAY
    opacity: float = 0.6
    grid: bool = True

    def __post_init__(self) -> None:
        require(0.0 < self.opacity <= 1.0, "a sheet: opacity is from 0 to 1", BadValue, opacity=self.opacity)
        object.__setattr__(self, "color", _color(self.color, "a sheet"))
        if not self.changes:
            object.__setattr__(self, "points", self.at(0.0))

    @property
    def changes(self) -> bool:
        """Whether it is a function of time."""
        return callable(self.points)

    def at(self, t: float) -> np.ndarray:
        """The grid at time t [s].

        Parameters
        ----------
        t : float
            [s]

        Returns
        -------
        ndarray, shape (n, m, 3)

        Raises
        ------
        BadShape
            If the points are not such a grid.
        """
        points = self.points(t) if callable(self.points) else self.points
        expected = "points (n, m, 3) with n and m of 2 or more are needed"
        return _numbers(points, "a sheet", lambda p: p.ndim == 3 and p.shape[2] == 3 and min(p.shape) > 1, expected)


@dataclass(frozen=True, eq=False)
class Frames:
    """Poses (N, 4, 4) shown as three arrows of a `size` [m], in the frame of a body (None: the world).

    Attributes
    ----------
    body : str or None
        In whose frame they are; None is the world.
    poses : ndarray, shape (N, 4, 4)
    size : float
        Length of the arrows [m].
    """

    body: str | None
    poses: np.ndarray
    size: float

    def __post_init__(self) -> None:
        poses = _numbers(self.poses, "frames", lambda p: p.ndim == 3 and p.shape[1:] == (4, 4), "poses (N, 4, 4)")
        object.__setattr__(self, "poses", poses)
        require(self.size > 0.0, "frames: their size is a positive length [m]", BadValue, size=self.size)


Drawn = Line | Sheet | Frames
