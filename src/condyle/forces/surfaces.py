"""Surfaces that touch, each with its frame on a body: what contacts are given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadValue, require
from ..spatial.arrays import finite_vector
from ..spatial.frozen import Frozen
from ..typing import ArrayLike
from .element import Surface


@dataclass(frozen=True, eq=False)
class PlacedSurface(Frozen):
    """A surface and its frame in the body that has it.

    Attributes
    ----------
    surface : Surface
    frame : ndarray, shape (4, 4)
        In the body's frame.
    """

    surface: Surface
    frame: np.ndarray

    def __post_init__(self) -> None:
        self._keep(frame=np.asarray(self.frame, dtype=float))


def sphere(center: ArrayLike = (0.0, 0.0, 0.0), radius: float = 0.0) -> PlacedSurface:
    """A sphere that touches.

    Parameters
    ----------
    center : array_like, shape (3,), optional
        In the body's frame [m].
    radius : float
        Above zero [m].

    Returns
    -------
    PlacedSurface

    Raises
    ------
    BadValue
        If the radius is not above zero.
    """
    good = isinstance(radius, (int, float, np.number))
    require(good, "the radius of a sphere of contact is a number [m]", BadValue, got=radius)
    frame = np.eye(4)
    frame[:3, 3] = finite_vector(center, 3, "center")
    return PlacedSurface(Surface("sphere", float(radius)), frame)


def half_space(point: ArrayLike = (0.0, 0.0, 0.0), normal: ArrayLike = (0.0, 0.0, 1.0)) -> PlacedSurface:
    """Everything below a plane, such as the ground.

    Parameters
    ----------
    point : array_like, shape (3,), optional
        Of the plane, in the body's frame [m].
    normal : array_like, shape (3,), optional
        That points out of the half space; of any length but zero.

    Returns
    -------
    PlacedSurface

    Raises
    ------
    BadValue
        If the normal is zero.
    """
    n = finite_vector(normal, 3, "normal")
    require(bool(np.linalg.norm(n) > 0.0), "the normal of a half space is not zero", BadValue, got=n.tolist())
    n = n / np.linalg.norm(n)
    side = np.cross(n, np.eye(3)[int(np.argmin(np.abs(n)))])
    side /= np.linalg.norm(side)
    frame = np.eye(4)
    frame[:3, :3] = np.column_stack([np.cross(side, n), side, n]) if not np.array_equal(n, [0, 0, 1]) else np.eye(3)
    frame[:3, 3] = finite_vector(point, 3, "point")
    return PlacedSurface(Surface("half_space"), frame)
