"""Scalar functions against numpy, scipy and themselves before compilation."""

import math

import numpy as np
import pytest
from scipy.interpolate import BSpline, NdBSpline

import condyle as cd
from condyle.errors import BadKnots, BadShape, BadValue, NotConverged, NotFinite, NotSupported
from condyle.joints import functions as fn
from condyle.joints.functions.values import term_values
from condyle.joints.segments import Grid, Term

q = np.linspace(-2.5, 2.5, 41)
knots = np.array([0, 0, 0, 0, 0.4, 1.1, 2, 2, 2, 2.0])
controls = np.array([0.1, 0.8, -0.5, 0.3, 1.0, 0.6])


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (fn.constant(3.5), lambda q: 3.5 + 0 * q),
        (fn.linear(scale=2, offset=-1), lambda q: 2 * q - 1),
        (fn.polynomial([1, 0, -2, 0.5]), lambda q: 1 - 2 * q**2 + 0.5 * q**3),
        (fn.sinusoid(2, 3, 0.4, -1), lambda q: 2 * np.sin(3 * q + 0.4) - 1),
        (fn.sinusoid(2, phase="cos"), lambda q: 2 * np.cos(q)),
        (-fn.sinusoid(2) * 0.5 + 1, lambda q: 1 - np.sin(q)),
        (2 - fn.linear(), lambda q: 2 - q),
        (fn.polynomial([1, 1]) * fn.polynomial([1, -1]), lambda q: 1 - q**2),
        (fn.linear(scale=2, offset=1)(fn.sinusoid(1)), lambda q: 1 + 2 * np.sin(q)),
    ],
)
def test_closed_forms_are_what_they_say(function, expected):
    """Oracle: numpy."""
    assert np.abs(function(q) - expected(q)).max() < 1e-14


def test_ellipse_angle_is_continued_past_half_a_turn():
    """Oracle: numpy's unwrapped atan2."""
    x = np.linspace(-15, 15, 2001)
    expected = np.unwrap(np.arctan2(0.6 * np.sin(x), 1.7 * np.cos(x)))
    expected += fn.ellipse_angle(1.7, 0.6)(x[1000]) - expected[1000]
    assert np.abs(fn.ellipse_angle(1.7, 0.6)(x) - expected).max() < 1e-13


def test_spline_function_is_the_spline():
    """Oracle: scipy inside; its tangent outside."""
    reference = BSpline(knots, controls, 3)
    x = np.linspace(0, 2, 33)
    assert np.abs(fn.spline(knots, controls)(x) - reference(x)).max() < 1e-14
    assert abs(fn.spline(knots, controls)(2.5) - (reference(2.0) + 0.5 * reference.derivative()(2.0))) < 1e-13


def test_periodic_spline_repeats():
    """Oracle: scipy's BSpline on knots continued by hand, and the next period."""
    breaks, c = np.array([0.0, 1, 1.5, 3, 4]), np.array([0.3, -1, 2, 0.5])
    f = fn.spline(breaks, c, periodic=True)
    full = np.concatenate([breaks[1:4] - 4, breaks, breaks[1:4] + 4])
    x = np.linspace(0, 4, 29)[:-1]
    assert np.abs(f(x) - BSpline(full, np.append(c, c[:3]), 3)(x)).max() < 1e-14
    assert np.abs(f(x) - f(x - 8)).max() < 1e-13


def test_tensor_spline_function_is_the_tensor_spline():
    """Oracle: scipy's NdBSpline."""
    rng = np.random.default_rng(0)
    c = rng.normal(size=(6, 6))
    f = fn.spline((knots, knots), c, coordinates=(1, 0))
    x, y = rng.uniform(0, 2, (2, 30))
    assert f.coordinates == (1, 0)
    assert np.abs(f(x, y) - NdBSpline((knots, knots), c, 3)(np.stack([x, y], -1))).max() < 1e-13


@pytest.mark.parametrize("index", range(6))
def test_cumulative_function_is_a_sum_of_basis_functions(index):
    """Oracle: scipy."""
    x = np.linspace(0, 2, 33)
    weights = (np.arange(6) >= index).astype(float)
    assert np.abs(fn.cumulative(knots, index)(x) - BSpline(knots, weights, 3)(x)).max() < 1e-14


def test_products_of_different_coordinates_are_exact():
    """Oracle: the two values multiplied."""
    f, g = fn.spline(knots, controls), 2 * fn.spline(knots, controls[::-1], coordinate=1)
    both = f * g
    x, y = np.meshgrid(np.linspace(-1, 3, 9), np.linspace(-1, 3, 9))
    assert both.error == 0.0
    assert np.abs(both(x, y) - f(x) * g(y)).max() < 1e-13


def test_products_and_compositions_are_compiled_to_their_stated_error():
    """Oracle: the values before compilation, off the grid."""
    f = fn.spline(knots, controls)
    x = np.random.default_rng(1).uniform(0, 2, 500)
    for made, expected in (
        (fn.sinusoid(1.3, 2) * f, 1.3 * np.sin(2 * x) * f(x)),
        (fn.sinusoid(1, 2)(f), np.sin(2 * f(x))),
        (f(fn.from_callable(lambda x: 1 + np.cos(x), (0, 2))), f(1 + np.cos(x))),
        (fn.product(fn.sinusoid(1), fn.sinusoid(1), {0: (0, 2)}), np.sin(x) ** 2),
        (fn.composition(fn.sinusoid(1), fn.polynomial([0, 0, 1]), {0: (0, 2)}), np.sin(x**2)),
        (f(f + 0.3), f(f(x) + 0.3)),
    ):
        assert 0 < made.error <= 1e-12 and f"error {made.error:.1e}" in repr(made)
        assert np.abs(made(x) - expected).max() < 3e-12


def test_products_of_pieces_of_one_coordinate_are_exact():
    """Oracle: Leibniz's rule; a tangent beyond the ends; what has too many powers is compiled."""
    f, g = fn.spline(knots, controls), 2 * fn.spline([0, 0, 0, 0, 0.7, 1.5, 2, 2, 2, 2.0], controls[::-1])
    x = np.random.default_rng(4).uniform(0, 2, 200)
    for other in (g, f, fn.polynomial([0.3, -1, 0.2])):
        both = f * other
        curved = [f.derivative(x, order=k) * other.derivative(x, order=2 - k) for k in range(3)]
        assert both.error == 0.0 and np.abs(both(x) - f(x) * other(x)).max() < 1e-14
        assert np.abs(both.derivative(x, order=2) - np.dot([1, 2, 1], curved)).max() < 3e-12
        assert abs(both(2.5) - both(2.0) - 0.5 * both.derivative(2.0)) < 1e-13
    assert ((f * f) * (f * f)).error == 0.0 and 0.0 < ((f * f) * (f * f) * (f * f)).error <= 1e-12


def test_products_of_periodic_functions_stay_periodic():
    """Oracle: the value one period on."""
    f = fn.spline(None, [0.3, -1, 2, 0.5], periodic=True)
    assert abs((f * f)(0.7) - (f * f)(4.7)) < 1e-13 and (f * f).grid.periodic == (True,)


@pytest.mark.parametrize("plain", [False, True])
def test_callables_work_with_arrays_and_without(plain):
    """Oracle: the callable itself, written for arrays or for single numbers only."""
    f = fn.from_callable((lambda x: math.exp(-x) if x > 0 else 1 - x) if plain else (lambda x: np.exp(-x)), (0.0, 2.0))
    x = np.random.default_rng(2).uniform(0, 2, 200)
    assert np.abs(f(x) - np.exp(-x)).max() < 1.5e-12
    assert f.error <= 1e-12 and "pieces of order 16, error" in repr(f)


def test_callables_of_several_coordinates():
    """Oracle: the callable itself."""
    f = fn.from_callable(lambda x, y: x * np.sin(y), ((0, 1), (-1, 2)), (0, 2))
    x, y = np.random.default_rng(3).uniform((0, -1), (1, 2), (100, 2)).T
    assert f.coordinates == (0, 2) and np.abs(f(x, y) - x * np.sin(y)).max() < 3e-12


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: fn.from_callable(lambda x: abs(x - 0.3), (0, 1)), NotConverged, "<lambda>: the error is still"),
        (lambda: fn.from_callable(lambda x: np.nan * x, (0, 1)), NotFinite, "<lambda>: the value at q = 0."),
        (
            lambda: fn.from_callable(np.sin, (1, 0)),
            BadValue,
            "from_callable: low < high, both finite; got domain = (1, 0)",
        ),
        (
            lambda: fn.from_callable(np.sin, (0,)),
            BadShape,
            "from_callable: the domain must be (low, high) for each of 1",
        ),
        (
            lambda: fn.from_callable(3, (0, 1)),
            BadValue,
            "from_callable: the first argument must be a function; got argument = 'int'",
        ),
        (
            lambda: fn.from_callable(lambda x: "a", (0, 1)),
            BadShape,
            "<lambda> must return one real number; got value = 'a'",
        ),
        (lambda: fn.from_callable(np.sin, (0, 1), order=40), BadValue, "the order of the pieces must be 4 … 16"),
        (
            lambda: fn.from_callable(np.sin, (0, 1), tolerance=0),
            BadValue,
            "from_callable: the tolerance must be positive",
        ),
        (lambda: fn.sinusoid(1) * fn.sinusoid(1), NotSupported, "coordinate 0 has no domain to make pieces on. Say it"),
        (
            lambda: fn.sinusoid(1, phase="tan"),
            BadValue,
            "the phase is a number [rad], 'sin' or 'cos'; got phase = 'tan'",
        ),
        (lambda: fn.ellipse_angle(1, 0), BadValue, "an ellipse needs positive semi-axes; got a = 1.0, b = 0.0"),
        (lambda: fn.ellipse_angle("1", 2), BadShape, "ellipse_angle: a must be one real number; got text"),
        (lambda: fn.sinusoid("0.1"), BadShape, "sinusoid: the amplitude must be one real number; got text"),
        (lambda: fn.sinusoid(1, [1, 2]), BadShape, "sinusoid: the frequency must be one number; got shape = (2,)"),
        (lambda: fn.linear(scale=None), BadShape, "linear: the scale must be one real number"),
        (lambda: fn.constant(np.nan), NotFinite, "constant: the value must be finite; got value = nan"),
        (lambda: term_values(Grid(), Term(99, (0,), np.ones((1, 1))), q[:, None]), BadValue, "got code = 99"),
        (
            lambda: fn.polynomial([1, np.inf]),
            NotFinite,
            "a function needs finite constants; got constants = [1.0, inf]",
        ),
        (lambda: fn.polynomial([[1]]), BadShape, "a polynomial takes one list of coefficients; got shape = (1, 1)"),
        (lambda: fn.linear()(1, 2), BadShape, "a function of 1 coordinates takes 1 arguments; got given = 2"),
        (
            lambda: fn.spline(knots[1:], controls),
            BadKnots,
            "spline function: 6 control points of order 4 need 10 knots",
        ),
        (lambda: fn.spline(knots, np.full(6, np.nan)), NotFinite, "spline function: the controls must be finite"),
        (
            lambda: fn.spline(knots, np.eye(6)),
            BadShape,
            "2 coordinates need a tuple of 2 knot arrays; got knots = 'ndar",
        ),
        (lambda: fn.spline((knots, knots[1:]), np.eye(6)), BadKnots, "spline function, coordinate 1: 6 control points"),
        (
            lambda: fn.linear("x"),
            BadValue,
            "a function's coordinates are different numbers 0, 1, …; got coordinates = ('x',",
        ),
        (lambda: fn.spline((knots, knots), np.eye(6), coordinates=(1, 1)), BadValue, "got coordinates = (1, 1)"),
        (lambda: fn.linear() * np.nan, NotFinite, "a function can be multiplied by finite numbers only; got by = nan"),
        (lambda: fn.cumulative(knots, 6), BadValue, "cumulative: the index must be 0 … 5; got index = 6"),
        (
            lambda: fn.spline((knots, knots), np.eye(6))(fn.linear()),
            BadValue,
            "only a function of one coordinate can be",
        ),
        (
            lambda: fn.spline(knots, controls) * fn.spline(knots + 5, controls),
            BadValue,
            "the domains on coordinate 0 do not overlap; got low = 5.0, high = 2.0",
        ),
    ],
)
def test_bad_functions_are_refused_in_words(make, error, words):
    """Oracle: the words themselves."""
    with pytest.raises(error) as trouble:
        make()
    assert words in str(trouble.value)


@pytest.mark.parametrize("order", [0, 1, 2, 3, 5])
def test_derivatives_of_closed_forms(order):
    """Oracle: numpy's polynomials; the sinusoid written out; 50 digits of mpmath for the ellipse's angle."""
    import mpmath

    p = np.polynomial.Polynomial([1, 0, -2, 0.5, 0.3])
    assert np.abs(fn.polynomial(p.coef).derivative(q, order=order) - p.deriv(order)(q)).max() < 1e-12
    wave = 2 * 3.0**order * np.sin(3 * q + 0.4 + order * np.pi / 2) - (order == 0)
    assert np.abs(fn.sinusoid(2, 3, 0.4, -1).derivative(q, order=order) - wave).max() < 1e-11
    with mpmath.workdps(50):
        angle = lambda x: x + mpmath.atan(-1.1 * mpmath.sin(2 * x) / 2.3 / (1 + 1.1 / 2.3 * mpmath.cos(2 * x)))  # noqa: E731
        right = [float(mpmath.diff(angle, mpmath.mpf(float(x)), order)) for x in q[::8]]
    assert fn.ellipse_angle(1.7, 0.6).derivative(q[::8], order=order) == pytest.approx(right, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
def test_derivatives_of_a_spline(order):
    """Oracle: scipy inside, right of each knot; the tangent outside."""
    reference, f = BSpline(knots, controls, 3), fn.spline(knots, controls)
    x = np.array([0.0, 0.1, 0.4, 0.7, 1.1, 1.6, 1.99])
    right = reference(x, nu=order) if order < 4 else 0.0 * x
    assert f.derivative(x, order=order) == pytest.approx(right, abs=1e-11)
    assert f.derivative(2.5) == pytest.approx(float(reference.derivative()(2.0)), abs=1e-12)
    assert f.derivative(-0.5, order=2) == 0.0 and isinstance(f.derivative(2.5), float)


@pytest.mark.parametrize("orders", [(1, 0), (0, 1), (1, 1), (2, 1), (4, 0)])
def test_partial_derivatives_of_a_surface(orders):
    """Oracle: scipy's tensor splines."""
    rng = np.random.default_rng(0)
    c, other = rng.normal(size=(6, 5)), np.array([0, 0, 0, 0, 0.9, 2, 2, 2, 2.0])
    x, y = rng.uniform(0, 2, size=(2, 12))
    f = fn.spline((knots, other), c)
    right = NdBSpline((knots, other), c, 3)(np.stack([x, y], axis=-1), nu=orders)
    assert f.derivative(x, y, order=orders) == pytest.approx(right, abs=1e-10)
    assert (2.0 * f).derivative(x[0], y[0], order=orders) == pytest.approx(2.0 * right[0], abs=1e-10)


def test_derivatives_of_sums_products_and_compiled_functions():
    """Oracle: the rules of differentiation by hand, numpy's functions."""
    both = fn.polynomial([0, 0, 1]) + fn.sinusoid(1, coordinate=1) + 7
    assert both.derivative(0.5, 0.3, order=(1, 0)) == pytest.approx(1.0)
    assert both.derivative(0.5, 0.3, order=(0, 1)) == pytest.approx(np.cos(0.3))
    assert both.derivative(0.5, 0.3, order=(1, 1)) == 0.0
    x = np.linspace(0.1, 1.9, 7)
    f = fn.spline(knots, controls) * fn.sinusoid(1)
    s = BSpline(knots, controls, 3)
    assert f.derivative(x) == pytest.approx(s.derivative()(x) * np.sin(x) + s(x) * np.cos(x), abs=1e-8)
    assert fn.from_callable(np.exp, (0, 2)).derivative(x, order=2) == pytest.approx(np.exp(x), abs=1e-6)
    assert fn.constant(3.0).derivative(x).tolist() == [0.0] * 7 and fn.constant(3.0).derivative(1.0, order=0) == 3.0


@pytest.mark.parametrize(
    ("f", "x", "order"),
    [
        (fn.linear(), (1.0,), -1),
        (fn.linear(), (1.0,), 1.5),
        (fn.linear(), (1.0,), "first"),
        (fn.linear() + fn.linear(1), (1.0, 1.0), 1),
        (fn.linear() + fn.linear(1), (1.0, 1.0), (1, 0, 0)),
    ],
)
def test_an_order_that_is_none_is_refused(f, x, order):
    """Oracle: the class, and the order in the words."""
    with pytest.raises(BadValue, match="derivative: the order"):
        f.derivative(*x, order=order)


@pytest.mark.parametrize("count", [5, 7])
def test_functions_of_many_coordinates_are_refused_before_anything_is_sampled(count):
    """Oracle: the number of calls; a grid of samples along seven coordinates takes minutes."""
    calls = []
    with pytest.raises(cd.errors.NotSupported, match=f"at most 4 looked-up coordinates; got {count}"):
        cd.functions.from_callable(lambda *q: calls.append(q), [(0.0, 1.0)] * count, coordinates=range(count))
    assert not calls
    with pytest.raises(cd.errors.NotSupported, match="at most 4"):
        cd.functions.spline(None, np.zeros((4,) * count))
    with pytest.raises(cd.errors.NotSupported, match="at most 4"):
        cd.joints.spline_surface(np.zeros((*(4,) * count, 6)), [None] * count)
