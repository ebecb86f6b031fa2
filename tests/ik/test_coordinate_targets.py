"""Targets of coordinates, limits by name, and motions that are followed in strides."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadValue, UnknownName


def arm(lengths=(1.0, 0.8)):
    b = cd.ModelBuilder()
    for k, _ in enumerate(lengths):
        place = cd.SE3.from_translation([lengths[k - 1], 0, 0]) if k else None
        inertia = cd.Inertia.point(1.0, (0.5, 0, 0))
        b.add_body(f"link{k}", f"link{k - 1}" if k else None, cd.joints.revolute("z"), inertia, placement=place)
        b.set_range(f"link{k}", -1.0, 1.0)
    return b.build()


def tip(q):
    """Where the end of the arm is: two lengths and two angles."""
    both = q[..., 0] + q[..., 1]
    x, y = np.cos(q[..., 0]) + 0.8 * np.cos(both), np.sin(q[..., 0]) + 0.8 * np.sin(both)
    return np.stack([x, y, 0 * x], axis=-1)


def test_a_coordinate_goes_to_its_value_where_nothing_else_is_asked():
    """Oracle: the values, of a batch, one of them NaN, which asks for nothing."""
    found = cd.ik.solve(arm(), [cd.ik.coordinate("link0", [0.3, np.nan, -0.2]), cd.ik.coordinate("link1", 0.5)])
    assert np.allclose(found.q, [[0.3, 0.5], [0.0, 0.5], [-0.2, 0.5]]) and found.reached.all()


def test_a_coordinate_and_a_place_share_by_their_weights():
    """Oracle: a slider drawn to 1 and to 0 by weights a and b stands at a² / (a² + b²)."""
    rod = cd.Inertia.point(1.0, (0, 0, 0))
    model = cd.ModelBuilder().add_body("car", joint=cd.joints.prismatic("x"), inertia=rod).build()
    wanted = [cd.ik.position("car", [1.0, 0, 0], weight=2.0), cd.ik.coordinate("car", 0.0, weight=[1.0, 0.0])]
    assert np.allclose(cd.ik.solve(model, wanted).q[:, 0], [0.8, 1.0], atol=1e-8)


def test_limits_hold_the_coordinates_that_are_named():
    """Oracle: the ranges; targets beyond them."""
    wanted = [cd.ik.coordinate("link0", 2.0), cd.ik.coordinate("link1", 2.0)]
    for limits, expected in ((True, [1, 1]), (False, [2, 2]), (["link1"], [2, 1])):
        assert np.allclose(cd.ik.solve(arm(), wanted, limits=limits).q, expected)


@pytest.mark.parametrize("stride", [2, 4, 16])
def test_strides_give_what_following_gives(stride):
    """Oracle: the motion, one record after the other; a second motion beside it."""
    t = np.linspace(0, 1, 21)
    q = np.stack([0.5 * np.sin(3 * t), 0.4 + 0.3 * np.cos(2 * t)], axis=1)
    both = np.stack([q, 0.5 * q + 0.2], axis=1)
    wanted = [cd.ik.position("link1", tip(both), at=(0.8, 0, 0)), cd.ik.coordinate("link0", q[:, 0], weight=0.0)]
    found = cd.ik.follow(arm(), wanted, [0.1, 0.5], stride=stride, saddles=False)
    assert found.q.shape == (21, 2, 2) and np.allclose(found.q, both, atol=1e-7) and found.reached.all()


def test_a_start_for_each_motion_is_used():
    """Oracle: elbow up and elbow down reach the same places."""
    q = np.array([[0.2, 0.6], [0.25, 0.55]])
    found = cd.ik.follow(
        arm(), cd.ik.position("link1", tip(q), at=(0.8, 0, 0)), [[0.2, 0.5], [0.6, -0.5]], limits=False
    )
    assert found.q.shape == (2, 2, 2) and (found.q[:, 0, 1] > 0).all() and (found.q[:, 1, 1] < 0).all()


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda: cd.ik.solve(arm(), cd.ik.coordinate("elbow", 0.1)), UnknownName, "elbow"),
        (lambda: cd.ik.coordinate("link0", np.inf), cd.errors.NotFinite, "link0"),
        (lambda: cd.ik.coordinate("link0", 0.1, weight=-1.0), BadValue, "link0"),
        (lambda: cd.ik.follow(arm(), cd.ik.coordinate("link0", [0.1, 0.2]), stride=3), BadValue, "power of two"),
        (lambda: cd.ik.solve(arm(), cd.ik.coordinate("link0", 0.1), limits=["elbow"]), UnknownName, "elbow"),
    ],
)
def test_targets_that_make_no_sense_are_refused(ask, error, words):
    """Oracle: the class of the error and the name in it."""
    with pytest.raises(error, match=words):
        ask()


def test_a_quaternion_has_no_value():
    """Oracle: the way out."""
    model = cd.ModelBuilder().add_body("box", joint=cd.joints.ball(), inertia=cd.Inertia.sphere(1.0, 0.1)).build()
    with pytest.raises(BadValue, match="orientation"):
        cd.ik.solve(model, cd.ik.coordinate("box", 0.1))
