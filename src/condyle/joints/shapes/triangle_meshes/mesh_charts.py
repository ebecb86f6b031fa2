"""Two numbers for each place of a piece of a mesh: seen straight from above, or around an axis."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from ....errors import BadValue, FoldedSurface, require
from .mesh import Mesh

STEEP = np.cos(np.radians(75.0))  # of the angle between a triangle's normal and the way it is seen
CELLS = 160  # at most, of the raster each way
TOUCHED = 1e-9  # in barycentric coordinates: a place on a side


class Chart(NamedTuple):
    """o + R (u, v, h), or around an axis o + R (h cos u, h sin u, v); inward-facing ones exchange u and v."""

    o: np.ndarray
    R: np.ndarray
    around: bool
    inward: bool = False

    def coordinates(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Parameters (N, 2) and heights or radii (N,) of points (N, 3)."""
        x, y, z = ((points - self.o) @ self.R).T
        q, h = (np.stack([np.arctan2(y, x), z], axis=1), np.hypot(x, y)) if self.around else (np.stack([x, y], 1), z)
        return (q[:, ::-1] if self.inward else q), h

    def derivative(self, q: np.ndarray, heights, nu: tuple[int, int]) -> np.ndarray:
        """The derivative of this order (N, 3) of the points at parameters; `heights(q, nu)` are those of h."""
        (u, v), (i, j) = q.T[::-1] if self.inward else q.T, nu[::-1] if self.inward else nu
        if not self.around:
            local = [u if (i, j) == (0, 0) else np.full_like(u, (i, j) == (1, 0)),
                     v if (i, j) == (0, 0) else np.full_like(v, (i, j) == (0, 1)), heights(q, nu)]  # fmt: skip
            return (self.o if not any(nu) else 0.0) + np.stack(local, axis=1) @ self.R.T
        orders = [(k, j)[::-1] if self.inward else (k, j) for k in range(i + 1)]
        w = sum(comb(i, k) * heights(q, orders[k]) * 1j ** (i - k) for k in range(i + 1)) * np.exp(1j * u)
        z = v if (i, j) == (0, 0) else np.full_like(v, (i, j) == (0, 1))
        return (self.o if not any(nu) else 0.0) + np.stack([w.real, w.imag, z], axis=1) @ self.R.T

    def seen(self, points: np.ndarray) -> np.ndarray:
        """Unit vectors (N, 3) along which h grows at points."""
        if not self.around:
            return np.broadcast_to(self.R[:, 2], points.shape)
        out = (points - self.o) @ self.R * (1.0, 1.0, 0.0)
        return out / np.linalg.norm(out, axis=1, keepdims=True) @ self.R.T


def chart_of(mesh: Mesh, up: np.ndarray | None, axis: tuple[np.ndarray, np.ndarray] | None) -> Chart:
    """The chart that sees every triangle from its front, not too slanted: from above, else around an axis."""
    if up is not None and axis is not None:
        raise BadValue("surface from a mesh: give up or axis, not both")
    for x, what in ((up, "up"), (None if axis is None else axis[1], "the direction of axis")):
        require(x is None or bool(np.linalg.norm(x) > 0), f"surface from a mesh: {what} must not vanish", BadValue)
    if axis is not None:
        return required(mesh, around(mesh, *axis))
    above = from_above(mesh, mesh.area_vectors.sum(axis=0) if up is None else up)
    if up is not None or least_facing(mesh, above)[0] > STEEP:
        return required(mesh, above)
    return required(mesh, around(mesh, *found_axis(mesh)))


def required(mesh: Mesh, chart: Chart) -> Chart:
    """The chart if it sees all triangles, with the side that they face."""
    least, k = least_facing(mesh, chart)
    if least < 0.0 and chart.around:
        turned = -facing(mesh, chart)
        least, k, chart = float(turned.min()), int(np.argmin(turned)), chart._replace(inward=True)
    place = ", ".join(f"{x:.4g}" for x in mesh.corners[k].mean(axis=0))
    seen = "around its axis" if chart.around else "from above"
    words = f"{mesh.title}: seen {seen}, the patch turns away or is too steep (over 75°) at triangle {k}, ({place})"
    require(least > STEEP, f"{words}. Take a part of it (mesh.near, mesh.facing), or give up= or axis=", FoldedSurface)
    return chart


def facing(mesh: Mesh, chart: Chart) -> np.ndarray:
    """Cosines (m,) between triangles' normals and the way that they are seen."""
    n = mesh.area_vectors
    n = n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
    return (n * chart.seen(mesh.corners.mean(axis=1))).sum(axis=1)


def least_facing(mesh: Mesh, chart: Chart) -> tuple[float, int]:
    """The most slanted triangle."""
    cosines = facing(mesh, chart)
    k = int(np.argmin(cosines))
    return float(cosines[k]), k


def from_above(mesh: Mesh, up: np.ndarray) -> Chart:
    """Seen against a direction; the first parameter along the patch."""
    size = float(np.linalg.norm(up))
    z = up / size if size > 0.0 else np.array([0.0, 0.0, 1.0])
    p = mesh.vertices - mesh.vertices.mean(axis=0)
    across = p - np.outer(p @ z, z)
    x = np.linalg.eigh(across.T @ across)[1][:, -1]
    x = x * np.sign(x[np.argmax(np.abs(x))])
    return Chart(mesh.vertices.mean(axis=0), np.stack([x, np.cross(z, x), z], axis=1), False)


def found_axis(mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """A point and direction that the normals turn about: they are across it and pass near it."""
    A, p = mesh.area_vectors, mesh.corners.mean(axis=1)
    n = A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-300)
    weight = np.linalg.norm(A, axis=1)
    z = np.linalg.eigh((weight[:, None] * n).T @ n)[1][:, 0]
    z = z * np.sign(z[np.argmax(np.abs(z))])
    rows = np.sqrt(weight)[:, None] * np.cross(z, n)  # across the axis, (o − p) · (z × n) = 0
    rows, right = np.vstack([rows, z]), np.append((rows * p).sum(axis=1), z @ p.mean(axis=0))
    normal = rows.T @ rows
    back = int(np.argmin(n @ n[0]))
    words = f"{mesh.title}: it is folded flat: triangles 0 and {back} face opposite sides of one plane"
    flat = np.linalg.matrix_rank(normal, tol=1e-12 * np.trace(normal)) < 3
    require(not flat, f"{words}. Take a part of it (mesh.near, mesh.facing)", FoldedSurface)
    return np.linalg.solve(normal, rows.T @ right), z


def around(mesh: Mesh, point: np.ndarray, direction: np.ndarray) -> Chart:
    """Seen from an axis; its cut is on the side where the patch is not."""
    z = direction / np.linalg.norm(direction)
    out = mesh.vertices.mean(axis=0) - point
    x = out - (out @ z) * z
    require(bool(np.linalg.norm(x) > 1e-9 * mesh.size), f"{mesh.title}: the patch goes around its axis", FoldedSurface)
    x /= np.linalg.norm(x)
    return Chart(point, np.stack([x, np.cross(z, x), z], axis=1), True)


class Raster(NamedTuple):
    """Places of a grid (a, b), whether a triangle covers each, its sides too, and whether two do, within both."""

    u: np.ndarray
    v: np.ndarray
    covered: np.ndarray
    twice: np.ndarray


def raster_of(corners: np.ndarray, box: np.ndarray, spacing: np.ndarray) -> Raster:
    """Which places of a grid over a box ((low, high), (low, high)) triangles (m, 3, 2) cover, and which twice."""
    cells = np.clip(np.ceil(np.diff(box, axis=1)[:, 0] / spacing), 8, CELLS).astype(int)
    axes = [np.linspace(b[0], b[1], n + 1) for b, n in zip(box, cells, strict=True)]
    step = np.array([a[1] - a[0] for a in axes])
    low, high = ((f(corners, axis=1) - box[:, 0]) / step for f in (np.min, np.max))
    first = np.clip(np.ceil(low - 1e-9), 0, cells).astype(int)
    last = np.clip(np.floor(high + 1e-9), -1, cells).astype(int)
    wide = np.maximum(last - first + 1, 0)
    pairs = wide.prod(axis=1)
    triangle = np.repeat(np.arange(len(corners)), pairs)
    number = np.arange(pairs.sum()) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    i = first[triangle, 0] + number // np.maximum(wide[triangle, 1], 1)
    j = first[triangle, 1] + number % np.maximum(wide[triangle, 1], 1)
    depth = _depth(corners[triangle], np.stack([axes[0][i], axes[1][j]], axis=1))
    covered, over = np.zeros(cells + 1, bool), np.zeros(cells + 1, int)
    covered[i[depth > -TOUCHED], j[depth > -TOUCHED]] = True
    np.add.at(over, (i[depth > TOUCHED], j[depth > TOUCHED]), 1)
    return Raster(axes[0], axes[1], covered, over > 1)


def _depth(corners: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The least of the three barycentric coordinates of points (N, 2) in triangles (N, 3, 2): negative outside."""
    sides, away = np.roll(corners, -1, axis=1) - corners, p[:, None] - corners
    turn = sides[..., 0] * away[..., 1] - sides[..., 1] * away[..., 0]
    area = turn.sum(axis=1, keepdims=True)
    return (turn / np.where(area == 0.0, np.inf, area)).min(axis=1)


def largest_box(raster: Raster) -> np.ndarray:
    """The largest rectangle ((low, high), (low, high)) of covered places."""
    tall, best, found = np.zeros(raster.covered.shape[1], int), 0, (0, 0, 0, 0)
    for i, row in enumerate(raster.covered):
        tall = np.where(row, tall + 1, 0)
        stack: list[tuple[int, int]] = []
        for j, t in enumerate([*tall.tolist(), 0]):
            start = j
            while stack and stack[-1][1] >= t:
                start, h = stack.pop()
                if (h - 1) * (j - start - 1) > best:
                    best, found = (h - 1) * (j - start - 1), (i - h + 1, i, start, j - 1)
            stack.append((start, t))
    a, b, c, d = found
    return np.array([[raster.u[a], raster.u[b]], [raster.v[c], raster.v[d]]])
