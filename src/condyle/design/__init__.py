"""Joints from measurements: fit, smooth, parameterise."""

from .axis import aligned_frame, mean_helical_axis
from .clusters import cluster_poses
from .compared import TradeOff
from .curve import fit_curve
from .curve_result import CurveFit
from .measured import Measured, poses_from_markers, poses_from_table, read_markers, read_poses
from .metric import metric_factor
from .page import report, require_new
from .parameters import chord_coordinates, natural_knots, pose_distances, uniform_coordinates
from .result import Fit, pose_errors
from .surface import fit_surface
from .surface_result import SurfaceFit
from .trade_off import trade_off

__all__ = [
    "CurveFit",
    "Fit",
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
