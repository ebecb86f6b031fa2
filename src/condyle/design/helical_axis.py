"""The axis a joint mostly turns about: the mean helical axis, and frames aligned with it."""

from __future__ import annotations

import numpy as np

from ..errors import BadValue
from ..spatial import SE3, as_pose, log_se3
from ..spatial.twists import pose_inverse, pose_matrix
from ..typing import ArrayLike


def mean_helical_axis(poses: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Direction and a point [m] of the axis, in the parent's frame, nearest to the screws between the poses.

    Screws from the first pose to each are weighted by their angle; the point is the one nearest to all their axes.

    Parameters
    ----------
    poses : SE3 or array_like, shape (n, 4, 4)
        Poses of the child in the parent.

    Returns
    -------
    tuple of two ndarrays of shape (3,)
        Unit direction, and a point of the axis [m].

    Raises
    ------
    BadValue
        If the poses turn by less than 0.05 rad.
    """
    T = as_pose(poses, "pose ")
    twist = log_se3(T[1:] @ pose_inverse(T[:1]))  # parent-side: the axis is in the parent's frame
    w, v = twist[:, :3], twist[:, 3:]
    angle = np.linalg.norm(w, axis=1)
    turning = angle > 0.05
    if not turning.any():
        raise BadValue(
            f"mean_helical_axis: the poses turn by at most {angle.max(initial=0.0):.3g} rad; 0.05 are needed."
        )
    w, v, angle = w[turning], v[turning], angle[turning]
    n = w / angle[:, None]
    n *= np.sign(n @ n[np.argmax(angle)])[:, None]
    direction = np.linalg.svd(n * angle[:, None])[2][0]
    direction *= np.sign(direction @ w[np.argmax(angle)])
    foot = np.cross(w, v) / (angle**2)[:, None]
    across = np.eye(3) - n[:, :, None] * n[:, None, :]
    weight = (angle**2)[:, None, None]
    A, b = (weight * across).sum(axis=0), (weight[..., 0] * np.einsum("nij,nj->ni", across, foot)).sum(axis=0)
    return direction, np.linalg.lstsq(A, b, rcond=1e-3)[0]


def aligned_frame(direction: ArrayLike, point: ArrayLike) -> SE3:
    """A pose at `point` whose z axis is the direction, its x axis as near to the parent's as can be.

    Parameters
    ----------
    direction : array_like, shape (3,)
    point : array_like, shape (3,)
        [m]

    Returns
    -------
    SE3
    """
    z = np.asarray(direction, float) / np.linalg.norm(np.asarray(direction))
    guide = np.eye(3)[0] if abs(z[0]) < 0.9 else np.eye(3)[1]
    x = guide - z * (z @ guide)
    x /= np.linalg.norm(x)
    return SE3.from_matrix(pose_matrix(np.column_stack([x, np.cross(z, x), z]), np.asarray(point, float)))
