"""Rotations, rigid motions and inertia: value types and the maps between them."""

from .inertia import Inertia
from .jacobians import left_jacobian, left_jacobian_inverse, right_jacobian, right_jacobian_inverse
from .se3 import SE3, as_pose
from .so3 import exp_so3, log_so3
from .twists import ad, adjoint, exp_se3, hat, log_se3, vee

__all__ = [
    "SE3",
    "Inertia",
    "ad",
    "adjoint",
    "as_pose",
    "exp_se3",
    "exp_so3",
    "hat",
    "left_jacobian",
    "left_jacobian_inverse",
    "log_se3",
    "log_so3",
    "right_jacobian",
    "right_jacobian_inverse",
    "vee",
]


def __dir__() -> list[str]:
    return sorted(__all__)
