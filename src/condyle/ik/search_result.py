"""Result of a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Found"]


@dataclass
class Found:
    """Result of a search for each batch member: best q, residual norm, largest component, stationarity, iterations."""

    q: np.ndarray
    residual: np.ndarray
    largest: np.ndarray
    stationary: np.ndarray
    iterations: np.ndarray

    @staticmethod
    def nothing(q: np.ndarray) -> Found:
        """Members that have not begun."""
        n = len(q)
        return Found(q.copy(), np.full(n, np.inf), np.full(n, np.inf), np.zeros(n, bool), np.zeros(n, int))

    def improvable(self, tolerance: float) -> np.ndarray:
        """Indices of members that did not reach their targets; not those whose residuals overflow (no gradient)."""
        return np.flatnonzero((self.largest > tolerance) & np.isfinite(self.residual))

    def put(self, members: np.ndarray, better: np.ndarray, other: Found) -> None:
        """Update those of `members` for which the other result is better."""
        for name in ("q", "residual", "largest", "stationary", "iterations"):
            getattr(self, name)[members[better]] = getattr(other, name)[better]
