"""B-splines as polynomial pieces, converted exactly by the recursion of the basis (never by fitting).

A *row* is a continuation below the domain, a span, or a continuation above; its polynomial is in u = q − centre, where
the centre is the middle of the span, or the end of the domain for a continuation (value + slope·u, so C1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Basis:
    """The non-zero basis functions of every row: B_{first + l}(q) = Σ_p table[row, l, p] u^p for l = 0 … order − 1."""

    breaks: np.ndarray  # (spans + 1,)
    first: np.ndarray  # (spans + 2,)
    table: np.ndarray  # (spans + 2, order, order)


def row_centers(breaks: np.ndarray) -> np.ndarray:
    """Where the local variable of each row is zero."""
    return np.concatenate([breaks[:1], 0.5 * (breaks[1:] + breaks[:-1]), breaks[-1:]])


def locate_rows(breaks: np.ndarray, q) -> np.ndarray:
    """The row of each q: a breakpoint belongs to the span on its right, the last one to the last span."""
    rows = np.searchsorted(breaks, q, side="right")
    return np.where(np.asarray(q) == breaks[-1], len(breaks) - 1, rows)


def basis_pieces(knots: np.ndarray, order: int) -> Basis:
    """All polynomial pieces of the basis functions on the domain of valid `knots`, and their continuations."""
    inside = np.arange(order - 1, len(knots) - order)
    spans = inside[knots[inside + 1] > knots[inside]]  # knot spans that are not empty
    breaks = np.append(knots[spans], knots[len(knots) - order])
    table = with_continuation(breaks, recursion(knots, order, spans))
    first = spans - order + 1
    return Basis(breaks, np.concatenate([first[:1], first, first[-1:]]), table)


def recursion(knots: np.ndarray, order: int, spans: np.ndarray) -> np.ndarray:
    """Cox-de Boor on polynomials: B_{i,k} = (q − t_i)/(t_{i+k−1} − t_i) B_{i,k−1} + (t_{i+k} − q)/(…) B_{i+1,k−1}.

    Shape (spans, order, order). Each of the k − 1 shares of a lower basis function is a number times (q − t), with
    q = centre + u; the shares that fall outside the span's own k functions do not exist.
    """
    center = 0.5 * (knots[spans] + knots[spans + 1])
    table = np.zeros((len(spans), order, order))
    table[:, 0, 0] = 1.0  # order 1: only B_j, kept at local index 0
    for k in range(2, order + 1):
        lower, table = table, np.zeros_like(table)
        for l in range(k - 1):  # B_{i,k−1} with i = j − k + 2 + l feeds B_{i−1,k} (index l) and B_{i,k} (index l + 1)
            i = spans - k + 2 + l
            share = lower[:, l] / (knots[i + k - 1] - knots[i])[:, None]
            rising = times_linear(share, center - knots[i])
            table[:, l + 1] += rising
            table[:, l] += lower[:, l] - rising
    return table


def times_linear(polynomial: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """(offset + u) · polynomial(u), without the power that cannot occur."""
    product = offset[:, None] * polynomial
    product[:, 1:] += polynomial[:, :-1]
    return product


def with_continuation(breaks: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Rows of value + slope·u before the first span and after the last one; powers are the last axis."""
    below = value_and_slope(table[0], -0.5 * (breaks[1] - breaks[0]))
    above = value_and_slope(table[-1], 0.5 * (breaks[-1] - breaks[-2]))
    return np.concatenate([below[None], table, above[None]])


def value_and_slope(polynomials: np.ndarray, u: float) -> np.ndarray:
    """The tangent at u as a polynomial of the same length about u."""
    power = np.arange(polynomials.shape[-1])
    tangent = np.zeros_like(polynomials)
    tangent[..., 0] = polynomials @ u**power
    if len(power) > 1:
        tangent[..., 1] = polynomials[..., 1:] @ (power[1:] * u ** power[:-1])
    return tangent


def cumulative_pieces(knots: np.ndarray, order: int) -> Basis:
    """The cumulative basis B̃_{first + l} = Σ_{i ≥ first + l} B_i, which on a row is 1 for l = 0.

    [LeeTerzopoulos2008, eq. 22]; the non-constant ones on span j are l = j − k + 2 … j, indices 1 … k − 1 of a row.
    """
    basis = basis_pieces(knots, order)
    table = np.flip(np.cumsum(np.flip(basis.table, axis=1), axis=1), axis=1)
    return Basis(basis.breaks, basis.first, table)


def spline_pieces(bases: tuple[Basis, ...], controls: np.ndarray) -> np.ndarray:
    """The pieces of a tensor-product spline, shape (rows_1, …, rows_n, order_1, …, order_n).

    `controls` has one axis for each basis. A curve is the case n = 1.
    """
    pieces = np.asarray(controls, float)
    for axis, basis in enumerate(bases):
        index = basis.first[:, None] + np.arange(basis.table.shape[1])
        local = np.take(pieces, index, axis=axis)  # … (rows, order) in place of the controls …
        local = np.moveaxis(local, (axis, axis + 1), (-2, -1))
        powers = np.einsum("...rl,rlp->...rp", local, basis.table)
        pieces = np.moveaxis(powers, -2, axis)  # row axis in place, the power axis stays last
    return pieces
