"""Joints of a model that a skeleton has too: single rotations as hinges, quaternions as balls, welds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...joints.evaluate import pose_matrices
from ...joints.packing import is_linear
from ...joints.segments import BALL, FACTORS
from ...model import Body, Model
from ...spatial.so3 import axis_frame


class Joined(NamedTuple):
    """A joint between two bodies (−1: the world), points from their centres of mass."""

    bodies: tuple[int, int]
    points: np.ndarray  # (2, 3)
    frames: np.ndarray  # (2, 3, 3)
    locked: int
    rate: float = 1.0  # of a hinge: radians per unit of its coordinate


def joined(model: Model, i: int) -> Joined:
    """The joint of body i, child first; a hinge's angle is its rate times the model's coordinate."""
    body = model.bodies[i]
    G, point, frame, locked, rate = _in_child(body)
    in_parent, in_child = body.placement @ G, body.offset
    centers = [np.zeros(3) if k < 0 else model.bodies[k].inertia.com for k in (i, body.parent)]
    pairs = zip((in_child, in_parent), centers, strict=True)
    sides = [(T[:3, :3] @ point + T[:3, 3] - c, T[:3, :3] @ frame) for T, c in pairs]
    points, frames = np.array([s[0] for s in sides]), np.array([s[1] for s in sides])
    return Joined((i, body.parent), points, frames, locked, rate)


def turns_only(body: Body) -> bool:
    """Whether a joint is one that skeletons have: a single rotation, a quaternion or a weld."""
    joint, kinds = body.joint, [s.kind for s in body.joint.segments]
    return joint.nv == 0 or (BALL in kinds and joint.nv == 3) or _screw(body)[2] > 0


def _screw(body: Body) -> tuple[np.ndarray, np.ndarray, float]:
    """Axis, and velocity of the origin, of a joint that turns about one line; a rate of 0 for any other."""
    joint = body.joint
    one = [s.kind for s in joint.segments] == [FACTORS] and is_linear(joint.segments)
    S = joint.jacobian(np.zeros(joint.nq)) if one else np.zeros((6, 1))
    w, u = S[:3, 0], S[3:, 0]
    rate = float(np.linalg.norm(w))
    pure = abs(w @ u) <= 1e-12 * rate * max(1.0, float(np.linalg.norm(u)))
    return w, u, rate if pure else 0.0


def _in_child(body: Body) -> tuple[np.ndarray, np.ndarray, np.ndarray, int, float]:
    """G at some q, then the joint's point and frame in M, which a pure rotation leaves where they are in F."""
    joint, kinds = body.joint, [s.kind for s in body.joint.segments]
    if joint.nv == 0:
        return pose_matrices(joint, np.zeros(0)), np.zeros(3), np.eye(3), 3, 1.0
    if BALL in kinds and joint.nv == 3:
        q = np.array([1.0, 0.0, 0.0, 0.0])
        S = joint.jacobian(q)
        return pose_matrices(joint, q), _center(S), np.eye(3), 0, 1.0
    w, u, rate = _screw(body)
    return pose_matrices(joint, np.zeros(1)), np.cross(w, u) / rate**2, axis_frame(w / rate), 2, rate


def _center(S: np.ndarray) -> np.ndarray:
    """The point of M that turning leaves in place: u = c × w for every column (w, u)."""
    W = np.concatenate([-_hat(S[:3, k]) for k in range(3)])
    c, *_ = np.linalg.lstsq(W, S[3:].T.reshape(-1), rcond=None)
    return c


def _hat(a: np.ndarray) -> np.ndarray:
    return np.cross(np.eye(3), a).T
