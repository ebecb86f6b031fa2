"""Unit quaternions wxyz: to and from rotations and rotation vectors, products; accurate at every angle."""

from __future__ import annotations

import numpy as np

from .arrays import cross
from .coefficients import sinc


def quaternion_exp(omega: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation vector."""
    half = 0.5 * norm(omega)
    return np.concatenate([np.cos(half), 0.5 * sinc(half) * omega], axis=-1)


def quaternion_log(wxyz: np.ndarray) -> np.ndarray:
    """The rotation vector of a unit quaternion, at most half a turn.

    At exactly half a turn (w = 0) both directions are right; the first component that is not zero is made positive.
    """
    q = np.where(_turned_back(wxyz), -wxyz, wxyz)
    w, v = np.abs(q[..., :1]), q[..., 1:]
    n = norm(v)
    safe = np.where(n == 0.0, 1.0, n)
    return np.where(n == 0.0, 2.0, 2.0 * np.arctan2(safe, w) / safe) * v


def _turned_back(q: np.ndarray) -> np.ndarray:
    """Whether −q is the half of the double cover to take: by the sign of its first component that is not zero."""
    first = np.argmax(q != 0.0, axis=-1, keepdims=True)
    return np.take_along_axis(q, first, axis=-1) < 0.0


def norm(v: np.ndarray) -> np.ndarray:
    """The length, with the axis kept and without underflow: 1e-200 has a length too."""
    largest = np.abs(v).max(axis=-1, keepdims=True)
    scale = np.where((largest > 0.0) & np.isfinite(largest), largest, 1.0)
    return scale * np.sqrt(np.square(v / scale).sum(axis=-1, keepdims=True))


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product: first b, then a."""
    u, v = a[..., 1:], b[..., 1:]
    w = a[..., :1] * b[..., :1] - (u * v).sum(axis=-1, keepdims=True)
    return np.concatenate([w, a[..., :1] * v + b[..., :1] * u + cross(u, v)], axis=-1)


def conjugate(q: np.ndarray) -> np.ndarray:
    """The inverse of a unit quaternion."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def rotation_from_quaternion(q: np.ndarray) -> np.ndarray:
    """The rotation matrix of a quaternion; its norm is divided out, so round-off in it does no harm."""
    w, x, y, z = (q[..., k] for k in range(4))
    s = 2.0 / (w * w + x * x + y * y + z * z)
    sx, sy, sz = s * x, s * y, s * z
    R = np.empty((*q.shape[:-1], 3, 3), dtype=q.dtype)
    R[..., 0, 0], R[..., 0, 1], R[..., 0, 2] = 1.0 - (sy * y + sz * z), sx * y - sz * w, sx * z + sy * w
    R[..., 1, 0], R[..., 1, 1], R[..., 1, 2] = sx * y + sz * w, 1.0 - (sx * x + sz * z), sy * z - sx * w
    R[..., 2, 0], R[..., 2, 1], R[..., 2, 2] = sx * z - sy * w, sy * z + sx * w, 1.0 - (sx * x + sy * y)
    return R


def quaternion_from_rotation(R: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation matrix, w ≥ 0 unless round-off says otherwise.

    4 q qᵀ is linear in R; its row with the largest diagonal entry is the quaternion times a number not near zero.
    """
    rows = _four_q_q(R)
    best = np.argmax(np.diagonal(rows, axis1=-2, axis2=-1), axis=-1)
    q = np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :]
    return np.where(q[..., :1] < 0.0, -q, q) / norm(q)


def _four_q_q(R: np.ndarray) -> np.ndarray:
    """4 q qᵀ of a rotation matrix."""
    a, b, c, d, e, f, g, h, i = (R[..., j, k] for j in range(3) for k in range(3))
    Q = np.empty((*R.shape[:-2], 4, 4))
    Q[..., 0, 0], Q[..., 1, 1] = 1.0 + a + e + i, 1.0 + a - e - i
    Q[..., 2, 2], Q[..., 3, 3] = 1.0 - a + e - i, 1.0 - a - e + i
    Q[..., 0, 1] = Q[..., 1, 0] = h - f
    Q[..., 0, 2] = Q[..., 2, 0] = c - g
    Q[..., 0, 3] = Q[..., 3, 0] = d - b
    Q[..., 1, 2] = Q[..., 2, 1] = b + d
    Q[..., 1, 3] = Q[..., 3, 1] = c + g
    Q[..., 2, 3] = Q[..., 3, 2] = f + h
    return Q
