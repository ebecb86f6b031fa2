"""Forces and moments that joints exert on the bodies they carry: Newton's and Euler's laws from the tips inwards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..dynamics import body_accelerations, body_velocities, forward_kinematics
from ..errors import NotSupported, require
from ..formats.tables.table import Table
from ..model import Model
from ..model.body import Body
from ..muscles.elastic_energy import is_stretched


@dataclass(frozen=True, eq=False)
class JointReactions:
    """What every joint exerts on the body that it carries, in the axes of the world.

    It contains the generalised force of the joint itself: without muscles, that of inverse dynamics.

    Attributes
    ----------
    model : Model
    times : ndarray, shape (T,)
        [s]
    points : ndarray, shape (T, nbodies, 3)
        Where the joint is on the body that it carries [m].
    forces : ndarray, shape (T, nbodies, 3)
        [N]
    moments : ndarray, shape (T, nbodies, 3)
        About those points [N m].
    """

    model: Model
    times: np.ndarray
    points: np.ndarray
    forces: np.ndarray
    moments: np.ndarray

    def table(self) -> Table:
        """By OpenSim's names: joint_on_body_in_ground_fx …, _mx …, _px …"""
        names, values = ["time"], [self.times[:, None]]
        for i, body in enumerate(self.model.bodies):
            for letter, array in zip("fmp", (self.forces, self.moments, self.points), strict=True):
                names += [f"{body.joint_name}_on_{body.name}_in_ground_{letter}{axis}" for axis in "xyz"]
                values.append(array[:, i])
        return Table(tuple(names), np.concatenate(values, axis=1), in_degrees=False)


def joint_reactions(
    model: Model, times: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray, wrenches: np.ndarray
) -> JointReactions:
    """The reactions of a motion (T records) under external wrenches (T, nbodies, 6) in body axes at body origins."""
    between = springs_between_bodies(model)
    require(not between, "joint reactions: springs, bushings and ligaments between bodies are not counted; take them "
            "out of the model", NotSupported, springs=between)  # fmt: skip
    X = forward_kinematics(model, q).as_matrix()
    needed = _needed(model, X, body_velocities(model, q, v), body_accelerations(model, q, v, a)) - wrenches
    R = X[..., :3, :3]
    moments, forces = (np.einsum("nbij,nbj->nbi", R, needed[..., part]) for part in (slice(0, 3), slice(3, 6)))
    local = np.stack([np.asarray(body.offset)[:3, 3] for body in model.bodies])
    points = np.einsum("nbij,bj->nbi", R, local) + X[..., :3, 3]
    moments -= np.cross(points - X[..., :3, 3], forces)  # about the joint, no longer about the origin
    for i in reversed(range(model.nbodies)):
        parent = model.bodies[i].parent
        if parent >= 0:
            forces[:, parent] += forces[:, i]
            moments[:, parent] += moments[:, i] + np.cross(points[:, i] - points[:, parent], forces[:, i])
    return JointReactions(model, times, points, forces, moments)


def springs_between_bodies(model: Model) -> int:
    """How many springs, bushings, ligaments and springs along paths pull at two bodies: reactions do not count them."""
    return len(model.springs) + len(model.bushings) + sum(is_stretched(m) for m in model.muscles)


def _needed(model: Model, X: np.ndarray, V: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Wrenches (T, nbodies, 6) that give bodies their accelerations against gravity, in body axes at body origins."""
    out = np.empty(V.shape)
    for i, body in enumerate(model.bodies):
        mass, com, moment = _inertia(body)
        (w, v), (dw, dv) = (np.split(x[:, i], 2, axis=1) for x in (V, A))
        gravity = np.einsum("nji,j->ni", X[:, i, :3, :3], model.gravity)
        p, dp = mass * (v + np.cross(w, com)), mass * (dv + np.cross(dw, com))
        L, dL = w @ moment + mass * np.cross(com, v), dw @ moment + mass * np.cross(com, dv)
        force = dp + np.cross(w, p) - mass * gravity
        out[:, i, :3] = dL + np.cross(w, L) + np.cross(v, p) - mass * np.cross(com, gravity)
        out[:, i, 3:] = force
    return out


def _inertia(body: Body) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass and moment about the body's origin."""
    mass, com = float(body.inertia.mass), np.asarray(body.inertia.com, dtype=float)
    moment = np.asarray(body.inertia.moment, dtype=float)
    return mass, com, moment + mass * (com @ com * np.eye(3) - np.outer(com, com))
