"""Where coordinates should be, when: keyframes with smooth interpolation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import BPoly, CubicSpline, PPoly

from ..errors import BadShape, BadValue, NotFinite, require
from ..spatial.arrays import real_numbers
from ..typing import ArrayLike
from .coordinates.jets import Jet
from .coordinates.user_calls import called


@dataclass(frozen=True)
class Keyframes:
    """A smooth path through values at times; before and after them it rests at the ends. Made by `keyframes`.

    Attributes
    ----------
    times : ndarray, shape (keys,)
        [s]
    pieces : ndarray, shape (degree + 1, keys − 1, ..., size)
        Coefficients in t − times[k], the highest power first.
    """

    times: np.ndarray
    pieces: np.ndarray  # coefficients (degree + 1, keys − 1, ..., size) of t − times[k], the highest power first

    def motion(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Value, rate and acceleration at t: each (..., size), or (count, ..., size) at times (count,).

        Parameters
        ----------
        t : float or array_like, shape (count,)
            [s]

        Returns
        -------
        tuple of three ndarray
        """
        t = np.asarray(t, dtype=float)
        inside = np.minimum(np.maximum(t, self.times[0]), self.times[-1])
        k = np.minimum(np.searchsorted(self.times, inside, side="right"), len(self.times) - 1) - 1
        c, moving, s = self.pieces[:, k], t == inside, inside - self.times[k]
        if t.ndim:
            moving, s = (x.reshape(*t.shape, *(1,) * (c.ndim - 1 - t.ndim)) for x in (moving, s))
        x, rate, half = c[0], 0.0, 0.0
        for coefficient in c[1:]:
            x, rate, half = x * s + coefficient, rate * s + x, half * s + rate
        return x, rate * moving, 2.0 * half * moving

    def derivatives(self, t: ArrayLike, order: int) -> np.ndarray:
        """The order-th time derivative at t, order 0 to 2, shaped as in `motion`.

        Parameters
        ----------
        t : float or array_like, shape (count,)
            [s]
        order : {0, 1, 2}

        Returns
        -------
        ndarray

        Raises
        ------
        BadValue
            If the order is another one.
        """
        require(order in (0, 1, 2), "keyframes have derivatives of order 0, 1 and 2", BadValue, order=order)
        return self.motion(t)[order]


def keyframes(times: ArrayLike, values: ArrayLike, velocities: ArrayLike | None = None) -> Keyframes:
    """Through `values` (keys,), (keys, size) or (keys, ..., size) at increasing `times` [s].

    Alone: the cubic spline that starts and ends at rest, smooth to the acceleration. With `velocities` of the same
    shape: quintic pieces that pass each key at its velocity, without acceleration there.

    Parameters
    ----------
    times : array_like, shape (keys,)
        Increasing [s].
    values : array_like, shape (keys, ...)
        Where to be.
    velocities : array_like, optional
        How fast, of the same shape.

    Returns
    -------
    Keyframes

    Raises
    ------
    BadShape
        If there are fewer than two times, or not one value for each.
    BadValue
        If the times do not increase.
    NotFinite
        If a number is NaN or infinite.

    Examples
    --------
    >>> import condyle as cd
    >>> path = cd.control.keyframes([0.0, 1.0], [0.0, 2.0])
    >>> [x.round(6).tolist() for x in path.motion(0.5)]  # value, rate and acceleration half-way
    [[1.0], [3.0], [0.0]]
    """
    try:
        t, x = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise BadShape("times and values of keyframes must be arrays of numbers, one row of values per time") from None
    require(t.ndim == 1 and len(t) >= 2, "keyframes need at least two times", BadShape, shape=t.shape)
    require(len(x) == len(t) if x.ndim else False, "keyframes need one value per time", BadShape, shape=x.shape)
    require(np.isfinite(t).all() and np.isfinite(x).all(), "times and values of keyframes must be finite", NotFinite)
    back = np.flatnonzero(np.diff(t) <= 0)
    if len(back):
        k = int(back[0])
        raise BadValue(f"keyframe times must increase: key {k} is at {t[k]:g} s, key {k + 1} at {t[k + 1]:g} s")
    x = x[:, None] if x.ndim == 1 else x
    path = CubicSpline(t, x, bc_type="clamped") if velocities is None else _through(t, x, velocities)
    return Keyframes(t, path.c)


def _through(t: np.ndarray, x: np.ndarray, velocities) -> PPoly:
    """Quintic pieces with values and velocities given at each key, and no acceleration there."""
    v = real_numbers(velocities, "velocities of keyframes")
    require(v.size == x.size, "keyframes need one velocity per value", BadShape, values=x.shape, velocities=v.shape)
    require(np.isfinite(v).all(), "velocities of keyframes must be finite", NotFinite)
    v = v.reshape(x.shape)
    return PPoly.from_bernstein_basis(BPoly.from_derivatives(t, np.stack([x, v, np.zeros_like(x)], axis=1)))


def derivatives_of(goal: Any, t: float, size: int, name: str) -> list[np.ndarray]:
    """Value, rate and acceleration (..., size) of a goal: keyframes, numbers, or f(t) of numpy's functions."""
    if isinstance(goal, Keyframes):
        return list(goal.motion(t))
    if callable(goal):
        return _of_function(goal, t, size, name)
    try:
        x = np.atleast_1d(np.asarray(goal, dtype=float))
    except (TypeError, ValueError):
        raise BadValue(f"the goal of {name!r} must be keyframes, numbers or a function of time; got {goal!r}") from None
    return [x, np.zeros_like(x), np.zeros_like(x)]


def _of_function(f, t: float, size: int, name: str) -> list[np.ndarray]:
    tiny = 1e-30
    x = called(f, Jet(np.array([t + 1j * tiny]), np.ones((1, 1))), f"the goal of {name!r}")
    if not isinstance(x, Jet):
        numbers = isinstance(x, (list, tuple)) and all(np.size(part) == 1 for part in x)
        return derivatives_of([np.ravel(part)[0] for part in x] if numbers else x, t, size, name)
    value, slope = x.value.reshape(-1), x.slope.reshape(-1)
    unreal = max(np.abs(np.imag(part)).max(initial=0.0) for part in (value, slope))
    if not unreal < 1e-12:  # far above what the step gives, far below what π does
        raise BadValue(
            f"the goal of {name!r} is no real number at t = {t:g} s: a root or logarithm of what has none, or complex "
            "numbers; write it with real functions, such as np.cos(t) for np.exp(1j * t)"
        )
    return [np.real(value), np.real(slope), np.imag(slope) / tiny]
