"""An arm as flat arrays for the kernels, patches as power series, links and limits, and the scratch of a solve."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import NamedTuple

import numpy as np

from ...splines.bezier.bezier_surface import BezierSurface
from ...splines.bezier.triangle import multi_indices
from ..kernels.contour_loops import RAYS
from ..kernels.nearest_hand import DEPTH, LOOK
from .elbow_mesh import Grid, split_corners


class ArmTables(NamedTuple):
    """What the kernels read of an arm, apart from its grid. Lengths in metres, angles in radians."""

    degree: int
    coefficients: np.ndarray  # (T · N · 12,): patch, powers of w falling, then of v falling, channel
    frames: np.ndarray  # (T, 9): barycentrics from (x, y, 1), row by row
    neighbors: np.ndarray  # (T, 3)
    lengths: np.ndarray  # clavicle, upper arm, forearm
    limits: np.ndarray  # (4, 9): elbow flexion, then the three wrist angles; see `packed_limits`
    rest: np.ndarray  # (9,): R_a by rows, from the shoulder's zero frame to the clavicle's
    weights: np.ndarray  # (5,): r_i of twist, flexion and the three wrist angles
    side: float  # 1 of a right arm, −1 of a left one
    rim: np.ndarray  # (n, n): signed distances [m] from the measured workspace, positive outside
    rim_box: tuple[float, float, float]  # where the raster begins, and points a unit
    rates: (
        np.ndarray
    )  # (2,): how fast the range of twist turns [rad] and the rim's distance changes [m], at most, a unit


def powers(degree: int) -> list[tuple[int, int]]:
    """(power of v, power of w) in the order in which the kernels read coefficients."""
    return [(j, m) for m in range(degree, -1, -1) for j in range(degree - m, -1, -1)]


def power_matrix(degree: int) -> np.ndarray:
    """From a net to the coefficients of v^j w^m, with u = 1 − v − w. Exact integers."""
    at = {pair: n for n, pair in enumerate(powers(degree))}
    out = np.zeros((len(at), len(at)))
    for column, (i, j, k) in enumerate(multi_indices(degree).tolist()):
        outer = factorial(degree) // (factorial(i) * factorial(j) * factorial(k))
        for a in range(i + 1):
            for b in range(i - a + 1):
                inner = factorial(i) // (factorial(a) * factorial(b) * factorial(i - a - b))
                out[at[j + a, k + b], column] += outer * inner * (-1) ** (a + b)
    return out


def pack_surface(surface: BezierSurface) -> np.ndarray:
    """Coefficients of every patch and channel, flat."""
    nets = surface.control[surface.complex.nets]
    return np.ascontiguousarray(np.einsum("pn,tnc->tpc", power_matrix(surface.complex.degree), nets)).ravel()


def packed_limits(limits: np.ndarray) -> np.ndarray:
    """Ranges (4, 2) with cosine and sine of low, high and middle, and the cosine of half a range; −2 if that holds all.

    They are columns of one array because every kernel is handed every array of the tables.
    """
    low, high = limits.T
    ends = [f(x) for x in (low, high, 0.5 * (low + high)) for f in (np.cos, np.sin)]
    half = 0.5 * (high - low)
    return np.stack([low, high, *ends, np.where(half < np.pi, np.cos(half), -2.0)], axis=1)


def limit_rates(surface: BezierSurface, upper_arm: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """How fast both ends of the range of twist turn [rad] and the elbow moves [m], a unit of the domain.

    The most on a fine grid, and half of it more. `upper_arm` maps domain points to its directions.
    """
    complex = surface.complex
    at = split_corners(complex.vertices[complex.triangles], 4)
    _, elbow, low, high = np.split(surface.evaluate(at), 4, axis=-1)
    z = upper_arm(at)
    ends = [x - np.sum(x * z, axis=-1, keepdims=True) * z for x in (low - elbow, high - elbow)]
    ends = [x / np.linalg.norm(x, axis=-1, keepdims=True) for x in ends]
    step, first, second, along = (_steps(x) for x in (at, *ends, elbow))
    return 1.5 * np.array([(first / step).max() + (second / step).max(), (along / step).max()])


def _steps(x: np.ndarray) -> np.ndarray:
    """Distances between the corners of triangles (F, 3, n)."""
    return np.linalg.norm(x - np.roll(x, -1, axis=1), axis=-1)


LOOPS = 32  # small hidden loops kept per goal


class Scratch(NamedTuple):
    """Work arrays; after a goal, points, patches, starts and closed hold its curves."""

    stack: np.ndarray
    leaves: np.ndarray
    links: np.ndarray  # (2E, 3): the crossings after and before each crossing, −1 for none; islands on the way onward
    visited: np.ndarray  # (2E,)
    ends: np.ndarray  # (E, 4): first and second vertex, patch, how often crossed
    peaks: np.ndarray  # (E,): where between its ends an edge crossed twice is of the other sign
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
    whole: np.ndarray  # 1 for curves that continuation joined from point to point
    values: np.ndarray
    looks: np.ndarray  # places of a stretch of curve that is being halved


def make_scratch(grid: Grid, patches: int) -> Scratch:
    """Room for any goal on this grid."""
    leaves, edges = len(grid.triangles), int(grid.edges.max()) + 1
    room = 4 * edges + LOOPS * RAYS
    whole = np.int64
    return Scratch(
        stack=np.zeros((patches + 4 * (grid.level + 1), 3), whole),
        leaves=np.zeros(leaves, whole),
        links=np.full((2 * edges, 3), -1, whole),
        visited=np.zeros(2 * edges, whole),
        ends=np.zeros((edges, 4), whole),
        peaks=np.zeros(edges),
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
        whole=np.zeros(2 * edges + LOOPS + 1, whole),
        values=np.zeros(room),
        looks=np.zeros((DEPTH + 2, LOOK)),
    )
