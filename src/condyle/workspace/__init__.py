"""A person's reach: surfaces fitted to measured arms, the arm forward and inverse."""

from .arm import Arm
from .arm_kinematics import rest_frame
from .arm_limits import Lengths, Limits
from .fit.arm_fit import FitReport, fit_arm, fit_errors
from .fit.measured_arms import read_bvh_arm, read_samples, write_samples
from .fit.paper_surface import interpolated_surface, interpolation_places
from .fit.samples import ArmSamples, TwistTrials
from .fit.statistics import DistanceReport, TwistRegression, distance_report, fit_twist
from .fit.synthetic_subjects import synthetic_subject
from .measured_region import MeasuredRegion
from .otani import OtaniComparison, compare_otani, otani_angles, otani_elbow
from .posture import Posture
from .serialization import arm_as_dict, arm_from_dict
from .shoulder_joint import ShoulderJoint
from .solve.arm_inverse import ElbowCurve, NearestPoint

__all__ = [
    "Arm",
    "ArmSamples",
    "DistanceReport",
    "ElbowCurve",
    "FitReport",
    "Lengths",
    "Limits",
    "MeasuredRegion",
    "NearestPoint",
    "OtaniComparison",
    "Posture",
    "ShoulderJoint",
    "TwistRegression",
    "TwistTrials",
    "arm_as_dict",
    "arm_from_dict",
    "compare_otani",
    "distance_report",
    "fit_arm",
    "fit_errors",
    "fit_twist",
    "interpolated_surface",
    "interpolation_places",
    "otani_angles",
    "otani_elbow",
    "read_bvh_arm",
    "read_samples",
    "rest_frame",
    "synthetic_subject",
    "write_samples",
]


def __dir__() -> list[str]:
    return sorted(__all__)
