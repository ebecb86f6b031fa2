"""Poses, velocities, forces, accelerations, energy, constraints."""

from .api import bias_forces, forward_dynamics, inverse_dynamics, mass_matrix
from .bodies import (
    body_accelerations,
    body_jacobian,
    body_jacobian_rate,
    body_velocities,
    forward_kinematics,
    point_jacobian,
    point_jacobian_rate,
    world_force,
)
from .energy import Energy, Momentum, center_of_mass, energy, momentum

__all__ = [
    "Energy",
    "Momentum",
    "bias_forces",
    "body_accelerations",
    "body_jacobian",
    "body_jacobian_rate",
    "body_velocities",
    "center_of_mass",
    "energy",
    "forward_dynamics",
    "forward_kinematics",
    "inverse_dynamics",
    "mass_matrix",
    "momentum",
    "point_jacobian",
    "point_jacobian_rate",
    "world_force",
]
