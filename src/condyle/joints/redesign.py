"""The control frames of a spline joint, and the joint that other control frames make."""

from __future__ import annotations

import numpy as np

from ..errors import BadShape, NotSupported, require
from ..spatial import SE3, as_pose
from ..spatial.twists import pose_inverse, pose_matrix
from ..typing import ArrayLike
from .controls import CurveControls, SurfaceControls
from .joint import Joint
from .kinds.spline_curve import spline_curve
from .kinds.spline_surface import BASIS_TWISTS, spline_surface


def design_frames(joint: Joint) -> SE3 | None:
    """The control frames that a joint was designed by: m + 1 poses, of a surface a grid (n_1, …, n_n) of them.

    None if it was not, or if the twists of a surface are not the default ones: then no frame says what they do.

    Parameters
    ----------
    joint : Joint

    Returns
    -------
    SE3 or None
    """
    frames = _frames(joint)
    return None if frames is None else SE3.from_matrix(frames)


def _frames(joint: Joint) -> np.ndarray | None:
    """`design_frames` as matrices, exactly as the joint keeps them."""
    kept = joint.controls
    if isinstance(kept, CurveControls):
        return kept.frames
    if isinstance(kept, SurfaceControls) and np.array_equal(kept.twists, BASIS_TWISTS):
        return kept.pose @ _poses(kept.controls)
    return None


def redesigned(joint: Joint, frames: ArrayLike) -> Joint:
    """The joint that the same constructor makes of other control frames, as many as `design_frames` gives.

    Parameters
    ----------
    joint : Joint
    frames : SE3 or array_like, shape (..., 4, 4)
        The new control frames.

    Returns
    -------
    Joint

    Raises
    ------
    NotSupported
        If the joint keeps no control frames.
    BadShape
        If there are not as many frames as before.
    """
    old, kept, names = _frames(joint), joint.controls, joint.coordinates
    if old is None or kept is None:
        raise NotSupported(f"{joint.title}: it keeps no control frames; only spline_curve and spline_surface make them")
    frames = as_pose(frames, f"{joint.title}: frame ")
    require(frames.shape == old.shape, f"{joint.title}: as many frames as before", BadShape, shape=frames.shape)
    if isinstance(kept, CurveControls):
        return spline_curve(frames, kept.knots, kept.order, kept.periodic, joint.outside, name=names[0])
    moved = np.abs(frames - old).max(axis=(-2, -1)) > 1e-12  # what was not moved keeps its values bit by bit
    controls = np.where(moved[..., None], _values(pose_inverse(kept.pose) @ frames, kept.controls), kept.controls)
    return spline_surface(
        controls, kept.knots, kept.order, periodic=kept.periodic, pose=kept.pose, outside=joint.outside, names=names
    )


def _poses(controls: np.ndarray) -> np.ndarray:
    """A translation, then turns about x, y and z."""
    from scipy.spatial.transform import Rotation  # slow to load, and rarely needed

    turns = Rotation.from_euler("XYZ", controls[..., 3:].reshape(-1, 3)).as_matrix()
    return pose_matrix(turns.reshape(*controls.shape[:-1], 3, 3), controls[..., :3])


def _values(poses: np.ndarray, near: np.ndarray) -> np.ndarray:
    """The inverse of `_poses`, with the angles that are nearest to others.

    (a, b, c) and (a + π, π − b, c + π) are one turn, and so are angles that differ by whole turns.
    """
    from scipy.spatial.transform import Rotation

    near_turns, p = near[..., 3:], poses[..., :3, 3]
    turns = Rotation.from_matrix(poses[..., :3, :3].reshape(-1, 3, 3)).as_euler("XYZ").reshape(p.shape)
    both = np.stack([turns, turns * (1.0, -1.0, 1.0) + np.pi])
    both += 2.0 * np.pi * np.round((near_turns - both) / (2.0 * np.pi))
    nearest = np.abs(both - near_turns).sum(axis=-1).argmin(axis=0)
    return np.concatenate([p, np.take_along_axis(both, nearest[None, ..., None], axis=0)[0]], axis=-1)
