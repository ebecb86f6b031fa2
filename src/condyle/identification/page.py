"""One self-contained page about an identification: intervals, what is open, errors of markers over time."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, cast

import numpy as np

from ..design.report.html_report import page_of, picture_of, picture_section
from ..plots import Curve, Panel, draw_chart

if TYPE_CHECKING:
    from .dynamics_result import IdentifiedDynamics
    from .result import Identified

MOST = 400  # rows of intervals
MOST_PANELS, ACROSS = 12, 3  # pictures of forces, and how many side by side


def page(found: Identified, title: str) -> str:
    """The page as text."""
    ended = "" if found.converged else "<p class=lead>The steps did not converge.</p>"
    held = _words("Held, so that coordinates and frames keep their meaning", found.fixed, "fine")
    left = _words("Not determined by the data", found.open, "")
    parts = [f"<p class=lead>{html.escape(line[0].upper() + line[1:])}.</p>" for line in found.headline()]
    forces = _forces(cast("IdentifiedDynamics", found)) if hasattr(found, "torque_names") else []
    parts += [ended, *forces, held, left]
    parts += [_picture(found), _markers(found)] if found.marker_names else []
    return page_of(title, "".join([*parts, _numbers(found)]))


def _forces(found: IdentifiedDynamics) -> list[str]:
    """Measured and computed forces over time, physical numbers and base parameters."""
    panels = []
    for k, name in enumerate(found.torque_names[:MOST_PANELS]):
        measured = found.torques[:, k] - found.torque_residuals[:, k]
        curves = [Curve(found.times, measured, "measured", color="#9aa5b1"),
                  Curve(found.times, found.torques[:, k], "computed", color="#2c6fbb")]  # fmt: skip
        panels.append(Panel(name, curves, "time [s]", "N m or N"))
    words = "What drives the motion, and what the identified model needs."
    rows_of = [panels[k : k + ACROSS] for k in range(0, len(panels), ACROSS)]
    rows = [(x.name, f"{x.value:.5g}", f"{x.deviation:.2g}" if x.determined else "not determined by itself")
            for x in found.quantities]  # fmt: skip
    out = [picture_section("Forces over time", words, picture_of(draw_chart(x, size=(9.2, 3.0), light=True)))
           for x in rows_of]  # fmt: skip
    out += ["<h2>Physical numbers</h2>" + _table(("number", "value", "standard deviation"), rows)] if rows else []
    base = [(x.name, f"{x.value:.5g}", f"{x.deviation:.2g}") for x in found.base]
    words = "<h2>Base parameters</h2><p>Combinations of inertial numbers that the forces depend on.</p>"
    return out + ([words + _table(("combination", "value", "standard deviation"), base)] if base else [])


def _words(heading: str, lines: tuple[str, ...], kind: str) -> str:
    items = "".join(f"<li>{html.escape(line)}</li>" for line in lines) or "<li>nothing</li>"
    return f'<h2>{heading}</h2><div class="hints {kind if lines else "fine"}"><ul>{items}</ul></div>'


def _picture(found: Identified) -> str:
    """Distances of markers in every frame."""
    size = 1e3 * np.linalg.norm(found.residuals, axis=2)
    frames = np.arange(len(size))
    with np.errstate(invalid="ignore"):
        curves = [Curve(frames, np.nanmax(size, axis=1), "largest", color="#9aa5b1"),
                  Curve(frames, np.sqrt(np.nanmean(size**2, axis=1)), "root mean square", color="#2c6fbb")]  # fmt: skip
    figure = draw_chart([Panel("distances of markers", curves, "frame", "mm")], size=(9.2, 3.2), light=True)
    return picture_section("Markers over time", "How far computed markers are from measured ones.", picture_of(figure))


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    top = "".join(f"<th>{x}</th>" for x in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(x)}</td>" for x in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


def _markers(found: Identified) -> str:
    size = np.sqrt(np.nanmean(np.sum(found.residuals**2, axis=2), axis=0))
    rows = [(name, f"{1e3 * x:.2f}") for name, x in zip(found.marker_names, size, strict=True)]
    return "<h2>Markers</h2>" + _table(("marker", "root mean square [mm]"), rows)


def _numbers(found: Identified) -> str:
    """Every number with its 95 % interval."""
    rows = [(name, f"{x:.5g}", f"{low:.5g}", f"{high:.5g}")
            for name, x, (low, high) in zip(found.names, found.values, found.intervals, strict=True)]  # fmt: skip
    caption = "<p>Changes from the start, in m, rad or logarithms of sizes, with 95 % intervals.</p>"
    shown = _table(("number", "value", "from", "to"), rows[:MOST])
    return f"<details><summary>All numbers</summary>{caption}{shown}</details>"
