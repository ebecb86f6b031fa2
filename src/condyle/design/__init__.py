"""Joints from measurements: fit, smooth, parameterise."""

from .axis import aligned_frame, mean_helical_axis
from .clusters import cluster_poses
from .curve import fit_curve
from .measured import Measured, poses_from_markers, poses_from_table, read_markers, read_poses
from .metric import metric_factor
from .page import report, require_new
from .parameters import chord_coordinates, natural_knots, pose_distances, uniform_coordinates
from .result import CurveFit, pose_errors
from .surface import SurfaceFit, fit_surface
from .trade_off import trade_off
from .validation import TradeOff

__all__ = [
    "CurveFit",
    "Measured",
    "SurfaceFit",
    "TradeOff",
    "aligned_frame",
    "chord_coordinates",
    "cluster_poses",
    "fit_curve",
    "fit_surface",
    "mean_helical_axis",
    "metric_factor",
    "natural_knots",
    "pose_distances",
    "pose_errors",
    "poses_from_markers",
    "poses_from_table",
    "read_markers",
    "read_poses",
    "report",
    "require_new",
    "trade_off",
    "uniform_coordinates",
]
