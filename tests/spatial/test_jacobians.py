"""Adjoints, and how the exponential changes with its twist."""

import mpmath
import numpy as np
import pytest
from scipy.linalg import expm, expm_frechet

from condyle.spatial import (
    ad,
    adjoint,
    exp_se3,
    left_jacobian,
    left_jacobian_inverse,
    right_jacobian,
    right_jacobian_inverse,
)
from support.spatial_oracles import DIGITS, bracket_matrix, jacobian_series, log_uniform, rounded, twist_matrix, twists

TWISTS = twists([*log_uniform(1e-16, np.pi, 20), 0.0, 1e-300, 1.4999, 1.5001, np.pi, 4.0, 5.5])


def test_the_adjoint_moves_twists_between_frames():
    """Oracle: T x̂ T⁻¹, with the pose by scipy's expm."""
    for g, x in zip(TWISTS, TWISTS[::-1], strict=True):
        T = expm(twist_matrix(g))
        moved = twist_matrix(adjoint(T) @ x)
        assert np.allclose(moved, T @ twist_matrix(x) @ np.linalg.inv(T), rtol=0, atol=1e-12)


def test_ad_is_the_bracket_of_matrices():
    """Oracle: x̂ŷ − ŷx̂."""
    for x, y in zip(TWISTS, TWISTS[::-1], strict=True):
        X, Y = twist_matrix(x), twist_matrix(y)
        assert np.allclose(twist_matrix(ad(x) @ y), X @ Y - Y @ X, rtol=0, atol=1e-13)
        assert np.array_equal(ad(x), bracket_matrix(x))


def test_the_adjoint_of_an_exponential_is_the_exponential_of_ad():
    """Oracle: scipy's expm of ad, written out."""
    for g in TWISTS:
        assert np.allclose(adjoint(exp_se3(g)), expm(bracket_matrix(g)), rtol=0, atol=1e-13)


def test_left_jacobians_are_the_sum_of_their_series():
    """Oracle: Σ adⁿ/(n + 1)! with 50 digits."""
    with mpmath.workdps(DIGITS):
        right = np.array([rounded(jacobian_series(bracket_matrix(g))) for g in TWISTS])
    assert np.max(np.abs(left_jacobian(TWISTS) - right)) < 1e-14


def test_inverse_left_jacobians_invert_the_series():
    """Oracle: the inverse of Σ adⁿ/(n + 1)! with 50 digits."""
    with mpmath.workdps(DIGITS):
        right = np.array([rounded(jacobian_series(bracket_matrix(g)) ** -1) for g in TWISTS])
    error = np.abs(left_jacobian_inverse(TWISTS) - right).max(axis=(1, 2))
    assert np.all(error < 2e-14 * np.abs(right).max(axis=(1, 2)))


def test_jacobians_are_the_derivative_of_the_exponential():
    """Oracle: scipy's Fréchet derivative of expm of the written matrix."""
    for g, x in zip(TWISTS, TWISTS[::-1], strict=True):
        T, dT = expm_frechet(twist_matrix(g), twist_matrix(x))
        assert np.allclose(dT @ np.linalg.inv(T), twist_matrix(left_jacobian(g) @ x), rtol=0, atol=1e-11)
        assert np.allclose(np.linalg.inv(T) @ dT, twist_matrix(right_jacobian(g) @ x), rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    ("jacobian", "inverse"), [(left_jacobian, left_jacobian_inverse), (right_jacobian, right_jacobian_inverse)]
)
def test_inverses_invert_and_batches_broadcast(jacobian, inverse):
    """Oracle: the identity."""
    g = TWISTS[:20].reshape(4, 5, 6)
    assert jacobian(g).shape == (4, 5, 6, 6)
    assert np.max(np.abs(jacobian(g) @ inverse(g) - np.eye(6))) < 1e-14
