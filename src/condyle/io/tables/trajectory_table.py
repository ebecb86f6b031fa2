"""Trajectories as tables: CSV (positions and velocities) and OpenSim's STO and MOT (positions)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...errors import BadFile, CondyleError, NotSupported, require, unknown_name
from ...formats.safe_files import write_text
from ...formats.tables import Table, csv_text, read_table, sto_text
from ...model import Model
from ...simulation import Trajectory
from ..arrays import LARGEST
from .columns import RATE, column_names, names_here
from .table_degrees import radians_per_number

__all__ = ["SUFFIXES", "load_table", "save_table"]

SUFFIXES = (".csv", ".sto", ".mot")
ROUNDED = 1e-3  # a quaternion of three digits is meant to be unit


def save_table(trajectory: Trajectory, path: Path) -> None:
    """One member of a batch at a time; velocities too where each is the rate of a column, in CSV."""
    require(trajectory.q.ndim == 2, f"{path}: a table holds one motion; save each member of the batch", NotSupported)
    names, columns = column_names(trajectory.model), [trajectory.t, trajectory.q]
    if path.suffix == ".csv" and trajectory.model.nq == trajectory.model.nv:
        names, columns = [*names, *(RATE + n for n in names)], [*columns, trajectory.v]
    table = Table(("time", *names), np.column_stack(columns), in_degrees=False)
    write_text(path, csv_text(table) if path.suffix == ".csv" else sto_text(table, path.stem))


def load_table(
    path: Path, model: Model | None, *, radians: Sequence[str] | None = None, truncated: str = "error"
) -> Trajectory:
    """The motion of a model; velocities that the file lacks come from the positions before and after.

    `radians` and `truncated` are those of `cd.load`.
    """
    if model is None:
        give = "give it: cd.load(path, model=model), or open the table alone: cd.read_table(path)"
        raise BadFile(f"{path}: a table does not hold its model; {give}")
    table = read_table(path, truncated=truncated)
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
    return Trajectory(model, t, q, unit * table.columns(rates) if given else _rates(model, t, q))


def _known_here(table: Table, model: Model) -> Table:
    """The table with a column for each number, coordinates under the names they have here."""
    names = names_here(model, table.flat_names, table.path)
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
