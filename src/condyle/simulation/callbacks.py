"""The user's functions `control` and `stop` of time and state: validated when given, and what they return each time."""

from __future__ import annotations

from inspect import signature

import numpy as np

from ..errors import BadShape, BadValue, NotFinite, require
from ..spatial.arrays import real_numbers


def require_function(f, name: str, takes: tuple[str, ...] = ("t", "q", "v")) -> None:
    """A function of the time and of the state, in as many arguments as that has."""
    expected = f"{name} must be a function ({', '.join(takes)})"
    require(callable(f), expected, BadValue, got=f)
    try:
        given = signature(f)
    except (TypeError, ValueError):  # some functions written in C do not say
        return
    try:
        given.bind(*(None for _ in takes))
    except TypeError as trouble:
        raise BadValue(f"{expected}; got {getattr(f, '__name__', f)!r}, which takes {given}: {trouble}") from None


def control_forces(given, t: float, batch: tuple[int, ...], nv: int, ended: np.ndarray) -> np.ndarray:
    """What control returned at time t, as forces (count, nv); NaN is allowed for members that have `ended`."""
    expected = (*batch, nv)
    require(given is not None, f"control returned None at t = {t:g} s; it must return forces {expected}", BadShape)
    tau = real_numbers(given, f"what control returned at t = {t:g} s")
    words = f"control returned shape {tau.shape} at t = {t:g} s, expected {expected}"
    require(tau.shape[-1:] == expected[-1:] or expected == (1,), words, BadShape)
    tau = _broadcast(tau, expected, words).reshape(-1, nv)
    bad = ~np.isfinite(tau) & ~np.reshape(ended, (-1, 1))
    if bad.any():
        where = f"{first_true(bad.reshape(expected))}, of shape {expected}"
        raise NotFinite(f"control returned a NaN or an infinity at t = {t:g} s, at index {where}")
    return np.nan_to_num(np.ascontiguousarray(tau))


def stop_flags(given, t: float, batch: tuple[int, ...]) -> np.ndarray:
    """What stop returned at time t, as truth values (count,)."""
    expected = f"one truth value per member, shape {batch}" if batch else "True or False"
    require(given is not None, f"stop returned None at t = {t:g} s; it must return {expected}", BadShape)
    flags = real_numbers(given, f"what stop returned at t = {t:g} s")
    require(np.isfinite(flags).all(), f"stop returned a NaN or an infinity at t = {t:g} s", NotFinite)
    words = f"stop returned shape {flags.shape} at t = {t:g} s, expected {expected}"
    return _broadcast(flags, batch, words).reshape(-1) != 0.0


def first_true(flags: np.ndarray) -> list[int]:
    """The index of the first true value."""
    return [int(i) for i in np.argwhere(flags)[0]]


def _broadcast(x: np.ndarray, shape: tuple[int, ...], words: str) -> np.ndarray:
    try:
        return np.broadcast_to(x, shape)
    except ValueError:
        raise BadShape(words) from None
