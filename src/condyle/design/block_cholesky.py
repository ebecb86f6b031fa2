"""Cholesky's factor of a block-tridiagonal matrix, block by block.

LAPACK's banded Cholesky hands each column to all threads of the BLAS, which on a busy machine costs a thousand times
the work; products of blocks of a dozen rows stay on one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["factored"]


def factored(diagonal: np.ndarray, upper: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """A function that solves A x = b, b (m·w,) or (m·w, columns), for A of blocks (m, w, w) on and above its diagonal.

    A_ii = L_i L_iᵀ + X_{i−1}ᵀ X_{i−1} (its lower triangle is read) and A_{i,i+1} = L_i X_i; LinAlgError if A is not
    positive.
    """
    V, X, rest = [], [], diagonal[0]  # V_i = L_i⁻¹
    for i in range(len(diagonal)):
        V.append(np.linalg.inv(np.linalg.cholesky(rest)))
        if i + 1 < len(diagonal):
            X.append(V[i] @ upper[i])
            rest = diagonal[i + 1] - X[i].T @ X[i]
    return lambda b: solved(V, X, b)


def solved(V: list[np.ndarray], X: list[np.ndarray], b: np.ndarray) -> np.ndarray:
    """Down with L, up with its transpose."""
    x = list(b.reshape(len(V), -1, *b.shape[1:]))
    for i in range(len(V)):
        x[i] = V[i] @ (x[i] - X[i - 1].T @ x[i - 1] if i else x[i])
    for i in reversed(range(len(V))):
        x[i] = V[i].T @ (x[i] - X[i] @ x[i + 1] if i < len(X) else x[i])
    return np.concatenate(x)
