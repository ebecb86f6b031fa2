"""From markers and ground reactions to joint angles and moments: scaling, inverse kinematics and inverse dynamics."""

from ..formats.markers import Markers
from .dynamics import Dynamics, Residual, inverse_dynamics
from .ground_reactions import ExternalForce, ExternalLoads
from .joint_reactions import JointReactions
from .kinematics import CoordinateTask, Kinematics, inverse_kinematics
from .marker_placement import place_markers
from .measured_markers import read_markers, write_markers
from .muscle_analysis import MuscleAnalysis, analyze_muscles
from .opensim_setups import read_external_loads
from .run import Run, run
from .scaling import Measurement, ScaledModel, scale
from .time_series import derivatives, lowpass
from .trial_steps import TrialResult

__all__ = [
    "CoordinateTask",
    "Dynamics",
    "ExternalForce",
    "ExternalLoads",
    "JointReactions",
    "Kinematics",
    "Markers",
    "Measurement",
    "MuscleAnalysis",
    "Residual",
    "Run",
    "ScaledModel",
    "TrialResult",
    "analyze_muscles",
    "derivatives",
    "inverse_dynamics",
    "inverse_kinematics",
    "lowpass",
    "place_markers",
    "read_external_loads",
    "read_markers",
    "run",
    "scale",
    "write_markers",
]


def __dir__() -> list[str]:
    return sorted(__all__)
