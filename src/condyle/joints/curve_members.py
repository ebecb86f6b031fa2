"""Spline curves that differ in their control frames: the rows of all of them at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..spatial import adjoint
from ..spatial.twists import pose_inverse, pose_matrix
from ..splines import cumulative_pieces, spline_knots
from .controls import CurveControls
from .joint import Joint
from .kinds.spline_curve import control_twists
from .plane_motion import ROUND_OFF, axes_along


class CurveMembers(NamedTuple):
    """Rows of curves in general form, and A · P(q) · B in the plane that each moves in; `flat` says which ones do."""

    poses: np.ndarray  # (count, rows, 4, 4)
    twists: np.ndarray  # (count, rows, factors, 6)
    flat: np.ndarray  # (count,)
    before: np.ndarray  # A (count, 4, 4)
    plane_poses: np.ndarray
    plane_twists: np.ndarray
    after: np.ndarray  # B


def curve_members(joint: Joint, frames: np.ndarray) -> CurveMembers | None:
    """The rows of a spline curve with other control frames (count, m + 1, 4, 4), rigid and no half turns apart.

    None where rows would have other factors than those of the joint.
    """
    c = joint.controls
    assert isinstance(c, CurveControls)
    basis = cumulative_pieces(spline_knots(c.knots, frames.shape[1], c.order, c.periodic, "spline_curve"), c.order)
    if c.periodic:
        frames = np.concatenate([frames, frames[:, np.arange(c.order - 1) % frames.shape[1]]], axis=1)
    factor = basis.first[:, None] + np.arange(c.order - 1)
    poses, twists = frames[:, basis.first], control_twists(frames)[:, factor]
    same = len(joint.segments) == 1 and joint.segments[0].twists.shape == twists.shape[1:]
    if not same or not twists.any(axis=(1, 3)).all():
        return None
    return CurveMembers(poses, twists, *_in_plane(poses, twists))


def _in_plane(poses: np.ndarray, twists: np.ndarray) -> tuple[np.ndarray, ...]:
    """As `plane_motion.in_plane`, for every member."""
    omega = twists[..., :3].reshape(len(twists), -1, 3)
    turning = np.linalg.norm(omega, axis=-1) > ROUND_OFF
    direction = omega[np.arange(len(omega)), turning.argmax(axis=1)]
    known = turning.any(axis=1)
    Q = pose_matrix(axes_along(np.where(known[:, None], direction, (0.0, 0.0, 1.0))), np.zeros(3))
    C, back = poses[:, 0], pose_inverse(Q)
    turned = (back @ pose_inverse(C))[:, None] @ poses @ Q[:, None]
    seen = twists @ adjoint(back).swapaxes(-1, -2)[:, None]
    return known & _flat(turned, seen), C @ Q, turned, seen, back


def _flat(poses: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """Which members stay in the plane of x and y, up to round-off."""

    def largest(x: np.ndarray) -> np.ndarray:
        return np.abs(x).reshape(len(x), -1).max(axis=1)

    up = largest(poses[:, :, [2, 2, 2, 0, 1], [0, 1, 3, 2, 2]])
    out = largest(twists[..., [0, 1, 5]])
    size = np.maximum(np.maximum(1.0, largest(poses[:, :, :3, 3])), largest(twists))
    return np.maximum(up, out) <= ROUND_OFF * size
