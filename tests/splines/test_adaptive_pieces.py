"""Functions compiled to pieces: the stated error holds, the joins are C1, kinks and NaN are named with their place."""

import numpy as np
import pytest

from condyle.errors import NotConverged, NotFinite
from condyle.splines import interpolate, locate_rows, row_centers


def on_rows(pieces, q, derivative=0, side="right"):
    """One-coordinate pieces at q; side says which row a breakpoint takes."""
    breaks = pieces.breaks[0]
    rows = locate_rows(breaks, q) if side == "right" else np.searchsorted(breaks, q, side="left")
    table = np.array([np.polynomial.polynomial.polyder(p, derivative) for p in pieces.table])[rows]
    u = q - row_centers(breaks)[rows]
    return (table * u[:, None] ** np.arange(table.shape[1])).sum(axis=1)


@pytest.mark.parametrize("order", [4, 8, 12])
def test_pieces_keep_to_the_tolerance_everywhere(order):
    """Oracle: the function itself at random points that no grid knows."""

    def f(q):
        return np.exp(np.sin(3 * q)) + q**2

    pieces = interpolate(lambda p: f(p[:, 0]), (np.array([-1.0, 2.0]),), order, 1e-10)
    q = np.random.default_rng(0).uniform(-1, 2, 5000)
    assert np.abs(on_rows(pieces, q) - f(q)).max() <= 1.5e-10 * f(q).max()
    assert pieces.error <= 1e-10


def test_pieces_join_with_equal_values_and_slopes():
    """Oracle: one-sided values at the breakpoints, and the tangents beyond the ends."""
    pieces = interpolate(lambda p: np.tanh(4 * p[:, 0]), (np.array([-1.0, 2.0]),), 6, 1e-9)
    inner = pieces.breaks[0]
    for derivative, tolerance in ((0, 1e-14), (1, 1e-12)):
        jump = on_rows(pieces, inner, derivative) - on_rows(pieces, inner, derivative, side="left")
        assert np.abs(jump).max() < tolerance


def test_periodic_pieces_close():
    """Oracle: value and slope at both ends."""
    pieces = interpolate(lambda p: np.exp(np.cos(p[:, 0])), (np.array([0.0, 2 * np.pi]),), 8, 1e-10, (True,))
    ends = np.array([0.0, 2 * np.pi])
    for derivative in (0, 1):
        first, last = on_rows(pieces, ends, derivative)
        assert abs(first - last) < 1e-13


def test_polynomials_need_one_piece():
    """Oracle: a polynomial of degree 5 is stored by six powers, though eight are allowed."""
    pieces = interpolate(lambda p: 1 + p[:, 0] ** 5, (np.array([-1.0, 1.0]),), 8, 1e-13)
    assert pieces.table.shape == (3, 6)


def test_two_coordinates_are_split_where_needed():
    """Oracle: the function at random points; it is linear in the second coordinate, which stays whole."""

    def f(x, y):
        return np.sin(5 * x) * (1 + y)

    pieces = interpolate(lambda p: f(*p.T), (np.array([0.0, 2.0]), np.array([0.0, 1.0])), 8, 1e-11)
    assert len(pieces.breaks[1]) == 2
    q = np.random.default_rng(1).uniform((0, 0), (2, 1), (500, 2))
    rows = [locate_rows(b, q[:, i]) for i, b in enumerate(pieces.breaks)]
    u = [q[:, i] - row_centers(b)[rows[i]] for i, b in enumerate(pieces.breaks)]
    powers = [x[:, None] ** np.arange(n) for x, n in zip(u, pieces.table.shape[2:], strict=True)]
    got = np.einsum("nab,na,nb->n", pieces.table[tuple(rows)], *powers)
    assert np.abs(got - f(*q.T)).max() < 2e-11


@pytest.mark.parametrize("kink", [0.3, 0.5])
def test_a_kink_is_named_with_its_place(kink):
    """Oracle: the words; the kink at 0.5 falls on a breakpoint and must not hide there."""
    with pytest.raises(NotConverged) as trouble:
        interpolate(lambda p: np.abs(p[:, 0] - kink), (np.array([0.0, 1.0]),), what="cam")
    assert "cam: the error is still" in str(trouble.value) and f"near q = {kink}" in str(trouble.value)
    assert "kink" in str(trouble.value)


def test_a_nan_is_named_with_its_place():
    """Oracle: the words."""
    with pytest.raises(NotFinite, match=r"cam: the value at q = \(0\..*, 0\..*\) is nan; it must be finite"):
        interpolate(lambda p: np.where(p[:, 0] > 0.5, np.nan, 1.0), (np.array([0.0, 1.0]),) * 2, what="cam")
