"""Fits with several smoothing weights, as figures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["TradeOff"]


@dataclass(frozen=True)
class TradeOff:
    """For each weight, rising: the sum of squared residuals, the bending, and the leave-one-out error."""

    weights: np.ndarray
    misfit: np.ndarray
    bending: np.ndarray
    error: np.ndarray

    @property
    def best(self) -> float:
        """The weight with the least leave-one-out error."""
        return float(self.weights[np.nanargmin(self.error)])
