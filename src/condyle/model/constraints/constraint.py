"""What every constraint is: a value in names, which `bound(model)` checks and turns into numbers."""

from __future__ import annotations

import numpy as np

from ...errors import BadShape, BadValue, require
from ...spatial import as_pose
from ..model import Model
from ..resolved_constraints import Coupling, Loop, Rolling


class Constraint:
    """A value that `ModelBuilder.add_constraint` takes."""

    def bound(self, model: Model) -> Loop | Coupling | Rolling:
        """The constraint with its names resolved in a model, checked.

        Parameters
        ----------
        model : Model

        Returns
        -------
        Loop, Coupling or Rolling

        Raises
        ------
        UnknownName
            If the model does not have a body or a coordinate that the constraint names.
        NotImplementedError
            By this class itself.
        """
        raise NotImplementedError


def two_bodies(model: Model, kind: str, body_a: str | None, body_b: str | None) -> tuple[int, int]:
    """The numbers of two different bodies, −1 for the world."""
    a, b = (-1 if body is None else model.body_index(body) for body in (body_a, body_b))
    require(a != b, f"{kind}: a constraint needs two different bodies", BadValue, body_a=body_a, body_b=body_b)
    return a, b


def said(body: str | None) -> str:
    """A body's name, or the world, as an error shows it."""
    return "the world" if body is None else repr(body)


def one_pose(value, name: str) -> np.ndarray:
    """A frame."""
    T = as_pose(value, name)
    require(T.shape == (4, 4), f"{name} must be one pose", BadShape, shape=T.shape)
    return T
