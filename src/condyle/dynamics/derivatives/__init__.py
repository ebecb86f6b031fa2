"""Derivatives of forward and inverse dynamics, forwards and backwards."""

from .adjoint import ForwardCotangents, InverseCotangents, forward_dynamics_vjp, inverse_dynamics_vjp
from .inverse_derivatives import InverseDerivatives, inverse_dynamics_derivatives
from .linearization import Linearization, linearize

__all__ = [
    "ForwardCotangents",
    "InverseCotangents",
    "InverseDerivatives",
    "Linearization",
    "forward_dynamics_vjp",
    "inverse_dynamics_derivatives",
    "inverse_dynamics_vjp",
    "linearize",
]
