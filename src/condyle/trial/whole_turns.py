"""Angles of a pose near the default pose: the same pose may also be some whole turns away."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..dynamics import forward_kinematics
from ..model import Model
from .results.column_names import columns

SAME = 1e-9  # [m, -]: entries of poses of all bodies


def near_default(model: Model, q: np.ndarray, held: set[int], low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The coordinates (nq,) of the same pose whose angles are nearest to the default ones.

    Angles are moved by whole turns, and three angles of one joint to the other three that give the same rotation.
    Coordinates at the places `held` stay, and all stay between `low` and `high`. Candidates that move any body are
    not taken, such as those of a knee that slides as it turns.
    """
    home = model.neutral()
    for joint in _angles(model, held):
        other = _other(q, home, joint)
        inside = ((low[joint] <= other[joint]) & (other[joint] <= high[joint])).all()
        nearer = np.abs(other - home)[joint].sum() < np.abs(q - home)[joint].sum() - SAME
        if inside and nearer and _same_pose(model, q, other):
            q = other
    return q


def _angles(model: Model, held: set[int]) -> Iterator[list[int]]:
    """The places of the angles of each joint, and of each of them alone."""
    by_body: dict[int, list[int]] = {}
    for shown, column in zip(model.coordinates, columns(model), strict=True):
        if column.rotational and column.q not in held:
            by_body.setdefault(model.place_of(shown)[0], []).append(column.q)
    for places in by_body.values():
        yield from ([k] for k in places)
        if len(places) == 3:
            yield places


def _other(q: np.ndarray, home: np.ndarray, places: list[int]) -> np.ndarray:
    """One angle by whole turns, or (a + π, π − b, c + π) instead of (a, b, c), nearest to the default."""
    here, other = q[places], q.copy()
    if len(places) == 3:
        here = np.array([here[0] + np.pi, np.pi - here[1], here[2] + np.pi])
    turns = np.round((here - home[places]) / (2.0 * np.pi))
    other[places] = here - 2.0 * np.pi * turns
    return other


def _same_pose(model: Model, q: np.ndarray, other: np.ndarray) -> bool:
    one, two = (np.asarray(forward_kinematics(model, x).as_matrix()) for x in (q, other))
    return bool(np.abs(one - two).max() < SAME * max(1.0, float(np.abs(one).max())))
