"""Marching y' = f(t, y) for a batch (count, n) from one given time to the next.

A method takes (f, y, times, step, tolerance, tidied) and yields y at each of the times after the first. `tidied(y, t)`
is applied after every step of equal steps and after every stretch of adapted ones: unit quaternions, closed loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from ..errors import NotConverged, require
from ..simulation.kernels.runge_kutta import ERROR, TABLEAU, TIMES, classical_step

SUBSTEPS = (2, 4, 6, 8, 10, 12, 14, 16)
SHORTEST = 1e-12  # share of the interval
ADAMS = (55 / 24, -59 / 24, 37 / 24, -9 / 24)


def rk4(f: Callable, y: np.ndarray, times, step: float, tolerance: float, tidied: Callable) -> Iterator[np.ndarray]:
    """Equal steps of at most `step`; `tolerance` is not looked at."""
    for a, b in pairwise(times):
        count, h = _equal(a, b, step)
        for k in range(count):
            t = a + k * h
            y = tidied(rk4_step(f, t, y, h, f(t, y)), t + h)
        yield y


def adams(f: Callable, y: np.ndarray, times, step: float, tolerance: float, tidied: Callable) -> Iterator[np.ndarray]:
    """Equal steps of order 4 from the last four slopes (Adams and Bashforth): f is asked once per step.

    The times must be equally spaced; the first three steps are Runge-Kutta's.
    """
    slopes: list[np.ndarray] = []
    for a, b in pairwise(times):
        count, h = _equal(a, b, step)
        for k in range(count):
            t = a + k * h
            slopes = [f(t, y), *slopes[:3]]
            ready = len(slopes) == len(ADAMS)
            moved = y + h * sum(w * x for w, x in zip(ADAMS, slopes, strict=True)) if ready else None
            y = tidied(rk4_step(f, t, y, h, slopes[0]) if moved is None else moved, t + h)
        yield y


def _equal(a: float, b: float, step: float) -> tuple[int, float]:
    """How many equal steps of at most `step`, and their length."""
    count = max(1, int(np.ceil((b - a) / step - 1e-6)))
    return count, (b - a) / count


def rk4_step(f: Callable, t: float, y: np.ndarray, h: float, k1: np.ndarray) -> np.ndarray:
    """One step of the classical method; k1 = f(t, y)."""
    return classical_step(lambda part, x: f(t + part * h, x) if part else k1, lambda _, by, d: y + by * d, h)


def _stretches(solve: Callable) -> Callable:
    """A method that solves each stretch between two times on its own."""

    def march(f, y, times, step, tolerance, tidied) -> Iterator[np.ndarray]:
        for a, b in pairwise(times):
            y = tidied(solve(f, a, y, b, step, tolerance), b)
            yield y

    return march


def dormand_prince(f: Callable, t: float, y: np.ndarray, end: float, step: float, tolerance: float) -> np.ndarray:
    """Runge-Kutta steps of order 5 that adapt so that each has an error below `tolerance` (absolute and relative).

    The worst number of the batch counts: in scipy's root mean square over all of them the error of one member would
    drown among many that move smoothly.
    """
    h, span = min(step, end - t), end - t
    while t < end - 1e-14 * max(1.0, abs(end)):
        h = min(h, end - t)
        z, k = _dormand_prince_step(f, t, y, h)
        off = float(np.max(np.abs(h * np.tensordot(ERROR, k, 1)) / (1.0 + np.abs(z)))) / tolerance
        if off <= 1.0:
            t, y = t + h, z
        h *= min(4.0, max(0.2, 0.9 * off**-0.2)) if 0.0 < off < np.inf else 4.0 if off == 0.0 else 0.2
        require(h > SHORTEST * span, f"the adaptive step at t = {t:g} s became too small", NotConverged, h=h)
    return y


def _dormand_prince_step(f: Callable, t: float, y: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    k = np.zeros((len(TIMES), *y.shape))
    z = y
    for i, at in enumerate(TIMES):
        z = y + h * np.tensordot(TABLEAU[i, :i], k[:i], 1)
        k[i] = f(t + at * h, z)
    return z, k  # its last stage stands at the end of the step


def bulirsch_stoer(f: Callable, t: float, y: np.ndarray, end: float, step: float, tolerance: float) -> np.ndarray:
    """Steps that adapt so that each has an error below `tolerance` (absolute and relative); `step` is the first.

    Parameters
    ----------
    f : callable
        f(t, y), the rates of a batch (count, n).
    t : float
        Time of `y` [s].
    y : array_like, shape (count, n)
        States.
    end : float
        Time to reach [s].
    step : float
        First step [s].
    tolerance : float
        Error per step.

    Returns
    -------
    ndarray, shape (count, n)
        The states at `end`.

    Raises
    ------
    NotConverged
        If the step becomes too small.
    """
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


METHODS: dict[str, Callable] = {
    "rk4": rk4,
    "adams": adams,
    "adaptive": _stretches(dormand_prince),
    "bulirsch-stoer": _stretches(bulirsch_stoer),
}
