"""Memory that the kernels work in, one per thread."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .grid import Grid
from .kernel_hidden import RAYS

__all__ = ["Scratch", "make_scratch"]

LOOPS = 32  # small hidden loops kept per goal


class Scratch(NamedTuple):
    """Work arrays; after a goal, points, patches, starts and closed hold its curves."""

    stack: np.ndarray
    leaves: np.ndarray
    links: np.ndarray
    ends: np.ndarray
    crossing: np.ndarray
    unsure: np.ndarray
    points: np.ndarray
    patches: np.ndarray
    starts: np.ndarray
    closed: np.ndarray
    values: np.ndarray
    centres: np.ndarray


def make_scratch(grid: Grid, patches: int) -> Scratch:
    """Room for any goal on this grid."""
    leaves, edges = len(grid.triangles), int(grid.edges.max()) + 1
    room = edges + LOOPS * RAYS
    whole = np.int64
    ends = np.zeros((edges, 4), whole)
    ends[:, 3] = -1
    return Scratch(
        stack=np.zeros((patches + 4 * (grid.level + 1), 3), whole),
        leaves=np.zeros(leaves, whole),
        links=np.full((edges, 2), -1, whole),
        ends=ends,
        crossing=np.zeros(edges, whole),
        unsure=np.zeros(leaves, whole),
        points=np.zeros((room, 2)),
        patches=np.zeros(room, whole),
        starts=np.zeros(edges + LOOPS + 1, whole),
        closed=np.zeros(edges + LOOPS + 1, whole),
        values=np.zeros(room),
        centres=np.zeros((LOOPS, 2)),
    )
