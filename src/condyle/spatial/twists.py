"""Rigid motions: exponential, logarithm, adjoints. Twists are [ω; v], angular part first, body-fixed."""

from __future__ import annotations

import numpy as np

from ..errors import BadShape
from ..typing import ArrayLike
from .arrays import cross, floats
from .coefficients import log_coefficient, sine_defect, versine_ratio
from .quaternions import norm
from .so3 import cross_matrix, exp_so3, log_so3


def hat(x: ArrayLike) -> np.ndarray:
    """The matrix of a vector: (..., 3) to skew (..., 3, 3), twists (..., 6) to (..., 4, 4).

    Parameters
    ----------
    x : array_like, shape (..., 3) or (..., 6)
        Vectors or twists.

    Returns
    -------
    ndarray, shape (..., 3, 3) or (..., 4, 4)

    Raises
    ------
    BadShape
        If the last axis has neither three nor six numbers.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.spatial.hat([1, 2, 3])
    array([[ 0., -3.,  2.],
           [ 3.,  0., -1.],
           [-2.,  1.,  0.]])
    """
    array = np.asarray(x, dtype=np.float64)
    if array.shape[-1:] == (3,):
        return cross_matrix(array)
    if array.shape[-1:] == (6,):
        return pose_matrix(cross_matrix(array[..., :3]), array[..., 3:], corner=0.0)
    raise BadShape(f"hat takes vectors (..., 3) or twists (..., 6); got shape {array.shape}")


def vee(matrix: ArrayLike) -> np.ndarray:
    """The vector of a matrix made by `hat`: (..., 3, 3) to (..., 3), (..., 4, 4) to (..., 6).

    Parameters
    ----------
    matrix : array_like, shape (..., 3, 3) or (..., 4, 4)

    Returns
    -------
    ndarray, shape (..., 3) or (..., 6)

    Raises
    ------
    BadShape
        If the matrices are neither 3x3 nor 4x4.
    """
    M = np.asarray(matrix, dtype=np.float64)
    if M.shape[-2:] not in ((3, 3), (4, 4)):
        raise BadShape(f"vee takes matrices (..., 3, 3) or (..., 4, 4); got shape {M.shape}")
    w = np.stack([M[..., 2, 1] - M[..., 1, 2], M[..., 0, 2] - M[..., 2, 0], M[..., 1, 0] - M[..., 0, 1]], axis=-1) / 2.0
    return w if M.shape[-1] == 3 else np.concatenate([w, M[..., :3, 3]], axis=-1)


def pose_matrix(R: np.ndarray, p: np.ndarray, corner: float = 1.0) -> np.ndarray:
    """[[R, p], [0, corner]], batches broadcast."""
    batch = np.broadcast_shapes(R.shape[:-2], p.shape[:-1])
    T = np.zeros((*batch, 4, 4), dtype=np.result_type(R, p, 1.0))
    T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = R, p, corner
    return T


def pose_inverse(poses: np.ndarray) -> np.ndarray:
    """Inverses of rigid poses (..., 4, 4)."""
    Rt = np.swapaxes(poses[..., :3, :3], -2, -1)
    return pose_matrix(Rt, -(Rt @ poses[..., :3, 3:])[..., 0])


def exp_se3(twist: ArrayLike) -> np.ndarray:
    """The poses (..., 4, 4) reached by moving with constant twists (..., 6) for unit time.

    Parameters
    ----------
    twist : array_like, shape (..., 6)
        Twists [ω; v], angular part first.

    Returns
    -------
    ndarray, shape (..., 4, 4)
    """
    g = floats(twist, (6,), "a twist")
    return pose_matrix(exp_so3(g[..., :3]), swept(g[..., :3], g[..., 3:]))


def swept(w: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Where the origin goes: v + (1 − cosθ)/θ² ω×v + (θ − sinθ)/θ³ ω×(ω×v)."""
    theta = norm(w)
    wv = cross(w, v)
    return v + (versine_ratio(theta) * wv + sine_defect(theta) * cross(w, wv))


def unswept(w: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The inverse of `swept`: p − ω×p / 2 + (1 − (θ/2) cot(θ/2))/θ² ω×(ω×p)."""
    wp = cross(w, p)
    return p + (log_coefficient(norm(w)) * cross(w, wp) - 0.5 * wp)


def log_se3(pose: ArrayLike) -> np.ndarray:
    """The twists (..., 6), turning at most half a turn, that reach poses (..., 4, 4) in unit time.

    Parameters
    ----------
    pose : SE3 or array_like, shape (..., 4, 4)
        Poses.

    Returns
    -------
    ndarray, shape (..., 6)
        Twists.
    """
    T = floats(pose, (4, 4), "a pose")
    w = log_so3(T[..., :3, :3])
    return np.concatenate([w, unswept(w, T[..., :3, 3])], axis=-1)


def adjoint(pose: ArrayLike) -> np.ndarray:
    """Ad (..., 6, 6) of poses (..., 4, 4): [[R, 0], [p̂R, R]], which takes twists of the inner frame to the outer.

    Parameters
    ----------
    pose : SE3 or array_like, shape (..., 4, 4)
        Poses.

    Returns
    -------
    ndarray, shape (..., 6, 6)
    """
    T = floats(pose, (4, 4), "a pose")
    R = T[..., :3, :3]
    return _lower_blocks(R, cross_matrix(T[..., :3, 3]) @ R)


def ad(twist: ArrayLike) -> np.ndarray:
    """ad (..., 6, 6) of twists (..., 6): [[ω̂, 0], [v̂, ω̂]], the bracket with another twist.

    Parameters
    ----------
    twist : array_like, shape (..., 6)
        Twists [ω; v], angular part first.

    Returns
    -------
    ndarray, shape (..., 6, 6)
    """
    g = floats(twist, (6,), "a twist")
    return _lower_blocks(cross_matrix(g[..., :3]), cross_matrix(g[..., 3:]))


def _lower_blocks(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """[[A, 0], [B, A]]."""
    M = np.zeros((*A.shape[:-2], 6, 6))
    M[..., :3, :3] = M[..., 3:, 3:] = A
    M[..., 3:, :3] = B
    return M
