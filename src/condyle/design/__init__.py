"""Joints from measurements: fit, smooth, parameterise."""

from .bones.bone_joint import BoneJoint, Compartment
from .bones.joint_from_bones import joint_from_bones
from .curve_fit import fit_curve
from .curve_result import CurveFit
from .fit_result import Fit, TradeOff, pose_errors
from .helical_axis import aligned_frame, mean_helical_axis
from .marker_clusters import cluster_poses
from .measured_poses import Measured, poses_from_markers, poses_from_table, read_markers, read_poses
from .parameterization import chord_coordinates, natural_knots, pose_distances, uniform_coordinates
from .problem.metric import metric_factor
from .report.html_report import report, require_new
from .report.smoothing_trade_off import trade_off
from .surface_fit import fit_surface
from .surface_result import SurfaceFit

__all__ = [
    "BoneJoint",
    "Compartment",
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
    "joint_from_bones",
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


def __dir__() -> list[str]:
    return sorted(__all__)
