"""Screw axes of joints, and the axodes that they sweep."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadShape, UnknownName
from condyle.joints import screw_axes
from condyle.joints.functions import linear


def test_axodes_of_a_rolling_wheel_are_the_ground_and_the_rim():
    """Oracle: closed form: a rolling wheel turns about the touching point, which is a line there and a circle here."""
    r = 0.3
    wheel = cd.joints.product([(0, 0, 0, 1, 0, 0), (0, 0, 1, 0, 0, 0)], [linear(scale=r), linear(scale=-1)])
    q = np.linspace(-2, 2, 9)
    fixed, moving = screw_axes(wheel, q), screw_axes(wheel, q, frame="child")
    assert np.abs(fixed.point - np.column_stack([r * q, 0 * q - r, 0 * q])).max() < 1e-15
    assert np.abs(np.linalg.norm(moving.point, axis=1) - r).max() < 1e-15
    assert fixed.direction == pytest.approx(np.tile([0, 0, -1.0], (9, 1)))
    assert fixed.rate == pytest.approx(np.ones(9)) and np.abs(fixed.pitch).max() < 1e-15
    assert fixed.swept(0.1).shape == (9, 2, 3)


def test_axes_of_a_curve_by_differences_of_its_poses():
    """Oracle: finite screws between neighbouring poses of a spline, which only need poses."""
    rng = np.random.default_rng(0)
    joint = cd.joints.spline_curve(cd.SE3.exp(np.cumsum(0.3 * rng.normal(size=(8, 6)), axis=0)))
    q, h = np.array([0.7, 2.2, 3.9]), 1e-5
    G = [joint.pose(q[:, None] + k * h).as_matrix() for k in (-1, 1)]
    axes = screw_axes(joint, q)
    for k in range(3):
        rate = (G[1][k] - G[0][k]) / (2 * h) @ np.linalg.inv(0.5 * (G[0][k] + G[1][k]))
        on_axis = np.append(axes.point[k], 1.0)
        assert rate[:3] @ on_axis == pytest.approx(axes.pitch[k] * axes.rate[k] * axes.direction[k], abs=1e-8)


def test_what_has_no_axis_or_no_way_is_said():
    """Oracle: NaN for a translation; the words."""
    assert np.isnan(screw_axes(cd.joints.prismatic("x"), [0.1]).direction).all()
    with pytest.raises(BadShape, match="needs v of 2 numbers"):
        screw_axes(cd.joints.universal("x", "y"), [[0.1, 0.2]])
    with pytest.raises(UnknownName, match="Did you mean 'child'"):
        screw_axes(cd.joints.revolute("x"), [0.1], frame="chld")
    assert screw_axes(cd.joints.universal("x", "y"), [[0.1, 0.2]], [0.0, 2.0]).rate == pytest.approx([2.0])
