"""Coordinates and generalised forces as columns of OpenSim's tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import NotSupported, require
from ..formats.table import Table
from ..io.tables.table_degrees import ROTATIONAL, motion_types
from ..model import Model


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
    """Coordinates over time, angles in degrees where OpenSim has degrees."""
    found = columns(model)
    values = np.stack([np.degrees(q[:, c.q]) if c.rotational else q[:, c.q] for c in found], axis=1)
    return Table(("time", *(c.name for c in found)), np.column_stack([times, values]), in_degrees=True)


def force_table(model: Model, times: np.ndarray, tau: np.ndarray) -> Table:
    """Generalised forces over time [N m, N], by OpenSim's names."""
    found = columns(model)
    values = np.stack([tau[:, c.v] for c in found], axis=1)
    return Table(("time", *(c.force for c in found)), np.column_stack([times, values]), in_degrees=False)
