"""Fits with several smoothing weights, as figures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["TradeOff"]


@dataclass(frozen=True)
class TradeOff:
    """What smoothing costs, for each of some weights.

    Attributes
    ----------
    weights : ndarray, shape (k,)
        Rising.
    misfit : ndarray, shape (k,)
        Sum of squared residuals.
    bending : ndarray, shape (k,)
        What smoothing makes small.
    error : ndarray, shape (k,)
        Leave-one-out error.
    """

    weights: np.ndarray
    misfit: np.ndarray
    bending: np.ndarray
    error: np.ndarray

    @property
    def best(self) -> float:
        """The weight with the least leave-one-out error."""
        return float(self.weights[np.nanargmin(self.error)])
