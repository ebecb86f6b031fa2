"""What the noise of poses can be at most: how far each is from where its neighbours in the coordinates lead.

A misfit that is much larger is no noise: the form or the number of control points cannot follow the motion. Poses of
two branches, outliers and curvature between neighbours make the bound larger, never smaller.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import KDTree

from ..errors import HalfTurn
from ..spatial import log_se3
from ..spatial.twists import pose_inverse
from .pose_data import PoseData
from .problem.pose_problem import PoseProblem

FEWEST = 20  # poses: fewer say nothing about noise
TOO_FAR = 3.0  # times the noise: a misfit that noise does not explain
SUPPOSED = 3e-3  # [rad in the metric] of noise that every fit may have


def contradicted(problem: PoseProblem, x: np.ndarray) -> bool:
    """Whether the noise of the poses contradicts the misfit of control frames or points x."""
    bound = noise_bound(problem)
    return bound is not None and misfit(problem, x) > TOO_FAR * max(bound, SUPPOSED)


def misfit(problem: PoseProblem, x: np.ndarray) -> float:
    """The root mean square of the residuals in the metric."""
    return float(np.sqrt(np.mean(((problem.residuals(x) @ problem.C.T) ** 2).sum(axis=-1))))


def noise_bound(problem: PoseProblem) -> float | None:
    """The root mean square in the metric of poses from where their neighbours lead, None where they do not tell."""
    q = problem.q.reshape(len(problem.data), -1)
    count = 2 * q.shape[1] + 4
    if len(q) < max(FEWEST, 2 * count):
        return None
    scaled = q / np.maximum(np.ptp(q, axis=0), 1e-300)
    near = KDTree(scaled).query(scaled, k=count + 1)[1]
    near = np.array([row[row != i][:count] for i, row in enumerate(near)])
    try:
        twists = _twists(problem.data, near)
    except HalfTurn:
        return None
    steps = scaled[near] - scaled[:, None]
    rows = np.concatenate([np.ones((*steps.shape[:2], 1)), steps], axis=-1)
    ahead = np.linalg.pinv(rows)[:, :1] @ twists  # of the least squares, where the steps are zero
    return float(np.sqrt(np.mean(((ahead[:, 0] @ problem.C.T) ** 2).sum(axis=-1))))


def _twists(data: PoseData, near: np.ndarray) -> np.ndarray:
    """The way (N, k, 6) from each pose to its neighbours, zero in what was not measured of either."""
    way = log_se3(pose_inverse(data.poses)[:, None] @ data.poses[near])
    for part, seen in ((slice(0, 3), data.turned), (slice(3, 6), data.placed)):
        way[..., part] *= (seen[:, None] & seen[near])[..., None]
    return way
