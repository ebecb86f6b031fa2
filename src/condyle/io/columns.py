"""Columns of a table and coordinates of a model: how they are written, and which column is which coordinate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ..errors import BadFile
from ..model import Model

__all__ = ["RATE", "column_names", "names_here"]

RATE = "d/dt "  # before the name of a column of velocities
PARTS = (".w", ".x", ".y", ".z", ".px", ".py", ".pz")
STATE = re.compile(r"(?:.*/)?([^/]+)/([^/]+)/(value|speed)")  # OpenSim: /jointset/knee_r/knee_angle_r/value
STATES = {"value": "", "speed": RATE}  # how the last part of OpenSim's paths begins here


def column_names(model: Model) -> list[str]:
    """A column for each number of q: the coordinate, or coordinate.w, .x, … of a quaternion."""
    return [name + end for name, ends in zip(model.coordinates, _endings(model), strict=True) for end in ends]


def _endings(model: Model) -> list[tuple[str, ...]]:
    """What follows the name of each coordinate in its columns: nothing, or the parts of a quaternion."""
    quaternions = {at: PARTS if at in model.free_quaternions else PARTS[:4] for at, _, _ in model.quaternions}
    return [quaternions.get(model.q_index(name), ("",)) for name in model.coordinates]


def names_here(model: Model, columns: Iterable[str], path: str) -> tuple[str, ...]:
    """The columns as `column_names` writes them, whichever name of a coordinate they have; others as they are.

    A column may have any name that means one coordinate: `knee_angle_r`, `knee_r` or `knee_r.knee_angle_r`, and those
    of OpenSim's states, …/knee_r/knee_angle_r/value and …/speed. A state counts where no plain column is there.

    Parameters
    ----------
    model : Model
        Whose coordinates they are.
    columns : iterable of str
        Names of columns in the order of the file.
    path : str
        For messages.

    Raises
    ------
    BadFile
        If two columns are the same coordinate.
    """
    columns, known = tuple(columns), _forms(model)
    plain = {c: known[c] for c in columns if c in known}
    taken = set(plain.values())
    states = {c: name for c in columns if c not in plain and (name := _state(c, known)) and name not in taken}
    found: dict[str, str] = {}
    for column, name in (plain | states).items():
        if name in found:
            raise BadFile(f"{path}: columns {found[name]!r} and {column!r} are both coordinate {name!r}; leave one out")
        found[name] = column
    here = {column: name for name, column in found.items()}
    return tuple(here.get(column, column) for column in columns)


def _forms(model: Model) -> dict[str, str]:
    """Every way to write a column, and how it is written here."""
    owners = [(body.joint_name, own, body.joint) for body in model.bodies for own in body.joint.coordinates]
    count = Counter(own for _, own, _ in owners)
    out: dict[str, str] = {}
    for name, ends, (joint_name, own, joint) in zip(model.coordinates, _endings(model), owners, strict=True):
        forms = [f"{joint_name}.{own}"] + [own] * (count[own] == 1) + [joint_name] * (len(joint.coordinates) == 1)
        for form in forms:
            for end in ends:
                out |= {form + end: name + end, RATE + form + end: RATE + name + end}
    shown = column_names(model)
    return out | {prefix + name: prefix + name for prefix in STATES.values() for name in shown}


def _state(column: str, known: dict[str, str]) -> str | None:
    """What a path of OpenSim's, joint/coordinate/value, is called here."""
    state = STATE.fullmatch(column)
    if not state:
        return None
    joint, own, end = state.groups()
    forms = (f"{joint}.{own}", own, joint)
    return next((known[STATES[end] + form] for form in forms if STATES[end] + form in known), None)
