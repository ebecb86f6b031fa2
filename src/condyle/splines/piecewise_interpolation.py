"""Any smooth function as C1 polynomial pieces: Chebyshev series in cells, halved until the errors are small.

Errors are those of the values and of the first two derivatives. Neighbouring cells are joined exactly: at every
breakpoint both sides get the mean of their two values and of their two slopes, by adding a cubic. The error of values
is measured afterwards, at points that were not used; those of derivatives are estimated from what was left out.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import polynomial

from ..errors import NotConverged, NotFinite
from .chebyshev_cells import (
    DERIVATIVES,
    EXTRA,
    Cells,
    along_powers,
    chebyshev_cells,
    chebyshev_nodes,
    chebyshev_powers,
    ellipse_nodes,
)
from .pieces import with_continuation

MOST_CELLS = 8192
SMALLEST_CELL = 2.0**-26  # of the domain: a function that needs smaller cells has a kink
JUDGED = (1, 2)  # derivatives for whose sake cells are halved
LOOSER = 4.0  # times the tolerance of values: that of derivatives, relative to their own size
FEWEST = 4  # powers: the cubics that join the pieces
# places in [-1, 1] where errors are measured: both ends, and irrational ones that no grid has
BETWEEN = np.concatenate([[-1.0, 1.0], 2.0 * np.mod(np.arange(1, 10) * 0.6180339887498949, 1.0) - 1.0])
INSIDE = BETWEEN[2:]  # without the ends, where a function may jump
# The cubics in s on [-1, 1] with one unit of: value at -1, slope at -1, value at 1, slope at 1 (rows), by powers.
HERMITE = np.array([[2, -3, 0, 1], [1, -1, -1, 1], [2, 3, 0, -1], [-1, -1, 1, 1]]) / 4.0


@dataclass(frozen=True)
class Pieces:
    """Polynomial pieces on a tensor grid, continuations included, and their largest error relative to max |f|.

    `derivative_errors` are those of the first three derivatives by one coordinate, each relative to its largest value
    (or to max |f| by the power of the domain's length, where that is larger).
    """

    breaks: tuple[np.ndarray, ...]
    table: np.ndarray  # (rows_1, …, rows_n, order_1, …, order_n)
    error: float
    derivative_errors: tuple[float, ...] = (0.0,) * DERIVATIVES


def interpolate(
    f: Callable[[np.ndarray], np.ndarray],
    breaks: tuple[np.ndarray, ...],
    order: int = 16,
    tolerance: float = 1e-12,
    periodic: tuple[bool, ...] | None = None,
    what: str = "function",
    analytic: Callable[[np.ndarray], np.ndarray] | None = None,
    noise: float = 0.0,
    joined: bool = True,
) -> Pieces:
    """Pieces of `f`, which takes points (N, n) and returns (N,), on the box between the first and last `breaks`.

    They have at most `order` powers of each coordinate, and only as many as the function needs. `analytic` is the same
    function of complex points, also around the cells; what it gives is used where it belongs to the values of f.
    Errors up to `noise` are round-off of f, and stay. Unless they are `joined`, pieces are not made to meet: a function
    with kinks or jumps at the given breaks is then met on both sides of them.
    """
    periodic = periodic or (False,) * len(breaks)
    smallest = [(b[-1] - b[0]) * SMALLEST_CELL for b in breaks]
    while True:
        values = sampled(f, breaks, chebyshev_nodes(order + EXTRA)[0], what)
        around = None if analytic is None else sampled_around(analytic, breaks, order)
        cells = chebyshev_cells(values, around, breaks, order)
        table = powers(cells.kept, breaks)
        table = joined_cells(table, breaks, periodic) if joined else table
        scale, scales = float(np.abs(values).max()) or 1.0, derivative_scales(table, breaks)
        errors = cell_errors(f, table, breaks, what, BETWEEN if joined else INSIDE)
        errors = np.where(errors > noise, errors, 0.0)
        worst = float(errors.max() / scale)
        bent = bent_cells(cells, scales, LOOSER * tolerance)
        if worst <= tolerance and not bent.any():
            return Pieces(breaks, continued(shortened(table), breaks), worst, stated_errors(cells, scales))
        said = f"{what}: the error is still {worst:.2g} of its largest value near q = {worst_place(breaks, errors)}"
        breaks = refined(breaks, bent | (errors > tolerance * scale), cells.tails)
        check_cells(breaks, smallest, f"{said}, {tolerance:g} was asked for")


def derivative_scales(table: np.ndarray, breaks: tuple[np.ndarray, ...]) -> np.ndarray:
    """The size of derivatives of order 0 … 3 by each axis, (n, 4): the largest, or max |f| by the domain's extent."""
    n = len(breaks)
    found = np.array([[_largest(table, breaks, axis, k) for k in range(DERIVATIVES + 1)] for axis in range(n)])
    whole = np.array([[float(b[-1] - b[0]) ** -k for k in range(DERIVATIVES + 1)] for b in breaks])
    return np.maximum(found, whole * np.where(found[:, :1] > 0.0, found[:, :1], 1.0))


def _largest(table: np.ndarray, breaks: tuple[np.ndarray, ...], axis: int, k: int) -> float:
    """The largest |∂ᵏf| by one axis at the places `BETWEEN` of all cells."""
    orders = [k if i == axis else 0 for i in range(len(breaks))]
    return float(np.abs(cell_values(table, breaks, orders)).max())


def bent_cells(cells: Cells, scales: np.ndarray, tolerance: float) -> np.ndarray:
    """Where derivatives are off by more than the tolerance, and halving would help: it is not round-off."""
    size = scales.reshape(*scales.shape, *(1,) * (cells.missing.ndim - 2))
    bad = (cells.missing > tolerance * size) & (cells.missing > cells.noise)
    return np.asarray(bad[:, JUDGED].any(axis=(0, 1)))


def stated_errors(cells: Cells, scales: np.ndarray) -> tuple[float, ...]:
    """The largest estimated error of the first three derivatives, relative to their size."""
    both = cells.missing + cells.noise
    largest = both.max(axis=tuple(range(2, both.ndim))) / scales
    return tuple(largest.max(axis=0)[1:].tolist())


def shortened(table: np.ndarray) -> np.ndarray:
    """Without the highest powers of each axis that no cell has."""
    n = table.ndim // 2
    for axis in range(n, 2 * n):
        used = np.flatnonzero(np.moveaxis(table, axis, -1).reshape(-1, table.shape[axis]).any(axis=0))
        count = max(FEWEST, 1 + int(used.max(initial=0)))
        table = np.take(table, np.arange(min(count, table.shape[axis])), axis=axis)
    return table


def tensor_points(breaks: tuple[np.ndarray, ...], s: list[np.ndarray]) -> tuple[np.ndarray, list[int]]:
    """The points s ∈ [-1, 1] of every cell along each axis, (N, n), and the shape (cells_1, points_1, cells_2, …)."""
    axes = [0.5 * (b[1:, None] + b[:-1, None]) + 0.5 * np.diff(b)[:, None] * x for b, x in zip(breaks, s, strict=True)]
    points = np.stack(np.meshgrid(*(a.ravel() for a in axes), indexing="ij"), axis=-1)
    return points.reshape(-1, len(axes)), [m for a in axes for m in a.shape]


def by_cell(values: np.ndarray, shape: list[int]) -> np.ndarray:
    """Values at tensor points in the shape (cells_1, …, cells_n, points_1, …, points_n)."""
    return values.reshape(shape).transpose(*range(0, len(shape), 2), *range(1, len(shape), 2))


def sampled(f, breaks: tuple[np.ndarray, ...], s: np.ndarray, what: str) -> np.ndarray:
    """f on the tensor points of every cell, shape (cells_1, …, cells_n, len(s), …, len(s)); NaN is refused."""
    points, shape = tensor_points(breaks, len(breaks) * [s])
    values = np.asarray(f(points), float)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise NotFinite(f"{what}: the value at q = {place(points[bad[0]])} is {values[bad[0]]}; it must be finite.")
    return by_cell(values, shape)


def sampled_around(analytic, breaks: tuple[np.ndarray, ...], order: int) -> np.ndarray | None:
    """The function on the tensor of ellipses around every cell, or None if it does not take complex numbers."""
    z = ellipse_nodes(order + EXTRA)[0]
    points, shape = tensor_points(breaks, [z[: order + EXTRA], *(len(breaks) - 1) * [z]])
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return by_cell(np.asarray(analytic(points), complex), shape)
        except Exception:  # whatever a user's function says to complex numbers: it takes real ones
            return None


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


def cell_errors(f, table: np.ndarray, breaks: tuple[np.ndarray, ...], what: str, places: np.ndarray) -> np.ndarray:
    """The largest |f − pieces| in every cell, at some places of it."""
    n = len(breaks)
    off = sampled(f, breaks, places, what) - cell_values(table, breaks, n * [0], places)
    return np.abs(off).max(axis=tuple(range(n, 2 * n)))


def cell_values(
    table: np.ndarray, breaks: tuple[np.ndarray, ...], orders: list[int], places: np.ndarray = BETWEEN
) -> np.ndarray:
    """A partial derivative of the pieces at some places of every cell."""
    n = len(breaks)
    for axis, (b, k) in enumerate(zip(breaks, orders, strict=True)):
        rows = polynomial.polyder(cells_first(table, axis, n), k, axis=-1)
        u = 0.5 * np.diff(b)[:, None] * places
        rows = np.einsum("c...p,csp->c...s", rows, u[:, :, None] ** np.arange(rows.shape[-1]))
        table = np.moveaxis(rows, (0, -1), (axis, n + axis))
    return table


def refined(breaks: tuple[np.ndarray, ...], bad: np.ndarray, tails: np.ndarray) -> tuple[np.ndarray, ...]:
    """Halve the bad cells along the axes whose last Chebyshev coefficients are the largest."""
    n = len(breaks)
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
