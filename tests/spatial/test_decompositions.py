"""Small decompositions by Jacobi rotations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from condyle.spatial.kernels.decompositions import null_space, pseudoinverse, symmetric_eigen


@pytest.mark.parametrize("n", [1, 2, 7, 37])
def test_eigenvalues_and_vectors_are_those_of_lapack(n):
    """Oracle: numpy's eigh; HV = VΛ, VᵀV = I; indefinite, degenerate and rank-deficient matrices."""
    rng = np.random.default_rng(n)
    A = rng.normal(size=(4, n, n))
    H = A + A.swapaxes(1, 2)
    H[1] = np.eye(n)
    H[2] = np.outer(A[2, 0], A[2, 0])
    H[3] *= 1e-9
    values, V = symmetric_eigen(H)
    scale = np.linalg.norm(H, axis=(1, 2))[:, None]
    assert np.abs((values - np.linalg.eigvalsh(H)) / scale).max() < 1e-13
    assert np.abs((H @ V - V * values[:, None, :]) / scale[..., None]).max() < 1e-13
    assert np.abs(V.swapaxes(1, 2) @ V - np.eye(n)).max() < 1e-13


@pytest.mark.parametrize("shape", [(1, 3), (3, 7), (9, 7), (40, 37)])
def test_pseudoinverses_are_those_of_lapack(shape):
    """Oracle: numpy's pinv; with a repeated row, a zero row, and a row that differs from another by 1e-12."""
    rng = np.random.default_rng(0)
    C = rng.normal(size=(3, *shape))
    if shape[0] > 2:
        C[1, 1], C[1, 2], C[2, 1] = C[1, 0], 0.0, C[2, 0] * (1 + 1e-12)
    got = pseudoinverse(C, 1e-9)
    assert_allclose(got, np.linalg.pinv(C, rcond=1e-9), atol=1e-10 * np.abs(got).max())


def test_no_rows_and_zero_rows_have_a_pseudoinverse_of_zero():
    """Oracle: the definition."""
    assert pseudoinverse(np.zeros((2, 0, 5)), 1e-9).shape == (2, 5, 0)
    assert np.array_equal(pseudoinverse(np.zeros((1, 3, 5)), 1e-9), np.zeros((1, 5, 3)))


def test_a_null_space_is_orthonormal_and_taken_to_zero():
    """Oracle: the definition, and the rank by numpy."""
    C = np.random.default_rng(0).normal(size=(4, 31))
    C[3] = C[0] + C[1]
    Z = null_space(C, 1e-9)
    assert Z.shape == (31, 31 - np.linalg.matrix_rank(C))
    assert np.abs(C @ Z).max() < 1e-13 and np.abs(Z.T @ Z - np.eye(28)).max() < 1e-13
    assert null_space(np.eye(3), 1e-9).shape == (3, 0) and null_space(np.zeros((1, 3)), 1e-9).shape == (3, 3)
