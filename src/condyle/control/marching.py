"""Marching y' = f(t, y) for a batch (count, n): fixed Runge-Kutta steps, or extrapolation after Bulirsch and Stoer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import NotConverged, require

__all__ = ["METHODS", "bulirsch_stoer", "rk4"]

SUBSTEPS = (2, 4, 6, 8, 10, 12, 14, 16)
SHORTEST = 1e-12  # share of the interval


def rk4(f: Callable, t: float, y: np.ndarray, end: float, step: float, tolerance: float) -> np.ndarray:
    """Equal steps of at most `step` from t to `end`; `tolerance` is not looked at."""
    count = max(1, int(np.ceil((end - t) / step - 1e-9)))
    h = (end - t) / count
    for k in range(count):
        y = rk4_step(f, t + k * h, y, h)
    return y


def rk4_step(f: Callable, t: float, y: np.ndarray, h: float) -> np.ndarray:
    """One step of the classical method."""
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def bulirsch_stoer(f: Callable, t: float, y: np.ndarray, end: float, step: float, tolerance: float) -> np.ndarray:
    """Steps that adapt so that each has an error below `tolerance` (absolute and relative); `step` is the first."""
    h, span = min(step, end - t), end - t
    while t < end - 1e-14 * max(1.0, abs(end)):
        h = min(h, end - t)
        z, used = _extrapolated(f, t, y, h, tolerance)
        if z is None:
            h *= 0.4
            require(h > SHORTEST * span, f"Bulirsch-Stoer: the step at t = {t:g} s became too small", NotConverged, h=h)
            continue
        t, y = t + h, z
        h *= 1.5 if used <= 4 else 0.9 if used >= 7 else 1.0
    return y


def _extrapolated(f: Callable, t: float, y: np.ndarray, h: float, tolerance: float) -> tuple[np.ndarray | None, int]:
    """The midpoint rule with more and more substeps, extrapolated to zero width (Aitken and Neville, in h²)."""
    start, row = f(t, y), []
    for k, n in enumerate(SUBSTEPS):
        new = [_midpoint(f, t, y, start, h, n)]
        for j in range(k):
            ratio = (n / SUBSTEPS[k - j - 1]) ** 2
            new.append(new[j] + (new[j] - row[j]) / (ratio - 1.0))
        if k:
            error = np.abs(new[-1] - new[-2]) / (1.0 + np.abs(new[-1]))
            if np.isfinite(error).all() and error.max() <= tolerance:
                return new[-1], k + 1
        row = new
    return None, len(SUBSTEPS)


def _midpoint(f: Callable, t: float, y: np.ndarray, start: np.ndarray, h: float, n: int) -> np.ndarray:
    """Gragg's modified midpoint rule: its error has even powers of h only."""
    d = h / n
    last, here = y, y + d * start
    for k in range(1, n):
        last, here = here, last + 2.0 * d * f(t + k * d, here)
    return 0.5 * (last + here + d * f(t + h, here))


METHODS: dict[str, Callable] = {"rk4": rk4, "bulirsch-stoer": bulirsch_stoer}
