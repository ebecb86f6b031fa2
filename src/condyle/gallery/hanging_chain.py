"""A chain of forty links held at both ends, let go from an arc of a circle."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.optimize import brentq

from ..skeleton import Skeleton, SkeletonBuilder
from ..spatial import Inertia

__all__ = ["hanging_chain"]

LINKS, LENGTH, SPAN = 40, 0.1, 2.4  # links of 0.1 m; the ends are 2.4 m apart


def corners() -> np.ndarray:
    """The joints along an arc of a circle whose chords are the links: a start that no chain would hang in."""
    # half the arc's angle
    half = float(brentq(lambda a: LENGTH / np.sin(a / LINKS) * np.sin(a) - SPAN, 0.5, 3.0))  # type: ignore[arg-type]
    radius = 0.5 * LENGTH / np.sin(half / LINKS)
    angles = np.linspace(-half, half, LINKS + 1)
    return radius * np.column_stack([np.sin(angles), np.zeros(LINKS + 1), np.cos(half) - np.cos(angles)])


def hanging_chain(friction: float = 1.0) -> Skeleton:
    """Links joined by balls, the ends held by the world; tilted out of the plane to swing in space."""
    points = corners() @ np.array([[1, 0, 0], [0, np.cos(1.0), -np.sin(1.0)], [0, np.sin(1.0), np.cos(1.0)]])
    b = SkeletonBuilder()
    for k, (here, there) in enumerate(pairwise(points)):
        x = (there - here) / LENGTH
        y = np.cross((0.0, 1.0, 0.0) if abs(x[1]) < 0.9 else (0, 0, 1.0), x)
        y /= np.linalg.norm(y)
        frame = np.column_stack([x, y, np.cross(x, y)])
        b.add_body(f"link{k}", Inertia.capsule(0.05, 0.012, LENGTH, axis=0), 0.5 * (here + there), frame)
    ends = [None, *(f"link{k}" for k in range(LINKS)), None]
    for k, point in enumerate(points):
        b.add_ball(ends[k], ends[k + 1], at=point, friction=friction, name=f"joint{k}")
    return b.build()
