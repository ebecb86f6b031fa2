"""Trajectories as tables: CSV (positions and velocities) and OpenSim's STO and MOT (positions)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import BadFile, NotSupported, require, unknown_name
from ..formats.tables import Table, csv_text, parse_csv, parse_sto, sto_text
from ..model import Model
from ..simulation import Trajectory
from .arrays import LARGEST
from .files import write_bytes

__all__ = ["SUFFIXES", "load_table", "save_table"]

SUFFIXES = (".csv", ".sto", ".mot")
PARTS = ("w", "x", "y", "z", "px", "py", "pz")
RATE = "d/dt "


def column_names(model: Model) -> list[str]:
    """A column for each number of q: the coordinate, or coordinate.w, .x, … of a quaternion."""
    names: list[str] = [""] * model.nq
    quaternions = {at for at, _, _ in model.quaternions}
    for name in model.coordinates:
        at = model.q_index(name)
        width = 1 if at not in quaternions else 7 if at in model.free_quaternions else 4
        names[at : at + width] = [name] if width == 1 else [f"{name}.{p}" for p in PARTS[:width]]
    return names


def angles(model: Model) -> np.ndarray:
    """Which numbers of q are angles: plain coordinates that turn their body; files in degrees are about these."""
    flags = np.zeros(model.nq, dtype=bool)
    for at, k in zip(*model.plain_places, strict=True):
        body = next(i for i in range(model.nbodies - 1, -1, -1) if model.joint_starts[i][1] <= k)
        joint, (q0, v0) = model.bodies[body].joint, model.joint_starts[body]
        flags[at] = np.abs(joint.jacobian(model.neutral()[q0 : q0 + joint.nq])[:3, k - v0]).max() > 1e-12
    return flags


def save_table(trajectory: Trajectory, path: Path) -> None:
    """One member of a batch at a time."""
    require(trajectory.q.ndim == 2, f"{path}: a table holds one motion; save each member of the batch", NotSupported)
    names, q = column_names(trajectory.model), trajectory.q
    if path.suffix == ".csv" and trajectory.model.nq == trajectory.model.nv:
        columns = ("time", *names, *(RATE + n for n in names))
        text = csv_text(Table(columns, np.column_stack([trajectory.t, q, trajectory.v])))
    else:
        table = Table(("time", *names), np.column_stack([trajectory.t, q]))
        text = csv_text(table) if path.suffix == ".csv" else sto_text(table, path.stem)
    write_bytes(path, lambda file: file.write(text.encode()))


def load_table(path: Path, model: Model | None) -> Trajectory:
    """The motion of a model; velocities that the file lacks come from splines through the positions."""
    if model is None:
        raise BadFile(f"{path}: a table does not hold its model; give it: cd.load(path, model=model)")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path}: not a text file in UTF-8: {error}") from None
    table = parse_csv(text, str(path)) if path.suffix == ".csv" else parse_sto(text, str(path))
    names = column_names(model)
    for name in ("time", *names):
        if name not in table.columns:
            raise BadFile(f"{path}: {unknown_name('column', name, table.columns, 'the table')}")
    columns = {c: table.rows[:, i] for i, c in enumerate(table.columns)}
    t, q = columns["time"], np.stack([columns[n] for n in names], axis=1).reshape(len(table.rows), len(names))
    require((np.abs(table.rows) <= LARGEST).all(), f"{path}: numbers must be finite and at most 1e50", BadFile)
    require((np.diff(t) > 0).all(), f"{path}: times must increase", BadFile)
    q = np.where(angles(model), np.radians(q), q) if table.degrees else q
    if all(RATE + n in columns for n in names) and model.nq == model.nv:
        v = np.stack([columns[RATE + n] for n in names], axis=1).reshape(len(t), len(names))
    else:
        v = _rates(model, t, q)
    return Trajectory(model, t, q, v)


def _rates(model: Model, t: np.ndarray, q: np.ndarray) -> np.ndarray:
    """v from neighbours: the difference on the group over the time between them."""
    from ..dynamics import difference

    if len(t) < 2:
        return np.zeros((len(t), model.nv))
    ahead, behind = np.minimum(np.arange(len(t)) + 1, len(t) - 1), np.maximum(np.arange(len(t)) - 1, 0)
    return difference(model, q[behind], q[ahead]) / (t[ahead] - t[behind])[:, None]
