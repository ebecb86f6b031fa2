"""Poses as three translations and three angles about a middle pose, the chart of a spline surface.  [eq. 25]"""

from __future__ import annotations

import numpy as np

from ...joints.kinds.spline_surface import BASIS_TWISTS
from ...spatial import adjoint, exp_se3
from ...spatial.twists import pose_inverse
from ..pose_data import PoseData


def middle_pose(data: PoseData) -> np.ndarray:
    """The weighted mean of the poses, so that the angles from it stay far from their singularity."""
    T, w = np.eye(4), data.weights
    if data.turned.any():
        U, _, Vt = np.linalg.svd(np.average(data.poses[:, :3, :3], axis=0, weights=w * data.turned))
        T[:3, :3] = U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt
    if data.placed.any():
        T[:3, 3] = np.average(data.poses[:, :3, 3], axis=0, weights=w * data.placed)
    return T


def euler_coordinates(pose: np.ndarray, poses: np.ndarray) -> np.ndarray:
    """φ of pose · exp(x)exp(y)exp(z) · R_x R_y R_z = poses, (N, 6)."""
    X = pose_inverse(pose) @ poses
    R = X[:, :3, :3]
    angles = (np.arctan2(-R[:, 1, 2], R[:, 2, 2]), np.arcsin(np.clip(R[:, 0, 2], -1, 1)))
    return np.column_stack([X[:, :3, 3], *angles, np.arctan2(-R[:, 0, 1], R[:, 0, 0])])


def surface_poses(pose: np.ndarray, phi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """G = pose · Π exp(e_k φ_k) and the columns Ad(later factors)⁻¹ e_k, (N, 6, 6)."""
    G, S = np.broadcast_to(pose, (len(phi), 4, 4)), np.zeros((len(phi), 6, 6))
    for k, g in enumerate(BASIS_TWISTS):
        X = exp_se3(phi[:, k, None] * g)
        G = G @ X
        S[..., :k] = adjoint(pose_inverse(X)) @ S[..., :k]
        S[..., k] = g
    return G, S
