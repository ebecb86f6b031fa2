"""Measured forces for `identify_dynamics`: torques of drives from a table, and pushes of the ground from plates."""

from __future__ import annotations

import numpy as np

from ..errors import BadFile, NotSupported, require
from ..formats import read_table
from ..formats.tables.table import Table
from ..model import Model
from ..typing import ArrayLike, PathLike
from .external_loads.ground_reactions import GROUND, ExternalLoads

FORCE_ENDINGS = ("", "_moment", "_force")  # OpenSim's inverse dynamics calls them so


def read_torques(path: PathLike, model: Model, times: ArrayLike) -> dict[str, np.ndarray]:
    """Torques of a model's coordinates out of a table, at some times.

    Parameters
    ----------
    path : str or path
        A table (.sto, .mot, .csv) with a column `time` [s] and columns of torques [N m] and forces [N], named as
        coordinates of the model, or as OpenSim's inverse dynamics names them (knee_angle_r_moment, pelvis_tx_force).
        Other columns are left out.
    model : Model
    times : array_like, shape (F,)
        [s]

    Returns
    -------
    dict of str to ndarray, shape (F,)
        By coordinate, between samples along lines; NaN outside of the table and beside its gaps.

    Raises
    ------
    BadFile
        If there is no time, no coordinate of the model, or no sample at those times.

    Examples
    --------
    >>> import condyle as cd
    >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("knee", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> table = cd.Table(("time", "knee_moment"), [[0.0, 1.0], [1.0, 3.0]])
    >>> path = cd.write_table(table, "torques.sto")
    >>> cd.trial.read_torques(path, model, [0.5, 2.0])["knee"]
    array([ 2., nan])
    """
    table, t = read_table(path), np.asarray(times, dtype=float)
    names = _columns(table, model)
    require(bool(names), f"{path}: no column is named as a coordinate of the model", BadFile,
            columns=list(table.names)[:8], coordinates=list(model.coordinates)[:8])  # fmt: skip
    at = table.times
    rising = len(at) > 1 and bool(np.isfinite(at).all() and (np.diff(at) > 0).all())
    require(rising, f"{path}: times must be finite and rise", BadFile)
    inside = (t >= at[0]) & (t <= at[-1])
    words = f"{path}: torques from {at[0]:g} to {at[-1]:g} s are not of the time of the motion"
    require(bool(inside.any()), words, BadFile, motion=[float(t[0]), float(t[-1])])
    return {name: np.interp(t, at, table[column], left=np.nan, right=np.nan) for name, column in names.items()}


def _columns(table: Table, model: Model) -> dict[str, str]:
    """Columns by coordinate: under its short or its full name, or OpenSim's."""
    found = {}
    for shown, full in zip(model.coordinates, model.full_names, strict=True):
        forms = (shown, full, full.rpartition(".")[2])
        columns = [f"{name}{ending}" for name in forms for ending in FORCE_ENDINGS if f"{name}{ending}" in table]
        if columns:
            found[shown] = columns[0]
    return found


def ground_pushes(loads: ExternalLoads, model: Model, times: ArrayLike) -> dict[str, tuple[np.ndarray, ...]]:
    """What the ground does to bodies at some times, for `MeasuredMotion`.

    Parameters
    ----------
    loads : ExternalLoads
        In world axes, as of `read_external_loads` or `plate_loads`.
    model : Model
    times : array_like, shape (F,)
        [s]

    Returns
    -------
    dict of str to tuple of ndarray
        Force [N], point [m] and torque [N m] by body, each (F, 3); those of several plates are added at the origin.

    Raises
    ------
    UnknownName
        A body that the model does not have.
    NotSupported
        A force that is given in the axes of a body, or without a point.
    """
    loads.require_bodies(model)
    t, out = np.asarray(times, dtype=float), {}
    for s in loads.at(t):
        in_world = s.force.force_in == s.force.point_in == GROUND and (s.newtons is None or s.point is not None)
        require(
            in_world, f"external force {s.force.name!r}: give force and point in the axes of the world", NotSupported
        )
        none = np.zeros((len(t), 3))
        force, point, torque = (none if x is None else x for x in (s.newtons, s.point, s.torque))
        before = out.get(s.force.body, (none, none, none))
        out[s.force.body] = before[0] + force, none, before[2] + torque + np.cross(point, force)
    return out
