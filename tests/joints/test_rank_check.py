"""Where a Jacobian loses rank, and the reason, in words; against places known by geometry."""

import numpy as np
import pytest

from condyle import joints
from condyle.errors import RankLost
from condyle.joints import functions as fn
from support.samples import SAMPLES, chain, random_frames

LINE = chain(np.tile([0, 0, 0, 0.3, 0, 0], (6, 1)))
CIRCLE = chain(np.tile([0, 0, 0.3, 0.3, 0, 0], (6, 1)))


def euler_volume():
    """Three rotations, each driven by its own coordinate from −2 to 2."""
    controls = np.zeros((4, 4, 4, 6))
    for axis in range(3):
        controls[..., 3 + axis] = np.linspace(-2, 2, 4).reshape([4 if a == axis else 1 for a in range(3)])
    return joints.spline_surface(controls, (None,) * 3)


def pose_of(twist):
    """exp of a twist, by scipy."""
    return chain([twist])[1]


def contact(first, second):
    """A curve rolling on another one."""
    return joints.compose(joints.spline_curve(first), joints.spline_curve(second).inverse())


def test_three_coinciding_frames_are_named():
    """Oracle: cubic weights of three equal frames stand still at the knot between their spans."""
    twists = np.random.default_rng(0).normal(size=(9, 6)) * 0.3
    twists[5] = twists[6] = 0
    report = joints.check(joints.spline_curve(chain(twists), np.arange(14.0)))
    assert abs(report.q[0] - 8.0) < 1e-6 and not report.ok
    assert "'spline_curve'" in str(report) and "frames 5, 6 and 7 coincide" in str(report)
    with pytest.raises(RankLost, match="control frames 5, 6 and 7 coincide"):
        report.require()


@pytest.mark.parametrize(("first", "count", "words"), [(2, 3, "2, 3, 4 and 5"), (4, 5, "4, 5, 6, 7, 8 and 9")])
def test_all_frames_of_a_run_are_named(first, count, words):
    """Oracle: the frames made equal, counted by hand; five zero twists reach over more than one span."""
    twists = np.random.default_rng(2).normal(size=(11, 6)) * 0.3
    twists[first : first + count] = 0
    assert f"control frames {words} coincide" in str(joints.check(joints.spline_curve(chain(twists))))


def test_a_slope_that_vanishes_comes_with_advice():
    """Oracle: a slide by cos θ stands still at θ = 0."""
    joint = joints.product([(0, 0, 0, 1, 0, 0)], [fn.sinusoid(1.0, 1.0, np.pi / 2)], coordinates=("angle",))
    report = joints.check(joint)
    assert not report.ok and "'angle'" in str(report) and "domain" in str(report)


@pytest.mark.parametrize("away", [0.0, 1e3])
def test_frames_that_differ_by_round_off_coincide(away):
    """Oracle: the frames made equal, then moved by a few units in the last place of their numbers."""
    twists = np.random.default_rng(0).normal(size=(9, 6)) * 0.3
    twists[5] = twists[6] = 0
    frames = chain(twists, start=pose_of([0.3, -0.4, 0.5, away, 0, -away]))
    frames[6] = frames[6] @ pose_of([3e-16, -5e-16, 4e-16, 0, 0, 0])
    frames[7, :3, 3] += 4 * np.spacing(np.abs(frames[7, :3, 3]).max())
    assert "frames 5, 6 and 7 coincide" in str(joints.check(joints.spline_curve(frames, np.arange(14.0))))


def test_slides_that_turn_by_round_off_are_no_euler_singularity():
    """Oracle: a straight line out and back does not turn; its frames are turned alike up to the last places."""
    z = np.array([0, 0, 0, 0.3, 0.1, 0])
    frames = chain([z, z, z, z, -z, -z, -z, -z], start=pose_of([0.3, -0.4, 0.5, 1, 0, -1]))
    frames = frames @ [pose_of([k * 1e-16, 0, -k * 2e-16, 0, 0, 0]) for k in range(9)]
    report = joints.check(joints.spline_curve(frames))
    assert not report.ok and "Euler" not in str(report)


def test_double_knots_do_not_confuse_the_frame_numbers():
    """Oracle: the frames made equal, counted by hand."""
    twists = np.random.default_rng(1).normal(size=(9, 6)) * 0.3
    twists[5] = twists[6] = 0
    knots = [0, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 6, 6, 6]
    assert "control frames 5, 6 and 7 coincide" in str(joints.check(joints.spline_curve(chain(twists), knots)))


def test_two_coinciding_frames_are_fine():
    """Oracle: a hand calculation: min |S| stays well above zero."""
    twists = np.random.default_rng(0).normal(size=(9, 6)) * 0.3
    twists[5] = 0
    assert joints.check(joints.spline_curve(chain(twists))).ok


def test_an_out_and_back_curve_stands_still():
    """Oracle: symmetry: the curve turns round at its middle."""
    z = np.array([0.1, 0.2, 0.1, 0.3, 0, 0.1])
    report = joints.check(joints.spline_curve(chain([z, z, z, z, -z, -z, -z, -z])))
    assert not report.ok and "coordinate 'q' moves nothing there" in str(report)


def test_euler_singularity_is_named():
    """Oracle: the second rotation is ±π/2 where its linear spline says so: |−2 + 4 q_1| = π/2 for unit spans."""
    report = joints.check(euler_volume())
    assert abs(abs(-2 + 4 * report.q[1]) - np.pi / 2) < 1e-4
    assert "loses rank at q = (" in str(report) and "Euler singularity: the second rotation is a right angle" in str(
        report
    )


@pytest.mark.parametrize(
    ("first", "second", "fine"), [(LINE, LINE, False), (CIRCLE, CIRCLE, False), (LINE, CIRCLE, True)]
)
def test_equal_curvature_is_named(first, second, fine):
    """Oracle: line on line and circle in circle slide without moving apart; line on circle does not."""
    report = joints.check(contact(first, second))
    assert report.ok == fine
    assert fine or "both curves have equal curvature at the contact" in str(report)


def test_a_thin_line_of_lost_rank_is_found():
    """Oracle: φ = (q1 − c)² stands still on the line q1 = c, which no sample meets; unbounded, so π each way."""
    c = 0.123456789
    slopes = [fn.linear(0), fn.polynomial([c * c, -2 * c, 1.0], 1)]
    report = joints.check(joints.product([[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0]], slopes, coordinates=("a", "b")))
    assert not report.ok and report.smallest < 1e-14
    assert len(report.places) == 64 and abs(report.places[:, 1] - c).max() < 1e-14
    assert np.ptp(report.places[:, 0]) > 6.0


def test_a_span_that_turns_by_more_than_a_right_angle_is_no_lost_rank():
    """Oracle: a fast hinge before a slide: directions turn round between points of a line, the rank is full."""
    fast = joints.product([[0, 0, 1, 0, 0, 0]], [fn.linear(scale=40.0)], coordinates="a")
    report = joints.check(joints.compose(fast, joints.weld(np.eye(4)), joints.prismatic("x")))
    assert report.ok and len(report.places) == 0


def test_vanishing_slope_is_named():
    """Oracle: φ = q² stands still at 0."""
    report = joints.check(joints.product([[0, 0, 1, 0, 0, 0]], [fn.polynomial([0, 0, 1])], coordinates="bend"))
    assert abs(report.q[0]) < 1e-6 and "coordinate 'bend' moves nothing there: the slopes" in str(report)


def test_dependent_columns_are_named():
    """Oracle: two coordinates of one hinge."""
    report = joints.check(joints.compose(joints.revolute("x"), joints.revolute("x")))
    assert "its columns are linearly dependent there. Drop a coordinate" in str(report)


@pytest.mark.parametrize(
    "kind", ["weld", "revolute", "ball", "free", "elliptic", "spline_curve", "closed_curve", "surface", "rolling_pair"]
)
def test_good_joints_pass(kind):
    """Oracle: these kinds have full rank by construction."""
    report = joints.check(SAMPLES[kind], samples=128)
    assert report.ok and "full rank at" in str(report) and report.require() is report


def test_more_than_six_freedoms_are_too_many():
    """Oracle: a twist has six numbers."""
    report = joints.check(SAMPLES["floating arm"], name="arm")
    assert not report.ok and "joint 'arm': the Jacobian loses rank" in str(report)
    assert "it has 11 freedoms, and two bodies move in six ways at most" in str(report)


def test_least_singular_value_is_where_geometry_says():
    """Oracle: an ellipse is slowest where it bends least: S = (φ', √D); its norm by a fine scan."""
    a, b = 1.0, 2.0
    q = np.linspace(-np.pi, np.pi, 200001)
    D = (a * np.cos(q)) ** 2 + (b * np.sin(q)) ** 2
    size = np.sqrt((a * b / D) ** 2 + D)
    assert joints.check(joints.elliptic(a, b)).smallest == pytest.approx(size.min() / size.max(), rel=1e-4)


def test_random_curves_pass():
    """Oracle: a random walk does not stand still."""
    assert joints.check(joints.spline_curve(random_frames(12), order=6)).ok
