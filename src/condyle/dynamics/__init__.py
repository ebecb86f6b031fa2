"""Poses, velocities, forces, accelerations, energy, constraints."""

from .body_jacobians import body_jacobian, body_jacobian_rate, point_jacobian, point_jacobian_rate
from .constraints.constraint_forces import ConstraintForces, constraint_forces, project
from .coordinate_differences import difference, integrate
from .derivatives.adjoint import ForwardCotangents, InverseCotangents, forward_dynamics_vjp, inverse_dynamics_vjp
from .derivatives.directional import AccelerationAlong, forward_dynamics_jvp
from .derivatives.inverse_derivatives import InverseDerivatives, inverse_dynamics_derivatives
from .derivatives.linearization import Linearization, linearize
from .derivatives.second_order import (
    EnergyHessian,
    MomentumDerivatives,
    body_hessian,
    center_of_mass_hessian,
    center_of_mass_jacobian,
    energy_hessian,
    momentum_derivatives,
    point_hessian,
)
from .element_forces import ElementForce, ElementForces, element_forces
from .energy import Energy, Momentum, center_of_mass, energy, momentum
from .evaluator import Evaluator
from .forward_inverse import bias_forces, forward_dynamics, inverse_dynamics, mass_matrix
from .ground_contacts import ground_contacts
from .kinematics import body_accelerations, body_velocities, forward_kinematics, world_force
from .rerooted_states import RerootedState, rerooted_state

__all__ = [
    "AccelerationAlong",
    "ConstraintForces",
    "ElementForce",
    "ElementForces",
    "Energy",
    "EnergyHessian",
    "Evaluator",
    "ForwardCotangents",
    "InverseCotangents",
    "InverseDerivatives",
    "Linearization",
    "Momentum",
    "MomentumDerivatives",
    "RerootedState",
    "bias_forces",
    "body_accelerations",
    "body_hessian",
    "body_jacobian",
    "body_jacobian_rate",
    "body_velocities",
    "center_of_mass",
    "center_of_mass_hessian",
    "center_of_mass_jacobian",
    "constraint_forces",
    "difference",
    "element_forces",
    "energy",
    "energy_hessian",
    "forward_dynamics",
    "forward_dynamics_jvp",
    "forward_dynamics_vjp",
    "forward_kinematics",
    "ground_contacts",
    "integrate",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_dynamics_vjp",
    "linearize",
    "mass_matrix",
    "momentum",
    "momentum_derivatives",
    "point_hessian",
    "point_jacobian",
    "point_jacobian_rate",
    "project",
    "rerooted_state",
    "world_force",
]


def __dir__() -> list[str]:
    return sorted(__all__)
