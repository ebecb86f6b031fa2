"""Models from measured motion: shapes of joints, placements, sizes, inertias and loads, together with the motion."""

from .base_parameters import BaseParameter
from .dynamics_result import IdentifiedDynamics, Quantity
from .identify import identify
from .identify_dynamics import identify_dynamics
from .measured_motion import MeasuredMotion
from .result import Identified

__all__ = [
    "BaseParameter",
    "Identified",
    "IdentifiedDynamics",
    "MeasuredMotion",
    "Quantity",
    "identify",
    "identify_dynamics",
]


def __dir__() -> list[str]:
    return sorted(__all__)
