"""How much smoothing? The weight with the least leave-one-out error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ...errors import NeedsMoreFrames
from ...progress import Report, silent
from ..fit_result import Fit, TradeOff

SUPPOSED = 3e-3  # [rad] a pose's noise where nothing is known of it
RUNGS = 10.0 ** np.arange(-3.0, 4.5, 0.75)

AnyFit = TypeVar("AnyFit", bound=Fit)


def best_smoothed(fit: Callable[[float, AnyFit | None], AnyFit], stiffest: float, watch: Report = silent) -> AnyFit:
    """The fit with the least leave-one-out error over a grid of weights, refined by a factor of 3 on both sides.

    `fit(weight, near)` may start from the fit with a neighbouring weight. A weight with which there is no fit
    (NeedsMoreFrames) is passed over; without any fit the error of the last is raised. `stiffest` is the weight from
    which the grid descends where there is no fit without smoothing.
    """
    fits: list[AnyFit] = []
    failures: list[NeedsMoreFrames] = []
    total = len(RUNGS) + 3

    def attempt(weight: float, near: AnyFit | None) -> bool:
        watch("smoothing weight", min(len(fits) + len(failures), total), total)
        try:
            fits.append(fit(weight, near))
        except NeedsMoreFrames as failure:
            failures.append(failure)
            return False
        return True

    if attempt(0.0, None):
        for weight in ladder(fits[0]):
            attempt(weight, fits[-1])
    else:
        for weight in stiffest * RUNGS[::-1] / RUNGS[-1]:
            if not attempt(weight, fits[-1] if fits else None):
                break  # softer ones have no fit either
    if not fits:
        raise failures[-1]
    best = min(fits, key=leave_one_out_error)
    for factor in (0.3, 3.0) if best.smoothing else ():
        attempt(factor * best.smoothing, best)
    watch("smoothing weight", total, total)
    return replace(min(fits, key=leave_one_out_error), tried=compared(sorted(fits, key=lambda f: f.smoothing)))


def leave_one_out_error(fit: Fit) -> float:
    """The leave-one-out error; a fit through all poses has none and comes last."""
    error = fit.cross_validated
    return np.inf if np.isnan(error) else error


def ladder(plain: Fit) -> np.ndarray:
    """Weights about the one at which misfit and bending are alike; a fit through all poses says nothing of noise."""
    exact = plain.problem.count >= plain.problem.distinct
    noise = SUPPOSED**2 * len(plain.data) if exact else max(misfit(plain), 1e-16)
    return noise / max(plain.bending, 1e-16) * RUNGS


def misfit(fit: Fit) -> float:
    """The weighted sum of squared residuals."""
    return float(fit.problem.squares(fit.usable_residuals).sum())


def compared(fits: list[AnyFit]) -> TradeOff:
    """The figures of several fits."""
    columns = (
        [f.smoothing for f in fits],
        map(misfit, fits),
        (f.bending for f in fits),
        (f.cross_validated for f in fits),
    )
    return TradeOff(*(np.array(list(c)) for c in columns))
