"""The word SIGGRAPH as a chain of letters that slide on each other.  [LeeTerzopoulos2008, section 8, SIGGRAPH Joints]

`letters(1)`: every letter hangs by its top on its parent's outline and slides along it, eight coordinates in all.
`letters(2)`: neighbours touch along both outlines, A(q1) · half turn · B(q2)⁻¹, the S hung by its top as before.

A contact loses rank where one outline curves as much outward as the other inward: there two letters fit each other, and
beyond that place they would cut into each other. So the contact is a joint only where κ_A + κ_B > 0. Two letters that
both have a straight or hollow place have such limits, whatever their shape; only convex ones have none. The chain hangs
by round ends and stays far from the limits (`relative_curvature` says how far); a motion that comes to one stops with
its name and place. What other parts of the letters do is not in the model: `letter_contacts` looks for it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
from scipy.interpolate import BSpline, make_interp_spline

from ...errors import BadValue, require
from ...joints import Joint, along, contact, revolute, spline_curve
from ...model import Model, ModelBuilder
from ...model.look.overlays import Line, Sheet
from ...spatial import SE3
from ..extrusion import plate_grids
from ..outlines import UPRIGHT, evenly_spaced, plane_frames
from ..scene import PALETTE, Scene
from .glyphs import WORD, glyph, hole, plate

SPANS = 96  # of an outline
# Where neighbours touch when the chain hangs at rest: place on the parent's outline, and on the child's.
AT_REST = (
    (56.06, 53.15), (5.15, 7.60), (38.49, 7.59), (38.48, 71.22), (30.35, 60.69), (0.60, 63.77), (4.41, 76.17),
)  # fmt: skip
DEEP, BEVEL = 0.07, 0.006  # [m] the letters as drawn: from front to back, and their bevelled edges


def letter_curve(letter: str, frames: int = 72, order: int = 4) -> Joint:
    """A frame that slides along a letter's outline: x along it, the letter on the left (y)."""
    return spline_curve(plane_frames(evenly_spaced(glyph(letter), frames)), periodic=True, order=order, name="along")


@cache
def outline_spline(letter: str) -> BSpline:
    """A letter's outline as a closed spline of order 6, [0, SPANS] to (x, y) [m], counterclockwise."""
    points = evenly_spaced(glyph(letter), SPANS)
    return make_interp_spline(np.arange(SPANS + 1.0), np.vstack([points, points[:1]]), k=5, bc_type="periodic")


@cache
def outline(letter: str) -> Joint:
    """A frame on a letter's outline that is exactly tangent to it, by the spline's own parameter."""
    made = along(outline_spline(letter), coordinate="parameter", crossings="allow")
    return replace(made, title=f"outline of {letter}")


def curvature(letter: str, q) -> np.ndarray:
    """Of an outline at places q [1/m], positive where it bulges."""
    (dx, dy), (ax, ay) = (np.moveaxis(outline_spline(letter)(np.asarray(q) % SPANS, k), -1, 0) for k in (1, 2))
    return (dx * ay - dy * ax) / np.hypot(dx, dy) ** 3


def relative_curvature(q) -> np.ndarray:
    """κ_A + κ_B [1/m] at the seven contacts of letters(2), (..., 7): a contact keeps its rank while it is positive."""
    q = np.asarray(q)
    pairs = pairwise(WORD)
    return np.stack(
        [curvature(a, q[..., 2 * k + 1]) + curvature(b, q[..., 2 * k + 2]) for k, (a, b) in enumerate(pairs)], -1
    )


def letters(kind: int = 1, angle: float | None = None) -> Scene:
    """The chain under gravity, let go with the S turned by `angle` [rad]; kind 1 (eight coordinates) or 2 (fifteen)."""
    require(kind in (1, 2), "letters: kind is 1 or 2", BadValue, kind=kind)
    b = ModelBuilder()
    names = [f"{k}{letter}" for k, letter in enumerate(WORD)]
    starts, lines = [(1.3, 0.8)[kind - 1] if angle is None else angle], []
    for k, letter in enumerate(WORD):
        plan = outline_spline(letter)(np.linspace(0.0, SPANS, 5 * SPANS + 1))
        inertia, (joint, start, offset) = plate(plan[:-1]), _carried(k, plan, kind)
        b.add_body(
            names[k],
            parent=names[k - 1] if k else None,
            joint=joint,
            inertia=inertia,
            placement=None if k else UPRIGHT,
            offset=offset,
        )
        starts += start
        lines.append(Line(names[k], np.column_stack([plan, np.zeros(len(plan))]), PALETTE[k]))
    model: Model = b.build()
    solid = tuple(Sheet(line.body, grid, line.color, 1.0, False) for line in lines for grid in _solid(line))
    still = np.zeros(model.nv)
    name = ("letters", "letters-2")[kind - 1]
    seen = {"camera": (14.0, -62.0), "follow": names[3], "moments": (0.0, 0.6, 1.5)}
    return Scene(name, model, np.array(starts), still, (), solid, duration=3.0, step=2.5e-4, **seen)


def _solid(line: Line) -> list[np.ndarray]:
    """A letter with thickness: its outline, and its hole if it has one, cut out of a plate."""
    letter = (line.body or "")[-1]
    return plate_grids(line.points[:-1:2, :2], hole(letter), DEEP, BEVEL)


def _carried(k: int, plan: np.ndarray, kind: int):
    """The joint that carries a letter, its start and the joint's frame in the letter."""
    top = SE3.from_translation((*plan[np.argmax(plan[:, 1])], 0.0))
    if k == 0:
        return revolute("z"), [], top
    if kind == 2:
        return contact(outline(WORD[k - 1]), outline(WORD[k])), list(AT_REST[k - 1]), None
    curve = letter_curve(WORD[k - 1])
    lowest = np.argmin(curve.pose(np.arange(72.0)).xyz[:, 1])
    return curve, [float(lowest)], top
