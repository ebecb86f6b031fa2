"""How much smoothing? Leave poses out and see how well the rest foretells them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .result import CurveFit

__all__ = ["TradeOff", "best_smoothed", "compared", "ladder"]

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
    best = min(fits, key=lambda f: f.cross_validated)
    if best is plain:
        return plain
    return min([best, fit(0.3 * best.smoothing), fit(3.0 * best.smoothing)], key=lambda f: f.cross_validated)


def ladder(plain: CurveFit) -> np.ndarray:
    """Weights about the one at which misfit and bending are alike."""
    alike = max(misfit(plain), 1e-16) / max(plain.bending, 1e-16)
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
