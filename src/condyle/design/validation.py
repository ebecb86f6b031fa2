"""How much smoothing? Leave poses out and see how well the rest foretells them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from .compared import TradeOff
from .result import Fit
from .watch import Watch, silent

__all__ = ["best_smoothed", "compared", "ladder"]

SUPPOSED = 3e-3  # [rad] a pose's noise where nothing is known of it
RUNGS = 10.0 ** np.arange(-3.0, 4.5, 0.75)

AnyFit = TypeVar("AnyFit", bound=Fit)


def best_smoothed(fit: Callable[[float, AnyFit | None], AnyFit], watch: Watch = silent) -> AnyFit:
    """The fit whose left-out poses are foretold best: a ladder of weights, then two beside the best of them.

    `fit(weight, near)` may start from the fit with a neighbouring weight.
    """
    fits, total = [fit(0.0, None)], len(RUNGS) + 3

    def tried(weight: float, near: AnyFit) -> None:
        watch("smoothing weight", len(fits), total)
        fits.append(fit(weight, near))

    for weight in ladder(fits[0]):
        tried(weight, fits[-1])
    best = min(fits, key=foretold)
    if best.smoothing:
        tried(0.3 * best.smoothing, best)
        tried(3.0 * best.smoothing, best)
    watch("smoothing weight", total, total)
    return replace(min(fits, key=foretold), tried=compared(sorted(fits, key=lambda f: f.smoothing)))


def foretold(fit: Fit) -> float:
    """The cross-validated error; a fit through all poses has none and comes last."""
    error = fit.cross_validated
    return np.inf if np.isnan(error) else error


def ladder(plain: Fit) -> np.ndarray:
    """Weights about the one at which misfit and bending are alike; a fit through all poses says nothing of noise."""
    exact = plain.problem.count >= plain.problem.distinct
    noise = SUPPOSED**2 * len(plain.data) if exact else max(misfit(plain), 1e-16)
    return noise / max(plain.bending, 1e-16) * RUNGS


def misfit(fit: Fit) -> float:
    """The weighted sum of squared residuals."""
    return float(fit.problem.squares(fit.left_over).sum())


def compared(fits: list[AnyFit]) -> TradeOff:
    """The figures of several fits."""
    columns = (
        [f.smoothing for f in fits],
        map(misfit, fits),
        (f.bending for f in fits),
        (f.cross_validated for f in fits),
    )
    return TradeOff(*(np.array(list(c)) for c in columns))
