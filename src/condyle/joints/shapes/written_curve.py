"""A curve given as a function: its own values and exact derivatives if it takes complex numbers, else its pieces."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from .complex_derivatives import circle_derivative, step_derivative
from .stored_pieces import evaluated, stored_pieces

CIRCLES = ((0.1, 12), (0.6, 32))  # radius by half a piece, and places, for the first derivative and for others
AGREEING = (1e-9, 1e-6)  # of the largest: how far two derivatives of pieces may be from those by complex numbers
PROBED = np.linspace(0.0, 1.0, 5)  # places of each piece where they are compared

Derivatives = Callable[[np.ndarray, int], np.ndarray]


def written_curve(f: Callable, width: int, box: np.ndarray, closed: bool) -> tuple[Derivatives, np.ndarray, bool]:
    """at(t, k) of a function from (N,) to (N, width), its breakpoints, and whether it takes complex parameters."""

    def component(i: int, kind: type) -> Callable[[np.ndarray], np.ndarray]:
        return lambda t: np.asarray(f(t), kind)[:, i]

    smooth = len(box) == 2  # circles must not reach over places where it is less smooth
    parts = [
        stored_pieces(component(i, float), box, closed, 5e-13, analytic=component(i, complex) if smooth else None)
        for i in range(width)
    ]
    breaks = np.unique(np.concatenate([p.grid.breaks[0] for p in parts]))
    quick = [evaluated(p) for p in parts]

    def pieces(t: np.ndarray, k: int) -> np.ndarray:
        return np.stack([p(t, k) for p in quick], axis=-1)

    written = written_derivatives(f, breaks)
    exact = smooth and agreeing(written, pieces, breaks)
    return (written if exact else pieces), breaks, exact


def written_derivatives(f: Callable, breaks: np.ndarray) -> Derivatives:
    """at(t, k) by the function itself."""
    halves = 0.5 * np.diff(breaks)

    def at(t: np.ndarray, k: int) -> np.ndarray:
        if k == 0:
            return np.asarray(f(t), t.dtype)
        if k == 1 and not np.iscomplexobj(t):
            return step_derivative(f, t)
        cell = np.clip(np.searchsorted(breaks, np.real(t), side="right") - 1, 0, len(halves) - 1)
        reach, count = CIRCLES[min(k, 2) - 1]
        return circle_derivative(f, t, k, reach * halves[cell], count)

    return at


def agreeing(written: Derivatives, pieces: Derivatives, breaks: np.ndarray) -> bool:
    """Whether derivatives by complex numbers are those of the pieces: some functions drop imaginary parts."""
    t = (breaks[:-1, None] + np.diff(breaks)[:, None] * PROBED).ravel()
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            pairs = [(written(t, k), pieces(t, k)) for k in (1, 2)]
        except Exception:  # whatever a user's function says to complex numbers: it takes real ones
            return False
    speed, width = float(np.abs(pairs[0][1]).max()), float(np.diff(breaks).min())
    sizes = (speed, max(speed / width, float(np.abs(pairs[1][1]).max())))
    return all(
        a.shape == b.shape and bool(np.abs(a - b).max() <= share * size)
        for (a, b), share, size in zip(pairs, AGREEING, sizes, strict=True)
    )
