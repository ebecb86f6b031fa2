"""Pictures of a trial: angles, moments, powers, errors of markers, residuals, ground reactions, centre of mass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...design.report.html_report import picture_of
from ...plots import Curve, Field, Panel, draw_chart
from ..inverse_dynamics import Dynamics
from ..inverse_kinematics import Kinematics
from .column_names import Column, columns

RIGHT, LEFT, ONE = "#c0392b", "#2c6fbb", "#3b4b5a"
SIDES = {"_right": RIGHT, "_left": LEFT, "_r": RIGHT, "_l": LEFT}
STILL = 1e-2  # of what is drawn: less change than this is none
ACROSS, WIDTH, HEIGHT = 4, 12.0, 2.3
AXIS_COLORS = ("#c0392b", "#2e8b57", "#2c6fbb")


class TrialFigure(NamedTuple):
    """A picture (PNG), the name of its file, and what is said of it."""

    name: str
    heading: str
    caption: str
    picture: bytes


def trial_figures(kinematics: Kinematics | None, dynamics: Dynamics | None) -> list[TrialFigure]:
    """All figures of what was computed."""
    drawn = (*_of_kinematics(kinematics), *_of_dynamics(dynamics))
    return [TrialFigure(name, heading, caption, picture_of(figure)) for name, heading, caption, figure in drawn]


def _of_kinematics(found: Kinematics | None) -> Iterator[tuple]:
    if found is None:
        return
    values = {c: np.degrees(found.q[:, c.q]) if c.rotational else found.q[:, c.q] for c in columns(found.model)}
    caption = "From inverse kinematics, not filtered, over time [s]. Right in red, left in blue."
    yield ("kinematics", "Kinematics", caption, _by_coordinate(found.times, values, {"deg": "deg", "m": "m"}))
    caption = "Distance of each marker of the model from where it was measured; a gap is where it was not seen."
    yield ("marker_errors", "Marker errors", caption, _errors(found))


def _of_dynamics(found: Dynamics | None) -> Iterator[tuple]:
    if found is None:
        return
    roots = {c.name for c in found.root_columns} if found.residuals else set()
    joints = [c for c in columns(found.model) if c.name not in roots]
    per_mass = {c: found.forces[:, c.v] / found.mass for c in joints}
    units = {"deg": "N m/kg", "m": "N/kg"}
    caption = f"Generalised forces by the mass of the body, {found.mass:.4g} kg, over time [s]."
    yield ("moments", "Joint moments", caption, _by_coordinate(found.times, per_mass, units))
    power = {c: found.power[:, c.v] / found.mass for c in joints}
    caption = "Moment times angular velocity, by the mass of the body. Positive: energy goes into the motion."
    yield ("power", "Joint power", caption, _by_coordinate(found.times, power, {"deg": "W/kg", "m": "W/kg"}))
    if found.residuals:
        caption = "What would have to hold the root for motion, loads and masses to fit each other; best zero."
        yield ("residuals", "Residuals", caption, _residuals(found))
    if found.external_forces:
        yield ("external_forces", "External forces", "As measured.", _external(found))
    caption = "Of the whole body: where it is, and its energy."
    yield ("center_of_mass", "Centre of mass and energy", caption, _whole_body(found))


def _by_coordinate(times: np.ndarray, values: dict[Column, np.ndarray], units: dict[str, str]):
    """A small panel for each coordinate, right and left in one."""
    groups: dict[str, list[tuple[Column, str]]] = {}
    for c in values:
        base, color = _side(c.name)
        groups.setdefault(base, []).append((c, color))
    panels = []
    for base, members in groups.items():
        lines = [Curve(times, values[c], color=color, width=1.4) for c, color in members]
        panels.append(Panel(base, lines, "", units[members[0][0].unit], ylim=_room([values[c] for c, _ in members])))
    return _grid(panels)


def _room(values: list[np.ndarray]) -> tuple[float, float] | None:
    """Limits of an axis on which all but nothing happens, so that noise of rounding is not magnified."""
    low, high = float(np.min(values)), float(np.max(values))
    middle, least = 0.5 * (low + high), 0.5 * STILL
    return None if high - low > STILL else (middle - least, middle + least)


def _side(name: str) -> tuple[str, str]:
    """The name without its side, and the colour of the side."""
    for ending, color in SIDES.items():
        if name.endswith(ending):
            return name[: -len(ending)], color
    return name, ONE


def _grid(panels: list[Panel]):
    rows, across = -(-len(panels) // ACROSS), min(ACROSS, len(panels))
    return draw_chart(panels, size=(WIDTH * across / ACROSS, HEIGHT * rows + 0.3), columns=across, light=True)


def _errors(found: Kinematics):
    millimeters = 1e3 * found.errors
    frame = [
        Curve(found.times, 1e3 * found.rms, "root mean square", color=ONE),
        Curve(found.times, np.nanmax(millimeters, axis=1), "largest", color=RIGHT),
    ]
    panels = [Panel("each frame", frame, "time [s]", "mm")]
    order = np.argsort(-np.sqrt(np.nanmean(millimeters**2, axis=0)))[:6]
    worst = [Curve(found.times, millimeters[:, k], found.markers[k]) for k in order]
    panels.append(Panel("the largest", worst, "time [s]", "mm"))
    if len(found.times) > 1 and len(found.markers) > 1:
        field = Field(found.times, np.arange(len(found.markers)), millimeters, tuple(found.markers))
        panels.append(Panel("each marker [mm]", [], "time [s]", field=field))
    height = max(3.4, 0.4 + 0.11 * len(found.markers))
    return draw_chart(panels, size=(WIDTH, min(height, 12.0)), light=True)


def _residuals(found: Dynamics):
    names = {r.name for r in found.residuals}
    roots = [c for c in found.root_columns if c.force in names]
    panels = []
    for rotational, title, unit in ((False, "forces", "N"), (True, "moments", "N m")):
        lines = [Curve(found.times, found.forces[:, c.v], c.name) for c in roots if c.rotational == rotational]
        panels += [Panel(title, lines, "time [s]", unit)] if lines else []
    return draw_chart(panels, size=(WIDTH, 3.2), light=True)


def _external(found: Dynamics):
    panels = [
        Panel(
            name, [Curve(found.times, force[:, k], "xyz"[k], color=AXIS_COLORS[k]) for k in range(3)], "time [s]", "N"
        )
        for name, force in found.external_forces.items()
    ]
    across = min(len(panels), 3)
    return draw_chart(panels, size=(WIDTH, 3.2 * -(-len(panels) // across)), columns=across, light=True)


def _whole_body(found: Dynamics):
    kinetic, potential, total = found.energy
    place = [Curve(found.times, found.center_of_mass[:, k], "xyz"[k], color=AXIS_COLORS[k]) for k in range(3)]
    rises = (("kinetic", kinetic), ("potential, from the start", potential - potential[0]),
             ("both, from the start", total - total[0]))  # fmt: skip
    energies = [Curve(found.times, x, name) for name, x in rises]
    panels = [Panel("centre of mass", place, "time [s]", "m"), Panel("energy", energies, "time [s]", "J")]
    return draw_chart(panels, size=(WIDTH, 3.2), light=True)
