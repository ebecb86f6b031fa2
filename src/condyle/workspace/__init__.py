"""A person's reach: surfaces fitted to measured arms, the arm forward and inverse."""

from .arm import Arm, Lengths, Limits
from .fit import FitReport, fit_arm, fit_errors
from .inverse import ElbowCurve
from .nearest import NearestPoint
from .posture import Posture
from .samples import ArmSamples, TwistTrials
from .statistics import DistanceReport, TwistRegression, distance_report, fit_twist
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
    "Posture",
    "TwistRegression",
    "TwistTrials",
    "distance_report",
    "fit_arm",
    "fit_errors",
    "fit_twist",
    "synthetic_subject",
]
