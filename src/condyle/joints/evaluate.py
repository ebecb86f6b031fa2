"""Pose, Jacobian, Hessian and third derivative of a joint, at one or many coordinates."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from ..errors import NotFinite, require
from ..numeric import COMPILED, LANES
from ..spatial import SE3
from ..spatial.arrays import ready
from ..spatial.se3 import unchecked_pose
from ..spatial.twists import pose_matrix
from .packing import TableBuilder
from .validate_coordinates import checked_coordinates

if TYPE_CHECKING:
    from .joint import Joint

STEP = 1e-30  # complex step: exact to round-off at any size this small


@lru_cache(maxsize=256)
def _packed(joint: Joint):
    tables = TableBuilder()
    start = tables.joint(joint.segments, joint.offsets)
    return tables.arrays(), (start, len(joint.segments), joint.nv), tables.work


def _zero(count: int):
    """The zero of floats for one state, of lanes for a batch."""
    return LANES if count > 1 and COMPILED else 0.0


@cache
def _poses_kernel() -> tuple[Callable, int]:
    from .kernels.entries import POSE, poses  # loads the compiler, so only when needed

    return poses, POSE


def pose(joint: Joint, q) -> SE3:
    """The poses G(q), an SE3 of the batch shape of q."""
    if joint.takes_any_q and ready(q, joint.nq):
        kernel, size = _poses_kernel()
        out = np.empty((1, size))
        kernel(0.0, *_packed(joint), q[None], out, 0, 1)
        one = out[0]
        if isfinite(one.dot(one)):
            return unchecked_pose(one[12:], one[9:12])
    x, batch = _poses(joint, q)
    return unchecked_pose(x[:, 12:].reshape(*batch, 4), x[:, 9:12].reshape(*batch, 3))


def pose_matrices(joint: Joint, q) -> np.ndarray:
    """The poses G(q) as matrices (..., 4, 4): what `pose` gives, for those who need the matrices only."""
    x, batch = _poses(joint, q)
    return pose_matrix(x[:, :9].reshape(*batch, 3, 3), x[:, 9:12].reshape(*batch, 3))


def _poses(joint: Joint, q) -> tuple[np.ndarray, tuple[int, ...]]:
    """R, p and the quaternion of G(q) by rows (count, 16), and the batch shape of q."""
    kernel, size = _poses_kernel()
    q, batch = checked_coordinates(joint, q)
    out = np.empty((len(q), size))
    kernel(_zero(len(q)), *_packed(joint), q, out, 0, len(q))
    return _finite(joint, out), batch


def _derivatives(joint: Joint, q: np.ndarray):
    from .kernels import entries

    S = np.empty((len(q), 6 * joint.nv), dtype=q.dtype)
    H = np.empty((len(q), 6 * joint.nv**2), dtype=q.dtype)
    entries.derivatives(0j if np.iscomplexobj(q) else _zero(len(q)), *_packed(joint), q, (S, H), 0, len(q))
    S, H = S.reshape(len(q), joint.nv, 6), H.reshape(len(q), joint.nv, joint.nv, 6)
    return S.swapaxes(-1, -2), np.moveaxis(H, -1, -3)


def jacobian(joint: Joint, q) -> np.ndarray:
    """The joint Jacobian S in the moving frame M, shape (..., 6, nv): column i is (G⁻¹ ∂_i G)^∨, angular part first."""
    q, batch = checked_coordinates(joint, q)
    return _finite(joint, _derivatives(joint, q)[0].reshape(*batch, 6, joint.nv))


def hessian(joint: Joint, q) -> np.ndarray:
    """∂s_i/∂q_j in [..., i, j], shape (..., 6, nv, nv); not symmetric: ∂_j s_i − ∂_i s_j = ad_{s_i} s_j."""
    q, batch = checked_coordinates(joint, q)
    return _finite(joint, _derivatives(joint, q)[1].reshape(*batch, 6, joint.nv, joint.nv))


def third(joint: Joint, q) -> np.ndarray:
    """∂²s_i/∂q_j∂q_l in [..., i, j, l], shape (..., 6, nv, nv, nv), by complex step of the exact Hessian."""
    q, batch = checked_coordinates(joint, q)
    require(joint.nq == joint.nv, "third derivatives need a joint without quaternions", joint=joint.coordinates)
    out = np.empty((len(q), 6, joint.nv, joint.nv, joint.nv))
    for l in range(joint.nv):
        stepped = q.astype(complex)
        stepped[:, l] += 1j * STEP
        out[..., l] = np.imag(_derivatives(joint, stepped)[1]) / STEP
    return _finite(joint, out.reshape(*batch, 6, joint.nv, joint.nv, joint.nv))


def _finite(joint: Joint, values: np.ndarray) -> np.ndarray:
    if not np.isfinite(values).all():
        raise NotFinite(f"joint {joint.coordinates}: the coordinates are so large that the pose is not finite")
    return values
