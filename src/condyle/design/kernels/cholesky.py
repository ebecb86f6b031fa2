"""Cholesky's factor of a banded symmetric matrix of hundreds of unknowns, on the thread that calls.

LAPACK hands such a factorisation to all threads of the BLAS, which on a busy machine costs ten times the work.
"""

import math

from ...numeric import entry, kernel


@kernel
def subtract_row(U, k, i, last):
    """Row i of U, from its diagonal on, less U[k, i] times row k."""
    c = U[k, i]
    if c != 0.0:
        for j in range(i, last + 1):
            U[i, j] -= c * U[k, j]


@entry
def factorize(z, U, last):
    """UᵀU of the matrix whose upper triangle is U (n, n), in place; row k ends at column last[k], which rises.

    The first row whose pivot is not positive, or −1.
    """
    for k in range(U.shape[0]):
        if not U[k, k] > 0.0:  # NaN too
            return k
        root = math.sqrt(U[k, k])
        for j in range(k, last[k] + 1):
            U[k, j] /= root
        for i in range(k + 1, last[k] + 1):
            subtract_row(U, k, i, last[k])
    return -1


@entry
def substitute(z, U, last, B):
    """Solve UᵀU X = B for B (n, columns), in place."""
    n, columns = B.shape
    for k in range(n):
        for c in range(columns):
            B[k, c] /= U[k, k]
        for j in range(k + 1, last[k] + 1):
            for c in range(columns):
                B[j, c] -= U[k, j] * B[k, c]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, last[k] + 1):
            for c in range(columns):
                B[k, c] -= U[k, j] * B[j, c]
        for c in range(columns):
            B[k, c] /= U[k, k]
