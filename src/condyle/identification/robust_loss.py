"""Huber's loss of residuals in standard deviations: squares near zero, linear beyond a cutoff."""

from __future__ import annotations

import numpy as np

CUTOFF = 2.0  # standard deviations of a residual from which on a robust loss counts less


def robust_weights(r: np.ndarray, loss: str) -> np.ndarray:
    """Weights (F, m) of residuals (F, m, k) by their lengths, of Huber's loss; ones for squares."""
    size = np.linalg.norm(r, axis=2)
    if loss == "squares":
        return np.ones_like(size)
    return np.where(size > CUTOFF, CUTOFF / np.maximum(size, CUTOFF), 1.0)


def robust_cost(r: np.ndarray, loss: str) -> float:
    """The sum of the loss over residuals (F, m, k)."""
    size = np.linalg.norm(r, axis=2)
    each = 0.5 * size**2
    if loss != "squares":
        each = np.where(size > CUTOFF, CUTOFF * (size - 0.5 * CUTOFF), each)
    return float(each.sum())
