"""How much smoothing? Leave poses out and see how well the rest foretells them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .result import CurveFit

__all__ = ["TradeOff", "best_smoothed", "compared", "ladder"]

SUPPOSED = 3e-3  # [rad] a pose's noise where nothing is known of it

Fitter = Callable[[float], CurveFit]


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


def best_smoothed(fit: Fitter) -> CurveFit:
    """The fit whose left-out poses are foretold best: a ladder of weights, then two beside the best of them."""
    plain = fit(0.0)
    fits = [plain, *(fit(weight) for weight in ladder(plain))]
    best = min(fits, key=foretold)
    if best is plain:
        return plain
    return min([best, fit(0.3 * best.smoothing), fit(3.0 * best.smoothing)], key=foretold)


def foretold(fit: CurveFit) -> float:
    """The cross-validated error; a curve through all poses has none and comes last."""
    error = fit.cross_validated
    return np.inf if np.isnan(error) else error


def ladder(plain: CurveFit) -> np.ndarray:
    """Weights about the one at which misfit and bending are alike; a curve through all poses says nothing of noise."""
    exact = len(plain.frames) >= len(plain.data)
    noise = SUPPOSED**2 * len(plain.data) if exact else max(misfit(plain), 1e-16)
    alike = noise / max(plain.bending, 1e-16)
    return alike * 10.0 ** np.arange(-3.0, 4.5, 0.75)


def misfit(fit: CurveFit) -> float:
    """The weighted sum of squared residuals."""
    return float(fit.problem.squares(fit.problem.residuals(fit.frames)).sum())


def compared(fits: list[CurveFit]) -> TradeOff:
    """The figures of several fits."""
    columns = (
        [f.smoothing for f in fits],
        map(misfit, fits),
        (f.bending for f in fits),
        (f.cross_validated for f in fits),
    )
    return TradeOff(*(np.array(list(c)) for c in columns))
