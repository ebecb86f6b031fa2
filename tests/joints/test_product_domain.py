"""`joints.product(…, domain=…)`: where a joint of functions in closed form is known."""

import numpy as np
import pytest
from scipy.linalg import expm

import condyle as cd
from condyle import joints
from condyle.errors import BadShape, BadValue, NotFinite, NotSupported, OutsideDomain, UnknownName

fn = cd.functions
X, Y, TURN_Z = np.eye(6)[[3, 4, 2]]
TWISTS = (X, Y, TURN_Z)


def hat(g):
    w, v = g[:3], g[3:]
    return np.array([[0, -w[2], w[1], v[0]], [w[2], 0, -w[0], v[1]], [-w[1], w[0], 0, v[2]], [0, 0, 0, 0]])


def slide(**options):
    """Along a sine, turning with q² + sin q."""
    functions = [fn.linear(), fn.sinusoid(0.4), fn.polynomial([0, 0, 1]) + fn.sinusoid(1.0)]
    return joints.product(TWISTS, functions, **options)


def written(q, low=-np.inf, high=np.inf):
    """The definition by scipy's expm; beyond the ends each function goes on along its tangent."""
    x = np.clip(q, low, high)
    values = np.array([x, 0.4 * np.sin(x), x**2 + np.sin(x)])
    slopes = np.array([1.0, 0.4 * np.cos(x), 2 * x + np.cos(x)])
    pose = np.eye(4)
    for g, value in zip(TWISTS, values + slopes * (q - x), strict=True):
        pose = pose @ expm(hat(g) * value)
    return pose


@pytest.mark.parametrize("q", [-1.7, -0.5, 0.1, 1.2, 2.6])
def test_inside_it_is_the_same_joint_and_beyond_it_goes_on_straight(q):
    """Oracle: scipy's expm of the written definition, its functions replaced by tangents beyond the ends."""
    joint = slide(domain=(-0.5, 1.2))
    assert joint.domain == ((-0.5, 1.2),)
    assert joint.pose(q).as_matrix() == pytest.approx(written(q, -0.5, 1.2), abs=1e-11)
    assert slide().pose(q).as_matrix() == pytest.approx(written(q), abs=1e-13)


def test_beyond_the_domain_it_can_refuse():
    """Oracle: the domain that was given."""
    joint = slide(domain=(-0.5, 1.2), outside="error")
    joint.pose([1.2])
    with pytest.raises(OutsideDomain, match=r"1\.2"):
        joint.pose([1.3])


def test_a_place_without_rank_can_be_left_out():
    """Oracle: x = y = q³ has no velocity at q = 0, and has one elsewhere."""
    cube = [fn.polynomial([0, 0, 0, 1])] * 2
    assert not joints.check(joints.product([X, Y], cube, domain=(-1.0, 1.0))).ok
    assert joints.check(joints.product([X, Y], cube, domain=(0.3, 1.0))).ok


def test_some_of_several_coordinates_by_name():
    """Oracle: what was said of each."""
    functions = [fn.linear(coordinate=0), fn.sinusoid(1.0, coordinate=1)]
    joint = joints.product([X, TURN_Z], functions, coordinates=("far", "turn"), domain={"turn": (0.0, 2.0)})
    assert joint.domain == ((-np.inf, np.inf), (0.0, 2.0))
    both = joints.product([X, TURN_Z], functions, domain=[(0, 1), (2, 3)])
    assert both.domain == ((0.0, 1.0), (2.0, 3.0))


def test_a_domain_inside_that_of_a_spline():
    """Oracle: the spline itself where both hold; the overlap of both domains."""
    spline = fn.spline([0, 0, 0, 0, 1, 2, 3, 3, 3, 3], [0.0, 0.3, 0.9, 1.0, 0.4, 0.2])
    (low, high), mid = (spline.grid.breaks[0][0], spline.grid.breaks[0][-1]), float(spline.grid.breaks[0].mean())
    joint = joints.product([TURN_Z], [spline], domain=(mid, high + 5.0))
    assert joint.domain == ((mid, high),)
    assert low < mid
    q = np.linspace(mid, high, 9)
    whole = joints.product([TURN_Z], [spline])
    assert joint.pose(q).as_matrix() == pytest.approx(whole.pose(q).as_matrix(), abs=1e-12)


@pytest.mark.parametrize(
    ("domain", "error", "words"),
    [
        ((1.0, 0.0), BadValue, "'q'.*low = 1"),
        ((0.0, np.inf), NotFinite, "'q'"),
        ({"w": (0, 1)}, UnknownName, "'w'.*q"),
        ({"q": (0,)}, BadShape, "'q'"),
        ({"q": 3.0}, BadShape, "'q'"),
        (3.0, BadShape, "coordinates q"),
        (((0, 1), (0,)), BadShape, "coordinates q"),
        (("a", "b"), BadShape, "'q'"),
    ],
)
def test_a_bad_domain_is_named(domain, error, words):
    """Oracle: the class of the error, the coordinate's name."""
    with pytest.raises(error, match=words):
        joints.product([X], [fn.linear()], domain=domain)


def test_a_function_that_needs_a_domain_of_another_coordinate_says_so():
    """Oracle: the number of the coordinate that was not named."""
    both = fn.linear(coordinate=0) * fn.linear(coordinate=1)
    with pytest.raises(NotSupported, match=r"\[1\]"):
        joints.product([X], [both], coordinates=("a", "b"), domain={"a": (0, 1)})


def test_the_old_name_of_from_callable_still_works():
    """Oracle: the same function under its new name."""
    with pytest.warns(DeprecationWarning, match="from_callable"):
        old = fn.callable
    assert old is fn.from_callable
