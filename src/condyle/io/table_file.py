"""Trajectories as tables: CSV (positions and velocities) and OpenSim's STO and MOT (positions)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import BadFile, NotSupported, UnknownName, require
from ..formats.files import read_text, write_text
from ..formats.tables import Table, csv_text, parse_csv, parse_sto, sto_text
from ..model import Model
from ..simulation import Trajectory
from .arrays import LARGEST
from .columns import RATE, column_names, names_here

__all__ = ["SUFFIXES", "load_table", "save_table"]

SUFFIXES = (".csv", ".sto", ".mot")
ROUNDED = 1e-3  # a quaternion of three digits is meant to be unit


def angles(model: Model) -> np.ndarray:
    """Which numbers of q are angles: plain coordinates that turn their body; files in degrees are about these."""
    flags = np.zeros(model.nq, dtype=bool)
    for at, k in zip(*model.plain_places, strict=True):
        body = next(i for i in range(model.nbodies - 1, -1, -1) if model.joint_starts[i][1] <= k)
        joint, (q0, v0) = model.bodies[body].joint, model.joint_starts[body]
        flags[at] = np.abs(joint.jacobian(model.neutral()[q0 : q0 + joint.nq])[:3, k - v0]).max() > 1e-12
    return flags


def save_table(trajectory: Trajectory, path: Path) -> None:
    """One member of a batch at a time; velocities too where each is the rate of a column, in CSV."""
    require(trajectory.q.ndim == 2, f"{path}: a table holds one motion; save each member of the batch", NotSupported)
    names, columns = column_names(trajectory.model), [trajectory.t, trajectory.q]
    if path.suffix == ".csv" and trajectory.model.nq == trajectory.model.nv:
        names, columns = [*names, *(RATE + n for n in names)], [*columns, trajectory.v]
    table = Table(("time", *names), np.column_stack(columns))
    write_text(path, csv_text(table) if path.suffix == ".csv" else sto_text(table, path.stem))


def load_table(path: Path, model: Model | None) -> Trajectory:
    """The motion of a model; velocities that the file lacks come from the positions before and after."""
    if model is None:
        raise BadFile(f"{path}: a table does not hold its model; give it: cd.load(path, model=model)")
    table = (parse_csv if path.suffix == ".csv" else parse_sto)(read_text(path), str(path))
    _require_finite(table, path)
    names = column_names(model)
    table = replace(table, names=names_here(model, table.names, str(path)))
    try:
        t, q = table.columns(["time"])[:, 0], table.columns(names)
    except UnknownName as error:
        raise BadFile(f"{path}: {error}") from None
    _require_rising(t, path)
    unit = np.where(angles(model), np.pi / 180, 1.0) if table.degrees else 1.0
    q = _unit_quaternions(model, unit * q, path)
    rates = [RATE + n for n in names]
    given = model.nq == model.nv and table.has(rates)
    return Trajectory(model, t, q, unit * table.columns(rates) if given else _rates(model, t, q))


def _require_finite(table: Table, path: Path) -> None:
    bad = np.argwhere(~(np.abs(table.values) <= LARGEST))  # NaN too
    if len(bad):
        record, column = bad[0]
        raise BadFile(
            f"{path}: column {table.names[column]!r} holds {table.values[record, column]:g} in record {record} "
            "(counted from 0); every number must be there, finite and at most 1e50"
        )


def _require_rising(t: np.ndarray, path: Path) -> None:
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
    from ..dynamics import difference

    if len(t) < 2:
        return np.zeros((len(t), model.nv))
    ahead, behind = np.minimum(np.arange(len(t)) + 1, len(t) - 1), np.maximum(np.arange(len(t)) - 1, 0)
    return difference(model, q[behind], q[ahead]) / (t[ahead] - t[behind])[:, None]
