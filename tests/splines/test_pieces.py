"""Polynomial pieces of B-splines against scipy and against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import BSpline, NdBSpline

from condyle.splines import (
    basis_pieces,
    cumulative_pieces,
    locate_rows,
    row_centers,
    spline_pieces,
    uniform_knots,
    validated_knots,
)


def values(breaks, pieces, q, derivative=0):
    """The pieces at q by the rule of the rows, powers last."""
    rows = locate_rows(breaks, q)
    u = q - row_centers(breaks)[rows]
    polynomials = np.array([np.polynomial.polynomial.polyder(p, derivative) for p in pieces])
    return (polynomials[rows] * u[:, None] ** np.arange(polynomials.shape[1])).sum(axis=1)


@st.composite
def knot_vectors(draw):
    """Order, valid non-uniform knots (multiple inside, clamped or not at the ends) and the number of controls."""
    order = draw(st.integers(3, 7))
    inner = draw(st.lists(st.integers(1, order - 2), min_size=0, max_size=5))
    steps = draw(st.lists(st.floats(0.05, 3.0), min_size=len(inner) + 1, max_size=len(inner) + 1))
    breaks = np.concatenate([[-1.3], -1.3 + np.cumsum(steps)])
    ends = draw(st.sampled_from([0.0, 0.4]))
    below, above = breaks[0] - ends * np.arange(order - 1, 0, -1), breaks[-1] + ends * np.arange(1, order)
    knots = np.concatenate([below, breaks[:1], np.repeat(breaks[1:-1], inner), breaks[-1:], above])
    return order, knots, len(knots) - order


@settings(max_examples=60, derandomize=True, deadline=None)
@given(knot_vectors(), st.integers(0, 2**32 - 1))
def test_pieces_are_the_spline(case, seed):
    """Oracle: scipy's BSpline and its first two derivatives."""
    order, knots, count = case
    controls = np.random.default_rng(seed).normal(size=count)
    basis = basis_pieces(validated_knots(knots, count, order), order)
    pieces = spline_pieces((basis,), controls)
    q = np.linspace(basis.breaks[0], basis.breaks[-1], 53)[1:-1]
    q = q[np.abs(q[:, None] - basis.breaks).min(axis=1) > 1e-9]
    reference = BSpline(knots, controls, order - 1)
    for derivative in range(3):
        expected = reference.derivative(derivative)(q) if derivative else reference(q)
        assert np.abs(values(basis.breaks, pieces, q, derivative) - expected).max() <= 1e-12 * (
            1 + np.abs(expected).max()
        )


def test_pieces_are_exact_at_fractions():
    """Oracle: the recursion of the basis in exact fractions."""
    knots, order = np.array([0, 0, 0, 0, 0.5, 0.75, 2, 2.5, 2.5, 2.5, 2.5]), 4
    basis = basis_pieces(knots, order)
    for q in (0.0, 0.125, 0.625, 1.375, 2.25):
        row = int(locate_rows(basis.breaks, q))
        got = basis.table[row] @ (q - row_centers(basis.breaks)[row]) ** np.arange(order)
        exact = [
            exact_basis([Fraction(t) for t in knots], basis.first[row] + l, order, Fraction(q)) for l in range(order)
        ]
        assert np.abs(got - np.array(exact, float)).max() < 4e-16


def exact_basis(t, i, k, q):
    """B_{i,k}(q) by Cox-de Boor, in whatever numbers it is given."""
    if k == 1:
        return Fraction(int(t[i] <= q < t[i + 1]))
    up = (q - t[i]) / (t[i + k - 1] - t[i]) * exact_basis(t, i, k - 1, q) if t[i + k - 1] > t[i] else 0
    down = (t[i + k] - q) / (t[i + k] - t[i + 1]) * exact_basis(t, i + 1, k - 1, q) if t[i + k] > t[i + 1] else 0
    return up + down


@pytest.mark.parametrize("order", [3, 4, 5, 6])
def test_cumulative_weights_are_sums_of_basis_functions(order):
    """Oracle: [LeeTerzopoulos2008, eq. 22] with scipy's basis functions."""
    knots = np.sort(np.random.default_rng(order).uniform(0, 10, 9 + order))
    basis = cumulative_pieces(knots, order)
    for row in range(1, len(basis.breaks)):
        q = np.linspace(basis.breaks[row - 1], basis.breaks[row], 7)[:-1]
        u = q - row_centers(basis.breaks)[row]
        for l in range(order):
            weights = np.zeros(9)
            weights[basis.first[row] + l :] = 1.0
            got = u[:, None] ** np.arange(order) @ basis.table[row, l]
            assert np.abs(got - BSpline(knots, weights, order - 1)(q)).max() < 1e-14


def test_uniform_cubic_weights_are_the_closed_form():
    """Oracle: 5/6 + u/2 − u²/2 + u³/6, 1/6 + u/2 + u²/2 − u³/3, u³/6 for u from the left end of the span."""
    basis = cumulative_pieces(uniform_knots(8, 4), 4)
    closed = [[5 / 6, 1 / 2, -1 / 2, 1 / 6], [1 / 6, 1 / 2, 1 / 2, -1 / 3], [0, 0, 0, 1 / 6]]
    s = np.linspace(0, 1, 9)
    for row in range(1, 6):
        for l in range(3):
            got = (s - 0.5)[:, None] ** np.arange(4) @ basis.table[row, l + 1]
            assert np.abs(got - np.polynomial.polynomial.polyval(s, closed[l])).max() < 2e-16


def test_last_knot_belongs_to_the_last_span():
    """Oracle: the rule of `Grid`: right span at a breakpoint, last span at the last one, continuations beyond."""
    rows = locate_rows(np.array([0.0, 1.0, 2.0]), np.array([-0.1, 0.0, 0.5, 1.0, 2.0, 2.1]))
    assert rows.tolist() == [0, 1, 1, 2, 2, 3]


def test_outside_the_domain_the_spline_goes_on_straight():
    """Oracle: the tangent at the end, by scipy."""
    knots = np.array([0, 0, 0, 0, 1, 1.7, 3, 3, 3, 3.0])
    controls = np.array([0.3, -1, 2, 0.5, 1, 4])
    basis, reference = basis_pieces(knots, 4), BSpline(knots, controls, 3)
    q = np.array([-5.0, -0.1, 3.1, 40.0])
    end = np.clip(q, 0, 3)
    expected = reference(end) + reference.derivative()(end) * (q - end)
    assert np.abs(values(basis.breaks, spline_pieces((basis,), controls), q) - expected).max() < 1e-12


def test_tensor_pieces_are_the_tensor_spline():
    """Oracle: scipy's NdBSpline with three coordinates of different orders."""
    rng = np.random.default_rng(3)
    orders = (3, 4, 5)
    knots = tuple(np.sort(rng.uniform(0, 4, 6 + k)) for k in orders)
    controls = rng.normal(size=(6, 6, 6))
    bases = tuple(basis_pieces(t, k) for t, k in zip(knots, orders, strict=True))
    pieces = spline_pieces(bases, controls)
    q = np.stack([rng.uniform(b.breaks[0], b.breaks[-1], 40) for b in bases], axis=-1)
    rows = [locate_rows(b.breaks, q[:, i]) for i, b in enumerate(bases)]
    powers = [
        (q[:, i] - row_centers(b.breaks)[rows[i]])[:, None] ** np.arange(k)
        for i, (b, k) in enumerate(zip(bases, orders, strict=True))
    ]
    got = np.einsum("nabc,na,nb,nc->n", pieces[tuple(rows)], *powers)
    assert np.abs(got - NdBSpline(knots, controls, [k - 1 for k in orders])(q)).max() < 1e-13
