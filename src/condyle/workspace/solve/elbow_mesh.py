"""The rigid elbow surface cut into small triangles, with a box around every group of them.

Patches are split in four `level` times; triangle i of one level has children 4i … 4i + 3 of the next, so the tree of
boxes needs no pointers. A leaf's box holds its corners and, with a factor of two, how far the surface bulges off them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...splines.bezier.domain_complex import DomainComplex

PROBES = np.array([[3, 3, 0], [0, 3, 3], [3, 0, 3], [2, 2, 2], [4, 1, 1], [1, 4, 1], [1, 1, 4]]) / 6.0


class Grid(NamedTuple):
    """Vertices (V, 2) with elbows (V, 3); leaves with 3 vertices and 3 edges; boxes (nodes, 6), level after level."""

    level: int
    at: np.ndarray
    elbow: np.ndarray
    triangles: np.ndarray
    edges: np.ndarray  # (F, 3): edge k joins vertices k and k + 1
    boxes: np.ndarray
    slopes: np.ndarray  # (F, 3, 6): ∂e*/∂x, ∂e*/∂y at each leaf's corners, from its own patch (`corner_slopes` fills)


def build_grid(complex: DomainComplex, elbow, level: int = 4) -> Grid:
    """Cut the domain; `elbow` maps domain points (n, 2) to rigid elbows (n, 3)."""
    corners = split_corners(complex.vertices[complex.triangles], level)
    at, triangles = _shared(corners.reshape(-1, 2))
    triangles = triangles.reshape(-1, 3)
    places = elbow(at)
    flat = places[triangles]
    probes = elbow(np.einsum("pc,fcx->fpx", PROBES, corners).reshape(-1, 2)).reshape(len(corners), -1, 3)
    off = np.linalg.norm(probes - np.einsum("pc,fcx->fpx", PROBES, flat), axis=-1).max(axis=1)
    boxes, slopes = np.ascontiguousarray(_boxes(flat, 2 * off, level)), np.zeros((len(triangles), 3, 6))
    return Grid(level, at, np.ascontiguousarray(places), triangles, _edges(triangles), boxes, slopes)


def split_corners(corners: np.ndarray, level: int) -> np.ndarray:
    """Corners (T, 3, 2) to corners (T · 4^level, 3, 2), children in the order of `split_in_four`."""
    for _ in range(level):
        u, v, w = np.moveaxis(corners, 1, 0)
        r, s, t = (u + v) / 2, (v + w) / 2, (u + w) / 2
        children = [(u, r, t), (r, v, s), (t, s, w), (s, t, r)]
        corners = np.stack([np.stack(child, axis=1) for child in children], axis=1).reshape(-1, 3, 2)
    return corners


def _shared(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each point once, and where each came to be."""
    keys = np.round(points / 1e-9).astype(np.int64)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return np.ascontiguousarray(points[first]), inverse.ravel()


def _edges(triangles: np.ndarray) -> np.ndarray:
    """The number of the edge from each corner to the next."""
    pairs = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    return np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1, 3).astype(np.int64)


def _boxes(flat: np.ndarray, margin: np.ndarray, level: int) -> np.ndarray:
    """Boxes (low, high) of the leaves and of all their ancestors, top level first."""
    low, high = flat.min(axis=1) - margin[:, None], flat.max(axis=1) + margin[:, None]
    levels = [np.hstack([low, high])]
    for _ in range(level):
        low, high = low.reshape(-1, 4, 3).min(axis=1), high.reshape(-1, 4, 3).max(axis=1)
        levels.append(np.hstack([low, high]))
    return np.vstack(levels[::-1])
