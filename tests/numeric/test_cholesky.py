"""Factors of small matrices in kernels against numpy."""

import numpy as np
import pytest

from condyle.numeric import (
    LANE_WIDTH,
    LANES,
    cholesky,
    cholesky_backward,
    cholesky_forward,
    entry,
    pivoted_backward,
    pivoted_cholesky,
    pivoted_forward,
)


@entry
def solve_packed(z, w, n):
    """A⁻¹ b in place, A packed by rows of its lower half, b after it."""
    b = n * (n + 1) // 2
    cholesky(z, w, 0, n)
    cholesky_forward(z, w, 0, n, b, 1, 1, 0)
    cholesky_backward(z, w, 0, n, b)


@entry
def solve_pivoted(z, A, order, x, tolerance):
    """A⁻¹ x in place for the independent rows; returns the rank."""
    n = len(order)
    rank = pivoted_cholesky(z, A, n, order, tolerance)
    pivoted_forward(z, A, n, order, rank, x)
    pivoted_backward(z, A, n, order, rank, x)
    return rank


def positive(rng, n, rank=None):
    B = rng.normal(size=(n, rank or n))
    return B @ B.T


@pytest.mark.parametrize("z", [0.0, LANES, 0j])
@pytest.mark.parametrize("n", [1, 2, 6])
def test_the_packed_factor_solves(z, n):
    """Oracle: numpy.linalg.solve, another matrix in every lane."""
    rng, wide = np.random.default_rng(n), LANE_WIDTH if z is LANES else 1
    matrices, b = [positive(rng, n) for _ in range(wide)], rng.normal(size=(wide, n))
    w = np.concatenate([[A[np.tril_indices(n)] for A in matrices], b], axis=1).T.ravel()
    w = np.ascontiguousarray(w, dtype=complex if isinstance(z, complex) else float)
    solve_packed(z, w, n)
    x = w.reshape(-1, wide)[-n:].T
    assert np.allclose(x, [np.linalg.solve(A, y) for A, y in zip(matrices, b, strict=True)], rtol=1e-8)


@pytest.mark.parametrize("rank", [1, 3, 5])
def test_the_pivoted_factor_finds_the_rank_and_solves(rank):
    """Oracle: numpy's rank, and A x = b for a b in the range of A."""
    rng = np.random.default_rng(rank)
    A = positive(rng, 5, rank)
    b = A @ rng.normal(size=5)
    x, order = b.copy(), np.zeros(5, dtype=np.int64)
    assert solve_pivoted(0.0, A.copy().ravel(), order, x, 1e-10) == np.linalg.matrix_rank(A) == rank
    x[order[rank:]] = 0.0
    assert np.abs(A @ x - b).max() < 1e-9
