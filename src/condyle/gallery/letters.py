"""The word SIGGRAPH as a chain of letters that slide on each other.  [LeeTerzopoulos2008, section 8, SIGGRAPH Joints]

`letters(1)`: every letter hangs by its top on its parent's outline and slides along it, eight coordinates in all.
`letters(2)`: neighbours touch along both outlines, A(q1) · half turn · B(q2)⁻¹, the S hung by its top as before.

Such a contact loses rank where the two outlines curve alike (the bump of one fits the hollow of the other), and real
letters have many such places. So the chain of the second kind touches along rims: strictly convex outlines around the
letters, whose curvatures can never cancel. `touching(…)` of two plain outlines is there for those who want to see the
guard: `cd.joints.check` names the place, and a simulation that comes near one stops with it.
"""

from __future__ import annotations

import numpy as np

from ..joints import Joint, compose, functions, product, revolute, spline_curve, weld
from ..model import Model, ModelBuilder
from ..spatial import SE3
from ..view.drawn import Line
from .glyphs import WORD, glyph, plate, support
from .outlines import UPRIGHT, evenly_spaced, plane_frames
from .scene import Scene

__all__ = ["letter_curve", "letters", "rim", "rim_points", "touching"]

ALONG_X, ALONG_Y, TURN_Z = (0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 0, 1, 0, 0, 0)
HALF_TURN = SE3.exp([0, 0, np.pi, 0, 0, 0])


def letter_curve(letter: str, frames: int = 72, order: int = 4) -> Joint:
    """A frame that slides along a letter's outline: x along it, the letter on the left (y)."""
    return spline_curve(plane_frames(evenly_spaced(glyph(letter), frames)), periodic=True, order=order, name="along")


def rim(letter: str, order: int = 6) -> Joint:
    """A frame that slides along a letter's convex rim by the turn q of its tangent [rad], exactly tangent to it.

    With the support function h, a spline, the frame is turn(q) · shift(h′(q), −h(q)), and S = (0, 0, 1, h + h″, 0, 0).
    """
    h = np.roll(support(glyph(letter)), order // 2 - 1)  # a control's weight is greatest order/2 − 1 spans before it
    turns = np.linspace(0.0, 2.0 * np.pi, len(h) + 1)
    slope = (np.roll(h, -1) - h) / turns[1]  # controls of the derivative, one order lower
    along = functions.spline(turns, slope, order=order - 1, periodic=True)
    across = functions.spline(turns, -h, order=order, periodic=True)
    return product((TURN_Z, ALONG_X, ALONG_Y), (functions.linear(), along, across), coordinates="turn", title="rim")


def rim_points(letter: str, samples: int = 240) -> np.ndarray:
    """Points (samples + 1, 3) of a letter's rim in the letter's frame."""
    return rim(letter).pose(np.linspace(0.0, 2.0 * np.pi, samples + 1)[:, None])[:, :3, 3]


def touching(outline: Joint, other: Joint) -> Joint:
    """Two outlines that touch from outside: A(q1) · half turn · B(q2)⁻¹; coordinates `on_parent` and `on_child`."""
    return compose(outline, weld(HALF_TURN), other.inverse(), names=("on_parent", "on_child"))


def letters(kind: int = 1, angle: float = 1.3) -> Scene:
    """The chain under gravity, let go with the S turned by `angle` [rad]; kind 1 (eight coordinates) or 2 (fifteen)."""
    b = ModelBuilder()
    names = [f"{k}{letter}" for k, letter in enumerate(WORD)]
    starts, lines = [angle], []
    for k, letter in enumerate(WORD):
        outline = glyph(letter)
        parent = WORD[k - 1] if k else None
        joint, start, offset = _carried(parent, letter, outline, kind)
        b.add_body(
            names[k],
            parent=names[k - 1] if k else None,
            joint=joint,
            inertia=plate(outline),
            placement=None if k else UPRIGHT,
            offset=offset,
        )
        starts += start
        lines.append(Line(names[k], _flat(outline)))
        lines += [Line(names[k], rim_points(letter))] if kind == 2 else []
    model: Model = b.build()
    return Scene(f"letters {kind}", model, np.array(starts), np.zeros(model.nv), tuple(lines), duration=3.0)


def _carried(parent: str | None, letter: str, outline: np.ndarray, kind: int):
    """The joint that carries a letter, its start and the joint's frame in the letter."""
    top = SE3.from_translation((*outline[np.argmax(outline[:, 1])], 0.0))
    if parent is None:
        return revolute("z"), [], top
    if kind == 2:
        return touching(rim(parent), rim(letter)), [0.0, np.pi], None
    curve = letter_curve(parent)
    lowest = np.argmin(curve.pose(np.arange(72.0)[:, None])[:, 1, 3])
    return curve, [float(lowest)], top


def _flat(outline: np.ndarray) -> np.ndarray:
    """A closed outline in the plane z = 0."""
    return np.column_stack([np.concatenate([outline, outline[:1]]), np.zeros(len(outline) + 1)])
