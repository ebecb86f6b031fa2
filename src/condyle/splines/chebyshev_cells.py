"""Chebyshev series of a function in every cell of a grid: what to keep of them, and what that leaves of derivatives.

A cell is sampled at `EXTRA` more points than it keeps coefficients. The coefficients beyond fall with the degree as far
as they are the function's own, and are level where they are round-off of its values. So they tell both how far the kept
series is from the function, and how large the round-off in every coefficient is. Of the k-th derivative the first is
Σ |a_j| T_j⁽ᵏ⁾(1) / rᵏ over the degrees that are not kept, with r half of the cell, and the second the root of
Σ (noise · T_j⁽ᵏ⁾(1) / rᵏ)² over those that are. Halving a cell helps against the first and harms by the second: wide
cells of a high order are those with exact derivatives.

A function that takes complex numbers is sampled on an ellipse around the cell too, (w + 1/w)/2 with |w| = ρ. There the
term of degree j has grown by ρʲ/2 while round-off has not, so coefficients from there have round-off that falls like
ρ⁻ʲ, and all derivatives are exact nearly to round-off. They are taken where they are those of the real values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import chebyshev

EXTRA = 6
LEVEL = 3  # the last of them, which tell round-off
ABOVE = 3.0  # times round-off: a coefficient that is the function's own
DERIVATIVES = 3  # up to which order errors are estimated
ROUND_OFF = 1e-15  # of the largest value in a cell: what is at most taken for round-off where coefficients are dropped
EXACT = 5e-16  # of the largest value: the round-off of samples on an ellipse
RADIUS = 2.0  # ρ of the ellipse: it reaches a quarter of r beyond the ends of a cell
AGREEING = 8.0  # times round-off: how far coefficients by complex numbers may be from those by real ones


@dataclass(frozen=True)
class Cells:
    """Chebyshev coefficients of all cells, (cells_1, …, cells_n, degrees_1, …, degrees_n), and what they leave.

    Errors of the derivatives of order 0 … 3 by each axis are (n, 4, cells_1, …, cells_n).
    """

    kept: np.ndarray
    missing: np.ndarray  # errors by the degrees that are not kept
    noise: np.ndarray  # errors by round-off of the function's values
    tails: np.ndarray  # (n, cells_1, …, cells_n): the largest of the last coefficients, which tell where to halve


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


@cache
def end_derivatives(first: int, end: int) -> np.ndarray:
    """T_j⁽ᵏ⁾(1), the largest on [−1, 1], for k = 0 … 3 and first ≤ j < end: Π_{i<k} (j² − i²)/(2i + 1)."""
    j = np.arange(first, end, dtype=float)
    steps = [(j**2 - i**2) / (2 * i + 1) for i in range(DERIVATIVES)]
    return np.array([np.prod([np.ones_like(j), *steps[:k]], axis=0) for k in range(DERIVATIVES + 1)])


def along_powers(table: np.ndarray, n: int, matrix: Callable[[int], np.ndarray]) -> np.ndarray:
    """Multiply each of the last n axes by its own matrix (old, new)."""
    for axis in range(n):
        table = np.moveaxis(np.moveaxis(table, n + axis, -1) @ matrix(axis), -1, n + axis)
    return table


@cache
def ellipse_nodes(order: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points on the ellipse about [−1, 1], its upper half first, and the matrices to coefficients by all and by half.

    The function is real on the axis, so the real part of twice the sum over one half is the sum over all.
    """
    turn = np.exp(1j * np.pi * (np.arange(2 * order) + 0.5) / order)
    w, j = RADIUS * turn, np.arange(order)
    transform = np.where(j > 0, 1.0, 0.5) / order * w[:, None] ** -j.astype(float)
    return 0.5 * (w + 1.0 / w), transform, 2.0 * transform[:order]


def chebyshev_cells(values: np.ndarray, around: np.ndarray | None, breaks: tuple[np.ndarray, ...], order: int) -> Cells:
    """The series of cells from values at the roots of T_{order + EXTRA}, (cells_1, …, points_1, …).

    `around` are complex values on the tensor of ellipses, the first axis by its upper half only, or None.
    """
    n = len(breaks)
    full = along_powers(values, n, lambda axis: chebyshev_nodes(order + EXTRA)[1])
    largest = np.abs(values).max(axis=tuple(range(n, 2 * n)))
    level = np.max([_by_degree(full, a, n)[..., -LEVEL:].max(axis=-1) for a in range(n)], axis=0)
    fall = np.ones_like(level)
    if around is not None:
        full, level, fall = _sharper(full, around, level, largest)
    round_off = level[..., None] * fall[..., None] ** np.arange(order + EXTRA)
    rows = [_by_degree(full, axis, n) for axis in range(n)]
    errors = [_errors(row, round_off, half_powers(breaks[a], a, n), order) for a, row in enumerate(rows)]
    missing, noise = (np.array(e) for e in zip(*errors, strict=True))
    tails = np.array([row[..., order - 2 :].max(axis=-1) for row in rows])
    together = np.indices(n * (order,)).sum(axis=0)  # of all degrees of a term: each lets its round-off fall
    floor = np.minimum(_spread(level, n) * _spread(fall, n) ** together, ROUND_OFF * _spread(largest, n))
    kept = full[(..., *n * (slice(order),))]
    return Cells(np.where(np.abs(kept) > floor, kept, 0.0), missing, noise, tails)


def _sharper(
    full: np.ndarray, around: np.ndarray, level: np.ndarray, largest: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coefficients by complex values in the cells where they agree; round-off of the first, and its fall by degree."""
    n = level.ndim
    _, whole, half = ellipse_nodes(full.shape[-1])
    inside = tuple(range(n, 2 * n))
    finite = np.asarray(np.isfinite(around).all(axis=inside))
    kept = np.where(_spread(finite, n), around, 0.0)
    other = np.real(along_powers(kept, n, lambda axis: whole if axis else half))
    off = np.abs(other - full).max(axis=inside)
    same = np.asarray(finite & (off <= AGREEING * np.maximum(level, ROUND_OFF * largest)))
    size = EXACT * np.abs(kept).max(axis=inside)
    full = np.where(_spread(same, n), other, full)
    return full, np.where(same, size, level), np.where(same, 1.0 / RADIUS, 1.0)


def _spread(cells: np.ndarray, n: int) -> np.ndarray:
    """With n axes of length one behind those of the cells."""
    return cells.reshape(cells.shape + (1,) * n)


def _by_degree(full: np.ndarray, axis: int, n: int) -> np.ndarray:
    """The largest |coefficient| of each degree along an axis, (cells_1, …, cells_n, degrees)."""
    return np.abs(np.moveaxis(full, n + axis, -1)).max(axis=tuple(range(n, 2 * n - 1)), initial=0.0)


def half_powers(b: np.ndarray, axis: int, n: int) -> np.ndarray:
    """rᵏ for k = 0 … 3, with r half the cells' widths along an axis; shaped as (4, cells_1, …, cells_n)."""
    powers = (0.5 * np.diff(b)) ** np.arange(DERIVATIVES + 1)[:, None]
    return powers.reshape([DERIVATIVES + 1] + [-1 if i == axis else 1 for i in range(n)])


def _errors(row: np.ndarray, round_off: np.ndarray, powers: np.ndarray, order: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each derivative in each cell: by the degrees that are not kept, and by round-off."""
    own = np.where(row > ABOVE * round_off, row, 0.0)[..., order:]
    missing = np.moveaxis(own @ end_derivatives(order, order + EXTRA).T, -1, 0)
    noise = np.sqrt(np.moveaxis(round_off[..., :order] ** 2 @ end_derivatives(0, order).T ** 2, -1, 0))
    return missing / powers, noise / powers
