"""Joints from measurements: fit, smooth, parameterise."""

from .curve import fit_curve
from .metric import metric_factor
from .parameters import chord_coordinates, natural_knots, pose_distances, uniform_coordinates
from .result import CurveFit, pose_errors
from .surface import SurfaceFit, fit_surface
from .validation import TradeOff, trade_off

__all__ = [
    "CurveFit",
    "SurfaceFit",
    "TradeOff",
    "chord_coordinates",
    "fit_curve",
    "fit_surface",
    "metric_factor",
    "natural_knots",
    "pose_distances",
    "pose_errors",
    "trade_off",
    "uniform_coordinates",
]
