"""Muscles: paths over bodies, their lengths and moment arms, and the forces of muscles along them."""

from ..model.muscle_laws import LAWS
from ..model.path_points import conditional_point, moving_point
from ..model.paths import Muscle, Path, PathPoint, PathWrap, WrapObject
from .muscle_forces import MuscleForces, activation_rates, forces
from .path_lengths import lengthening_speeds, lengths, moment_arms, names
from .static_optimization import StaticOptimization, static_optimization

__all__ = [
    "LAWS",
    "Muscle",
    "MuscleForces",
    "Path",
    "PathPoint",
    "PathWrap",
    "StaticOptimization",
    "WrapObject",
    "activation_rates",
    "conditional_point",
    "forces",
    "lengthening_speeds",
    "lengths",
    "moment_arms",
    "moving_point",
    "names",
    "static_optimization",
]


def __dir__() -> list[str]:
    return sorted(__all__)
