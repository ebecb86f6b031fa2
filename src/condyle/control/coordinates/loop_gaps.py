"""The loops of a model, which the engine closes by its constraints, as coordinates that are zero when closed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import NotSupported, require
from ...joints.evaluate import pose_matrices
from ...model import Model
from ...model.kernels.layout import POINT
from ...model.resolved_constraints import Coupling, Loop
from ..animation_space import AnimationSpace
from .coordinate import Coordinate
from .jets import Jet, concatenate
from .orientations import rotation_vector, transposed_times
from .pose_jet import Posture

__all__ = ["closing"]


def closing(model: Model) -> AnimationSpace:
    """The constraints of a model, row by row as in `cd.constraint_forces`, for the methods that hold coordinates.

    The space is of the open tree. Rolling holds rates that come from no position; only the engine holds it.

    Parameters
    ----------
    model : Model

    Returns
    -------
    AnimationSpace

    Raises
    ------
    BadValue
        If the model has no constraints.
    NotSupported
        If a constraint holds rates (rolling).
    """
    require(model.constraints, "closing: this model has no constraints")
    coordinates = []
    for k, c in enumerate(model.constraints):
        name = f"loop{k}"
        if isinstance(c, Loop):
            coordinates.append(_loop(model, c, name))
        elif isinstance(c, Coupling):
            coordinates.append(Coordinate(name, (name,), _coupled(c)))
        else:
            raise NotSupported(f"constraint {k} ({c.label}) holds rates, not positions; let the engine hold it")
    return AnimationSpace(replace(model, constraints=()), coordinates, powers="keep", redundant=True)


def _loop(model: Model, c: Loop, name: str) -> Coordinate:
    a, b = (None if i < 0 else model.names[i] for i in (c.a, c.b))

    def gap(x: Posture) -> Jet:
        return x.point(a, c.frame_a[:3, 3]) - x.point(b, c.frame_b[:3, 3])

    def turn(x: Posture) -> Jet:
        A, B = (_frame(x, body, frame[:3, :3]) for body, frame in ((a, c.frame_a), (b, c.frame_b)))
        return (B * rotation_vector(transposed_times(B, A), name)[:, None, :]).sum(axis=-1)

    labels = tuple(f"{name}.{axis.replace(' ', '_')}" for axis in c.axes)
    return Coordinate(name, labels, gap if c.kind == POINT else lambda x: concatenate([turn(x), gap(x)], axis=1))


def _frame(posture: Posture, body: str | None, R: np.ndarray) -> Jet:
    """A frame fixed in a body, in world axes (count, 3, 3)."""
    return (posture.rotation(body)[..., None] * R).sum(axis=-2)


def _coupled(c: Coupling):
    def formula(posture: Posture) -> Jet:
        q = posture.q
        return q[:, c.q] - _function(c, q[:, [at for at, _ in c.read]])

    return formula


def _function(c: Coupling, x: Jet) -> Jet:
    """The coupling's function of the others (count, others), with its slopes, on numbers with a tiny imaginary part."""
    at = np.real(x.value)
    f, slopes = pose_matrices(c.slide, at)[:, 0, 3], c.slide.jacobian(at)[:, 3]
    if np.iscomplexobj(x.value):
        along = 1j * np.imag(x.value)
        f = f + np.einsum("sk,sk->s", slopes, along)
        slopes = slopes + np.einsum("skj,sj->sk", c.slide.hessian(at)[:, 3], along)
    return Jet(f, np.einsum("sk,skn->sn", slopes, x.slope))
