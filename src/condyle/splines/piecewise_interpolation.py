"""Any smooth function as C1 polynomial pieces: Chebyshev interpolation in cells, halved until the error is small.

Neighbouring cells are joined exactly: at every breakpoint both sides get the mean of their two values and of their two
slopes, by adding a cubic. The error is measured afterwards, at points that were not interpolated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import chebyshev

from ..errors import NotConverged, NotFinite
from .pieces import with_continuation

MOST_CELLS = 8192
SMALLEST_CELL = 2.0**-26  # of the domain: a function that needs smaller cells has a kink
BETWEEN = np.array([-0.8090169943749475, -0.1180339887498949, 0.5729490168751577])  # irrational, so off every grid
# The cubics in s on [-1, 1] with one unit of: value at -1, slope at -1, value at 1, slope at 1 (rows), by powers.
HERMITE = np.array([[2, -3, 0, 1], [1, -1, -1, 1], [2, 3, 0, -1], [-1, -1, 1, 1]]) / 4.0


@dataclass(frozen=True)
class Pieces:
    """Polynomial pieces on a tensor grid, continuations included, and their largest error relative to max |f|."""

    breaks: tuple[np.ndarray, ...]
    table: np.ndarray  # (rows_1, …, rows_n, order_1, …, order_n)
    error: float


def interpolate(
    f: Callable[[np.ndarray], np.ndarray],
    breaks: tuple[np.ndarray, ...],
    order: int = 8,
    tolerance: float = 1e-12,
    periodic: tuple[bool, ...] | None = None,
    what: str = "function",
) -> Pieces:
    """Pieces of `f`, which takes points (N, n) and returns (N,), on the box between the first and last `breaks`."""
    periodic = periodic or (False,) * len(breaks)
    smallest = [(b[-1] - b[0]) * SMALLEST_CELL for b in breaks]
    while True:
        raw, scale = chebyshev_cells(f, breaks, order, what)
        table = joined_cells(powers(raw, breaks), breaks, periodic)
        errors = cell_errors(f, table, breaks, what)
        worst = float(errors.max() / scale)
        if worst <= tolerance:
            return Pieces(breaks, continued(table, breaks), worst)
        said = f"{what}: the error is still {worst:.2g} of its largest value near q = {worst_place(breaks, errors)}"
        breaks = refined(breaks, errors > tolerance * scale, raw)
        check_cells(breaks, smallest, f"{said}, {tolerance:g} was asked for")


def tensor_points(breaks: tuple[np.ndarray, ...], s: np.ndarray) -> list[np.ndarray]:
    """The points s ∈ [-1, 1] of every cell along each axis, (cells, len(s))."""
    return [0.5 * (b[1:, None] + b[:-1, None]) + 0.5 * np.diff(b)[:, None] * s for b in breaks]


def sampled(f, breaks: tuple[np.ndarray, ...], s: np.ndarray, what: str) -> np.ndarray:
    """f on the tensor points of every cell, shape (cells_1, …, cells_n, len(s), …, len(s)); NaN is refused."""
    axes = tensor_points(breaks, s)
    points = np.stack(np.meshgrid(*(a.ravel() for a in axes), indexing="ij"), axis=-1)
    flat = points.reshape(-1, len(axes))
    values = np.asarray(f(flat), float)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise NotFinite(f"{what}: the value at q = {place(flat[bad[0]])} is {values[bad[0]]}; it must be finite.")
    n = len(axes)
    split = values.reshape([m for a in axes for m in a.shape])
    return split.transpose(*range(0, 2 * n, 2), *range(1, 2 * n, 2))


def chebyshev_cells(f, breaks: tuple[np.ndarray, ...], order: int, what: str) -> tuple[np.ndarray, float]:
    """Chebyshev coefficients of the interpolant in every cell, and the largest |f| seen."""
    nodes, transform = chebyshev_nodes(order)
    values = sampled(f, breaks, nodes, what)
    scale = float(np.abs(values).max()) or 1.0
    return along_powers(values, len(breaks), lambda axis: transform), scale


@cache
def chebyshev_nodes(order: int) -> tuple[np.ndarray, np.ndarray]:
    """The roots of T_order, and the matrix (node, degree) from values there to Chebyshev coefficients."""
    angle = (np.arange(order) + 0.5) * np.pi / order
    transform = 2.0 / order * np.cos(np.outer(angle, np.arange(order)))
    transform[:, 0] *= 0.5
    return np.cos(angle), transform


@cache
def chebyshev_powers(order: int) -> np.ndarray:
    """The matrix (degree, power) of the Chebyshev polynomials."""
    rows = [chebyshev.cheb2poly(np.eye(order)[i]) for i in range(order)]
    return np.array([np.pad(r, (0, order - len(r))) for r in rows])


def along_powers(table: np.ndarray, n: int, matrix: Callable[[int], np.ndarray]) -> np.ndarray:
    """Multiply each of the last n axes by its own matrix (old, new)."""
    for axis in range(n):
        table = np.moveaxis(np.moveaxis(table, n + axis, -1) @ matrix(axis), -1, n + axis)
    return table


def powers(raw: np.ndarray, breaks: tuple[np.ndarray, ...]) -> np.ndarray:
    """Polynomials in u = q − middle of the cell from Chebyshev coefficients."""
    table = along_powers(raw, len(breaks), lambda axis: chebyshev_powers(raw.shape[len(breaks) + axis]))
    for axis, b in enumerate(breaks):
        rows = cells_first(table, axis, len(breaks))
        rows *= (2.0 / np.diff(b)).reshape(-1, *(1,) * (rows.ndim - 1)) ** np.arange(rows.shape[-1])
    return table


def cells_first(table: np.ndarray, axis: int, n: int) -> np.ndarray:
    """A view with the cells of one axis first and its powers last."""
    return np.moveaxis(table, (axis, n + axis), (0, -1))


def joined_cells(table: np.ndarray, breaks: tuple[np.ndarray, ...], periodic: tuple[bool, ...]) -> np.ndarray:
    """The same pieces made C1 across the breakpoints of every axis, one axis after the other (they commute)."""
    n = len(breaks)
    for axis, (b, wraps) in enumerate(zip(breaks, periodic, strict=True)):
        rows = cells_first(table, axis, n)
        rows[..., :4] += jumps_mended(rows, np.diff(b), wraps)
    return table


def jumps_mended(rows: np.ndarray, h: np.ndarray, wraps: bool) -> np.ndarray:
    """The cubics that move both ends of every cell to the means at its breakpoints; powers last."""
    shape = (len(h),) + (1,) * (rows.ndim - 2)
    ends = np.stack(
        [end_values(rows, -h / 2), end_slopes(rows, -h / 2), end_values(rows, h / 2), end_slopes(rows, h / 2)]
    )
    gap = 0.5 * (ends[2:] - np.roll(ends[:2], -1, axis=1))  # half the jump at the right end of each cell
    if not wraps:
        gap[:, -1] = 0.0
    change = np.concatenate([np.roll(gap, 1, axis=1), -gap])
    change[1::2] *= (h / 2).reshape(shape)  # slopes by s = 2u/h
    cubic = np.einsum("e...,ep->...p", change, HERMITE)
    return cubic * (2.0 / h).reshape(*shape, 1) ** np.arange(4)


def end_values(rows: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Each cell's polynomial at its own u."""
    return np.einsum("c...p,cp->c...", rows, u[:, None] ** np.arange(rows.shape[-1]))


def end_slopes(rows: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Each cell's slope at its own u."""
    power = np.arange(1, rows.shape[-1])
    return np.einsum("c...p,cp->c...", rows[..., 1:], power * u[:, None] ** (power - 1))


def cell_errors(f, table: np.ndarray, breaks: tuple[np.ndarray, ...], what: str) -> np.ndarray:
    """The largest |f − pieces| in every cell, at the extremes between the nodes, the ends, and irrational places."""
    n, order = len(breaks), table.shape[-1]
    s = np.concatenate([np.cos(np.pi * np.arange(order + 1) / order), BETWEEN])
    for axis, b in enumerate(breaks):
        u = 0.5 * np.diff(b)[:, None] * s
        vandermonde = u[:, :, None] ** np.arange(order)
        rows = np.einsum("c...p,csp->c...s", cells_first(table, axis, n), vandermonde)
        table = np.moveaxis(rows, (0, -1), (axis, n + axis))
    return np.abs(sampled(f, breaks, s, what) - table).max(axis=tuple(range(n, 2 * n)))


def refined(breaks: tuple[np.ndarray, ...], bad: np.ndarray, raw: np.ndarray) -> tuple[np.ndarray, ...]:
    """Halve the bad cells along the axes whose last Chebyshev coefficients are the largest."""
    n = len(breaks)
    tails = np.stack([np.abs(np.moveaxis(raw, n + a, -1)[..., -2:]).max(axis=tuple(range(n, 2 * n))) for a in range(n)])
    chosen = bad & (tails >= 0.1 * tails.max(axis=0))
    return tuple(halved(b, chosen[a].any(axis=tuple(i for i in range(n) if i != a))) for a, b in enumerate(breaks))


def halved(b: np.ndarray, split: np.ndarray) -> np.ndarray:
    """Breakpoints with the middles of the marked spans added."""
    return np.sort(np.concatenate([b, 0.5 * (b[1:] + b[:-1])[split]]))


def check_cells(breaks: tuple[np.ndarray, ...], smallest: list[float], said: str) -> None:
    """Too many or too small cells: the function is not smooth, or the tolerance is too tight for round-off."""
    cells = np.prod([len(b) - 1 for b in breaks])
    if cells > MOST_CELLS or any(np.diff(b).min() < h for b, h in zip(breaks, smallest, strict=True)):
        raise NotConverged(f"{said}. Is there a kink or a jump? Split the function there, or loosen `tolerance`.")


def worst_place(breaks: tuple[np.ndarray, ...], errors: np.ndarray) -> str:
    """The middle of the cell with the largest error."""
    cell = np.unravel_index(np.argmax(errors), errors.shape)
    return place(np.array([0.5 * (b[i] + b[i + 1]) for b, i in zip(breaks, cell, strict=True)]))


def continued(table: np.ndarray, breaks: tuple[np.ndarray, ...]) -> np.ndarray:
    """The linear continuation rows added at both ends of every axis."""
    n = len(breaks)
    for axis, b in enumerate(breaks):
        rows = with_continuation(b, cells_first(table, axis, n))
        table = np.moveaxis(rows, (0, -1), (axis, n + axis))
    return np.ascontiguousarray(table)


def place(q: np.ndarray) -> str:
    """Coordinates as a person writes them."""
    return f"{q[0]:.6g}" if len(q) == 1 else "(" + ", ".join(f"{x:.6g}" for x in q) + ")"
