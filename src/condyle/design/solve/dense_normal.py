"""Normal equations of control points that couple in two or more directions, and how they are solved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ...numeric import COMPILED
from .block_band import NotPositive

LARGE = 2000  # unknowns above which LAPACK's threads give more than they cost


@dataclass
class DenseSystem:
    """A symmetric matrix (6n, 6n) and the right-hand side (n, 6) that belongs to it."""

    matrix: np.ndarray
    right: np.ndarray

    def diagonal(self) -> np.ndarray:
        """The diagonal, (n, 6)."""
        return np.diag(self.matrix).reshape(-1, 6)

    def solve(self, damping: np.ndarray | float = 0.0) -> np.ndarray:
        """The solution (n, 6); or NotPositive."""
        return self._solved(damping, self.right.reshape(-1, 1)).reshape(-1, 6)

    def inverse(self) -> np.ndarray:
        """The inverse (6n, 6n), for leverages."""
        return self._solved(0.0, np.eye(self.right.size))

    def _solved(self, damping, B: np.ndarray) -> np.ndarray:
        damped = self.matrix.copy()
        np.einsum("ii->i", damped)[:] += np.ravel(damping)
        return solve_positive(damped, B)


def solve_positive(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """A⁻¹B (n, columns) of a symmetric positive A (n, n), which is overwritten; or NotPositive."""
    if not COMPILED or len(A) > LARGE:
        try:
            return cho_solve(cho_factor(A, overwrite_a=True, check_finite=False), B, check_finite=False)
        except LinAlgError:
            raise NotPositive from None
    from ..kernels.cholesky import factorize, substitute

    last = row_ends(A)
    if factorize(0.0, A, last) >= 0:
        raise NotPositive
    X = np.array(B, order="C")
    substitute(0.0, A, last, X)
    return X


def row_ends(A: np.ndarray) -> np.ndarray:
    """The last column that Cholesky's factor has in each row: that of this row or of one above it."""
    width = A.shape[1] - 1 - np.argmax(A[:, ::-1] != 0.0, axis=1)
    return np.maximum.accumulate(np.maximum(width, np.arange(len(A))))
