"""Parameters of a model by name, and their cotangents among those of all bodies and springs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...errors import NotSupported, require, unknown_name
from ...model import Model
from ...model.parameters import CONSTANT, POINTS, Parameter, parameters_of
from .kernels.cotangent_layout import BODY, CENTER, JOINT, MASS, MOMENT, OFFSET, PLACEMENT

BODY_FIELDS = {
    "mass": MASS,
    "com": slice(CENTER, CENTER + 3),
    "moment": slice(MOMENT, MOMENT + 9),
    "placement": slice(PLACEMENT, PLACEMENT + 6),
    "offset": slice(OFFSET, OFFSET + 6),
}
SPRING_FIELDS = {"stiffness": 0, "damping": 1, "length": 2, "point_a": slice(3, 6), "point_b": slice(6, 9)}


@dataclass
class Cotangents:
    """Cotangents of every state: q, v, a and λ (count, nv), all numbers of bodies and springs, gravity.

    Attributes
    ----------
    q, v, a, weights : ndarray, shape (count, nv)
    bodies : ndarray, shape (count, nbodies, 32)
        In the order of `kernels.cotangent_layout`.
    springs : ndarray, shape (count, springs, 9)
        Of stiffness, damping, length and both points in their bodies' inertial frames.
    gravity : ndarray, shape (count, 3)
    """

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    bodies: np.ndarray
    springs: np.ndarray
    gravity: np.ndarray
    weights: np.ndarray


def named_parameters(model: Model, names: Iterable[str], frames: bool = True) -> list[Parameter]:
    """The parameters of these names; UnknownName if there is no such. Control frames are refused unless `frames`."""
    names = [names] if isinstance(names, str) else list(names)
    known = parameters_of(model) if names else {}
    for name in names:
        if name not in known:
            raise unknown_name("parameter", name, known)
        words = f"{name!r}: there are no gradients by control frames through time; `forward_dynamics_vjp` has them"
        require(frames or known[name].field != "frames", words, NotSupported)
    return [known[name] for name in names]


def body_numbers(wanted: list[Parameter]) -> int:
    """How many numbers of each body are needed: those of wrenches, of inertias, poses and joints too."""
    fields = {p.field for p in wanted}
    if "frames" in fields:
        return JOINT
    if fields & {"placement", "offset"}:
        return BODY
    return PLACEMENT if fields & {"mass", "com", "moment"} else MASS


def cotangent_of(model: Model, cotangents: Cotangents, parameter: Parameter) -> np.ndarray:
    """The cotangent of a parameter, (count, shape of it)."""
    _, number, field = parameter
    if field == "gravity":
        return cotangents.gravity
    if field in BODY_FIELDS:
        x = cotangents.bodies[:, slice(None) if number < 0 else number][..., BODY_FIELDS[field]]
        return x.reshape(*x.shape[:-1], 3, 3) if field == "moment" else x
    force = model.forces[number]
    words = f"{parameter.name!r}: gradients by constants of forces are written for springs between points"
    require(force.law == "spring", f"{words}, not for the law {force.law!r}; give it per member by parameters=",
            NotSupported)  # fmt: skip
    line = next(k for k, f in enumerate(model.line_forces) if f is force)
    x = cotangents.springs[:, line][..., SPRING_FIELDS[field.removeprefix(CONSTANT)]]
    if field in POINTS:
        body = force.at.a if field == "point_a" else force.at.b
        return x if body < 0 else x @ model.inertial_frames[body, :3, :3].T
    return x
