"""Where a Jacobian loses rank, found by its sign: places that samples alone step over.

The columns of S turn into their mirror image where one of them passes through the span of the others. So on a short way
from a to b, det(S(a)ᵀ S(b)) is negative if that happened in between, or if the span turned by more than a right angle;
bisection finds the place to rounding, and the least singular value there tells which.
"""

from __future__ import annotations

import numpy as np

from .joint import Joint

LOST = 1e-9  # of scaled columns: what bisection leaves of a singular value that passes through zero
HALVINGS = 54


def least_singular(S: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """The least singular value of Jacobians (..., 6, nv), their columns divided by `scale`."""
    return np.linalg.svd(S / scale, compute_uv=False)[..., -1]


def lost_along(joint: Joint, way: np.ndarray, scale: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places (k, nq) on ways (..., points, nq) where the rank is lost between points, and where on the ways they are.

    The second is (k,) indices of the flattened pairs of neighbouring points. Joints with quaternions are not looked at.
    """
    a, b = (x.reshape(-1, joint.nq) for x in (way[..., :-1, :], way[..., 1:, :]))
    S = joint.jacobian(way)
    start, end = (x.reshape(-1, 6, joint.nv) for x in (S[..., :-1, :, :], S[..., 1:, :, :]))
    pairs = np.flatnonzero(mirrored(start, end, scale))
    if not len(pairs):
        return np.zeros((0, joint.nq)), pairs
    places = _bisected(joint, a[pairs], b[pairs], start[pairs], scale)
    lost = least_singular(joint.jacobian(places), scale) < LOST
    return places[lost], pairs[lost]


def mirrored(A: np.ndarray, B: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Whether the columns of B are mirror images of those of A, seen in the span of A."""
    return np.linalg.det(np.swapaxes(A / scale, -1, -2) @ (B / scale)) < 0.0


def _bisected(joint: Joint, a: np.ndarray, b: np.ndarray, start: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Between a and b (k, nq): where the mirror image begins."""
    for _ in range(HALVINGS):
        middle = 0.5 * (a + b)
        beyond = mirrored(start, joint.jacobian(middle), scale)[:, None]
        a, b = np.where(beyond, a, middle), np.where(beyond, middle, b)
    return 0.5 * (a + b)
