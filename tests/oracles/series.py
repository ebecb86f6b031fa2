"""Numbers that carry their own time derivatives: truncated power series as matrices.

The series x(t) = x0 + x1 t + x2 t² + … is stored as the upper-triangular Toeplitz matrix x0 + x1 N + x2 N² + …, with N
the shift (N^(order+1) = 0). Products of series are products of these matrices and an analytic function of a series is
the matrix function of it, so scipy's expm differentiates for us, exactly and to any order. A 4x4 pose that
moves is a matrix of 4x4 blocks, its k-th time derivative over k! is block k of its first row. Entries may be complex.
"""

import numpy as np
from scipy.linalg import expm

__all__ = ["cosine_sine", "exponential", "fixed", "hat", "reciprocal_root", "series", "start", "terms"]


def series(coefficients, order):
    """The series Σ coefficients[k] t^k, cut after t^order."""
    return sum((c * np.eye(order + 1, k=k) for k, c in enumerate(coefficients)), np.zeros((order + 1, order + 1)))


def start(x):
    """The value at t = 0 (its real part: spans are chosen by it)."""
    return np.real(x[0, 0])


def hat(twist):
    """The 4x4 matrix of a twist [ω; v]."""
    (a, b, c), v = twist[:3], twist[3:]
    return np.array([[0, -c, b, v[0]], [c, 0, -a, v[1]], [-b, a, 0, v[2]], [0, 0, 0, 0]])


def exponential(twist, x):
    """exp(ĝ x(t)) by scipy's expm."""
    return expm(np.kron(x, hat(twist)))


def fixed(pose, order):
    """A pose that does not move."""
    return np.kron(np.eye(order + 1), pose)


def terms(pose):
    """The coefficients of a moving pose, shape (order + 1, 4, 4): T(t) = Σ terms[k] t^k."""
    return pose[:4].reshape(4, -1, 4).swapaxes(0, 1)


def cosine_sine(x):
    """cos x and sin x, by the exponential of a quarter turn times x (real for real x, so a complex step survives)."""
    n = len(x)
    turn = expm(np.kron(np.array([[0, -1], [1, 0]]), x))
    return turn[:n, :n], turn[n:, :n]


def reciprocal_root(x):
    """1/√x by Newton's iteration; each of its steps doubles the number of right coefficients."""
    y = np.eye(len(x)) / np.sqrt(start(x))
    for _ in range(len(x) + 1):
        y = y @ (3 * np.eye(len(x)) - x @ y @ y) / 2
    return y
