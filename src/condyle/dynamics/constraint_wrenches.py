"""The multipliers of a constraint as wrenches on bodies."""

from __future__ import annotations

import numpy as np

from ..joints.evaluate import pose_matrices
from ..model import Model
from ..model.resolved_constraints import Coupling, Loop, Rolling
from .kinematics import body_matrices, motion

__all__ = ["reaction_wrenches"]


def reaction_wrenches(model: Model, c: Loop | Coupling | Rolling, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Wrenches (count, nbodies, 6) in body axes at body origins, of multipliers x (count, rows) at q (count, nq)."""
    out = np.zeros((len(q), model.nbodies, 6))
    if isinstance(c, Coupling):
        return out
    poses = body_matrices(model, motion(model, q, single=True))
    acts, at, moment, force = loop_action(c, poses, x) if isinstance(c, Loop) else rolling_action(model, c, q, poses, x)
    for body, sign in zip(acts, (1.0, -1.0), strict=True):
        if body >= 0:
            out[:, body] = in_body(poses[:, body], at, sign * moment, sign * force)
    return out


def loop_action(c: Loop, poses: np.ndarray, x: np.ndarray):
    """On body a and back on body b, at the frame of a, in world axes."""
    at = c.frame_a[:3, 3] if c.a < 0 else poses[:, c.a, :3, :3] @ c.frame_a[:3, 3] + poses[:, c.a, :3, 3]
    moment = x[:, :3] if c.rows == 6 else np.zeros_like(x)
    return (c.a, c.b), np.broadcast_to(at, (len(x), 3)), moment, x[:, -3:]


def rolling_action(model: Model, c: Rolling, q, poses: np.ndarray, x: np.ndarray):
    """On the body and back on its parent, at the contact, in world axes."""
    body, q0 = model.bodies[c.body], model.joint_starts[c.body][0]
    places = [q0 + at + i for (at, _), (n, _) in zip(c.offsets, c.contact.widths, strict=True) for i in range(n)]
    X = body.placement @ pose_matrices(c.contact, q[:, places])
    X = X if body.parent < 0 else poses[:, body.parent] @ X
    force = np.einsum("sij,sj->si", X[:, :3, list(c.tangents)], x)
    return (c.body, body.parent), X[:, :3, 3], np.zeros_like(force), force


def in_body(T: np.ndarray, at: np.ndarray, moment: np.ndarray, force: np.ndarray) -> np.ndarray:
    """A wrench of world axes at a world point, in body axes at the body's origin."""
    m = moment + np.cross(at - T[:, :3, 3], force)
    return np.concatenate([np.einsum("sji,sj->si", T[:, :3, :3], f) for f in (m, force)], axis=1)
