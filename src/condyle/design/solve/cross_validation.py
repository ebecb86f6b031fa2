"""How much smoothing? The weight with the least leave-one-out error whose misfit the noise allows.

The leave-one-out error alone is not enough: one pose with much leverage, at an end or beside a gap, makes the error of
every soft fit large, and the least error is then that of a fit which misses many poses. So the misfit of a fit is
tested against that without smoothing, from which the noise is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
from scipy.special import fdtrc

from ...errors import NeedsMoreFrames
from ...progress import Report, silent
from ..fit_result import Fit, TradeOff

SUPPOSED = 3e-3  # [rad] a pose's noise where nothing is known of it
LEAST_CHANCE = 0.05  # that noise alone adds as much misfit as smoothing did
ROUND_OFF = 1e-10  # [rad in the metric] residuals below this are rounding, not noise
RUNGS = 10.0 ** np.arange(-3.0, 4.5, 0.75)

AnyFit = TypeVar("AnyFit", bound=Fit)


def best_smoothed(fit: Callable[[float, AnyFit | None], AnyFit], stiffest: float, watch: Report = silent) -> AnyFit:
    """The fit with the least leave-one-out error over a grid of weights, refined by a factor of 3 on both sides.

    `fit(weight, near)` may start from the fit with a neighbouring weight. A weight with which there is no fit
    (NeedsMoreFrames) is passed over, and so is one whose misfit the noise contradicts; without any fit the error of
    the last is raised, or of the first if noise contradicts all fits. `stiffest` is the weight from which the grid
    descends where there is no fit without smoothing.
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
    plain = failures[0].misfit if fits[0].smoothing and failures else fits[0].problem.counted_misfit(fits[0].x)
    best = best_allowed(fits, plain)
    if best is None:
        raise failures[0]
    for factor in (0.3, 3.0) if best.smoothing else ():
        attempt(factor * best.smoothing, best)
    watch("smoothing weight", total, total)
    best = best_allowed(fits, plain) or best
    return replace(best, tried=compared(sorted(fits, key=lambda f: f.smoothing)))


def best_allowed(fits: list[AnyFit], plain: float | None) -> AnyFit | None:
    """The fit with the least leave-one-out error among those that the noise allows."""
    return min((f for f in fits if noise_allows(f, plain)), key=leave_one_out_error, default=None)


def noise_allows(fit: Fit, plain: float | None) -> bool:
    """Whether noise explains what smoothing added to the misfit without it, by the F-test.

    Without smoothing p parameters of n measured numbers leave σ² (n − p) of noise with the variance σ²; the true motion
    leaves σ² n. Where p parameters meet all poses, nothing is known of the noise, and everything is allowed.
    """
    n = 3 * (np.count_nonzero(fit.data.turned) + np.count_nonzero(fit.data.placed))
    p = 6 * fit.problem.count
    if plain is None or p >= n or fit.problem.count >= fit.problem.distinct:
        return True
    noise = max(plain / (n - p), ROUND_OFF**2)
    added = fit.problem.counted_misfit(fit.x) - plain
    return bool(added <= 0.0 or fdtrc(p, n - p, added / (p * noise)) > LEAST_CHANCE)


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
