"""Triangles of curved surfaces cut finer, so that large ones have a round outline in pictures of few moments."""

from __future__ import annotations

import numpy as np

from .scene_triangles import Triangles

TIMES = 2  # each triangle is cut in four, that often
MOST = 2000  # triangles of a surface that is cut
LARGE = 0.12  # its size as a part of the radius of what is seen
BENT = np.cos(np.radians([5.0, 35.0]))  # its normals turn that much over a triangle: less is flat, more is an edge


def rounded(part: Triangles, radius: float) -> Triangles:
    """The surface bulged as its normals say, if it is large in a picture of this radius [m], bent, and has no edge."""
    if not _wanted(part, radius):
        return part
    for _ in range(TIMES):
        part = _cut(part)
    return part


def _wanted(part: Triangles, radius: float) -> bool:
    if not 0 < len(part.points) <= MOST or np.ptp(part.points.reshape(-1, 3), axis=0).max() < 2.0 * LARGE * radius:
        return False
    n = part.normals
    turn = np.einsum("nki,nki->nk", n, np.roll(n, 1, axis=1)).min()
    return bool(BENT[1] < turn < BENT[0]) and not _has_edges(part)


def _has_edges(part: Triangles) -> bool:
    """Whether corners in one place have normals that differ."""
    points, normals = part.points.reshape(-1, 3), part.normals.reshape(-1, 3)
    _, first, which = np.unique(np.round(points, 9), axis=0, return_index=True, return_inverse=True)
    return bool(np.einsum("ni,ni->n", normals, normals[first][which.reshape(-1)]).min() < BENT[1])


def _cut(part: Triangles) -> Triangles:
    pairs = ((part.points, _bulged(part)), (part.normals, _between(part.normals)), (part.grid, _means(part.grid)))
    points, normals, grid = (_four(corners, middles) for corners, middles in pairs)
    return Triangles(points, normals, np.tile(part.color, (4, 1)), np.tile(part.opacity, 4), grid)


def _means(corners: np.ndarray) -> np.ndarray:
    """In the middles of the sides ab, bc, ca."""
    return 0.5 * (corners + np.roll(corners, -1, axis=1))


def _between(normals: np.ndarray) -> np.ndarray:
    means = _means(normals)
    return means / np.linalg.norm(means, axis=-1, keepdims=True)


def _bulged(part: Triangles) -> np.ndarray:
    """Middles of the sides, halfway from there to the mean of the planes that touch both ends: on a circle to θ⁴."""
    a, n = part.points, part.normals
    half = 0.5 * (np.roll(a, -1, axis=1) - a)
    first, second = (np.einsum("nki,nki->nk", half, m)[..., None] * m for m in (n, np.roll(n, -1, axis=1)))
    return _means(a) - 0.25 * (first - second)


def _four(corners: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """Corners of four triangles from those of each (n, 3, c) and from the middles of its sides ab, bc, ca."""
    (a, b, c), (d, e, f) = np.moveaxis(corners, 1, 0), np.moveaxis(middles, 1, 0)
    return np.concatenate([np.stack(x, axis=1) for x in ((a, d, f), (d, b, e), (f, e, c), (d, e, f))])
