"""Lines and frames as what every renderer draws: straight strokes of one colour in the frame of a body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..model import Model
from ..model.look.overlays import Drawn, Frames, Line

AXIS_COLORS = ((0.84, 0.18, 0.15), (0.18, 0.6, 0.22), (0.16, 0.36, 0.82))  # x, y, z
WORLD_COLOR = (0.23, 0.23, 0.23)
BODY_COLORS = ((0.75, 0.22, 0.17), (0.12, 0.47, 0.71), (0.16, 0.62, 0.29), (0.56, 0.27, 0.68), (0.85, 0.51, 0.0),
               (0.0, 0.55, 0.55), (0.69, 0.23, 0.48), (0.36, 0.43, 0.12))  # fmt: skip
HEAD = 0.22  # length of an arrow's head as a part of the arrow


@dataclass(frozen=True, eq=False)
class Strokes:
    """Segments (k, 2, 3) [m] in the frame of a body, by number (−1: the world)."""

    body: int
    segments: np.ndarray
    color: tuple[float, float, float]


def strokes_of(model: Model, drawn: Iterable[Drawn]) -> Iterator[Strokes]:
    """The strokes of all lines and frames."""
    for thing in drawn:
        body = -1 if thing.body is None else model.body_index(thing.body)
        if isinstance(thing, Line):
            yield Strokes(
                body, np.stack([thing.points[:-1], thing.points[1:]], axis=1), thing.color or line_color(body)
            )
        elif isinstance(thing, Frames):
            for axis, color in enumerate(AXIS_COLORS):
                yield Strokes(body, arrows(thing.poses, axis, thing.size), color)


def line_color(body: int) -> tuple[float, float, float]:
    """Dark for lines of the world, else a colour for each body."""
    return WORLD_COLOR if body < 0 else BODY_COLORS[body % len(BODY_COLORS)]


def arrows(poses: np.ndarray, axis: int, size: float) -> np.ndarray:
    """A shaft along an axis of each pose and two strokes for its head (3 N, 2, 3)."""
    along, aside = np.eye(3)[axis], np.eye(3)[(axis + 1) % 3]
    tip, neck = size * along, size * (1.0 - HEAD) * along
    barb = 0.5 * HEAD * size * aside
    local = np.array([[0 * tip, tip], [neck + barb, tip], [neck - barb, tip]])
    placed = np.einsum("nij,skj->nski", poses[:, :3, :3], local) + poses[:, None, None, :3, 3]
    return placed.reshape(-1, 2, 3)
