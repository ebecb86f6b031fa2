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


def turning_twists(turns: str) -> np.ndarray:
    """Three translations, then turns about the axes in an order such as "xyz", (6, 6)."""
    return np.concatenate([BASIS_TWISTS[:3], BASIS_TWISTS[[3 + "xyz".index(axis) for axis in turns]]])


def euler_coordinates(pose: np.ndarray, poses: np.ndarray, turns: str = "xyz") -> np.ndarray:
    """φ of pose · exp(x)exp(y)exp(z) · R_x R_y R_z = poses, (N, 6); `turns` is the order of the three turns."""
    X = pose_inverse(pose) @ poses
    i, j, k = ("xyz".index(axis) for axis in turns)
    even = 1.0 if (j - i) % 3 == 1 else -1.0
    R = X[:, :3, :3]
    first, third = np.arctan2(-even * R[:, j, k], R[:, k, k]), np.arctan2(-even * R[:, i, j], R[:, i, i])
    return np.column_stack([X[:, :3, 3], first, np.arcsin(np.clip(even * R[:, i, k], -1, 1)), third])


def surface_poses(pose: np.ndarray, phi: np.ndarray, turns: str = "xyz") -> tuple[np.ndarray, np.ndarray]:
    """G = pose · Π exp(e_k φ_k) and the columns Ad(later factors)⁻¹ e_k, (N, 6, 6)."""
    G, S = np.broadcast_to(pose, (len(phi), 4, 4)), np.zeros((len(phi), 6, 6))
    for k, g in enumerate(turning_twists(turns)):
        X = exp_se3(phi[:, k, None] * g)
        G = G @ X
        S[..., :k] = adjoint(pose_inverse(X)) @ S[..., :k]
        S[..., k] = g
    return G, S
