"""What every joint promises, run over every kind: poses and derivatives are those of the written definition."""

import numpy as np
import pytest

import condyle as cd
import twins.kinds
from condyle.errors import CondyleError
from support.reference import reference_hessian, reference_jacobian, reference_pose
from support.samples import CONSTRUCTORS, NUMBERS, QUATERNIONS, SAMPLES, random_q

every_kind = pytest.mark.parametrize("kind", SAMPLES)
every_moving_kind_without_quaternions = pytest.mark.parametrize("kind", [k for k in NUMBERS if k != "weld"])


def test_every_constructor_has_a_definition_beside_it():
    """Oracle: the public names but `compose`, which makes nothing new; a weld has no coordinate."""
    found = {make(np.random.default_rng(0)).joint.title for make in twins.kinds.KINDS.values()}
    missing = sorted(CONSTRUCTORS - {"compose", "weld"} - found)
    assert not missing, (
        f"give {missing} an entry in KINDS of tests/twins/kinds.py, and the joint the constructor's name as title; "
        "a public name that makes no joint goes to OTHER_NAMES of tests/support/samples.py"
    )


@every_kind
def test_pose_is_the_definition(kind):
    """Oracle: the product of scipy's matrix exponentials, inside and outside the domain, one state and a batch."""
    joint, rng = SAMPLES[kind], np.random.default_rng(0)
    q = np.array([random_q(joint, rng, beyond=0.2) for _ in range(9)])
    expected = np.array([reference_pose(joint, x) for x in q])
    assert np.abs(joint.pose(q) - expected).max() < 1e-13 * max(1, np.abs(expected).max())
    assert np.abs(joint.pose(q[0]) - expected[0]).max() < 1e-13 * max(1, np.abs(expected).max())


@every_kind
def test_jacobian_is_the_derivative_of_the_pose(kind):
    """Oracle: complex step of the product of scipy's matrix exponentials."""
    joint, rng = SAMPLES[kind], np.random.default_rng(1)
    q = np.array([random_q(joint, rng, beyond=0.2) for _ in range(5)])
    expected = np.array([reference_jacobian(joint, x) for x in q])
    assert np.abs(joint.jacobian(q) - expected).max(initial=0.0) < 1e-12 * max(1, np.abs(expected).max(initial=0.0))


@every_moving_kind_without_quaternions
def test_hessian_is_the_derivative_of_the_jacobian(kind):
    """Oracle: sixth-order differences of the complex-step Jacobian, away from knots (quaternions: by the bracket)."""
    joint, rng = SAMPLES[kind], np.random.default_rng(2)
    for _ in range(3):
        q = away_from_knots(joint, random_q(joint, rng))
        expected = reference_hessian(joint, q)
        assert np.abs(joint.hessian(q) - expected).max() < 1e-9 * max(1, np.abs(expected).max())


@every_moving_kind_without_quaternions
def test_third_derivative_is_the_derivative_of_the_hessian(kind):
    """Oracle: sixth-order differences of the Hessian, which has an oracle of its own."""
    joint, step = SAMPLES[kind], 1e-3
    q = away_from_knots(joint, random_q(joint, np.random.default_rng(7)))
    moves = [(w / step, k * step) for k, w in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))]
    for l, direction in enumerate(np.eye(joint.nq)):
        expected = sum(w * (joint.hessian(q + d * direction) - joint.hessian(q - d * direction)) for w, d in moves)
        assert np.abs(joint.third(q)[..., l] - expected).max() < 1e-8 * max(1, np.abs(expected).max())


@every_kind
@pytest.mark.parametrize("wild", [np.nan, np.inf, -np.inf, 1e6, -1e6, 1e300])
def test_wild_numbers_give_words_or_numbers(kind, wild):
    """Oracle: a named error or finite poses that leave the other states as they were, in every place of a batch."""
    joint, rng = SAMPLES[kind], np.random.default_rng(8)
    q = np.array([random_q(joint, rng) for _ in range(9)])
    good = joint.pose(q)
    for state in range(9 * (joint.nq > 0)):
        wrong = q.copy()
        wrong[state, state % joint.nq] = wild
        poses, words = outcome(joint, wrong)
        if words:
            assert "must" in words or "not finite" in words
        else:
            assert np.isfinite(poses).all() and np.array_equal(np.delete(poses, state, 0), np.delete(good, state, 0))


def outcome(joint, q):
    """Poses, or the words of a named error."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return joint.pose(q), ""
    except CondyleError as trouble:
        return None, str(trouble)


def away_from_knots(joint, q, distance=4e-3):
    """q moved out of reach of the differences' stencil, at the last knot inwards."""
    for s in joint.segments:
        for c, breaks in zip(s.grid.coordinates, s.grid.breaks, strict=False):
            near = breaks[np.argmin(np.abs(breaks - q[c]))]
            if abs(q[c] - near) < distance:
                q[c] = near + (-distance if near == breaks[-1] else distance)
    return q


@every_kind
def test_mixed_derivatives_differ_by_the_bracket(kind):
    """Oracle: ∂_j s_i − ∂_i s_j = ad_{s_i} s_j, less the bracket of the group within a quaternion's columns."""
    joint = SAMPLES[kind]
    q = random_q(joint, np.random.default_rng(3))
    S, H = joint.jacobian(q), joint.hessian(q)
    for i in range(joint.nv):
        for j in range(joint.nv):
            expected = bracket(S[:, i], S[:, j]) - S @ own_bracket(joint, i, j)
            assert np.abs(H[:, i, j] - H[:, j, i] - expected).max() < 1e-11 * max(1, np.abs(S).max() ** 2)


def bracket(a, b):
    """ad_a b for twists [ω; v]."""
    return np.concatenate([np.cross(a[:3], b[:3]), np.cross(a[:3], b[3:]) + np.cross(a[3:], b[:3])])


def own_bracket(joint, i, j):
    """The bracket of two velocity directions in the algebra of their own coordinate."""
    out = np.zeros(joint.nv)
    for (_, at), (_, width) in zip(joint.offsets, joint.widths, strict=True):
        if width > 1 and at <= i < at + width and at <= j < at + width:
            out[at : at + width] = bracket(*(np.eye(6)[k - at] for k in (i, j)))[:width]
    return out


def test_the_kinds_with_quaternions_are_those_that_are_left_out():
    """Oracle: the counts of numbers and of velocities."""
    assert {kind for kind, joint in SAMPLES.items() if joint.nq != joint.nv} == QUATERNIONS


@every_kind
def test_pose_and_jacobian_are_continuous_at_knots(kind):
    """Oracle: one-sided limits at every breakpoint of the first coordinate that has some, the ends if there is a
    beyond."""
    joint = SAMPLES[kind]
    segment = next((s for s in joint.segments if s.grid.breaks), None)
    if segment is None:
        pytest.skip("a joint without breakpoints has nothing to show")
    q = random_q(joint, np.random.default_rng(6))
    breaks = segment.grid.breaks[0]
    corners = joint.corners[segment.grid.coordinates[0]] if joint.corners else ()
    for b in breaks[1:-1] if joint.outside == "error" else breaks:
        left, right = (np.where(np.arange(len(q)) == segment.grid.coordinates[0], b + d, q) for d in (-1e-9, 1e-9))
        assert np.abs(joint.pose(left) - joint.pose(right)).max() < 1e-7
        assert (np.abs(joint.jacobian(left) - joint.jacobian(right)).max() < 1e-6) != (b in corners)


@pytest.mark.parametrize("name", ["pose", "jacobian", "hessian", "third"])
def test_the_last_axis_of_q_is_one_state(name):
    """Oracle: the convention q (..., nq); plain numbers for one coordinate are told by a last axis that is not 1."""
    joint = cd.joints.revolute((0, 0, 1))
    evaluate = getattr(joint, name)
    one = evaluate(0.3)
    assert evaluate([0.3]).shape == one.shape  # (nq,): one state
    assert evaluate([[0.3]]).shape == (1, *one.shape)  # a batch of one
    assert evaluate([0.3, 0.4]).shape == evaluate([[0.3], [0.4]]).shape == (2, *one.shape)
    assert evaluate(np.zeros((2, 3))).shape == evaluate(np.zeros((2, 3, 1))).shape == (2, 3, *one.shape)
