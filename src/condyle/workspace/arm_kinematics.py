"""The rigid skeleton: nine angles to positions and rotations.

Clavicle R_z(θ₁) R_y(θ₂), link L₁ along x; shoulder R_a R_x(θ₃) R_y(θ₄) R_z(θ₅), upper arm L₂ along z; elbow R_y(θ₆),
forearm L₃ along z; wrist R_x(θ₇) R_y(θ₈) R_z(θ₉).  [TolaniBadlerGallier2000, eq. 6, section 4.4]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["REST", "SkeletonPose", "euler_xyz", "skeleton_pose"]


def _rest_frame() -> np.ndarray:
    """R_a: ẑ towards the middle of the workspace, x̂ (where θ₃ is lost) to the side and back."""
    z = np.array([1.0, 1.0, -0.6]) / np.sqrt(2.36)
    x = np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0)
    return np.column_stack([x, np.cross(z, x), z])


REST = _rest_frame()


class SkeletonPose(NamedTuple):
    """Positions (..., 3) and rotations (..., 3, 3) in the clavicle's frame."""

    shoulder: np.ndarray
    elbow: np.ndarray
    wrist: np.ndarray
    upper_arm: np.ndarray
    forearm: np.ndarray
    hand: np.ndarray


def skeleton_pose(lengths, angles) -> SkeletonPose:
    """The skeleton with link lengths (3,) at angles (..., 9)."""
    a = np.moveaxis(np.asarray(angles, float), -1, 0)
    clavicle = _turn(2, a[0]) @ _turn(1, a[1])
    upper = clavicle @ REST @ _turn(0, a[2]) @ _turn(1, a[3]) @ _turn(2, a[4])
    forearm = upper @ _turn(1, a[5])
    shoulder = lengths[0] * clavicle[..., 0]
    elbow = shoulder + lengths[1] * upper[..., 2]
    return SkeletonPose(
        shoulder, elbow, elbow + lengths[2] * forearm[..., 2], upper, forearm, forearm @ euler_xyz(a[6:])
    )


def euler_xyz(angles) -> np.ndarray:
    """R_x(a) R_y(b) R_z(c) for angles (3, ...)."""
    return _turn(0, angles[0]) @ _turn(1, angles[1]) @ _turn(2, angles[2])


def _turn(axis: int, angle) -> np.ndarray:
    """Rotations (..., 3, 3) about a coordinate axis."""
    angle = np.asarray(angle, float)
    c, s = np.cos(angle), np.sin(angle)
    out = np.zeros((*angle.shape, 3, 3))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out[..., axis, axis] = 1.0
    out[..., i, i] = out[..., j, j] = c
    out[..., i, j], out[..., j, i] = -s, s
    return out
