"""Coordinates and generalised forces as columns of OpenSim's tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import NotSupported, require, unknown_name
from ...formats.tables.table import Table
from ...io.tables.table_degrees import motion_types
from ...model import Model
from ...model.followers import follower_values
from ...model.motion_types import ROTATIONAL


@dataclass(frozen=True)
class Column:
    """A coordinate as OpenSim's tables call it, its places in q and v, and whether it is an angle there."""

    name: str
    q: int
    v: int
    rotational: bool

    @property
    def force(self) -> str:
        """The name of its generalised force."""
        return f"{self.name}_{'moment' if self.rotational else 'force'}"

    @property
    def unit(self) -> str:
        """What its values are in where angles are in degrees."""
        return "deg" if self.rotational else "m"


def columns(model: Model) -> list[Column]:
    """A column for each coordinate of a model; quaternions have none, so that models with them are refused."""
    joints = [joint for _, _, joint in model.quaternions]
    require(not joints, "a trial needs a model whose coordinates are single numbers, not quaternions: load an .osim "
            "file, or make its free joints of three slides and three turns", NotSupported, joints=joints)  # fmt: skip
    said = {} if model.opensim is None else model.opensim.coordinates
    own = {f"{c.joint}.{c.name}": c.name for c in said.values()}
    types, found = motion_types(model), []
    for shown, full in zip(model.coordinates, model.full_names, strict=True):
        _, q, v = model.place_of(shown)
        found.append(Column(own.get(full, shown), q, v, types[shown] == ROTATIONAL))
    return found


def motion_table(model: Model, times: np.ndarray, q: np.ndarray) -> Table:
    """Coordinates over time, then those that follow them, angles in degrees where OpenSim has degrees."""
    found = columns(model)
    series = [(c.name, q[:, c.q], c.rotational) for c in found]
    following = zip(model.followers, follower_values(model, q).T, strict=True)
    series += [(f.name.rpartition(".")[2], x, f.motion_type == ROTATIONAL) for f, x in following]
    values = np.stack([np.degrees(x) if turns else x for _, x, turns in series], axis=1)
    return Table(("time", *(name for name, *_ in series)), np.column_stack([times, values]), in_degrees=True)


def coordinates_of(model: Model, other: Model, q: np.ndarray) -> np.ndarray:
    """Coordinates (T, nq) of a model where q are those of another that has the same coordinates, or followers."""
    if model.coordinates == other.coordinates:
        return q
    known = dict(zip((c.name for c in columns(other)), (q[:, c.q] for c in columns(other)), strict=True))
    known |= dict(zip((f.name for f in other.followers), follower_values(other, q).T, strict=True))
    for column in columns(model):
        if column.name not in known:
            raise unknown_name("coordinate", column.name, known, "the motion")
    return np.stack([known[c.name] for c in columns(model)], axis=1)


def force_table(model: Model, times: np.ndarray, tau: np.ndarray) -> Table:
    """Generalised forces over time [N m, N], by OpenSim's names."""
    found = columns(model)
    values = np.stack([tau[:, c.v] for c in found], axis=1)
    return Table(("time", *(c.force for c in found)), np.column_stack([times, values]), in_degrees=False)
