"""Fits with many smoothing weights side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import NeedsMoreFrames, require, warn
from ...typing import ArrayLike
from ..curve_fit import fit_curve
from ..curve_result import CurveFit
from ..fit_result import TradeOff
from ..solve.cross_validation import compared, ladder


def trade_off(
    poses: ArrayLike, coordinates: ArrayLike | str | None = None, weights: ArrayLike | None = None, **options: Any
) -> TradeOff:
    """Fit a curve with each of several smoothing weights and compare misfit, bending and leave-one-out error.

    Parameters
    ----------
    poses : SE3 or array, shape (N, 4, 4)
        As `fit_curve` takes them.
    coordinates : array, shape (N,), or str, optional
        As `fit_curve` takes them.
    weights : sequence of float, optional
        Smoothing weights. Default: 0 and a grid about the weight at which misfit and bending are alike.
    **options
        Further arguments of `fit_curve`.

    Returns
    -------
    TradeOff
        A row for each weight. A weight with which there is no fit is left out with a warning that names it.

    Raises
    ------
    NeedsMoreFrames
        If there is no fit with any of the weights.
    """
    weights = (
        default_weights(poses, coordinates, options) if weights is None else [float(w) for w in np.asarray(weights)]
    )
    require(len(weights) > 0, "trade_off: give at least one smoothing weight")
    fits: list[CurveFit] = []
    failures: list[NeedsMoreFrames] = []
    for weight in weights:
        try:
            fits.append(fit_curve(poses, coordinates, smoothing=weight, **options))
        except NeedsMoreFrames as failure:
            failures.append(failure)
            warn(f"trade_off: no fit with smoothing {weight:.3g}: {failure}")
    if not fits:
        raise failures[-1]
    return compared(fits)


def default_weights(poses, coordinates, options: dict) -> list[float]:
    """0 and a grid about the data's own; where there is no fit without smoothing, those that `"auto"` tried."""
    try:
        return [0.0, *ladder(fit_curve(poses, coordinates, **options))]
    except NeedsMoreFrames:
        tried = fit_curve(poses, coordinates, smoothing="auto", **options).tried
        return [] if tried is None else tried.weights.tolist()
