"""Muscles of a model as lines along their paths: between bodies, over what they wrap, coloured by activation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..model import Model
from ..model.muscle_paths.paths import Muscle
from ..muscles import MuscleTrajectory, path_points
from ..spatial import SE3

COLOR = (0.58, 0.46, 0.44)  # of muscles whose activation is not known: neither idle nor active
IDLE, ACTIVE = np.array([0.16, 0.30, 0.68]), np.array([0.88, 0.10, 0.08])  # colours of activations 0 and 1
SAMPLES = 7  # points of a line over a wrap


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
    """The lines of all muscles whose points are fixed on bodies, those between the same two bodies together."""
    return _lines_between_points(model, [m for m in model.muscles if not _changes(m)])


def straight_lines(model: Model) -> tuple[Ties, ...]:
    """The other muscles as straight lines from point to point, past what they wrap over, points where they rest."""
    return _lines_between_points(model, [m for m in model.muscles if _changes(m)])


def _lines_between_points(model: Model, muscles: Sequence[Muscle]) -> tuple[Ties, ...]:
    found: dict[tuple[int, int], list[np.ndarray]] = {}
    for muscle in muscles:
        points = [(_number(model, p.body), p.location) for p in muscle.path.points]
        for (a, start), (b, end) in pairwise(points):
            found.setdefault((a, b), []).append(np.array([start, end]))
    return tuple(Ties(a, b, np.array(segments)) for (a, b), segments in found.items())


@dataclass(frozen=True, eq=False)
class ChangingMuscles:
    """Muscles of a model whose lines are not the same in all postures; `model` has no others."""

    model: Model

    def placed(self, q: np.ndarray) -> np.ndarray:
        """Lines (T, k, 2, 3) [m] in the world at coordinates (T, nq); where there are fewer, they have no length."""
        lines = (np.stack([x[:, :-1], x[:, 1:]], axis=2) for x in path_points(self.model, q, samples=SAMPLES))
        return np.concatenate(list(lines), axis=1)

    @property
    def counts(self) -> list[int]:
        """How many lines each muscle has, one after the other."""
        wraps = {w.name for w in self.model.wraps if w.active}
        return [
            len(m.path.points) + SAMPLES * sum(w.wrap_object in wraps for w in m.path.wraps) - 1
            for m in self.model.muscles
        ]

    def colors(self, activation: np.ndarray) -> np.ndarray:
        """Colours (T, k, 3) of all lines for activations (T, muscles)."""
        a = np.repeat(np.clip(np.nan_to_num(activation), 0.0, 1.0), self.counts, axis=1)[..., None]
        return (1.0 - a) * IDLE + a * ACTIVE


def changing_muscles(model: Model, whole: bool = False) -> ChangingMuscles | None:
    """Those of a model with points that move or do not always count, or with wraps, or all if `whole`."""
    found = tuple(m for m in model.muscles if whole or _changes(m))
    return ChangingMuscles(replace(model, muscles=found)) if found else None


def activation_of(thing: object, member: int, records: np.ndarray) -> np.ndarray | None:
    """Activations (T, muscles) of one member of a motion that muscles drive, at some records; else None.

    After the end of a member that stopped early they stay, as its posture does.
    """
    if not isinstance(thing, MuscleTrajectory):
        return None
    activation = thing.activation.reshape(-1, *thing.activation.shape[-2:])[member]
    known = np.isfinite(activation).all(axis=1)
    last = np.maximum.accumulate(np.where(known, np.arange(len(activation)), 0))
    return activation[last][records]


def _changes(muscle: Muscle) -> bool:
    return bool(muscle.path.wraps) or any(p.coordinate is not None for p in muscle.path.points)


def _number(model: Model, body: str | None) -> int:
    return -1 if body is None else model.body_index(body)
