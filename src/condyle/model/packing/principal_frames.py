"""The frames that kernels work in: every body's centre of mass along its principal axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...spatial import SE3
from ...spatial.twists import pose_inverse, pose_matrix

if TYPE_CHECKING:
    from ..body import Body
    from ..model import Model


def inertial_frames(bodies: tuple[Body, ...]) -> tuple[np.ndarray, np.ndarray]:
    """X_BC (n, 4, 4), the centres of mass and principal axes in the bodies' frames, and principal moments (n, 3)."""
    known = {id(body.inertia): body.inertia for body in bodies}
    found = {key: inertia.principal() for key, inertia in known.items()}  # bodies often share one
    moments, axes = (np.array(x) for x in zip(*(found[id(body.inertia)] for body in bodies), strict=True))
    return pose_matrix(axes, np.array([body.inertia.com for body in bodies])), moments


def seen_in_inertial_frame(model: Model, body: int, pose: np.ndarray) -> np.ndarray:
    """A pose of a body's frame (−1: the world) in its inertial frame: X_BC⁻¹ · pose."""
    return pose if body < 0 else pose_inverse(model.inertial_frames[body]) @ pose


def joint_ends(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """What stands before and after each joint between two inertial frames (n, 4, 4): X_PC⁻¹ X_PF and X_BM⁻¹ X_BC."""
    C = model.inertial_frames
    before = pose_inverse(np.concatenate([C, np.eye(4)[None]])[[body.parent for body in model.bodies]])
    stacked = (SE3.stack([getattr(b, name) for b in model.bodies]) for name in ("placement", "offset"))
    placements, offsets = (poses.as_matrix() for poses in stacked)
    return before @ placements, pose_inverse(offsets) @ C
