"""Slopes of a surface given as a function that takes complex numbers, exact to round-off."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .complex_derivatives import circle_derivative

CIRCLE = (0.1, 12)  # radius by half a piece, and places, of circles that slopes at complex parameters are taken by


def complex_step(f: Callable, q: np.ndarray, nu: tuple[int, int]) -> np.ndarray:
    """f, or its slope by one parameter, exact to round-off."""
    if not any(nu):
        return np.asarray(f(*q.T), q.dtype)
    shifted = q + 1e-30j * np.asarray(nu)
    return np.imag(f(*shifted.T)) / 1e-30


def slope_around(f: Callable, q: np.ndarray, nu: tuple[int, int], radii: Sequence[float]) -> np.ndarray:
    """The slope of f by one parameter at complex places (N, 2)."""
    c = int(np.argmax(nu))
    other = np.repeat(q[:, 1 - c], CIRCLE[1])
    slope = circle_derivative(lambda x: f(*((x, other) if c == 0 else (other, x))), q[:, c], 1, radii[c], CIRCLE[1])
    return slope if slope.shape[1] == 3 else slope[:, 0]


def takes_complex(f: Callable, pieces: Sequence, box) -> bool:
    """Whether slopes by complex numbers are those of the function's pieces: some functions drop imaginary parts."""
    q = np.stack([b[0] + (b[-1] - b[0]) * np.array([0.21, 0.58, 0.87]) for b in box], axis=-1)
    try:
        slopes = [complex_step(f, q, nu).reshape(3, -1) for nu in ((1, 0), (0, 1))]
    except (TypeError, ValueError):
        return False
    expected = [np.stack([p.derivative(*q.T, order=nu) for p in pieces], axis=-1) for nu in ((1, 0), (0, 1))]
    scale = max(float(np.abs(expected).max()), 1e-300)
    return bool(np.abs(np.array(slopes) - expected).max() < 1e-6 * scale)
