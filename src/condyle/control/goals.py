"""Where coordinates should be, when: keyframes with smooth interpolation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import BPoly, CubicSpline

from ..errors import BadShape, BadValue, NotFinite, require
from .jets import Jet

__all__ = ["Keyframes", "derivatives_of", "keyframes"]


@dataclass(frozen=True)
class Keyframes:
    """A smooth path through values (keys, ..., size) at `times` [s]; before and after them it rests at the ends."""

    times: np.ndarray
    path: Any  # a piecewise polynomial of scipy

    def derivatives(self, t, order: int) -> np.ndarray:
        """The order-th time derivative at t: (..., size), or (count, ..., size) at times (count,)."""
        t = np.asarray(t, dtype=float)
        inside = np.clip(t, self.times[0], self.times[-1])
        x = self.path(inside, nu=order)
        resting = (t < self.times[0]) | (t > self.times[-1])
        return np.where(resting.reshape(*t.shape, *(1,) * (x.ndim - t.ndim)) & (order > 0), 0.0, x)


def keyframes(times, values, velocities=None) -> Keyframes:
    """Through `values` (keys,), (keys, size) or (keys, ..., size) at increasing `times` [s].

    Alone: the cubic spline that starts and ends at rest, smooth to the acceleration. With `velocities` of the same
    shape: quintic pieces that pass each key at its velocity, without acceleration there.
    """
    t, x = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    require(t.ndim == 1 and len(t) >= 2, "keyframes need at least two times", BadShape, shape=t.shape)
    require(len(x) == len(t) if x.ndim else False, "keyframes need one value per time", BadShape, shape=x.shape)
    require(np.isfinite(t).all() and np.isfinite(x).all(), "times and values of keyframes must be finite", NotFinite)
    back = np.flatnonzero(np.diff(t) <= 0)
    if len(back):
        k = int(back[0])
        raise BadValue(f"keyframe times must increase: key {k} is at {t[k]:g} s, key {k + 1} at {t[k + 1]:g} s")
    x = x[:, None] if x.ndim == 1 else x
    if velocities is None:
        return Keyframes(t, CubicSpline(t, x, bc_type="clamped"))
    v = np.asarray(velocities, dtype=float).reshape(x.shape)
    return Keyframes(t, BPoly.from_derivatives(t, np.stack([x, v, np.zeros_like(x)], axis=1)))


def derivatives_of(goal: Any, t: float, size: int) -> list[np.ndarray]:
    """Value, rate and acceleration (..., size) of a goal: keyframes, numbers, or f(t) of numpy's functions."""
    if hasattr(goal, "derivatives"):
        return [goal.derivatives(t, order) for order in range(3)]
    if not callable(goal):
        x = np.asarray(goal, dtype=float)
        x = x[None] if x.ndim == 0 else x
        return [x, np.zeros_like(x), np.zeros_like(x)]
    return _of_function(goal, t, size)


def _of_function(f, t: float, size: int) -> list[np.ndarray]:
    tiny = 1e-30
    x = f(Jet(np.array([t + 1j * tiny]), np.ones((1, 1))))
    if not isinstance(x, Jet):
        return derivatives_of(np.broadcast_to(np.asarray(x, dtype=float), (size,)), t, size)
    value, slope = x.value.reshape(-1), x.slope.reshape(-1)
    return [np.real(value), np.real(slope), np.imag(slope) / tiny]
