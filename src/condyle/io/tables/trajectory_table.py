"""Trajectories as tables: CSV (positions and velocities) and OpenSim's STO and MOT (positions)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from ...errors import BadFile, CondyleError, NotSupported, require, unknown_name, warn
from ...formats.safe_files import write_text
from ...formats.tables.table_files import Table, csv_text, read_table, sto_text
from ...model import Model
from ...model.followers import follower_values
from ...model.motion_types import ROTATIONAL
from ...simulation import Trajectory
from ..array_fields import LARGEST
from .table_degrees import radians_per_number

SUFFIXES = (".csv", ".sto", ".mot")
FOLLOWING = 1e-3  # [rad or m]: OpenSim holds couplers to about 1e-5, and tables have few digits
ROUNDED = 1e-3  # a quaternion of three digits is meant to be unit


def save_table(trajectory: Trajectory, path: Path) -> None:
    """One member of a batch at a time; velocities too where each is the rate of a column, in CSV."""
    require(trajectory.q.ndim == 2, f"{path}: a table holds one motion; save each member of the batch", NotSupported)
    names, columns = column_names(trajectory.model), [trajectory.t, trajectory.q]
    if path.suffix != ".csv" and trajectory.model.followers:  # OpenSim wants a column for every coordinate
        names += [f.name for f in trajectory.model.followers]
        columns.append(follower_values(trajectory.model, trajectory.q))
    if path.suffix == ".csv" and trajectory.model.nq == trajectory.model.nv:
        names, columns = [*names, *(RATE + n for n in names)], [*columns, trajectory.v]
    table = Table(("time", *names), np.column_stack(columns), in_degrees=False)
    write_text(path, csv_text(table) if path.suffix == ".csv" else sto_text(table, path.stem))


def load_table(
    path: Path, model: Model | None, *, radians: Sequence[str] | None = None, truncated: str | None = None
) -> Trajectory:
    """The motion of a model; velocities that the file lacks come from the positions before and after.

    `radians` and `truncated` are those of `cd.load`.
    """
    if model is None:
        give = "give it: cd.load(path, model=model), or open the table alone: cd.read_table(path)"
        raise BadFile(f"{path}: a table does not hold its model; {give}")
    table = read_table(path, truncated=truncated).in_base_units()
    require(len(table), f"{path}: a motion needs at least one row", BadFile)
    t, names = _times(table), column_names(model)
    table = _known_here(table, model)
    missing = next((name for name in names if name not in table), None)
    if missing is not None:
        raise BadFile(f"{path}: {unknown_name('column', missing, table.names, str(path))}")
    rates = [RATE + name for name in names]
    given = model.nq == model.nv and table.has(rates)
    _require_finite(table, [*names, *(rates if given else [])], path)
    _require_rising(t, path)
    q = table.columns(names)
    unit = radians_per_number(model, table, q, radians)
    q = _unit_quaternions(model, unit * q, path)
    _check_followers(model, table, q)
    return Trajectory(model, t, q, unit * table.columns(rates) if given else _rates(model, t, q))


def _check_followers(model: Model, table: Table, q: np.ndarray) -> None:
    """Warn of columns of coordinates that are functions of others and do not have their values: these are not used."""
    found = follower_values(model, q)
    for f, values in zip(model.followers, found.T, strict=True):
        if f.name not in table:
            continue
        degrees = table.in_degrees and f.motion_type == ROTATIONAL
        gap = np.abs((np.pi / 180 if degrees else 1.0) * table[f.name] - values)
        if not gap.max() <= FOLLOWING:
            k = int(np.nanargmax(gap))
            warn(
                f"{table.path}: column {f.name!r} is not the function of {f.driver!r} that it is in the model: at "
                f"{table.times[k]:g} s it differs by {gap[k]:.3g} (rad or m). The column is not used"
            )


def _known_here(table: Table, model: Model) -> Table:
    """The table with a column for each number, coordinates under the names they have here."""
    names = names_here(model.unfolded(), table.flat_names, table.path)
    found = Table(names, table.values, (), table.in_degrees, table.units, table.metadata, table.path)
    for name in column_names(model):
        again = f"{name}#2"  # how a reader calls a second column of the name
        same = again not in found or np.array_equal(found[name], found[again], equal_nan=True)
        require(same, f"{table.path}: two columns named {name!r} that differ", BadFile)
    return found


def _times(table: Table) -> np.ndarray:
    try:
        return table.times
    except CondyleError as error:
        raise BadFile(f"{table.path}: {error}") from None


def _require_finite(table: Table, names: Sequence[str], path: Path) -> None:
    bad = np.argwhere(~(np.abs(table.columns(names)) <= LARGEST))  # NaN too
    if len(bad):
        record, name = int(bad[0][0]), names[int(bad[0][1])]
        raise BadFile(
            f"{path}: column {name!r} holds {table[name][record]:g} in record {record} (counted from 0); every number "
            "must be there, finite and at most 1e50"
        )


def _require_rising(t: np.ndarray, path: Path) -> None:
    require((np.abs(t) <= LARGEST).all(), f"{path}: times must be finite numbers of at most 1e50", BadFile)
    back = np.flatnonzero(~(np.diff(t) > 0))
    if len(back):
        raise BadFile(f"{path}: times must increase; {t[back[0] + 1]:g} s comes after {t[back[0]]:g} s")


def _unit_quaternions(model: Model, q: np.ndarray, path: Path) -> np.ndarray:
    """Quaternions of few digits made unit; what is none is refused."""
    for at, _, joint in model.quaternions:
        size = np.linalg.norm(q[:, at : at + 4], axis=1, keepdims=True)
        good = np.abs(size - 1.0).max() <= ROUNDED
        require(good, f"{path}: joint {joint!r}: a quaternion w, x, y, z has norm 1", BadFile, norms=size[:3].tolist())
        q[:, at : at + 4] /= np.where(np.abs(size - 1.0) <= 1e-15, 1.0, size)
    return q


def _rates(model: Model, t: np.ndarray, q: np.ndarray) -> np.ndarray:
    """v from neighbours: the difference on the group over the time between them."""
    from ...dynamics import difference

    if len(t) < 2:
        return np.zeros((len(t), model.nv))
    ahead, behind = np.minimum(np.arange(len(t)) + 1, len(t) - 1), np.maximum(np.arange(len(t)) - 1, 0)
    return difference(model, q[behind], q[ahead]) / (t[ahead] - t[behind])[:, None]


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
