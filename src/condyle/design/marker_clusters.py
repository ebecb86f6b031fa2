"""A cluster of markers as a moving body: rigid registration to its mean shape, frame by frame, some markers unseen."""

from __future__ import annotations

import numpy as np

from ..errors import BadShape, BadValue, TooFewPoses, require
from ..spatial.twists import pose_matrix
from ..typing import ArrayLike

FLAT = 1e-3  # second extent over first: below this the markers are on a line


def cluster_poses(points: ArrayLike, name: str = "cluster", rounds: int = 5) -> np.ndarray:
    """Poses (T, 4, 4) of a body with markers (T, m, 3) [m]; NaN where fewer than three are seen.

    The body's shape is the mean over all frames, found together with the poses; its frame is at the markers' centroid,
    parallel to the measurement's axes in the first frame that sees all markers.

    Parameters
    ----------
    points : array_like, shape (T, m, 3)
        Markers [m]; NaN where not seen.
    name : str, optional
        For messages.
    rounds : int, optional
        How often shape and poses are found in turn.

    Returns
    -------
    ndarray, shape (T, 4, 4)

    Raises
    ------
    BadShape
        If the points are not (T, m, 3) with at least three markers.
    TooFewPoses
        If no frame shows all markers.
    """
    P = np.asarray(points, float)
    require(P.ndim == 3 and P.shape[2] == 3, f"{name}: markers need shape (T, m, 3)", BadShape, shape=P.shape)
    require(P.shape[1] >= 3, f"{name}: a body needs at least three markers", BadShape, markers=P.shape[1])
    seen = np.asarray(np.isfinite(P).all(axis=2))
    whole = np.flatnonzero(seen.all(axis=1))
    if len(whole) == 0:
        raise TooFewPoses(f"{name}: no frame shows all {P.shape[1]} markers; leave out the one that is never seen.")
    shape = P[whole[0]] - P[whole[0]].mean(axis=0)
    require_spread(shape, name)
    for _ in range(rounds):
        T = registration(shape, P, seen)
        shape = mean_shape(T, P, seen)
    return registration(shape, P, seen)


def require_spread(shape: np.ndarray, name: str) -> None:
    """Markers on a line leave the turn about it open."""
    extent = np.linalg.svd(shape, compute_uv=False)
    if extent[1] < FLAT * extent[0]:
        raise BadValue(
            f"{name}: the markers lie on a line (extents {extent[0]:.3g} and {extent[1]:.3g} m), so the turn about it "
            "is unknown. Add a marker beside the line."
        )


def registration(shape: np.ndarray, P: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The rigid poses that take the shape nearest to the seen points: singular vectors of the cross-covariance."""
    w = seen.astype(float)[..., None]
    points, count = np.where(seen[..., None], P, 0.0), np.maximum(w.sum(axis=1), 1.0)
    here, there = (w * shape).sum(axis=1) / count, points.sum(axis=1) / count
    H = np.einsum("tmi,tmj->tij", w * (shape - here[:, None]), points - there[:, None])
    U, sizes, Vt = np.linalg.svd(H)
    flip = np.ones((len(P), 3))
    flip[:, 2] = np.sign(np.linalg.det(U @ Vt))
    R = np.einsum("tji,tj,tkj->tik", Vt, flip, U)
    T = pose_matrix(R, there - np.einsum("tij,tj->ti", R, here))
    open_turn = (seen.sum(axis=1) < 3) | (sizes[:, 1] < FLAT**2 * np.maximum(sizes[:, 0], 1e-300))
    T[open_turn] = np.nan
    return T


def mean_shape(T: np.ndarray, P: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The markers in the body's frame, averaged over the frames that see them, about their centroid."""
    local = np.einsum("tji,tmj->tmi", T[:, :3, :3], P - T[:, None, :3, 3])
    shape = np.nanmean(np.where(seen[..., None], local, np.nan), axis=0)
    return shape - shape.mean(axis=0)
