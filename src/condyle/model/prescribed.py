"""Coordinates whose motion is given: a function of time with its rate and acceleration."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..errors import BadShape, BadValue, NotFinite, require
from ..joints.functions import Function, Sum

DIAGONAL = np.exp(0.25j * np.pi)
STEP = 1e-3  # [s] of complex steps; the error of the second derivative is of fourth order in it
WIDE = 1e-2  # [s] of differences, whose errors are of eighth order in it
ROUND_OFF = 16 * 2.0**-52  # of what is subtracted: the error of a difference


@dataclass(frozen=True)
class Constant:
    """A function of time that does not change."""

    value: float

    def __call__(self, t):
        return self.value


@dataclass(frozen=True)
class Steady:
    """A function of time that grows evenly: value + rate · t."""

    value: float
    rate: float

    def __post_init__(self) -> None:
        good = np.isfinite([self.value, self.rate]).all()
        require(good, "a steady motion needs finite numbers", NotFinite, value=self.value, rate=self.rate)

    def __call__(self, t):
        return self.value + self.rate * t


@dataclass(frozen=True)
class Prescribed:
    """x(t), ẋ(t) and ẍ(t) of a coordinate, and the round-off that ẋ and ẍ have."""

    value: Callable
    rate: Callable
    acceleration: Callable
    span: tuple[float, float] = (-np.inf, np.inf)  # [s] where it is defined
    rate_noise: float = 0.0  # [1/s] of the largest |x|
    acceleration_noise: tuple[float, float] = (0.0, 0.0)  # [1/s²] of the largest |x|, [1/s] of the largest |ẋ|

    @property
    def knots(self) -> np.ndarray:
        """Times at which pieces of x begin, if it is one of SciPy's splines or of condyle's functions [s]."""
        if isinstance(self.value, Function | Sum):
            return np.array([t for part in self.value.parts for breaks in part.grid.breaks for t in breaks])
        if not is_spline(self.value):
            return np.empty(0)
        value: Any = self.value
        return np.asarray(
            value.get_knots() if hasattr(value, "get_knots") else getattr(value, "t", getattr(value, "x", ()))
        )

    def at(self, t: float) -> tuple[float, float, float]:
        """(x, ẋ, ẍ) at time t."""
        require(
            self.span[0] <= t <= self.span[1],
            f"the prescribed motion is given for t in [{self.span[0]:g}, {self.span[1]:g}] s",
            t=t,
        )
        return float(self.value(t)), float(self.rate(t)), float(self.acceleration(t))


def prescribed_motion(motion: Any, rate=None, acceleration=None, name: str = "coordinate") -> Prescribed:
    """A motion from f(t) (its derivatives given, else computed), a number and its rate, or (times, values)."""
    if isinstance(motion, Prescribed):
        return motion
    if isinstance(motion, (tuple, list)):
        require(len(motion) == 2, f"{name}: a sampled motion is (times, values)", BadShape, items=len(motion))
        return _from_samples(motion[0], motion[1], name)
    if isinstance(motion, (int, float)):
        return _steady(float(motion), rate, acceleration, name)
    require(callable(motion), f"{name}: prescribe takes f(t), a number, or (times, values)", BadValue, got=motion)
    _require_number(motion, name)
    found = _from_function(motion)
    return replace(found, rate=rate or found.rate, acceleration=acceleration or found.acceleration)


def _require_number(f: Any, name: str) -> None:
    """Refuse functions of more than a number; those that are not defined at the time tried are asked later."""
    try:
        found = np.shape(f(float(Prescribed(f, f, f).knots.min(initial=0.37))))
    except Exception:
        return
    require(np.prod(found) == 1, f"{name}: a prescribed motion must be one number at each time", BadShape, shape=found)


def _steady(value: float, rate, acceleration, name: str) -> Prescribed:
    """A number that stays, or grows at a constant rate."""
    words = f"{name}: when the motion is a number, `rate` must be a number and `acceleration` must be omitted"
    alone = (rate is None or isinstance(rate, (int, float))) and acceleration is None
    require(alone, words, BadValue, rate=rate, acceleration=acceleration)
    if rate is None:
        return Prescribed(Constant(value), Constant(0.0), Constant(0.0))
    return Prescribed(Steady(value, float(rate)), Constant(float(rate)), Constant(0.0))


def _from_samples(times, values, name: str) -> Prescribed:
    """An interpolating spline of order 6 through samples."""
    from scipy.interpolate import make_interp_spline

    t, x = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    require(t.ndim == 1 and t.shape == x.shape, f"{name}: times and values must be two arrays of one length", BadShape)
    require(len(t) >= 6, f"{name}: an order-6 spline needs at least 6 samples", BadShape, samples=len(t))
    require(np.isfinite(t).all() and np.isfinite(x).all(), f"{name}: times and values must be finite", NotFinite)
    require(np.all(np.diff(t) > 0), f"{name}: times must increase", BadValue)
    spline = make_interp_spline(t, x, k=5)
    return Prescribed(spline, spline.derivative(1), spline.derivative(2), (float(t[0]), float(t[-1])))


def is_spline(f: Any) -> bool:
    """Whether f is one of SciPy's splines, whose derivatives are splines too."""
    return type(f).__module__.startswith("scipy.interpolate") and hasattr(f, "derivative")


def _from_function(f: Any) -> Prescribed:
    """ẋ and ẍ of splines and of condyle's functions are their own.

    Those of an analytic f are found by complex steps (1e-12), of any other smooth f by differences of eighth order.
    """
    if is_spline(f):
        return Prescribed(f, f.derivative(1), f.derivative(2))
    if isinstance(f, Function | Sum):
        return Prescribed(f, partial(f.derivative, order=1), partial(f.derivative, order=2))
    if _is_analytic(f):
        rate, acceleration = partial(_first_complex, f), partial(_second_complex, f)
        return Prescribed(f, rate, acceleration, acceleration_noise=(0.0, ROUND_OFF / STEP))
    rate, acceleration = (partial(_difference, f, order=k) for k in (1, 2))
    return Prescribed(f, rate, acceleration, rate_noise=ROUND_OFF / WIDE, acceleration_noise=(ROUND_OFF / WIDE**2, 0.0))


def _is_analytic(f: Callable) -> bool:
    """Whether f takes complex numbers and makes of them what an analytic function does."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            return bool(abs(_first_complex(f, 0.37) - _difference(f, 0.37, 1)) < 1e-4)
    except Exception:  # whatever a user's function says to complex numbers: it takes real ones
        return False


def _first_complex(f: Callable, t: float) -> float:
    """f' from Im f(t + i h) = h f' − h³ f⁽³⁾/6 + …, with h so small that only the first is left."""
    return f(t + 1e-30j).imag / 1e-30


def _second_complex(f: Callable, t: float) -> float:
    """f'' from Im[f(t + √i h) + f(t − √i h)] = h² f'' − h⁶ f⁽⁶⁾/360 + …"""
    return (f(t + DIAGONAL * STEP) + f(t - DIAGONAL * STEP)).imag / STEP**2


_FIRST = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
_SECOND = {0: -205 / 72, 1: 8 / 5, 2: -1 / 5, 3: 8 / 315, 4: -1 / 560}


def _difference(f: Callable, t: float, order: int) -> float:
    """A central difference of eighth order."""
    h = WIDE
    if order == 1:
        return sum(w * (f(t + k * h) - f(t - k * h)) for k, w in _FIRST.items()) / h
    return (_SECOND[0] * f(t) + sum(_SECOND[k] * (f(t + k * h) + f(t - k * h)) for k in (1, 2, 3, 4))) / h**2
