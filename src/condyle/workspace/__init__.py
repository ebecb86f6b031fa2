"""A person's reach: surfaces fitted to measured arms, the arm forward and inverse."""

from .arm import Arm, Lengths, Limits
from .fit import FitReport, fit_arm, fit_errors
from .inverse import ElbowCurve
from .joint import ShoulderJoint
from .nearest import NearestPoint
from .otani import OtaniComparison, compare_otani, otani_elbow
from .posture import Posture
from .reading import read_bvh_arm, read_samples, write_samples
from .samples import ArmSamples, TwistTrials
from .statistics import DistanceReport, TwistRegression, distance_report, fit_twist
from .stored import arm_as_dict, arm_from_dict
from .synthetic import synthetic_subject

__all__ = [
    "Arm",
    "ArmSamples",
    "DistanceReport",
    "ElbowCurve",
    "FitReport",
    "Lengths",
    "Limits",
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
    "otani_elbow",
    "read_bvh_arm",
    "read_samples",
    "synthetic_subject",
    "write_samples",
]
