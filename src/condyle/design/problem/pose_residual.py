"""What a curve leaves over: r = log(G⁻¹ G_d), and how it changes when the curve moves with the body velocity u.

∂r = −Jl(r)⁻¹ u exactly, where equation (36) of [LeeTerzopoulos2008] has −u. Where only the rotation was measured the
last three rows are dropped; where only the position was, r = (0, Rᵀ(p_d − p)).
"""

from __future__ import annotations

import numpy as np

from ...spatial import left_jacobian_inverse, log_se3
from ...spatial.so3 import cross_matrix
from ...spatial.twists import pose_inverse
from ..pose_data import PoseData


def pose_residuals(G: np.ndarray, data: PoseData) -> np.ndarray:
    """r (N, 6), zero in the parts that were not measured."""
    X = pose_inverse(G) @ data.poses
    r = log_se3(X)
    if data.whole:
        return r
    only_placed = ~data.turned
    r[only_placed, :3], r[only_placed, 3:] = 0.0, X[only_placed, :3, 3]
    r[~data.placed, 3:] = 0.0
    return r


def residual_slopes(r: np.ndarray, data: PoseData) -> np.ndarray:
    """∂r/∂u (N, 6, 6)."""
    D = -left_jacobian_inverse(r)
    if data.whole:
        return D
    only_placed = ~data.turned
    D[only_placed] = 0.0
    D[only_placed, 3:, :3] = cross_matrix(r[only_placed, 3:])
    D[only_placed, 3:, 3:] = -np.eye(3)
    D[~data.placed, 3:] = 0.0
    return D
