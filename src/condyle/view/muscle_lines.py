"""Muscles of a model as straight lines between the points of their paths, which may be on two bodies."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..model import Model
from ..model.followers import follower_values
from ..model.paths import Muscle, PathPoint, coordinate_source
from ..spatial import SE3

COLOR = (0.72, 0.16, 0.13)
NEAR = 1e-5  # [rad]: a conditional point counts so far beyond its range
UNBOUNDED = (-np.inf, np.inf)


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
    """The lines of all muscles whose points are fixed on bodies, those between the same two bodies together.

    Paths go straight through what they wrap over.
    """
    found: dict[tuple[int, int], list[np.ndarray]] = {}
    for muscle in model.muscles:
        points = [] if _changes(muscle) else [(_number(model, p), p.location) for p in muscle.path.points]
        for (a, start), (b, end) in pairwise(points):
            found.setdefault((a, b), []).append(np.array([start, end]))
    return tuple(Ties(a, b, np.array(segments)) for (a, b), segments in found.items())


@dataclass(frozen=True, eq=False)
class ChangingMuscles:
    """The muscles of a model with points that move with a coordinate, or count in a range of one."""

    model: Model
    muscles: tuple[Muscle, ...]

    def placed(self, q: np.ndarray, poses: np.ndarray) -> np.ndarray:
        """Lines (T, k, 2, 3) [m] in the world at coordinates (T, nq) and poses of bodies (T, nbodies, 4, 4).

        A point that does not count is where the one before it is, so that the number of lines stays.
        """
        found = []
        for muscle in self.muscles:
            points = muscle.path.points
            places = np.stack([_world(self.model, p, q, poses) for p in points], axis=1)
            counts = np.stack([_counts(self.model, p, q) for p in points], axis=1)
            kept = _collapsed(places, counts)
            found.append(np.stack([kept[:, :-1], kept[:, 1:]], axis=2))
        return np.concatenate(found, axis=1)


def changing_muscles(model: Model) -> ChangingMuscles | None:
    """Those of a model, if it has any."""
    found = tuple(m for m in model.muscles if _changes(m))
    return ChangingMuscles(model, found) if found else None


def _changes(muscle: Muscle) -> bool:
    return any(p.coordinate is not None for p in muscle.path.points)


def _number(model: Model, point: PathPoint) -> int:
    return -1 if point.body is None else model.body_index(point.body)


def _value(model: Model, point: PathPoint, q: np.ndarray) -> np.ndarray:
    """The coordinate that a point reads (T,): as it is, or as it follows others."""
    at, _ = coordinate_source(model, str(point.coordinate))
    return q[:, at] if at >= 0 else follower_values(model, q)[:, -1 - at]


def _counts(model: Model, point: PathPoint, q: np.ndarray) -> np.ndarray:
    """Whether a point counts, in each record."""
    if point.coordinate is None or point.way is not None or point.range is None:
        return np.ones(len(q), dtype=bool)
    x = _value(model, point, q)
    return (point.range[0] - NEAR <= x) & (x <= point.range[1] + NEAR)


def _world(model: Model, point: PathPoint, q: np.ndarray, poses: np.ndarray) -> np.ndarray:
    """Where a point is in each record (T, 3)."""
    local = np.broadcast_to(point.location, (len(q), 3))
    if point.way is not None:
        x = np.clip(_value(model, point, q), *(point.range or UNBOUNDED))
        frame = np.eye(4) if point.frame is None else point.frame
        local = point.way.pose(x[:, None][:, : point.way.nq]).xyz @ frame[:3, :3].T + frame[:3, 3]
    body = _number(model, point)
    return local if body < 0 else np.einsum("tij,tj->ti", poses[:, body, :3, :3], local) + poses[:, body, :3, 3]


def _collapsed(places: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Places (T, n, 3); a point that does not count is at the last one that does, or at the first."""
    number = np.arange(counts.shape[1])
    last = np.maximum.accumulate(np.where(counts, number, -1), axis=1)
    first = np.argmax(counts, axis=1)[:, None]
    chosen = np.where(last < 0, first, last)
    return np.take_along_axis(places, chosen[..., None], axis=1)
