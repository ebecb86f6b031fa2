"""Where a fit begins: frames on the piecewise geodesic through the poses, at the Greville abscissae of the knots."""

from __future__ import annotations

import numpy as np

from ...spatial import exp_se3, log_se3
from ...spatial.twists import pose_inverse

__all__ = ["geodesic_frames"]


def geodesic_frames(q: np.ndarray, poses: np.ndarray, at: np.ndarray, turned: np.ndarray, placed: np.ndarray):
    """Poses at the coordinates `at`, moved along screws between the nearest measured ones; the end poses outside."""
    X = between(q[turned], poses[turned], at)
    if not placed.all():
        X = X.copy() if turned.any() else X
        for axis in range(3):
            X[:, axis, 3] = np.interp(at, q[placed], poses[placed, axis, 3])
    elif not turned.all():
        for axis in range(3):
            X[:, axis, 3] = np.interp(at, q, poses[:, axis, 3])
    return X


def between(q: np.ndarray, poses: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The piecewise geodesic at `at`."""
    if len(q) == 0:
        return np.broadcast_to(np.eye(4), (len(at), 4, 4)).copy()
    if len(q) == 1:
        return np.repeat(poses, len(at), axis=0)
    i = np.clip(np.searchsorted(q, at, side="right") - 1, 0, len(q) - 2)
    share = np.clip((at - q[i]) / np.maximum(q[i + 1] - q[i], 1e-300), 0.0, 1.0)
    z = log_se3(pose_inverse(poses[i]) @ poses[i + 1])
    return poses[i] @ exp_se3(share[:, None] * z)
