"""Parameters of a model by name, and the gradient of a virtual power by them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import unknown_name
from ..model import Model
from ..model.principal_frames import seen_in_inertial_frame
from ..spatial import adjoint
from ..spatial.so3 import cross_matrix

INERTIA_FIELDS, POSE_FIELDS = ("mass", "com", "moment"), ("placement", "offset")
SPRING_FIELDS = {"stiffness": 0, "damping": 1, "length": 2, "point_a": slice(3, 6), "point_b": slice(6, 9)}


class Parameter(NamedTuple):
    """A parameter: its name, the number of the body or spring that has it (−1: the model), and which it is."""

    name: str
    index: int
    field: str


@dataclass
class PowerGradient:
    """∂P of every state, P = λᵀ ID.

    Attributes
    ----------
    q, v, a : ndarray, shape (count, nv)
    motions : ndarray, shape (count, nbodies, 3, 6)
        Virtual twist, twist and acceleration (less gravity) of every body, in body axes at its origin.
    turns : ndarray, shape (count, nbodies, 2, 6)
        By left twists of every body in its inertial frame, and of its joint in the parent's inertial frame.
    springs : ndarray, shape (count, springs, 9)
        By stiffness, damping, length and by both points in their bodies' inertial frames.
    gravity : ndarray, shape (count, 3)
    weights : ndarray, shape (count, nv)
        λ.
    """

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    motions: np.ndarray
    turns: np.ndarray
    springs: np.ndarray
    gravity: np.ndarray
    weights: np.ndarray


def parameters_of(model: Model) -> dict[str, Parameter]:
    """All parameters that have gradients, by name."""
    known = [Parameter("gravity", -1, "gravity")]
    known += [
        Parameter(f"{b.name}.{f}", i, f) for i, b in enumerate(model.bodies) for f in (*INERTIA_FIELDS, *POSE_FIELDS)
    ]
    known += [Parameter(f"springs[{i}].{f}", i, f) for i in range(len(model.springs)) for f in SPRING_FIELDS]
    return {p.name: p for p in known}


def named_parameters(model: Model, names: Iterable[str]) -> list[Parameter]:
    """The parameters of these names; UnknownName if there is no such."""
    known = parameters_of(model)
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        if name not in known:
            raise unknown_name("parameter", name, known)
    return [known[name] for name in names]


def parameter_gradient(model: Model, gradient: PowerGradient, parameter: Parameter) -> np.ndarray:
    """∂P by a parameter, (count, shape of it)."""
    _, index, field = parameter
    if field == "gravity":
        return gradient.gravity
    if field in INERTIA_FIELDS:
        inertia = model.bodies[index].inertia
        return _by_inertia(gradient.motions[:, index], inertia.mass, inertia.com)[field]
    if field in POSE_FIELDS:
        return _by_pose(model, gradient.turns[:, index], index, field)
    x = gradient.springs[:, index, SPRING_FIELDS[field]]
    if field.startswith("point"):
        body = model.springs[index].a if field == "point_a" else model.springs[index].b
        x = x if body < 0 else x @ model.inertial_frames[body, :3, :3].T
    return x


def _by_pose(model: Model, turns: np.ndarray, index: int, field: str) -> np.ndarray:
    """∂P by twists on the right of the placement or the offset of a body's joint."""
    body = model.bodies[index]
    if field == "placement":
        X = seen_in_inertial_frame(model, body.parent, body.placement.as_matrix())
        return turns[:, 1] @ adjoint(X)
    X = seen_in_inertial_frame(model, index, body.offset.as_matrix())  # the body moves against its joint
    return -turns[:, 0] @ adjoint(X)


def _by_inertia(motion: np.ndarray, mass: float, com: np.ndarray) -> dict[str, np.ndarray]:
    """∂P by mass, centre and moment of a body, from its virtual twist W, twist V and acceleration A.

    P = W · 𝓘 A − (ad_V W) · 𝓘 V with 𝓘 = [[I − m [c]², m [c]], [−m [c], m]], so ∂P/∂𝓘 = sym(W Aᵀ − (ad_V W) Vᵀ).
    """
    W, V, A = np.moveaxis(motion, 1, 0)
    turned = np.concatenate(
        [np.cross(V[:, :3], W[:, :3]), np.cross(V[:, 3:], W[:, :3]) + np.cross(V[:, :3], W[:, 3:])], axis=1
    )
    by_all = W[:, :, None] * A[:, None, :] - turned[:, :, None] * V[:, None, :]
    by_all = 0.5 * (by_all + np.swapaxes(by_all, 1, 2))
    moments, mixed, masses = by_all[:, :3, :3], by_all[:, :3, 3:], by_all[:, 3:, 3:]
    C, units = cross_matrix(np.asarray(com, dtype=float)), cross_matrix(np.eye(3))
    by_mass = (
        np.einsum("sij,ij->s", moments, -C @ C)
        + 2.0 * np.einsum("sij,ij->s", mixed, C)
        + np.trace(masses, axis1=1, axis2=2)
    )
    by_com = mass * (
        np.einsum("sij,kij->sk", moments, -(units @ C + C @ units)) + 2.0 * np.einsum("sij,kij->sk", mixed, units)
    )
    return {"mass": by_mass, "com": by_com, "moment": moments}
