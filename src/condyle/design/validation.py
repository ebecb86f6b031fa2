"""How much smoothing? Leave poses out and see how well the rest foretells them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .curve import fit_curve
from .result import CurveFit

__all__ = ["TradeOff", "fit_with_best_smoothing", "trade_off"]


@dataclass(frozen=True)
class TradeOff:
    """For each weight: the sum of squared residuals, the bending, and the cross-validated error."""

    weights: np.ndarray
    misfit: np.ndarray
    bending: np.ndarray
    error: np.ndarray

    @property
    def best(self) -> float:
        """The weight with the least cross-validated error."""
        return float(self.weights[np.argmin(self.error)])


def trade_off(poses, coordinates=None, weights=None, **options) -> TradeOff:
    """Fit with each smoothing weight (default: zero and eleven decades about the data's own) and compare."""
    fits = [fit_curve(poses, coordinates, smoothing=w, **options) for w in ladder(poses, coordinates, weights, options)]
    return compared(fits)


def fit_with_best_smoothing(poses, coordinates=None, **options) -> CurveFit:
    """The fit whose left-out poses are foretold best; each pose is left out once, linearised at the answer."""
    fits = [fit_curve(poses, coordinates, smoothing=w, **options) for w in ladder(poses, coordinates, None, options)]
    coarse = compared(fits)
    best = int(np.argmin(coarse.error))
    if best == 0:
        return fits[0]
    near = coarse.weights[best] * np.array([0.3, 3.0])
    fits = [fits[best], *(fit_curve(poses, coordinates, smoothing=w, **options) for w in near)]
    return min(fits, key=lambda fit: fit.cross_validated)


def ladder(poses, coordinates, weights, options) -> np.ndarray:
    """Zero, then decades about the weight at which misfit and bending are alike."""
    if weights is not None:
        return np.asarray(weights, float)
    plain = fit_curve(poses, coordinates, smoothing=0.0, **options)
    misfit = float(plain.problem.squares(plain.problem.residuals(plain.frames)).sum())
    alike = max(misfit, 1e-16) / max(plain.bending, 1e-16)
    return np.concatenate([[0.0], alike * 10.0 ** np.arange(-3.0, 4.5, 0.75)])


def compared(fits: list[CurveFit]) -> TradeOff:
    """The figures of several fits."""
    misfit = [float(f.problem.squares(f.problem.residuals(f.frames)).sum()) for f in fits]
    columns = ([f.smoothing for f in fits], misfit, [f.bending for f in fits], [f.cross_validated for f in fits])
    return TradeOff(*(np.array(c) for c in columns))
