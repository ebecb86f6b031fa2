"""Validate the arguments of joint constructors: axes, points, numbers."""

from __future__ import annotations

import numpy as np

from ..errors import BadShape, BadValue, NotFinite, require
from ..spatial.arrays import finite_vector, real_numbers

NAMED = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def finite_number(x, what: str) -> float:
    """One finite number."""
    number = real_numbers(x, what, "one real number")
    require(number.ndim == 0, f"{what} must be one number", BadShape, shape=number.shape)
    require(np.isfinite(number), f"{what} must be finite", NotFinite, value=float(number))
    return float(number)


def unit_axis(axis, what: str) -> np.ndarray:
    """A direction, normalised; "x", "y" and "z" name the axes of F."""
    if isinstance(axis, str):
        require(axis in NAMED, f"{what} must be 'x', 'y', 'z' or three numbers", BadValue, axis=axis)
        axis = NAMED[axis]
    vector = finite_vector(axis, 3, what)
    size = np.abs(vector).max()
    require(size > 0, f"{what} must not be zero: it has no direction", BadValue, axis=vector.tolist())
    vector = vector / size  # so that squares neither overflow nor vanish
    return vector / np.linalg.norm(vector)


def revolute_twist(axis, point=None, pitch: float = 0.0, what: str = "revolute: the axis") -> np.ndarray:
    """One radian about an axis through `point` [m], and `pitch` [m/rad] along it: [ω; p × ω + h ω]."""
    direction = unit_axis(axis, what)
    arm = 0.0 if point is None else np.cross(finite_vector(point, 3, f"{what}'s point"), direction)
    return np.concatenate([direction, arm + pitch * direction])


def prismatic_twist(axis, what: str = "prismatic: the axis") -> np.ndarray:
    """One metre along an axis."""
    return np.concatenate([np.zeros(3), unit_axis(axis, what)])


def twist_rows(twists, what: str) -> np.ndarray:
    """Finite twists [ω; v], one in each row."""
    rows = real_numbers(twists, f"{what}: twists")
    require(rows.ndim == 2 and rows.shape[1] == 6, f"{what}: twists must have shape (m, 6)", BadShape, shape=rows.shape)
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    require(len(bad) == 0, f"{what}: twists must be finite", NotFinite, rows=bad.tolist())
    return rows
