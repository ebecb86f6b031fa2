"""Muscles of a model of OpenSim as straight lines between the points of their paths, which may be on two bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..model import Model
from ..spatial import SE3

COLOR = (0.72, 0.16, 0.13)


@dataclass(frozen=True, eq=False)
class Ties:
    """Lines from points of one body to points of another; segments (k, 2, 3) [m] have each end in its own body's frame.

    Bodies are numbers, −1 the world.
    """

    body: int
    other: int
    segments: np.ndarray
    color: tuple[float, float, float] = COLOR

    def placed(self, poses: SE3) -> np.ndarray:
        """The segments in the world, for poses of all bodies."""
        ends = zip((self.body, self.other), self.segments.swapaxes(0, 1), strict=True)
        return np.stack([points if k < 0 else poses[k].apply(points) for k, points in ends], axis=1)


def muscle_lines(model: Model) -> tuple[Ties, ...]:
    """The lines of all muscles, those between the same two bodies together.

    Points that count in a range of a coordinate, or that move with it, are as in the neutral pose; paths go straight
    through what they wrap over.
    """
    found: dict[tuple[int, int], list[np.ndarray]] = {}
    for muscle in model.opensim.muscles if model.opensim is not None else ():
        points = list(_points(muscle, model))
        for (a, start), (b, end) in pairwise(points):
            found.setdefault((a, b), []).append(np.array([start, end]))
    return tuple(Ties(a, b, np.array(segments)) for (a, b), segments in found.items())


def _points(muscle: Any, model: Model) -> Iterator[tuple[int, np.ndarray]]:
    """The number of a body and the place on it of each point that counts."""
    values = {name: c.default for name, c in model.opensim.coordinates.items()}
    for point in muscle.path.points if muscle.path is not None else ():
        low, high = point.range or (-np.inf, np.inf)
        if low <= values.get(point.coordinate, low) <= high:
            yield -1 if point.body is None else model.body_index(point.body), _place(point, values)


def _place(point: Any, values: dict[str, float]) -> np.ndarray:
    """Where a point is on its body [m]."""
    if point.frame is None:
        return point.location
    pairs = zip(point.functions, point.coordinates, strict=True)
    own = [0.0 if f is None else _value(f, values.get(name, 0.0)) for f, name in pairs]
    return point.frame[:3, :3] @ own + point.frame[:3, 3]


def _value(function: Any, x: float) -> float:
    return float(np.asarray(function(x) if function.coordinates else function()))
