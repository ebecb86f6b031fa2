"""Knot vectors: how they are made, and what is refused in which words."""

import numpy as np
import pytest

from condyle.errors import BadKnots
from condyle.splines import (
    clamped_knots,
    even_knots,
    greville,
    periodic_knots,
    spline_knots,
    uniform_knots,
    validated_knots,
)


def test_uniform_knots_put_the_domain_where_asked():
    """Oracle: the domain is [t_{k-1}, t_n]."""
    knots = uniform_knots(count=7, order=4, start=2.0, spacing=0.5)
    assert len(knots) == 11 and knots[3] == 2.0 and knots[7] == 4.0
    assert np.allclose(np.diff(knots), 0.5)


def test_clamped_knots_repeat_their_ends():
    """Oracle: written out by hand."""
    assert clamped_knots([0, 1, 3], order=4).tolist() == [0, 0, 0, 0, 1, 3, 3, 3, 3]


def test_even_knots_are_clamped_with_equal_spans():
    """Oracle: written by hand; one knot more than order and control points."""
    assert even_knots(1.0, 3.0, 6, 3).tolist() == [1, 1, 1, 1.5, 2, 2.5, 3, 3, 3]


def test_default_knots_are_clamped_with_unit_spans():
    """Oracle: the docstring's rule, written out."""
    assert spline_knots(None, 6, 4, periodic=False).tolist() == [0, 0, 0, 0, 1, 2, 3, 3, 3, 3]


def test_periodic_knots_repeat_the_spans():
    """Oracle: the steps between knots repeat after one period, even with more than one turn on each side."""
    breaks = np.array([0.0, 1.0, 1.5, 4.0])
    knots = periodic_knots(breaks, order=6)
    assert len(knots) == 3 + 2 * 6 - 1
    assert np.array_equal(knots[5:9], breaks)
    assert np.allclose(np.diff(knots)[3:], np.diff(knots)[:-3])


def test_greville_abscissae_make_the_straight_line():
    """Oracle: controls at the Greville abscissae reproduce φ = q (Marsden's identity), by scipy."""
    from scipy.interpolate import BSpline

    knots = np.array([0, 0, 0, 0, 1, 2.5, 2.5, 4, 5, 5, 5, 5.0])
    q = np.linspace(0, 5, 31)
    assert np.abs(BSpline(knots, greville(knots, 4), 3)(q) - q).max() < 1e-14


@pytest.mark.parametrize(
    ("knots", "count", "order", "words"),
    [
        ([0, 0, 0, 0, 2, 1, 3, 3, 3, 3], 6, 4, "wire: knots must not fall, but knot 4 is 2 and knot 5 is 1"),
        ([0, 0, 0, 0, np.nan, 1, 3, 3, 3, 3], 6, 4, "wire: knot 4 is nan; knots must be finite"),
        ([0, 0, 0, 0, 1, 3, 3, 3, 3], 6, 4, "6 control points of order 4 need 10 knots in one list; got shape"),
        ([0, 0, 0, 1, 1, 1], 3, 4, "wire: order 4 needs at least 4 control points; got count = 3"),
        (
            [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2],
            7,
            4,
            "the knot 1 occurs 3 times, at most 2 are allowed for order 4: the spl",
        ),
        ([0, 0, 0, 0, 0, 1, 1, 1, 1], 5, 4, "the knot 0 occurs 5 times, at most 4 are allowed for order 4: control p"),
        ([0, 0, 0, 0, 0, 0, 0, 0], 4, 4, "wire: the domain between knots 3 and 4 is empty"),
        ([0, 0, 0, 0, 1, 1 + 1e-14, 2, 2, 2, 2], 6, 4, "are nearer than 1e-12 of the domain"),
        ([0, 1], 1, 1, "wire: the order must be at least 2; got order = 1"),
    ],
)
def test_bad_knots_are_refused_in_words(knots, count, order, words):
    """Oracle: the words themselves."""
    with pytest.raises(BadKnots) as trouble:
        validated_knots(knots, count, order, "wire")
    assert words in str(trouble.value)


@pytest.mark.parametrize(
    ("breaks", "count", "words"),
    [
        ([0, 1, 2], 3, "3 control points on a period need 4 breakpoints in one list; got shape = (3,)"),
        ([0, 1, 1, 2], 3, "the breakpoints of a period must rise; got equal = [1.0]"),
        ([0, 1, 2], 2, "a periodic spline needs at least 3 control points; got count = 2"),
        ([0, 1, np.inf, 2], 3, "knot 2 is inf"),
    ],
)
def test_bad_periods_are_refused_in_words(breaks, count, words):
    """Oracle: the words themselves."""
    with pytest.raises(BadKnots) as trouble:
        spline_knots(breaks, count, 4, periodic=True, what="wire")
    assert words in str(trouble.value)


def test_too_few_breakpoints_are_refused_in_words():
    """Oracle: the words themselves."""
    with pytest.raises(BadKnots, match="clamped knots need a list of two or more breakpoints"):
        clamped_knots([1.0], order=4)
