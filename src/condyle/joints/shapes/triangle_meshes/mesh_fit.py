"""A smooth surface fitted to triangles: a tensor spline over a rectangle that they cover, with its error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import BSpline, NdBSpline

from ....errors import BadShape, BadValue, FoldedSurface, require, warn
from ....splines import uniform_knots
from .mesh import Mesh
from .mesh_charts import Chart, Raster, chart_of, largest_box, raster_of
from .mesh_checks import pieces

DEGREE = 5
SPACINGS = (24.0, 12.0, 8.0, 6.0, 4.5, 3.5, 2.7, 2.1)  # edge lengths from knot to knot that are tried
MOST = 0.6  # coefficients by vertices
FINE = 1e-5  # of the size: root mean square distance that needs no finer spline
SPECKS = 0.01  # of the area: pieces beside the surface that are not told of
STIFF = 1e-9  # of the mean diagonal: second differences of coefficients where there are no vertices


class Patch(NamedTuple):
    """A chart of a part of a mesh, its rectangle, and the spline of heights over it."""

    chart: Chart
    box: np.ndarray
    spline: NdBSpline
    distances: np.ndarray  # [m] of the vertices over the rectangle from the surface
    spacing: float

    def at(self, q: np.ndarray, nu: tuple[int, int]) -> np.ndarray:
        """The derivative of this order (N, 3) at parameters (N, 2)."""
        return self.chart.derivative(q, lambda p, order: self.spline(p, nu=order), nu)

    @property
    def breaks(self) -> Any:
        """The ends of the rectangle and the knots between them, both ways."""
        return tuple(
            np.concatenate([[low], t[(t > low + 1e-9 * (high - low)) & (t < high - 1e-9 * (high - low))], [high]])
            for t, (low, high) in zip(self.spline.t, self.box, strict=True)
        )

    def slanted(self, q: np.ndarray) -> np.ndarray:
        """Cosine between the normal and the way that h grows: a distance from the surface by a difference of h."""
        n = np.cross(self.at(q, (1, 0)), self.at(q, (0, 1)))
        return np.abs((n * self.chart.seen(self.at(q, (0, 0)))).sum(axis=1)) / np.linalg.norm(n, axis=1)


def fitted_patch(mesh: Mesh, up, axis, bounds, spacing: float | None) -> Patch:
    """The smooth patch over a rectangle that the mesh covers once."""
    mesh.require_surface()
    chart = chart_of(mesh, up, axis)
    q, h = chart.coordinates(mesh.vertices)
    unit = units_of(chart, h)
    corners = q[mesh.triangles]
    box = checked_box(mesh, chart, corners, q, bounds, 0.5 * mesh.edge_length / unit)
    _tell_pieces_beside(mesh, corners, box)
    tried = SPACINGS if spacing is None else (float(spacing) / mesh.edge_length,)
    fits = []
    for s in tried:
        found = fitted_heights(q, h, box, s * mesh.edge_length / unit, 2)
        found = found or fitted_heights(q, h, box, s * mesh.edge_length / unit, 0)
        fits += [] if found is None else [found]
        if found is not None and found.rms < FINE * mesh.size:
            break
    words = f"{mesh.title}: too few vertices over the rectangle for a smooth surface"
    require(
        bool(fits), f"{words}. Take a larger part, a finer mesh or a larger spacing=", BadShape, bounds=box.tolist()
    )
    spline, _, _, s = min(fits, key=lambda f: f.score)
    over = ((q >= box[:, 0]) & (q <= box[:, 1])).all(axis=1)
    patch = Patch(chart, box, spline, np.zeros(0), float(s @ unit / 2))
    return patch._replace(distances=np.abs(spline(q[over]) - h[over]) * patch.slanted(q[over]))


def units_of(chart: Chart, h: np.ndarray) -> np.ndarray:
    """Metres by each parameter."""
    unit = np.array([float(np.mean(h)) if chart.around else 1.0, 1.0])
    return unit[::-1] if chart.inward else unit


def checked_box(mesh: Mesh, chart: Chart, corners: np.ndarray, q: np.ndarray, bounds, spacing) -> np.ndarray:
    """The rectangle of parameters: as given, or the largest that the mesh covers; covered once everywhere."""
    whole = np.stack([q.min(axis=0), q.max(axis=0)], axis=1)
    if bounds is None:
        raster = raster_of(corners, whole, spacing)
        _require_once(mesh, chart, raster)
        box = largest_box(raster)
        words = f"{mesh.title}: no rectangle of it is covered by triangles"
        require(bool((np.diff(box, axis=1) > 0).all()), f"{words}; it is too thin or full of holes", BadValue)
        return box
    box = np.asarray(bounds, float)
    good = box.shape == (2, 2) and np.isfinite(box).all() and (box[:, 0] < box[:, 1]).all()
    require(bool(good), f"{mesh.title}: bounds are ((low, high), (low, high))", BadShape, bounds=bounds)
    raster = raster_of(corners, box, spacing)
    _require_once(mesh, chart, raster)
    empty = np.argwhere(~raster.covered)
    words = f"{mesh.title}: there is a hole, or its edge, at parameters {_place(raster, empty)}"
    ends = [tuple(round(float(x), 5) for x in row) for row in whole]
    require(len(empty) == 0, f"{words}; the mesh spans {ends}. Take smaller bounds, or leave them out", BadValue)
    return box


def _tell_pieces_beside(mesh: Mesh, corners: np.ndarray, box: np.ndarray) -> None:
    """Warn where a mesh of separate pieces has some that are not under the rectangle."""
    piece, q = pieces(mesh), corners.mean(axis=1)
    if not piece.any():
        return
    used = np.isin(piece, piece[((q >= box[:, 0]) & (q <= box[:, 1])).all(axis=1)])
    area = np.linalg.norm(mesh.area_vectors, axis=1)
    share = area[used].sum() / area.sum()
    if share < 1.0 - SPECKS:
        place = ", ".join(f"{x:.4g}" for x in mesh.corners[used].mean(axis=(0, 1)))
        warn(
            f"{mesh.title}: it has {piece.max() + 1} separate pieces, and the surface lies on one near ({place}) m, "
            f"{share:.0%} of its area. Take the piece that is meant: mesh.near, mesh.facing or mesh.part."
        )


def _require_once(mesh: Mesh, chart: Chart, raster: Raster) -> None:
    """No place under two triangles."""
    twice = np.argwhere(raster.twice)
    words = f"{mesh.title}: it is folded or crosses itself at parameters {_place(raster, twice)}"
    seen = "around its axis" if chart.around else "from above"
    require(not len(twice), f"{words}: seen {seen} two triangles lie over each other. Take a part of it", FoldedSurface)


def _place(raster: Raster, at: np.ndarray) -> str:
    i, j = at[len(at) // 2] if len(at) else (0, 0)
    return f"({raster.u[i]:.4g}, {raster.v[j]:.4g})"


class Heights(NamedTuple):
    """A spline of heights, its score in generalised cross-validation, what is left of the data, and its spacing."""

    spline: NdBSpline
    score: float
    rms: float
    step: np.ndarray


def fitted_heights(q: np.ndarray, h: np.ndarray, box: np.ndarray, spacing: np.ndarray, spare: int) -> Heights | None:
    """A tensor spline of order 6 by least squares; None where it would have too many coefficients.

    Vertices within `spare` spans beyond the rectangle count too.
    """
    count = np.maximum(np.round(np.diff(box, axis=1)[:, 0] / spacing), 1).astype(int)
    step = np.diff(box, axis=1)[:, 0] / count
    near = ((q >= box[:, 0] - spare * step) & (q <= box[:, 1] + spare * step)).all(axis=1)
    q, h = q[near], h[near]
    low, frames = box[:, 0] - spare * step, count + DEGREE + 2 * spare
    knots = [uniform_knots(frames[c], DEGREE + 1, low[c], step[c]) for c in (0, 1)]
    shape = tuple(len(t) - DEGREE - 1 for t in knots)
    size = int(np.prod(shape))
    if size > MOST * len(q):
        return None
    A, B = (BSpline.design_matrix(q[:, c], knots[c], DEGREE, extrapolate=True) for c in (0, 1))
    rows = rowwise_products(A, B)
    normal = rows.T @ rows
    stiff = STIFF * normal.diagonal().mean() * bending(shape)
    from scipy.sparse.linalg import spsolve  # slow to load

    c = spsolve((normal + stiff).tocsc(), rows.T @ h)
    left = h - rows @ c
    squares = float(left @ left)
    spline = NdBSpline(tuple(knots), np.ascontiguousarray(c.reshape(shape)), DEGREE)
    return Heights(spline, squares * len(q) / (len(q) - size) ** 2, np.sqrt(squares / len(q)), step)


def rowwise_products(A, B):
    """Rows a_i ⊗ b_i of two sparse matrices with as many rows."""
    from scipy.sparse import csr_array

    n, k = A.shape[0], DEGREE + 1
    a, b = A.data.reshape(n, k), B.data.reshape(n, k)
    columns = A.indices.reshape(n, k)[:, :, None] * B.shape[1] + B.indices.reshape(n, k)[:, None]
    data = a[:, :, None] * b[:, None]
    return csr_array((data.ravel(), columns.ravel(), k * k * np.arange(n + 1)), shape=(n, A.shape[1] * B.shape[1]))


def bending(shape: Sequence[int]):
    """Squares of second differences of coefficients each way."""
    from scipy.sparse import diags_array, eye_array, kron

    offsets: Any = [0, 1, 2]
    second = [diags_array([1.0, -2.0, 1.0], offsets=offsets, shape=(n - 2, n)) for n in shape]
    one = [eye_array(n) for n in shape]
    return kron(second[0].T @ second[0], one[1]) + kron(one[0], second[1].T @ second[1])
