"""Motions in one plane: every factor turns about the same axis or slides across it.

Knees, wires, wheels and letters are such, and their kernel is less than half the work of the general one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..spatial import adjoint
from ..spatial.so3 import axes_with_z
from ..spatial.twists import pose_inverse, pose_matrix
from .segments import FACTORS, Segment

ROUND_OFF = 4e-15  # that of logarithms of measured frames


def in_plane(segments: tuple[Segment, ...]) -> tuple[np.ndarray, tuple[Segment, ...], np.ndarray] | None:
    """(A, segments of P, B) with G = A · P(q) · B, where P moves in the plane of x and y; None if there are none."""
    if any(segment.kind != FACTORS for segment in segments):
        return None
    turning = [g for s in segments for g in s.twists.reshape(-1, 6) if np.linalg.norm(g[:3]) > ROUND_OFF]
    if not turning:
        return None
    Q, C = pose_matrix(axes_along(turning[0][:3]), np.zeros(3)), segments[0].poses[0]
    turned = [_seen_from(s, Q, C if k == 0 else np.eye(4)) for k, s in enumerate(segments)]
    if not all(_flat(segment) for segment in turned):
        return None
    return C @ Q, tuple(turned), pose_inverse(Q)


def axes_along(direction: np.ndarray) -> np.ndarray:
    """Rotations (..., 3, 3) whose z are along directions (..., 3); the identity if that is z or −z."""
    z = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    upright = (np.abs(z[..., 2]) == 1.0)[..., None]
    turned = axes_with_z(np.where(upright, (0.0, 0.0, 1.0), z))
    return np.where(upright[..., None], np.eye(3), turned)


def _seen_from(segment: Segment, Q: np.ndarray, C: np.ndarray) -> Segment:
    """Q⁻¹ C⁻¹ · segment · Q."""
    back = pose_inverse(Q)
    return replace(segment, poses=back @ pose_inverse(C) @ segment.poses @ Q, twists=segment.twists @ adjoint(back).T)


def _flat(segment: Segment) -> bool:
    """Whether poses and twists stay in the plane of x and y, up to round-off."""
    up = segment.poses[:, [2, 2, 2, 0, 1], [0, 1, 3, 2, 2]]
    out = segment.twists[..., [0, 1, 5]]
    size = max(1.0, float(np.abs(segment.poses[:, :3, 3]).max()), float(np.abs(segment.twists).max(initial=0.0)))
    return max(float(np.abs(up).max()), float(np.abs(out).max(initial=0.0))) <= ROUND_OFF * size
