"""The reachable point nearest to a goal, twist and flexion limits kept."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.nearest import nearest_place
from .forward import posture_at

__all__ = ["NearestPoint", "nearest_reachable"]


class NearestPoint(NamedTuple):
    """The wrist position nearest to a goal, and how to get there.

    Attributes
    ----------
    point : ndarray, shape (3,)
        [m]
    distance : float
        From the goal [m].
    place : ndarray, shape (2,)
        In the surface's domain.
    twist : float
        Share 0 … 1 of the twist range.
    flexion : float
        Of the elbow [rad].
    """

    point: np.ndarray
    distance: float
    place: np.ndarray
    twist: float
    flexion: float


def nearest_reachable(arm, goal) -> NearestPoint:
    """The nearest point that the wrist can reach inside the limits of twist and flexion."""
    goal, out = np.asarray(goal, float), np.zeros(5)
    nearest_place(arm.tables, arm.grid.at, goal, out)
    span = posture_at(arm, out[:2], 0.0, 0.0, (0.0, 0.0, 0.0)).twist_range
    share = min(float(out[2] / span), 1.0)
    posture = posture_at(arm, out[:2], share, out[3], (0.0, 0.0, 0.0))
    return NearestPoint(
        posture.wrist, float(np.linalg.norm(posture.wrist - goal)), out[:2].copy(), share, float(out[3])
    )
