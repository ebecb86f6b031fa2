"""Spline curve joints against the full product of exponentials, and the properties they must have."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import BSpline
from scipy.linalg import expm, logm

from condyle.errors import BadKnots, BadShape, BadValue, HalfTurn, NotARotation, OutsideDomain
from condyle.joints import spline_curve
from condyle.spatial import SE3
from support.reference import hat, reference_jacobian, reference_pose
from support.samples import chain, random_frames


def full_product(start, z, knots, order, q):
    """[LeeTerzopoulos2008, eq. 21]: all m exponentials, with scipy's expm and B-splines."""
    pose = start
    for j in range(1, len(z) + 1):
        weight = BSpline(knots, (np.arange(len(z) + 1) >= j).astype(float), order - 1)(q)
        pose = pose @ expm(z[j - 1] * weight)
    return pose


@pytest.mark.parametrize("order", [4, 5, 6])
def test_few_exponentials_are_the_whole_product(order):
    """Oracle: the definition with all exponentials, on uneven knots, at both ends and at every knot."""
    frames = random_frames(9)
    z = [logm(np.linalg.solve(a, b)).real for a, b in pairwise(frames)]
    knots = np.sort(np.random.default_rng(order).uniform(0, 10, 9 + order))
    joint = spline_curve(frames, knots, order)
    low, high = joint.domain[0]
    assert (low, high) == (knots[order - 1], knots[9])
    for q in np.concatenate([np.linspace(low, high, 13)[:-1], knots[order - 1 : 9]]):
        assert np.abs(reference_pose(joint, q) - full_product(frames[0], z, knots, order, q)).max() < 2e-14
    assert len(joint.segments) == 1 and len(joint.segments[0].terms) == order - 1


def test_right_end_is_the_closed_end_of_the_last_span():
    """Oracle: the limit from the left."""
    joint = spline_curve(random_frames(9), np.arange(13.0))
    assert np.abs(reference_pose(joint, 9.0) - reference_pose(joint, 9.0 - 1e-9)).max() < 1e-8


@pytest.mark.parametrize("order", [4, 6])
def test_clamped_curve_starts_and_ends_at_its_frames(order):
    """Oracle: the frames, and S(start) = (k − 1)/(q_k − q_1) z_1."""
    frames = random_frames(9)
    joint = spline_curve(frames, order=order)
    low, high = joint.domain[0]
    assert (low, high) == (0, 9 - order + 1)
    assert np.abs(reference_pose(joint, low) - frames[0]).max() < 1e-15
    assert np.abs(reference_pose(joint, high) - frames[-1]).max() < 1e-14
    z = logm(np.linalg.solve(frames[0], frames[1])).real
    S = reference_jacobian(joint, low)[:, 0]
    assert np.abs(hat(S) - (order - 1) * z).max() < 1e-13


def test_beyond_a_clamped_end_the_end_twist_goes_on():
    """Oracle: a screw motion from the last frame."""
    frames = random_frames(9)
    joint = spline_curve(frames)
    z = logm(np.linalg.solve(frames[-2], frames[-1])).real
    assert np.abs(reference_pose(joint, 7.5) - frames[-1] @ expm(3 * z * 1.5)).max() < 1e-12


def test_beyond_a_simple_end_every_factor_goes_on_at_its_rate():
    """Oracle: the product of exponentials with scipy's cumulative B-splines, straight lines beyond the end."""
    frames, knots, k = random_frames(6, size=0.3), np.arange(10.0), 4
    joint = spline_curve(frames, knots=knots)
    ((_, high),) = joint.domain
    z = [logm(np.linalg.solve(a, b)).real for a, b in pairwise(frames)]
    for q in (high, high + 0.7, high + 2.0):
        expected = frames[0]
        for j in range(1, 6):
            basis = BSpline(knots, (np.arange(6) >= j).astype(float), k - 1)
            end = high - 1e-12
            expected = expected @ expm((basis(end) + basis.derivative()(end) * (q - high)) * z[j - 1])
        assert np.abs(reference_pose(joint, q) - expected).max() < 1e-9


def test_a_periodic_curve_goes_on_where_round_off_leaves_its_period():
    """Oracle: continuity: its Hessian a hair before whole periods is that a little way off; one state and a batch."""
    joint = spline_curve(random_frames(7), periodic=True, order=6)
    turns = np.arange(-40, 41) * 7.0
    for q in (turns - 1e-17, np.nextafter(turns, -np.inf), turns, np.nextafter(turns, np.inf)):
        far = joint.hessian(np.mod(q + 1.0, 7.0) - 1.0 + 1e-9)
        assert np.abs(joint.hessian(q) - far).max() < 1e-6 * np.abs(far).max()
        assert np.abs(joint.hessian(q[40]) - far[40]).max() < 1e-6 * np.abs(far).max()


def test_periodic_curve_closes():
    """Oracle: pose, Jacobian and its slope at the seam, and the pose a period on; shifted frames shift the curve."""
    frames = random_frames(7, size=0.3)
    joint = spline_curve(frames, periodic=True)
    assert joint.periodic == (True,) and joint.domain == ((0.0, 7.0),)
    near = 1e-7
    for f in (reference_pose, reference_jacobian):
        assert np.abs(f(joint, 7 - near) - f(joint, near)).max() < 1e-5
    slopes = [(reference_jacobian(joint, x + 1e-6) - reference_jacobian(joint, x)) / 1e-6 for x in (7 - 2e-6, 7 + 1e-6)]
    assert np.abs(slopes[0] - slopes[1]).max() < 1e-4
    assert np.abs(reference_pose(joint, 1.3) - reference_pose(joint, 8.3)).max() < 1e-13
    turned = spline_curve(np.roll(frames, -2, axis=0), periodic=True)
    assert np.abs(reference_pose(turned, 1.3) - reference_pose(joint, 3.3)).max() < 1e-13


def test_moving_all_frames_moves_the_curve():
    """Oracle: A G(q) B for frames A G_j B."""
    frames, (A, B) = random_frames(8), random_frames(3, 5)[1:]
    before, after = spline_curve(frames), spline_curve(A @ frames @ B)
    for q in (0.0, 0.4, 2.7, 5.0, 6.1):
        assert np.abs(reference_pose(after, q) - A @ reference_pose(before, q) @ B).max() < 2e-14


def test_a_frame_acts_only_between_its_knots():
    """Oracle: moving frame l changes G on (q_l, q_{l+k}) only."""
    frames, knots, l = random_frames(9), np.arange(13.0), 4
    moved = frames.copy()
    moved[l] = moved[l] @ expm(hat([0.1, 0.2, 0.1, 0.3, 0, 0.1]))
    a, b = spline_curve(frames, knots), spline_curve(moved, knots)
    for q in np.linspace(3, 9, 25):
        change = np.abs(reference_pose(a, q) - reference_pose(b, q)).max()
        assert (
            change > 1e-6
            if knots[l] + 0.2 < q < knots[l + 4] - 0.2
            else (change < 1e-14 or knots[l] < q < knots[l + 4])
        )


def test_inverse_curve_has_inverted_frames_in_reverse_order():
    """Oracle: the curve of inverted, reversed frames on negated, reversed knots, at −q; and the inverse matrix."""
    frames = random_frames(9)
    knots = np.sort(np.random.default_rng(4).uniform(0, 10, 13))
    joint = spline_curve(frames, knots)
    mirrored = spline_curve(np.linalg.inv(frames)[::-1], -knots[::-1])
    for q in np.linspace(*joint.domain[0], 9):
        inverse = reference_pose(joint.inverse(), q)
        assert np.abs(inverse - np.linalg.inv(reference_pose(joint, q))).max() < 1e-13
        assert np.abs(inverse - reference_pose(mirrored, -q)).max() < 1e-13


def test_straight_path_is_a_screw():
    """Oracle: equal control twists on uniform knots make one exponential, G = G_0 exp(ẑ (q − offset))."""
    z = np.array([0.1, -0.3, 0.2, 0.4, 0.1, 0.0])
    joint = spline_curve(chain(np.tile(z, (7, 1))), np.arange(12.0))
    for q in (3.0, 4.6, 8.0):
        assert np.abs(reference_pose(joint, q) - expm(hat(z) * (q - 2))).max() < 1e-13


def test_tangent_frames_stay_on_the_sphere():
    """Oracle: |p| = r for control frames that slide on a sphere without leaving its tangent planes."""
    rng = np.random.default_rng(8)
    turns = [expm(hat([*w, 0, 0, 0])) for w in rng.normal(size=(7, 3)) * 0.4]
    frames = np.array([np.eye(4), *turns]) @ expm(hat([0, 0, 0, 0, 0, 2.0]))
    joint = spline_curve(frames)
    assert max(abs(np.linalg.norm(reference_pose(joint, q)[:3, 3]) - 2) for q in np.linspace(0, 5, 21)) < 1e-14


def test_an_se3_batch_is_as_good_as_matrices():
    """Oracle: the same frames as matrices."""
    frames = random_frames(6)
    joint = spline_curve(SE3.from_matrix(frames))
    assert np.abs(reference_pose(joint, 1.2) - reference_pose(spline_curve(frames), 1.2)).max() < 1e-14


half_turn = chain([[0.1, 0, 0, 0, 0, 1], [0, np.pi, 0, 0, 0, 1], [0, 0, 0.2, 0, 0, 0], [0, 0, 0.1, 0, 0, 0]])
sheared = random_frames(6)
sheared[3, 0, 0] += 0.1


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (
            lambda: spline_curve(random_frames(6), order=3),
            BadKnots,
            "order 4 or more; a lower one is not C2, so acceler",
        ),
        (lambda: spline_curve(random_frames(3)), BadKnots, "order 4 needs at least 4 control frames; got frames = 3"),
        (lambda: spline_curve(half_turn), HalfTurn, "control frames 1 and 2 are half a turn apart (within 1e-06 rad)"),
        (lambda: spline_curve(sheared), NotARotation, "spline_curve: frame [3] is not a rotation"),
        (lambda: spline_curve(random_frames(6), np.arange(9.0)), BadKnots, "6 control points of order 4 need 10 knots"),
        (
            lambda: spline_curve(np.eye(4)),
            BadShape,
            "spline_curve: frames must have shape (m + 1, 4, 4); got shape = (",
        ),
        (
            lambda: spline_curve(random_frames(7), [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2]),
            BadKnots,
            "the knot 1 occurs 3 times, at most 2 are allowed for order 4: the spline would be less than C1",
        ),
        (
            lambda: spline_curve(random_frames(6), outside="clip"),
            BadValue,
            "outside must be 'extend' or 'error'; got out",
        ),
        (
            lambda: spline_curve(random_frames(2), periodic=True),
            BadKnots,
            "needs at least 3 control frames; got frames",
        ),
    ],
)
def test_bad_curves_are_refused_in_words(make, error, words):
    """Oracle: the words themselves."""
    with pytest.raises(error) as trouble:
        make()
    assert words in str(trouble.value)


def test_frames_almost_half_a_turn_apart_are_accepted():
    """Oracle: the rule is 1e-6 rad."""
    spline_curve(chain([[0, np.pi - 3e-6, 0, 0, 0, 1], *np.full((3, 6), 0.1)]))
    with pytest.raises(HalfTurn, match="control frames 0 and 1"):
        spline_curve(chain([[0, np.pi - 3e-7, 0, 0, 0, 1], *np.full((3, 6), 0.1)]))


def test_outside_the_domain_can_be_refused():
    """Oracle: the words; a periodic curve has no outside."""
    frames = random_frames(6)
    with pytest.raises(OutsideDomain, match=r"'flexion' must stay in \[0, 3\]"):
        spline_curve(frames, outside="error", name="flexion").pose([1.0, 3.1])
    loop = spline_curve(frames, periodic=True, outside="error")
    assert np.abs(loop.pose(7.3) - loop.pose(1.3)).max() < 1e-13


def test_a_joint_cannot_be_changed():
    """Oracle: numpy refuses to write."""
    joint = spline_curve(random_frames(6))
    with pytest.raises(ValueError, match="read-only"):
        joint.segments[0].poses[0, 0, 0] = 2.0


def test_frames_that_do_not_move_are_refused():
    """Oracle: the words."""
    with pytest.raises(BadValue, match="spline_curve: no factor reads these coordinates, so they move nothing"):
        spline_curve(np.tile(np.eye(4), (6, 1, 1)))
