"""Derivatives of functions that take complex numbers, exact to round-off, and angles of complex directions.

The first derivative at a real place is Im f(t + ih)/h. Any other is Cauchy's integral over a circle, by the trapezoidal
rule: k!/(n rᵏ) Σ f(t + r w) w⁻ᵏ over the n roots w of −1. What it leaves falls as (r/R)ⁿ, with R the distance of the
nearest singularity, and as round-off over rᵏ, so r is a share of the width of the pieces that store it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import factorial

import numpy as np

STEP = 1e-30
Radius = np.ndarray | float


@cache
def circle(count: int) -> np.ndarray:
    """The roots of −1, which no two lie on the real axis of."""
    return np.exp(1j * np.pi * (2.0 * np.arange(count) + 1.0) / count)


def circle_derivative(
    f: Callable[[np.ndarray], np.ndarray], t: np.ndarray, k: int, radius: Radius, count: int
) -> np.ndarray:
    """The k-th derivative of f, from (N,) to (N, m), at places (N,), real or complex, by circles around them."""
    w, radius = circle(count), np.broadcast_to(radius, t.shape)
    points = t[:, None] + radius[:, None] * w
    values = np.asarray(f(points.ravel()), complex).reshape(len(t), count, -1)
    found = factorial(k) / count * np.einsum("ncm,c->nm", values, w**-k) / radius[:, None] ** k
    return found if np.iscomplexobj(t) else np.real(found)


def step_derivative(f: Callable[[np.ndarray], np.ndarray], t: np.ndarray) -> np.ndarray:
    """The first derivative of f, from (N,) to (N, m), at real places (N,)."""
    return np.imag(f(t + STEP * 1j)) / STEP


def angle_of(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The angle of the direction (x, y), known up to whole turns; analytic in complex x and y."""
    if not np.iscomplexobj(x) and not np.iscomplexobj(y):
        return np.arctan2(y, x)
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))


def nearest_turn(value: np.ndarray, followed: np.ndarray) -> np.ndarray:
    """An angle with the whole turns that bring it next to another."""
    return value + 2.0 * np.pi * np.round((followed - np.real(value)) / (2.0 * np.pi))


def lengths(d: np.ndarray) -> np.ndarray:
    """√(d·d) of rows, analytic in complex ones."""
    return np.sqrt((d * d).sum(axis=-1)) if np.iscomplexobj(d) else np.linalg.norm(d, axis=-1)
