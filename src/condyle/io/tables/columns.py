"""Columns of a table and coordinates of a model: how they are written, and which column is which coordinate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import BadFile
from ...model import Model

__all__ = ["RATE", "column_names", "names_here"]

PARTS = (".w", ".x", ".y", ".z", ".px", ".py", ".pz")
RATE = "d/dt "  # before the name of a column of velocities
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
    out, endings = {}, _endings(model)
    for form, number in model.name_forms.items():
        name = model.coordinates[number]
        for end in endings[number]:
            out |= {form + end: name + end, RATE + form + end: RATE + name + end}
    return out


def _state(column: str, known: dict[str, str]) -> str | None:
    """What a path of OpenSim's, joint/coordinate/value, is called here."""
    *path, end = column.split("/")
    if end not in STATES or len(path) < 2:
        return None
    return next((known[STATES[end] + name] for name in _said(path) if STATES[end] + name in known), None)


def _said(path: list[str]) -> Iterator[str]:
    joint, coordinate = path[-2:]
    yield from (f"{joint}.{coordinate}", coordinate, joint)
