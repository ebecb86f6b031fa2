"""The rigid skeleton: nine angles to positions and rotations.

Clavicle R_z(θ₁) R_y(θ₂), link L₁ along x; shoulder R_a R_x(θ₃) R_y(θ₄) R_z(θ₅), upper arm L₂ along z; elbow R_y(θ₆),
forearm L₃ along z; wrist R_x(θ₇) R_y(θ₈) R_z(θ₉).  [TolaniBadlerGallier2000, eq. 6, section 4.4]
The rest frame R_a of a right arm has ẑ along (1, 1, −0.6), the middle of the workspace, and x̂ along (1, −1, 0). A left
arm's is its mirror image, and its clavicle lies along −x.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from ..errors import unknown_name


def _right_rest_frame() -> np.ndarray:
    """R_a: ẑ towards the middle of the workspace, x̂ (where θ₃ is lost) to the side and back."""
    z = np.array([1.0, 1.0, -0.6]) / np.sqrt(2.36)
    x = np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0)
    return np.column_stack([x, np.cross(z, x), z])


REST = _right_rest_frame()
SIDES = {"right": 1.0, "left": -1.0}


def rest_frame(side: str = "right") -> np.ndarray:
    """R_a: the upper arm's axes (columns) in the clavicle's frame when θ₁ … θ₅ are zero.

    The upper arm then points along ẑ = (±1, 1, −0.6)/√2.36 (right arm +, left arm −).

    Parameters
    ----------
    side : {"right", "left"}, optional

    Returns
    -------
    ndarray, shape (3, 3)

    Raises
    ------
    UnknownName
        If there is no such side.
    """
    mirror = np.diag([side_sign(side), 1.0, 1.0])
    return mirror @ REST @ mirror


def side_sign(side: str) -> float:
    """1 for a right arm, −1 for a left one."""
    if side not in SIDES:
        raise unknown_name("side", side, SIDES, "an arm")
    return SIDES[side]


class SkeletonPose(NamedTuple):
    """Positions (..., 3) and rotations (..., 3, 3) in the clavicle's frame."""

    shoulder: np.ndarray
    elbow: np.ndarray
    wrist: np.ndarray
    upper_arm: np.ndarray
    forearm: np.ndarray
    hand: np.ndarray


def skeleton_pose(lengths, angles, side: str = "right") -> SkeletonPose:
    """The skeleton with link lengths (3,) at angles (..., 9)."""
    a = np.moveaxis(np.asarray(angles, float), -1, 0)
    clavicle = euler_rotations("ZY", a[:2])
    upper = clavicle @ rest_frame(side) @ euler_rotations("XYZ", a[2:5])
    forearm = upper @ euler_rotations("Y", a[5:6])
    shoulder = side_sign(side) * lengths[0] * clavicle[..., 0]
    elbow = shoulder + lengths[1] * upper[..., 2]
    return SkeletonPose(
        shoulder, elbow, elbow + lengths[2] * forearm[..., 2], upper, forearm, forearm @ euler_rotations("XYZ", a[6:])
    )


def euler_rotations(axes: str, angles) -> np.ndarray:
    """Rotations (..., 3, 3) by angles (k, ...) about k axes one after the other, each turned by those before."""
    rows = np.moveaxis(np.asarray(angles, float), 0, -1)
    flat = Rotation.from_euler(axes, rows.reshape(-1, len(axes))).as_matrix()
    return flat.reshape(*rows.shape[:-1], 3, 3)
