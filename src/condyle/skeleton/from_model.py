"""A `Model` as a `Skeleton`: the same bodies in maximal coordinates."""

from __future__ import annotations

import numpy as np

from ..dynamics import body_velocities, forward_kinematics
from ..errors import NotSupported, require
from ..joints.form import BALL, FACTORS, FREE
from ..joints.tables import is_linear
from ..model import Body, Model
from ..model.layout import DAMPER
from .data import Skeleton
from .frames import axis_frame
from .state import State

__all__ = ["from_model", "state_of"]


def from_model(model: Model, q=None, v=None) -> Skeleton:
    """The skeleton of a model whose joints are single rotations, quaternions or welds; it starts at (q, v).

    Joints keep their names and the child is the first body of each, so a motor's torque is the joint's own force.
    Damping becomes friction. Springs, limits, prescribed motion and constraints have no counterpart and are refused.
    """
    _require_plain(model)
    friction = _dampings(model)
    rows = {i: row for i in range(model.nbodies) if (row := _joined(model, i)) is not None}
    kept = list(rows)
    points, frames, locked = (np.array([row[k] for row in rows.values()]) for k in range(3))
    return Skeleton(
        masses=np.array([b.inertia.mass for b in model.bodies], float),
        inertias=np.array([b.inertia.moment for b in model.bodies], float),
        pairs=np.array([(i, model.bodies[i].parent) for i in kept], int).reshape(-1, 2),
        points=points.reshape(-1, 2, 3),
        frames=frames.reshape(-1, 2, 3, 3),
        locked=locked.astype(int),
        friction=np.array([friction[i] for i in kept], float),
        gravity=np.array(model.gravity, float),
        body_names=model.names,
        joint_names=tuple(model.bodies[i].joint_name for i in kept),
        initial=state_of(model, model.neutral() if q is None else q, np.zeros(model.nv) if v is None else v),
    )


def state_of(model: Model, q, v) -> State:
    """Where a model's bodies are and how they move at (q, v), at their centres of mass."""
    q, v = np.asarray(q, float), np.asarray(v, float)
    poses, twists = forward_kinematics(model, q), body_velocities(model, q, v)
    R, com = poses.as_rotation(), np.array([b.inertia.com for b in model.bodies])
    batch = np.broadcast_shapes(R.shape[:-3], twists.shape[:-2])
    R = np.broadcast_to(R, (*batch, *R.shape[-3:]))
    p = poses.xyz + (R @ com[..., None])[..., 0]
    w = twists[..., :3]
    velocity = (R @ (twists[..., 3:] + np.cross(w, com))[..., None])[..., 0]
    return State.checked(p, R, velocity, w)


def _require_plain(model: Model) -> None:
    """Nothing that a skeleton does not have."""
    kinds = {load.kind for load in model.coordinate_loads} - {DAMPER}
    extra = {
        "springs": model.springs,
        "limits, stiffness or constant forces on coordinates": kinds,
        "prescribed coordinates": model.prescribed,
        "constraints": model.constraints,
    }
    for words, found in extra.items():
        require(
            not found,
            f"a skeleton has no {words}; drop them, or apply them as motors and forces in skeleton.simulate",
            NotSupported,
        )


def _dampings(model: Model) -> list[float]:
    """Friction of every body's joint; a quaternion must be damped alike about all axes."""
    rates = np.zeros(model.nv)
    for load in model.coordinate_loads:
        rates[load.v] += load.constants[0]
    out = []
    for body, (_, start) in zip(model.bodies, model.joint_starts, strict=True):
        own = rates[start : start + body.joint.nv]
        even = len(own) == 0 or np.ptp(own) == 0.0
        floating = any(s.kind == FREE for s in body.joint.segments) and own.any()
        require(
            even and not floating,
            f"joint {body.joint_name!r}: a skeleton's friction is one number per joint that acts on turning only",
            NotSupported,
            damping=own.tolist(),
        )
        scale = _rate(body) if body.joint.nv == 1 else 1.0
        out.append(float(own[0]) / scale**2 if len(own) else 0.0)
    return out


def _rate(body: Body) -> float:
    """Radians per unit of a single coordinate."""
    return float(np.linalg.norm(body.joint.jacobian(np.zeros(1))[:3, 0])) or 1.0


def _joined(model: Model, i: int):
    """Points (2, 3), frames (2, 3, 3) and locked turns of body i's joint, child first; None for a floating root."""
    body = model.bodies[i]
    kinds = [s.kind for s in body.joint.segments]
    if FREE in kinds:
        require(
            body.parent < 0 and len(kinds) == 1,
            f"joint {body.joint_name!r} is free between two bodies: nothing joins them in a skeleton. Make it a root, "
            "or take another joint",
            NotSupported,
        )
        return None
    G, point, frame, locked = _in_child(body)
    in_parent, in_child = body.placement @ G, body.offset
    centers = [np.zeros(3) if k < 0 else model.bodies[k].inertia.com for k in (i, body.parent)]
    pairs = zip((in_child, in_parent), centers, strict=True)
    sides = [(T[:3, :3] @ point + T[:3, 3] - c, T[:3, :3] @ frame) for T, c in pairs]
    return np.array([s[0] for s in sides]), np.array([s[1] for s in sides]), locked


def _in_child(body: Body) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """G at some q, then the joint's point and frame in M, which a pure rotation leaves where they are in F."""
    joint, kinds = body.joint, [s.kind for s in body.joint.segments]
    if joint.nv == 0:
        return joint.pose(np.zeros(0)), np.zeros(3), np.eye(3), 3
    if BALL in kinds and joint.nv == 3:
        q = np.array([1.0, 0.0, 0.0, 0.0])
        S = joint.jacobian(q)
        return joint.pose(q), _center(S), np.eye(3), 0
    one_rotation = kinds == [FACTORS] and is_linear(joint.segments)
    S = joint.jacobian(np.zeros(joint.nq)) if one_rotation else np.zeros((6, 1))
    w, u = S[:3, 0], S[3:, 0]
    rate = np.linalg.norm(w)
    require(
        one_rotation and rate > 0 and abs(w @ u) <= 1e-12 * rate * max(1.0, float(np.linalg.norm(u))),
        f"joint {body.joint_name!r} ({joint.title}) cannot be in a skeleton: only a single rotation (revolute), a "
        "quaternion (ball, or free at the root) and a weld can. Simulate the model itself with cd.simulate",
        NotSupported,
    )
    return joint.pose(np.zeros(1)), np.cross(w, u) / rate**2, axis_frame(w / rate), 2


def _center(S: np.ndarray) -> np.ndarray:
    """The point of M that turning leaves in place: u = c × w for every column (w, u)."""
    W = np.concatenate([-_hat(S[:3, k]) for k in range(3)])
    c, *_ = np.linalg.lstsq(W, S[3:].T.reshape(-1), rcond=None)
    return c


def _hat(a: np.ndarray) -> np.ndarray:
    return np.cross(np.eye(3), a).T
