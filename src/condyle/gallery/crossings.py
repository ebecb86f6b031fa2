"""Where letters of the second chain run into each other away from their contacts: nothing in the model forbids it."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from ..simulation import Trajectory
from ..spatial import SE3
from .glyphs import WORD
from .letters import SPANS, outline_spline

__all__ = ["crossings", "inside"]

SPARED = 0.005  # [m] around a contact: there the outlines touch
SAMPLES = 240


def inside(points: np.ndarray, polygon: np.ndarray) -> np.ndarray:
    """Which of the points (n, 2) are inside a closed polygon (m, 2): an odd number of its edges is to their right."""
    (x, y), (ax, ay), (bx, by) = points.T[:, :, None], polygon.T, np.roll(polygon, -1, axis=0).T
    spans = (ay > y) != (by > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        right = x < ax + (y - ay) * (bx - ax) / (by - ay)
    return (spans & right).sum(axis=1) % 2 == 1


def crossings(run: Trajectory, record: int) -> list[tuple[str, str]]:
    """Pairs (a, b) of letters(2) with a part of a's outline inside b, but for 5 mm around the contact of neighbours."""
    names, poses, q = run.model.names, run.poses()[record], run.q[record]
    plans = [_placed(poses[k], outline_spline(letter)(_places())) for k, letter in enumerate(WORD)]
    contacts = [_placed(poses[k], outline_spline(WORD[k])(q[2 * k + 1] % SPANS)[None]) for k in range(len(WORD) - 1)]
    out = []
    for i, j in permutations(range(len(WORD)), 2):
        points = plans[i] if abs(i - j) > 1 else _away_from(plans[i], contacts[min(i, j)])
        if _near(plans[i], plans[j]) and inside(points, plans[j]).any():
            out.append((names[i], names[j]))
    return out


def _places() -> np.ndarray:
    return np.linspace(0.0, SPANS, SAMPLES, endpoint=False)


def _placed(pose: SE3, plan: np.ndarray) -> np.ndarray:
    """Points (n, 2) of a letter in the world's upright plane."""
    return pose.apply(np.column_stack([plan, np.zeros(len(plan))]))[:, [0, 2]]


def _away_from(points: np.ndarray, contact: np.ndarray) -> np.ndarray:
    return points[np.linalg.norm(points - contact, axis=1) > SPARED]


def _near(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether the boxes of two outlines overlap."""
    return bool(np.all((a.min(axis=0) < b.max(axis=0)) & (b.min(axis=0) < a.max(axis=0))))
