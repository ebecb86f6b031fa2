"""Which columns of a table in degrees are in degrees: OpenSim converts the coordinates that it calls rotational.

A coordinate is *rotational* if it turns its body by as much as it says (a linear function of slope 1 or −1 about an
axis), *translational* if it does not turn it. If it turns it by another function of itself, such as a spline, OpenSim
calls it *coupled* and leaves its columns in radians, also in files that say `inDegrees=yes`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import BadFile, require, warn
from ...formats.safe_files import plain_suffix
from ...formats.tables.table_files import Table
from ...model import Model
from ...model.motion_types import COUPLED, TRANSLATIONAL, motion_type

SLACK = 0.1  # [rad] beyond a domain that a measured angle may lie


def radians_per_number(model: Model, table: Table, q: np.ndarray, radians: Sequence[str] | None) -> np.ndarray:
    """What the numbers q (rows, nq) of a table must be multiplied by, (nq,): π/180 for angles in degrees.

    `radians` names the coordinates whose columns are in radians all the same; None leaves it to OpenSim's rule.
    """
    kinds = motion_types(model)
    named = None if radians is None else {model.q_index(name) for name in radians}
    turning = [name for name, kind in kinds.items() if kind != TRANSLATIONAL]
    if not table.in_degrees:
        _warn_if_silent(table, turning)
        _warn_if_far(model, table, q, turning)
        return np.ones(model.nq)
    coupled = [name for name in turning if kinds[name] == COUPLED]
    if named is None and coupled:
        _check_coupled(model, table, q, coupled)
    kept = {model.q_index(name) for name in coupled} if named is None else named
    out = np.ones(model.nq)
    out[sorted({model.q_index(name) for name in turning} - kept)] = np.pi / 180
    return out


def motion_types(model: Model) -> dict[str, str]:
    """ROTATIONAL, TRANSLATIONAL or COUPLED for each coordinate; quaternions are left out.

    What a model says itself, in an attribute `motion_types` by name of coordinate, goes before what its joints show.
    """
    said = dict(getattr(model, "motion_types", None) or {})
    pairs = zip(model.coordinates, model.coordinate_places, strict=True)
    plain = ((name, model.bodies[p.body].joint, p.coordinate) for name, p in pairs if p.widths == (1, 1))
    return {name: said.get(name) or motion_type(joint, c) for name, joint, c in plain}


def _warn_if_silent(table: Table, turning: list[str]) -> None:
    silent = table.in_degrees is None and plain_suffix(table.path) == ".sto"
    if silent and turning:
        message = (
            f"{table.path}: its header does not say whether angles are in degrees; they are taken to be in radians"
        )
        warn(message)


def _warn_if_far(model: Model, table: Table, q: np.ndarray, turning: list[str]) -> None:
    """Warn of angles in radians that lie more than a turn outside of the coordinate's range, as degrees do."""
    for name in (name for name in turning if name in model.ranges):
        (low, high), values = model.ranges[name], q[:, model.q_index(name)]
        worst = values[np.abs(values - np.clip(values, low, high)).argmax()]
        if abs(worst - np.clip(worst, low, high)) > 2 * np.pi:
            way = "If the table is in degrees, convert it, or write it as .mot with inDegrees=yes"
            warn(f"{table.path}: {name!r} comes to {worst:.4g} rad, and its range is [{low:.4g}, {high:.4g}]. {way}")


def _check_coupled(model: Model, table: Table, q: np.ndarray, coupled: list[str]) -> None:
    """Warn that coupled coordinates are left in radians; refuse values that cannot be radians."""
    way = "cd.load(path, model=model, radians=[…]) names the coordinates whose columns are in radians"
    leaves = "OpenSim leaves coupled coordinates in radians in a file in degrees"
    for name in coupled:
        values, (low, high) = q[:, model.q_index(name)], _domain(model, name)
        good = (low - SLACK <= values).all() and (values <= high + SLACK).all()
        extreme = values[np.abs(values).argmax()]
        message = f"{table.path}: {leaves}, and {name!r} is one, but {extreme:g} rad is outside of its joint; {way}"
        require(good, message, BadFile)
    message = f"{table.path}: angles are in degrees, but not of {', '.join(coupled)}: {leaves}; {way}"
    warn(message)


def _domain(model: Model, name: str) -> tuple[float, float]:
    """Where a coordinate may lie [rad]: the domain of its joint, or a turn both ways."""
    place = model.coordinate_places[model.coordinates.index(name)]
    low, high = model.bodies[place.body].joint.domain[place.coordinate]
    return (low, high) if np.isfinite(low + high) else (-2 * np.pi, 2 * np.pi)
