"""Muscles of a model of OpenSim as straight lines between the points of their paths, which may be on two bodies."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..model import Model
from ..model.followers import follower_values
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
    for muscle in _muscles(model):
        points = [] if _changes(muscle) else [(_number(model, p), p.location) for p in muscle.path.points]
        for (a, start), (b, end) in pairwise(points):
            found.setdefault((a, b), []).append(np.array([start, end]))
    return tuple(Ties(a, b, np.array(segments)) for (a, b), segments in found.items())


@dataclass(frozen=True, eq=False)
class ChangingMuscles:
    """The muscles of a model with points that move with a coordinate, or count in a range of one."""

    model: Model
    muscles: tuple[Any, ...]

    def placed(self, q: np.ndarray, poses: np.ndarray) -> np.ndarray:
        """Lines (T, k, 2, 3) [m] in the world at coordinates (T, nq) and poses of bodies (T, nbodies, 4, 4).

        A point that does not count is where the one before it is, so that the number of lines stays.
        """
        values, count = _values(self.model, q), len(q)
        found = []
        for muscle in self.muscles:
            points = muscle.path.points
            places = np.stack([_world(self.model, p, values, poses, count) for p in points], axis=1)
            counts = np.stack([_counts(p, values, count) for p in points], axis=1)
            kept = _collapsed(places, counts)
            found.append(np.stack([kept[:, :-1], kept[:, 1:]], axis=2))
        return np.concatenate(found, axis=1)


def changing_muscles(model: Model) -> ChangingMuscles | None:
    """Those of a model, if it has any."""
    found = tuple(m for m in _muscles(model) if _changes(m) and len(m.path.points) > 1)
    return ChangingMuscles(model, found) if found else None


def _muscles(model: Model) -> list[Any]:
    return [m for m in model.opensim.muscles if m.path is not None] if model.opensim is not None else []


def _changes(muscle: Any) -> bool:
    return any(p.range is not None or p.frame is not None for p in muscle.path.points)


def _number(model: Model, point: Any) -> int:
    return -1 if point.body is None else model.body_index(point.body)


def _values(model: Model, q: np.ndarray) -> dict[str, np.ndarray]:
    """Coordinates of the file by name (T,): as they are, as they follow others, or their defaults."""
    names = {f"{c.joint}.{name}": name for name, c in model.opensim.coordinates.items()}
    found = {name: np.full(len(q), c.default) for name, c in model.opensim.coordinates.items()}
    for full, place in zip(model.full_names, model.coordinate_places, strict=True):
        found[names.get(full, full)] = q[:, place.q]
    return found | dict(zip((f.name for f in model.followers), follower_values(model, q).T, strict=True))


def _counts(point: Any, values: dict[str, np.ndarray], count: int) -> np.ndarray:
    """Whether a point counts, in each record."""
    if point.range is None:
        return np.ones(count, dtype=bool)
    x = values.get(point.coordinate or "")
    inside = np.zeros(count, dtype=bool) if x is None else (point.range[0] - NEAR <= x) & (x <= point.range[1] + NEAR)
    return np.asarray(inside)


def _world(model: Model, point: Any, values: dict[str, np.ndarray], poses: np.ndarray, count: int) -> np.ndarray:
    """Where a point is in each record (T, 3)."""
    local = np.broadcast_to(point.location, (count, 3))
    if point.frame is not None:
        pairs = zip(point.functions, point.coordinates, strict=True)
        own = np.stack([_series(model, f, name, values, count) for f, name in pairs], axis=1)
        local = own @ point.frame[:3, :3].T + point.frame[:3, 3]
    body = _number(model, point)
    return local if body < 0 else np.einsum("tij,tj->ti", poses[:, body, :3, :3], local) + poses[:, body, :3, 3]


def _series(model: Model, function: Any, name: str | None, values: dict[str, np.ndarray], count: int) -> np.ndarray:
    """A component of a moving point, at its coordinate within the range that the file gives it."""
    if function is None:
        return np.zeros(count)
    if not function.coordinates:
        return np.full(count, float(np.asarray(function())))
    known = model.opensim.coordinates.get(name or "")
    low, high = UNBOUNDED if known is None or known.range is None else known.range
    return np.asarray(function(np.clip(values.get(name or "", np.zeros(count)), low, high)), dtype=float)


def _collapsed(places: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Places (T, n, 3); a point that does not count is at the last one that does, or at the first."""
    number = np.arange(counts.shape[1])
    last = np.maximum.accumulate(np.where(counts, number, -1), axis=1)
    first = np.argmax(counts, axis=1)[:, None]
    chosen = np.where(last < 0, first, last)
    return np.take_along_axis(places, chosen[..., None], axis=1)
