"""The frame of a moving surface at a moving place: its pose, what moves it, and how fast that changes.

With a = x_u, b = x_v: t₁ = a / |a|, n = a × b / |a × b|, t₂ = n × t₁, and the frame is [t₁ t₂ n] at x + r n. Its twist
is linear in the velocities (ẋ, ȧ, ḃ): V = L(a, b) (ẋ, ȧ, ḃ), where ẋ = a u̇ + b v̇ + Σ B ṗ, and likewise ȧ and ḃ.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

TINY = 1e-30  # of a complex step


class Glide(NamedTuple):
    """The frame at a place.

    R and its origin c; columns Sq (6, 2) of the place; L (6, 9), which with (B, B_u, B_v) gives those of control
    points; the twist V, and its rate `bias` where neither place nor control points accelerate.
    """

    R: np.ndarray
    c: np.ndarray
    Sq: np.ndarray
    L: np.ndarray
    V: np.ndarray
    bias: np.ndarray


def glide(X: np.ndarray, Y: np.ndarray, rate: np.ndarray, radius: float) -> Glide:
    """From derivatives X[i, j] = ∂ᵢᵤ∂ⱼᵥ x (4, 4, 3), Y of the same of Σ B ṗ, and (u̇, v̇)."""
    s, t = rate
    a, b = X[1, 0], X[0, 1]
    z = np.stack([a * s + b * t + Y[0, 0], X[2, 0] * s + X[1, 1] * t + Y[1, 0], X[1, 1] * s + X[0, 2] * t + Y[0, 1]])
    rise = np.stack([
        _second(X, Y, 0, 0, s, t), _second(X, Y, 1, 0, s, t), _second(X, Y, 0, 1, s, t),
    ])  # fmt: skip
    L, R = twist_map(a, b, radius)
    turning = np.imag(twist_map(a + 1j * TINY * z[1], b + 1j * TINY * z[2], radius)[0]) / TINY
    columns = np.stack([np.stack([a, X[2, 0], X[1, 1]]).ravel(), np.stack([b, X[1, 1], X[0, 2]]).ravel()], axis=1)
    return Glide(R, X[0, 0] + radius * R[:, 2], L @ columns, L, L @ z.ravel(), L @ rise.ravel() + turning @ z.ravel())


def _second(X: np.ndarray, Y: np.ndarray, i: int, j: int, s: float, t: float) -> np.ndarray:
    """The second rate of ∂ᵢᵤ∂ⱼᵥ x where nothing accelerates."""
    own = X[i + 2, j] * s * s + 2.0 * X[i + 1, j + 1] * s * t + X[i, j + 2] * t * t
    return own + 2.0 * (Y[i + 1, j] * s + Y[i, j + 1] * t)


def twist_map(a: np.ndarray, b: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """L (6, 9) and R; a and b may be complex, for derivatives."""
    long = np.sqrt((a * a).sum())
    t1 = a / long
    n = _cross(a, b)
    n = n / np.sqrt((n * n).sum())
    t2 = _cross(n, t1)
    L = np.zeros((6, 9), dtype=np.result_type(a, b))
    L[1, 3:6], L[2, 3:6] = -n / long, t2 / long
    L[0, 3:6], L[0, 6:9] = -(b @ t1) * n / (long * (b @ t2)), n / (b @ t2)
    L[3:, :3] = np.stack([t1, t2, n])
    L[3], L[4] = L[3] + radius * L[1], L[4] - radius * L[0]
    return L, np.stack([t1, t2, n], axis=1)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
