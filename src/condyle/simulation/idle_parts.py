"""Contact and drives of a foreign file that a model keeps as data: a run says once that they do not act."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

from ..errors import NotInModel, amount, warn
from ..forces.kernels.declaration import GAP
from ..model import Model

SHOWN = 3  # names of one kind
_told: WeakSet[Model] = WeakSet()  # models of which a run has spoken


def warn_of_idle_parts(model: Model, driven: bool) -> None:
    """Name contact, and drives unless the caller gives forces (`driven`), that the model's file has and a run has not.

    Once for each model.
    """
    if model in _told:
        return
    grounded = any(f.declared.reading == GAP for f in model.forces)
    found = [*_of_opensim(model.opensim, driven), *_of_mujoco(model.mujoco, driven, grounded)]
    shapes = {} if model.mujoco or grounded else {name: len(x) for name, x in model.collisions.items() if x}
    if shapes:
        found.append(f"{amount(sum(shapes.values()), 'collision shape')} (first of {next(iter(shapes))!r})")
    if found:
        _told.add(model)
        warn(f"simulate: of the model's file these do not act: {'; '.join(found)}. Bodies pass through each other and "
             "through the ground, and what is not given as control or wrenches does not push; filter "
             "condyle.errors.NotInModel if that is meant", NotInModel)  # fmt: skip


def _of_opensim(data: Any, driven: bool) -> Iterator[str]:
    """Forces of an .osim file that the model does not have, by class; muscles speak for themselves."""
    idle: dict[str, list[str]] = {}
    for force in () if data is None else data.forces:
        if force.applies and not force.acts and force.path is None and not (driven and "Actuator" in force.kind):
            idle.setdefault(force.kind, []).append(force.name)
    for kind, names in idle.items():
        yield f"{len(names)} {kind} ({', '.join(map(repr, names[:SHOWN]))}{', …' if len(names) > SHOWN else ''})"


def _of_mujoco(data: Any, driven: bool, grounded: bool) -> Iterator[str]:
    """What of an MJCF file touches, drives or pulls in MuJoCo only."""
    if data is None:
        return
    if data.colliding and not grounded:
        yield f"contact of {amount(data.colliding, 'geom')}"
    for kind, items in (("actuator", () if driven else data.actuators), ("tendon", data.tendons)):
        if items:
            yield f"{amount(len(items), kind)} (first {items[0].name!r})"
