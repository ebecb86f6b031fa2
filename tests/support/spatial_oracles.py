"""Exponentials and their Jacobians by their series, with 50 digits; nothing of condyle's."""

import mpmath
import numpy as np

DIGITS = 50


def matrix_exp(A):
    """Σ Aⁿ/n! of a square array, correctly rounded."""
    with mpmath.workdps(DIGITS):
        return rounded(mpmath.expm(exact(A), method="taylor"))


def jacobian_series(A):
    """Σ Aⁿ/(n + 1)!, as an mpmath matrix."""
    A = exact(A)
    term = total = mpmath.eye(A.rows)
    for n in range(1, 75):
        term = term * A / (n + 1)
        total = total + term
    return total


def exact(A):
    return mpmath.matrix([[mpmath.mpf(float(x)) for x in row] for row in A])


def rounded(M):
    return np.array([[float(M[i, j]) for j in range(M.cols)] for i in range(M.rows)])


def skew(w):
    """The matrix of a cross product, written out."""
    x, y, z = w
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def twist_matrix(g):
    """The 4x4 matrix of a twist [ω; v], written out."""
    A = np.zeros((4, 4))
    A[:3, :3], A[:3, 3] = skew(g[:3]), g[3:]
    return A


def bracket_matrix(g):
    """The 6x6 matrix of the bracket with a twist, written out."""
    A = np.zeros((6, 6))
    A[:3, :3] = A[3:, 3:] = skew(g[:3])
    A[3:, :3] = skew(g[3:])
    return A


def directions(count, seed=0):
    """Unit vectors."""
    n = np.random.default_rng(seed).normal(size=(count, 3))
    return n / np.linalg.norm(n, axis=1, keepdims=True)


def twists(angles, seed=0):
    """Random twists that turn by the given angles."""
    angles = np.asarray(angles, dtype=float)
    v = np.random.default_rng(seed + 1).normal(size=(len(angles), 3))
    return np.concatenate([directions(len(angles), seed) * angles[:, None], v], axis=1)


def log_uniform(low, high, count, seed=0):
    return np.exp(np.random.default_rng(seed + 2).uniform(np.log(low), np.log(high), count))
