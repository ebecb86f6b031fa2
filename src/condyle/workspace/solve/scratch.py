"""Memory that the kernels work in, one per thread."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.contour_tips import RAYS
from .elbow_mesh import Grid

__all__ = ["Scratch", "make_scratch"]

LOOPS = 32  # small hidden loops kept per goal


class Scratch(NamedTuple):
    """Work arrays; after a goal, points, patches, starts and closed hold its curves."""

    stack: np.ndarray
    leaves: np.ndarray
    links: np.ndarray  # (2E, 2): the crossings next to each crossing, −1 for none
    visited: np.ndarray  # (2E,)
    ends: np.ndarray  # (E, 4): first and second vertex, patch, how often crossed
    peaks: np.ndarray  # (E,): where between its ends an edge crossed twice is of the other sign
    tips: np.ndarray  # (E,): the leaf in which the curve turns back over this edge, −1 for none
    crossing: np.ndarray  # crossed edges in the order found
    islands: np.ndarray
    island_at: np.ndarray
    joined: np.ndarray
    centers: np.ndarray
    center_patches: np.ndarray
    points: np.ndarray
    patches: np.ndarray
    starts: np.ndarray
    closed: np.ndarray
    values: np.ndarray


def make_scratch(grid: Grid, patches: int) -> Scratch:
    """Room for any goal on this grid."""
    leaves, edges = len(grid.triangles), int(grid.edges.max()) + 1
    room = 4 * edges + LOOPS * RAYS
    whole = np.int64
    return Scratch(
        stack=np.zeros((patches + 4 * (grid.level + 1), 3), whole),
        leaves=np.zeros(leaves, whole),
        links=np.full((2 * edges, 2), -1, whole),
        visited=np.zeros(2 * edges, whole),
        ends=np.zeros((edges, 4), whole),
        peaks=np.zeros(edges),
        tips=np.full(edges, -1, whole),
        crossing=np.zeros(edges, whole),
        islands=np.zeros((3, 2), whole),
        island_at=np.zeros((3, 2)),
        joined=np.zeros(3, whole),
        centers=np.zeros((LOOPS, 2)),
        center_patches=np.zeros(LOOPS, whole),
        points=np.zeros((room, 2)),
        patches=np.zeros(room, whole),
        starts=np.zeros(2 * edges + LOOPS + 1, whole),
        closed=np.zeros(2 * edges + LOOPS + 1, whole),
        values=np.zeros(room),
    )
