"""Normal equations of few control points that couple in two or more directions: a dense matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from .band import NotPositive

__all__ = ["DenseSystem"]


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
        return self._solved(damping, self.right.ravel()).reshape(-1, 6)

    def inverse(self) -> np.ndarray:
        """The inverse (6n, 6n), for leverages."""
        return self._solved(0.0, np.eye(self.right.size))

    def _solved(self, damping, b: np.ndarray) -> np.ndarray:
        damped = self.matrix.copy()
        np.einsum("ii->i", damped)[:] += np.ravel(damping)
        try:
            return cho_solve(cho_factor(damped, overwrite_a=True, check_finite=False), b, check_finite=False)
        except LinAlgError:
            raise NotPositive from None
