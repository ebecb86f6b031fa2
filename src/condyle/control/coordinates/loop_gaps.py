"""The loops of a model, which the engine closes by its constraints, as coordinates that are zero when closed."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

from ...dynamics.constraints.constraint_gaps import constraint_gaps
from ...errors import NotSupported, require
from ...model import Model
from ...model.resolved_constraints import Loop, Rolling, row_starts
from ...model.validate_model import require_model
from ..animation_space import AnimationSpace
from .coordinate import Coordinate
from .jets import Jet
from .pose_jet import Posture


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
    require_model(model)
    require(model.constraints, "closing: this model has no constraints")
    for k, c in enumerate(model.constraints):
        if isinstance(c, Rolling):
            raise NotSupported(f"constraint {k} ({c.label}) holds rates, not positions; let the engine hold it")
    gaps, starts = Gaps(model), row_starts(model)
    coordinates = [_coordinate(gaps, k, slice(at, at + gaps.rows(k))) for k, at in enumerate(starts)]
    return AnimationSpace(replace(model, constraints=()), coordinates, powers="keep", redundant=True)


class Gaps:
    """The gaps of a model's constraints as jets (count, rows), computed once for each posture."""

    def __init__(self, model: Model):
        self.model = model
        self._known: WeakKeyDictionary[Posture, Jet] = WeakKeyDictionary()

    def rows(self, k: int) -> int:
        """How many rows constraint k has."""
        return self.model.constraints[k].rows

    def at(self, posture: Posture) -> Jet:
        """All rows in a posture of the open tree."""
        if posture not in self._known:
            self._known[posture] = posture.jet(*constraint_gaps(self.model, posture.q.value))
        return self._known[posture]


def _coordinate(gaps: Gaps, k: int, rows: slice) -> Coordinate:
    c, name = gaps.model.constraints[k], f"loop{k}"
    if isinstance(c, Loop):
        labels = tuple(f"{name}.{axis.replace(' ', '_')}" for axis in c.axes)
        return Coordinate(name, labels, lambda x: gaps.at(x)[:, rows])
    return Coordinate(name, (name,), lambda x: gaps.at(x)[:, rows.start])
