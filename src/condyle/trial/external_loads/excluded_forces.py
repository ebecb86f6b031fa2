"""A model without some of the forces of its .osim file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...model import Model

HELD_IN = {  # where a model has the loads of a class of forces, in the order of the file
    "SpringGeneralizedForce": "coordinate_loads",
    "CoordinateLimitForce": "coordinate_loads",
    "PointToPointSpring": "springs",
    "BushingForce": "bushings",
}


def without_forces(model: Model, names: Iterable[str]) -> tuple[Model, list[str]]:
    """The model without the springs, limits and bushings of these names, and what is to be said of it."""
    names, forces = list(names), () if model.opensim is None else model.opensim.forces
    acting = [f for f in forces if f.acts and f.kind in HELD_IN]
    changed, told = {}, set()
    for field in dict.fromkeys(HELD_IN.values()):
        loads, own = getattr(model, field), [f for f in acting if HELD_IN[f.kind] == field]
        if len(loads) != len(own):  # some are none of the file's
            continue
        told |= {f.name for f in own}
        changed[field] = tuple(x for x, f in zip(loads, own, strict=True) if f.name not in names)
    told |= {f.name for f in forces if not f.acts}
    notes = [f"forces that the setup excludes: {', '.join(n for n in names if n in told)}"] if told & set(names) else []
    others = [n for n in names if n not in told]
    notes += [f"forces_to_exclude names {', '.join(others)}, which is not obeyed"] if others else []
    return replace(model, **changed), notes
