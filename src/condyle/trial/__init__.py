"""From markers and ground reactions to joint angles and moments: scaling, inverse kinematics and inverse dynamics."""

from ..formats.tables.marker_frames import Markers
from .external_loads.force_plates import Z_UP_TO_Y_UP, ForcePlate, plate_loads, read_force_plates
from .external_loads.ground_reactions import ExternalForce, ExternalLoads
from .inverse_dynamics import Dynamics, Residual, inverse_dynamics
from .inverse_kinematics import CoordinateTask, Kinematics, inverse_kinematics
from .joint_reactions import JointReactions
from .joint_replacement import measured_poses, replace_joint
from .marker_placement import place_markers
from .measured_markers import read_markers, turn_markers, write_markers
from .muscle_analysis import MuscleAnalysis, analyze_muscles
from .results.comparison import Change, Comparison, compare
from .run import Run, run
from .scaling import Measurement, ScaledModel, scale
from .setup_files.opensim_setups import read_external_loads
from .time_series import derivatives, lowpass
from .trial_steps import TrialResult

__all__ = [
    "Z_UP_TO_Y_UP",
    "Change",
    "Comparison",
    "CoordinateTask",
    "Dynamics",
    "ExternalForce",
    "ExternalLoads",
    "ForcePlate",
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
    "compare",
    "derivatives",
    "inverse_dynamics",
    "inverse_kinematics",
    "lowpass",
    "measured_poses",
    "place_markers",
    "plate_loads",
    "read_external_loads",
    "read_force_plates",
    "read_markers",
    "replace_joint",
    "run",
    "scale",
    "turn_markers",
    "write_markers",
]


def __dir__() -> list[str]:
    return sorted(__all__)
