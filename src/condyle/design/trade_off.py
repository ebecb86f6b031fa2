"""Fits with many smoothing weights side by side."""

from __future__ import annotations

import warnings

from ..errors import CondyleWarning, NeedsMoreFrames
from .compared import TradeOff
from .curve import fit_curve
from .curve_result import CurveFit
from .validation import compared, ladder

__all__ = ["trade_off"]


def trade_off(poses, coordinates=None, weights=None, **options) -> TradeOff:
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
    if weights is None:
        try:
            weights = [0.0, *ladder(fit_curve(poses, coordinates, **options))]
        except NeedsMoreFrames:
            weights = fit_curve(poses, coordinates, smoothing="auto", **options).tried.weights
    fits: list[CurveFit] = []
    for weight in map(float, weights):
        try:
            fits.append(fit_curve(poses, coordinates, smoothing=weight, **options))
        except NeedsMoreFrames as failure:
            last = failure
            warnings.warn(f"trade_off: no fit with smoothing {weight:.3g}: {failure}", CondyleWarning, stacklevel=2)
    if not fits:
        raise last
    return compared(fits)
