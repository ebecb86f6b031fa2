"""exp and log of SO(3) and SE(3), exact to round-off at every angle."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from condyle.errors import BadShape
from condyle.spatial import SE3, exp_se3, exp_so3, hat, log_se3, log_so3, vee
from support.spatial_oracles import directions, log_uniform, matrix_exp, skew, twist_matrix, twists

ANGLES = np.concatenate([log_uniform(1e-16, np.pi, 150), [0.0, 1e-300, 5e-324, 1.4999, 1.5001, np.pi, 3.5, 6.2, 20.0]])
TWISTS = twists(ANGLES)


def test_poses_are_exact_to_round_off_at_every_angle():
    """Oracle: the exponential series with 50 digits; |ω| log-uniform from 1e-16 to π, and some odd ones."""
    right = np.array([matrix_exp(twist_matrix(g)) for g in TWISTS])
    scale = 1.0 + np.linalg.norm(TWISTS[:, 3:], axis=1)[:, None, None]
    assert np.max(np.abs(exp_se3(TWISTS) - right) / scale) < 1e-15
    assert np.max(np.abs(SE3.exp(TWISTS).as_matrix() - right) / scale) < 1e-15


def test_small_rotations_keep_their_relative_digits():
    """Oracle: the exponential series with 50 digits; the off-diagonal entries are of the size of the angle."""
    for w in directions(40) * log_uniform(1e-16, 1e-2, 40)[:, None]:
        R, right = exp_so3(w), matrix_exp(skew(w))
        assert np.allclose(R - R.T, right - right.T, rtol=1e-14, atol=1e-16 * np.abs(w).max())


def test_logarithms_undo_exponentials_near_zero():
    """Oracle: the rotation vector itself, relative to its length; the pose is made by the series with 50 digits."""
    for g in twists(log_uniform(1e-16, 1.0, 100)):
        found = log_se3(matrix_exp(twist_matrix(g)))
        assert np.linalg.norm(found[:3] - g[:3]) < 1e-15 * (1e-3 + np.linalg.norm(g[:3]))
        assert np.linalg.norm(found[3:] - g[3:]) < 2e-15 * (1.0 + np.linalg.norm(g[3:]))


@pytest.mark.parametrize("gap", [1e-15, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3, 0.1])
def test_logarithms_undo_exponentials_near_half_a_turn(gap):
    """Oracle: the twist itself."""
    g = twists(np.full(2000, np.pi - gap))
    assert np.max(np.abs(SE3.exp(g).log() - g)) < 2e-14
    found = log_se3(exp_se3(g))
    assert np.max(np.abs(exp_se3(found) - exp_se3(g))) < 1e-14
    if gap > 1e-14:  # nearer, the matrix alone cannot tell the direction
        assert np.max(np.abs(found - g)) < 2e-14


def test_logarithms_of_many_digit_poses_near_half_a_turn():
    """Oracle: the twist whose pose was made by the series with 50 digits, then rounded."""
    for g in twists(np.pi - log_uniform(1e-12, 1e-1, 60)):
        assert np.max(np.abs(log_se3(matrix_exp(twist_matrix(g))) - g)) < 1e-14


def half_turns():
    """Axes with small whole-number components: their half turns are exactly symmetric matrices."""
    return [np.array(a, dtype=float) for a in itertools.product((-1, 0, 2), repeat=3) if any(a)]


def test_half_a_turn_has_one_logarithm_whose_first_component_is_positive():
    """Oracle: 2 n nᵀ − I."""
    for axis in half_turns():
        n = axis / np.linalg.norm(axis)
        R = 2.0 * np.outer(n, n) - np.eye(3)
        w = log_so3(R)
        assert np.linalg.norm(w) == pytest.approx(np.pi, abs=1e-15)
        assert w[np.flatnonzero(np.abs(w) > 1e-9)[0]] > 0.0
        assert np.allclose(expm(skew(w)), R, rtol=0, atol=4e-15)


def test_a_quaternion_and_its_opposite_have_one_logarithm():
    """q and −q are one rotation, also at exactly half a turn."""
    q = np.random.default_rng(0).normal(size=(200, 4))
    q[:50, 0] = 0.0
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    assert np.array_equal(SE3(q, np.zeros(3)).log(), SE3(-q, np.zeros(3)).log())


def test_logarithms_turn_at_most_half_a_turn():
    """A turn of 1.5 π is one of π/2 the other way."""
    w = directions(50) * 1.5 * np.pi
    assert np.allclose(log_so3(exp_so3(w)), -w / 3.0, rtol=0, atol=1e-14)


def test_rotations_are_orthonormal_to_round_off():
    """Oracle: RᵀR = I and det R = 1."""
    R = exp_so3(directions(500) * log_uniform(1e-16, 100.0, 500)[:, None])
    assert np.max(np.abs(R.swapaxes(-1, -2) @ R - np.eye(3))) < 2e-15
    assert np.max(np.abs(np.linalg.det(R) - 1.0)) < 2e-15


def test_hat_is_the_written_matrix_and_vee_undoes_it():
    """Oracle: the matrices written out."""
    g = TWISTS[3]
    assert np.array_equal(hat(g), twist_matrix(g))
    assert np.array_equal(hat(g[:3]), skew(g[:3]))
    assert np.array_equal(vee(hat(TWISTS)), TWISTS)
    assert np.array_equal(vee(hat(TWISTS[:, :3])), TWISTS[:, :3])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.floats(-50.0, 50.0), min_size=6, max_size=6))
def test_any_pose_is_reached_by_its_logarithm(g):
    """Oracle: scipy's expm of the logarithm, written out; the way there is at most half a turn."""
    X = SE3.exp(g)
    shortest = X.log()
    assert np.linalg.norm(shortest[:3]) <= np.pi + 1e-15
    assert np.allclose(expm(twist_matrix(shortest)), X.as_matrix(), rtol=0, atol=2e-12)
    assert np.allclose((X @ X.inverse()).as_matrix(), np.eye(4), rtol=0, atol=1e-13)


@pytest.mark.parametrize("batch", [(), (1,), (4,), (2, 3), (0,), (0, 2)])
def test_batches_are_element_by_element(batch):
    """Oracle: the same call on one element."""
    g = np.random.default_rng(1).normal(size=(*batch, 6))
    T = exp_se3(g)
    assert T.shape == (*batch, 4, 4) and log_se3(T).shape == (*batch, 6)
    for index in np.ndindex(*batch):
        assert np.allclose(T[index], exp_se3(g[index]), rtol=0, atol=1e-15)
        assert np.allclose(log_se3(T)[index], log_se3(T[index]), rtol=0, atol=4e-15)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: exp_so3([1.0, 2.0]), r"a rotation vector must have shape \(..., 3\); got shape \(2,\)"),
        (lambda: exp_se3(np.zeros((2, 3))), r"a twist must have shape \(..., 6\); got shape \(2, 3\)"),
        (lambda: log_so3(np.eye(4)), r"a rotation must have shape \(..., 3, 3\); got shape \(4, 4\)"),
        (lambda: log_se3(np.zeros(3)), r"a pose must have shape \(..., 4, 4\); got shape \(3,\)"),
        (lambda: exp_so3("abc"), "a rotation vector must be an array of real numbers"),
        (lambda: exp_so3([1.0, [2.0], 3.0]), "a rotation vector must be an array of real numbers"),
        (lambda: exp_so3([1.0, 2.0, 3j]), "a rotation vector must be an array of real numbers"),
        (lambda: hat([1.0, 2.0]), r"hat takes vectors \(..., 3\) or twists \(..., 6\); got shape \(2,\)"),
        (lambda: vee(np.eye(2)), r"vee takes matrices \(..., 3, 3\) or \(..., 4, 4\); got shape \(2, 2\)"),
    ],
)
def test_a_wrong_shape_is_named(call, words):
    with pytest.raises(BadShape, match=words):
        call()
