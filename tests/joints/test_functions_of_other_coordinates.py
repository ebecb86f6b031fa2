"""Functions that only change which coordinate is read, and functions with kinks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import BSpline, make_interp_spline

import condyle as cd
from condyle.errors import BadKnots, BadShape

F = cd.functions


@pytest.mark.parametrize(
    "f",
    [F.spline(None, [0.0, 1.0, -1.0, 2.0, 0.5]), F.sinusoid(2.0, 3.0, 0.1), F.ellipse_angle(1.0, 2.0),
     F.polynomial([1, 2, 3]), F.spline(None, [0.0, 1.0, 3.0, 2.0], periodic=True),
     F.linear(0) + F.polynomial([0, 0, 1])],
    ids=repr,
)  # fmt: skip
def test_a_function_of_another_coordinate_is_the_same_function(f):
    """Oracle: its values; inside a joint, the joint of the function with its coordinates renamed."""
    g = f(F.linear(1))
    assert g.coordinates == (1,)
    q = np.linspace(-3, 7, 41)
    assert_allclose(g(q), f(q), rtol=1e-14, atol=1e-15)
    along = [(0, 0, 0, 1, 0, 0), (0, 0, 1, 0, 0, 0)]
    moved = cd.joints.product(along, [F.linear(0), g]).pose([0.3, 0.7])
    swapped = cd.joints.product(along, [F.linear(1), f]).pose([0.7, 0.3])
    assert_allclose(moved, swapped, atol=1e-15)


def test_a_product_of_splines_of_two_coordinates_needs_no_domain():
    """Oracle: the product of scipy's splines."""
    y = np.array([0.0, 1.0, -1.0, 2.0, 0.5])
    f = F.spline(np.r_[[0.0] * 4, 1.0, [2.0] * 4], y)
    x, z = np.meshgrid(np.linspace(0, 2, 9), np.linspace(0, 2, 7))
    expected = BSpline(np.r_[[0.0] * 4, 1.0, [2.0] * 4], y, 3)
    assert_allclose((f * f(F.linear(1)))(x, z), expected(x) * expected(z), atol=1e-13)


def test_piecewise_linear_is_what_numpy_interpolates():
    """Oracle: numpy's interp inside, scipy's spline of degree one outside."""
    x, y = np.array([-1.0, 0.0, 0.5, 3.0]), np.array([2.0, -1.0, 0.0, 0.5])
    f, q = F.piecewise_linear(x, y), np.linspace(-2, 4, 61)
    inside = (q >= -1) & (q <= 3)
    assert_allclose(f(q[inside]), np.interp(q[inside], x, y), atol=1e-14)
    assert_allclose(f(q), make_interp_spline(x, y, k=1)(q), atol=1e-14)
    assert F.piecewise_linear(x, y, coordinate=2).coordinates == (2,)


@pytest.mark.parametrize(
    "f",
    [F.piecewise_linear([0, 1, 2], [0, 1, 0]), F.spline(None, [0.0, 1.0, 0.5], order=2),
     F.spline(None, [0.0, 1.0, 0.5], order=2, periodic=True),
     F.linear() + 2 * F.piecewise_linear([0, 1, 2], [0, 1, 0])],
    ids=["points", "order 2", "periodic", "in a sum"],
)  # fmt: skip
def test_a_joint_refuses_a_function_with_kinks(f):
    """Oracle: the class, the joint and the number of the function."""
    with pytest.raises(BadKnots, match="product: function 1 is piecewise linear"):
        cd.joints.product([(0, 0, 0, 1, 0, 0), (0, 0, 1, 0, 0, 0)], [F.linear(), f])


def test_a_straight_line_of_order_two_has_no_kink():
    """Oracle: the prismatic joint."""
    line = F.spline([0.0, 0.0, 2.0, 2.0], [1.0, 5.0], order=2)
    joint = cd.joints.product([(0, 0, 0, 1, 0, 0)], [line])
    assert_allclose(joint.pose(0.5)[0, 3], 2.0, atol=1e-15)


@pytest.mark.parametrize(
    ("points", "values", "error"),
    [([0, 1, 1], [0, 1, 2], BadKnots), ([0, 2, 1], [0, 1, 2], BadKnots), ([0], [0], BadKnots),
     ([0, np.nan], [0, 1], BadKnots), ([0, 1, 2], [0, 1], (BadKnots, BadShape))],
)  # fmt: skip
def test_bad_points_are_refused(points, values, error):
    """Oracle: the class."""
    with pytest.raises(error):
        F.piecewise_linear(points, values)
