"""Rotations: exponential and logarithm of rotation vectors, exact to round-off from 1e-300 to half a turn."""

from __future__ import annotations

import numpy as np

from ..typing import ArrayLike
from .arrays import floats
from .quaternions import quaternion_exp, quaternion_from_rotation, quaternion_log, rotation_from_quaternion


def cross_matrix(w: np.ndarray) -> np.ndarray:
    """ŵ: the matrix of w × …"""
    x, y, z = w[..., 0], w[..., 1], w[..., 2]
    M = np.zeros((*w.shape, 3), dtype=w.dtype)
    M[..., 0, 1], M[..., 0, 2], M[..., 1, 2] = -z, y, -x
    M[..., 1, 0], M[..., 2, 0], M[..., 2, 1] = z, -y, x
    return M


def axes_with_z(z: np.ndarray) -> np.ndarray:
    """Some rotations (..., 3, 3) whose third columns are the unit vectors z (..., 3)."""
    guide = np.where(np.abs(z[..., 1:2]) < 0.9, (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    x = np.cross(guide, z)
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    return np.stack([x, np.cross(z, x), z], axis=-1)


def axis_frame(axis: ArrayLike) -> np.ndarray:
    """A rotation whose third column is the unit vector `axis`; the identity for a zero axis.

    Its first column is across the world axis from which that is farthest.
    """
    z = np.asarray(axis, float)
    if not z.any():
        return np.eye(3)
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def exp_so3(omega: ArrayLike) -> np.ndarray:
    """The rotation matrices (..., 3, 3) of rotation vectors (..., 3) [rad], through half angles.

    Parameters
    ----------
    omega : array_like, shape (..., 3)
        Rotation vectors [rad].

    Returns
    -------
    ndarray, shape (..., 3, 3)
    """
    return rotation_from_quaternion(quaternion_exp(floats(omega, (3,), "a rotation vector")))


def log_so3(rotation: ArrayLike) -> np.ndarray:
    """The rotation vectors (..., 3) [rad], at most half a turn, of rotation matrices (..., 3, 3).

    At exactly half a turn the first component that is not zero is positive.

    Parameters
    ----------
    rotation : array_like, shape (..., 3, 3)
        Rotation matrices.

    Returns
    -------
    ndarray, shape (..., 3)
        [rad]
    """
    return quaternion_log(quaternion_from_rotation(floats(rotation, (3, 3), "a rotation")))
