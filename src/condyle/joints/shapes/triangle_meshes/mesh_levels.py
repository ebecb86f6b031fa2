"""Level curves of a mesh: where a function of its vertices is zero, as rows of points, and a smooth curve near them."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import BSpline

from ....errors import BadShape, BadValue, require
from .mesh import Mesh

DEGREE = 5
LEAST = 12  # points of a level curve
STIFF = 1e-12  # of the mean diagonal: for spans without points
KNOTS = (0.1, 0.15, 0.2, 0.25, 0.33, 0.4, 0.5)  # by points, that are tried


def level_points(mesh: Mesh, values: np.ndarray, near: np.ndarray | None) -> tuple[np.ndarray, bool]:
    """The points [m] of the one part of the level curve at zero, or of that nearest to a place; whether it closes."""
    mesh.require_surface()
    values = np.where(values == 0.0, 1e-13 * np.abs(values).max(), values)  # a vertex on the level is just above it
    require(bool((values < 0).any() and (values > 0).any()), f"{mesh.title}: the level curve misses the mesh", BadValue)
    points, links = crossed_edges(mesh, values)
    parts = chained(links, len(points))
    require(bool(parts), f"{mesh.title}: the level curve misses the mesh", BadValue)
    if near is not None:
        k = int(np.argmin([np.linalg.norm(points[p] - near, axis=1).min() for p, _ in parts]))
        return points[parts[k][0]], parts[k][1]
    places = "; ".join("({})".format(", ".join(f"{x:.3g}" for x in points[p[0]])) for p, _ in parts[:4])
    words = f"{mesh.title}: the level curve has {len(parts)} parts, which begin at {places}"
    require(len(parts) == 1, f"{words}. Say which: near=a point", BadValue)
    return points[parts[0][0]], parts[0][1]


def crossed_edges(mesh: Mesh, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points (N, 3) where edges cross the level, and pairs (M, 2) of them that a triangle links, above to the left."""
    sides = np.stack([mesh.triangles, np.roll(mesh.triangles, -1, axis=1)], axis=2)
    a, b = values[sides].transpose(2, 0, 1)
    edges, number = np.unique(np.sort(sides.reshape(-1, 2), axis=1), axis=0, return_inverse=True)
    number = number.reshape(-1, 3)
    low, high = values[edges].T
    crossed = (low < 0) != (high < 0)
    share = low[crossed] / (low[crossed] - high[crossed])
    p = mesh.vertices[edges[crossed]]
    points = p[:, 0] + share[:, None] * (p[:, 1] - p[:, 0])
    place = np.cumsum(crossed) - 1
    down, rise = (a > 0) & (b < 0), (a < 0) & (b > 0)
    cut = down.any(axis=1)
    return points, np.stack([place[number[cut][down[cut]]], place[number[cut][rise[cut]]]], axis=1)


def chained(links: np.ndarray, count: int) -> list[tuple[np.ndarray, bool]]:
    """Rows of points that follow each other, and whether each closes."""
    after, before = np.full(count, -1), np.full(count, -1)
    after[links[:, 0]], before[links[:, 1]] = links[:, 1], links[:, 0]
    left, parts = np.ones(count, bool), []
    for start in [*np.flatnonzero((before < 0) & (after >= 0)).tolist(), *range(count)]:
        row, k = [], start
        while k >= 0 and left[k]:
            row.append(k)
            left[k], k = False, int(after[k])
        if len(row) > 1:
            parts.append((np.array(row), k == start))
    return parts


def smooth_through(points: np.ndarray, closed: bool, title: str) -> tuple[BSpline, float]:
    """A spline of order 6 near points by least squares, as smooth as cross-validation says; the largest distance."""
    words = f"{title}: the level curve has {len(points)} points; a smooth curve needs {LEAST} or more. Refine the mesh"
    require(len(points) >= LEAST, words, BadShape)
    row = np.vstack([points, points[:1]]) if closed else points
    t = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(row, axis=0), axis=1))]
    weight = np.gradient(t) if not closed else 0.5 * (np.diff(t) + np.roll(np.diff(t), 1))
    fits = [least_squares(t, points, closed, weight, int(s * len(points))) for s in KNOTS]
    spline, left = min(fits, key=lambda f: f[2])[:2]
    return spline, float(np.linalg.norm(left, axis=1).max())


def least_squares(t: np.ndarray, points: np.ndarray, closed: bool, weight: np.ndarray, spans: int):
    """A spline of that many even spans, what is left of the points, and its cross-validation score."""
    from scipy.sparse import csr_array, diags_array
    from scipy.sparse.linalg import spsolve  # slow to load

    spans = max(spans, DEGREE + 1 if closed else 1)
    knots = t[-1] / spans * np.arange(-DEGREE, spans + DEGREE + 1)
    A = BSpline.design_matrix(t[: len(points)], knots, DEGREE, extrapolate=True)
    size = spans if closed else spans + DEGREE
    A = csr_array((A.data, A.indices % size, A.indptr), shape=(len(points), size))
    normal = A.T @ diags_array(weight) @ A
    ridge = STIFF * normal.diagonal().mean() * diags_array(np.ones(size))
    c = np.asarray(spsolve((normal + ridge).tocsc(), A.T @ (weight[:, None] * points)))
    left, free = points - A @ c, len(points) - size
    score = float((weight @ left**2).sum()) / free**2 if free > 0 else np.inf
    return BSpline(knots, np.vstack([c, c[:DEGREE]]) if closed else c, DEGREE), left, score
