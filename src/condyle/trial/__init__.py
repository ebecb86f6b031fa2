"""From markers and ground reactions to joint angles and moments: scaling, inverse kinematics and inverse dynamics."""

from ..formats.markers import Markers
from .dynamics import Dynamics, inverse_dynamics
from .ground_reactions import ExternalForce, ExternalLoads
from .kinematics import CoordinateTask, Kinematics, inverse_kinematics
from .time_series import derivatives, lowpass

__all__ = [
    "CoordinateTask",
    "Dynamics",
    "ExternalForce",
    "ExternalLoads",
    "Kinematics",
    "Markers",
    "derivatives",
    "inverse_dynamics",
    "inverse_kinematics",
    "lowpass",
]


def __dir__() -> list[str]:
    return sorted(__all__)
