"""The frames that kernels work in: every body's centre of mass along its principal axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..joints.normal import pose_inverse

if TYPE_CHECKING:
    from .body import Body
    from .model import Model

__all__ = ["inertial_frame", "joint_ends", "seen_in_inertial_frame"]


def inertial_frame(body: Body) -> np.ndarray:
    """X_BC: the centre of mass and principal axes in the body's frame."""
    T = np.eye(4)
    T[:3, 3] = body.inertia.com
    T[:3, :3] = body.inertia.principal()[1]
    return T


def seen_in_inertial_frame(model: Model, body: int, pose: np.ndarray) -> np.ndarray:
    """A pose of a body's frame (−1: the world) in its inertial frame: X_BC⁻¹ · pose."""
    return pose if body < 0 else pose_inverse(inertial_frame(model.bodies[body])) @ pose


def joint_ends(model: Model, body: Body) -> tuple[np.ndarray, np.ndarray]:
    """What stands before and after a joint between two inertial frames: X_PC⁻¹ X_PF and X_BM⁻¹ X_BC."""
    head = seen_in_inertial_frame(model, body.parent, body.placement)
    return head, pose_inverse(body.offset) @ inertial_frame(body)
