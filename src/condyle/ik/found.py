"""Where a search ended."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Found"]


@dataclass
class Found:
    """Where each member ended, and how."""

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
        """The members that did not reach their targets; not those whose residuals overflow: they have no slope."""
        return np.flatnonzero((self.largest > tolerance) & np.isfinite(self.residual))

    def put(self, members: np.ndarray, better: np.ndarray, other: Found) -> None:
        """Take over those of `members` for which the other is better."""
        for name in ("q", "residual", "largest", "stationary", "iterations"):
            getattr(self, name)[members[better]] = getattr(other, name)[better]
