"""Muscles: paths over bodies, their lengths and moment arms, and the forces of muscles along them."""

from ..model.muscle_paths.muscle_laws import LAWS
from ..model.muscle_paths.path_points import conditional_point, moving_point
from ..model.muscle_paths.paths import Muscle, Path, PathPoint, PathWrap, WrapObject
from .driven_derivatives import (
    MuscleCotangents,
    MuscleLinearization,
    forward_dynamics_vjp,
    length_hessians,
    linearize,
)
from .driven_dynamics import forward_dynamics
from .elastic_energy import elastic_energy
from .elastic_forces import elastic_forces
from .gradients_through_time import MuscleTrajectoryCotangents, simulate_vjp
from .muscle_forces import MuscleForces, activation_rates, forces
from .muscle_simulation import simulate
from .muscle_trajectory import MuscleTrajectory
from .path_curves import path_points
from .path_lengths import lengthening_speeds, lengths, moment_arms, names
from .path_polynomials import PathPolynomial, reduced_path
from .static_optimization import StaticOptimization, static_optimization

__all__ = [
    "LAWS",
    "Muscle",
    "MuscleCotangents",
    "MuscleForces",
    "MuscleLinearization",
    "MuscleTrajectory",
    "MuscleTrajectoryCotangents",
    "Path",
    "PathPoint",
    "PathPolynomial",
    "PathWrap",
    "StaticOptimization",
    "WrapObject",
    "activation_rates",
    "conditional_point",
    "elastic_energy",
    "elastic_forces",
    "forces",
    "forward_dynamics",
    "forward_dynamics_vjp",
    "length_hessians",
    "lengthening_speeds",
    "lengths",
    "linearize",
    "moment_arms",
    "moving_point",
    "names",
    "path_points",
    "reduced_path",
    "simulate",
    "simulate_vjp",
    "static_optimization",
]


def __dir__() -> list[str]:
    return sorted(__all__)
