"""Fits with many smoothing weights side by side."""

from __future__ import annotations

from .compared import TradeOff
from .curve import fit_curve
from .validation import compared, ladder

__all__ = ["trade_off"]


def trade_off(poses, coordinates=None, weights=None, **options) -> TradeOff:
    """Fit with each smoothing weight (default: none, and a ladder about the data's own); options of `fit_curve`."""
    if weights is None:
        plain = fit_curve(poses, coordinates, **options)
        weights = [0.0, *ladder(plain)]
    return compared([fit_curve(poses, coordinates, smoothing=float(w), **options) for w in weights])
