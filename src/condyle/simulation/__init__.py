"""Time: states, integrators, trajectories."""

from ..errors import OutsideDomainWarning
from .base_trajectory import BaseTrajectory
from .corners.track_slide import Corner, Slide, slide
from .domain_exits import OutsideRangeWarning
from .events import Impact, Outside, SlipChange, Stop, Stopped, StoppedWarning
from .recordings.recorded_run import RecordedRun
from .sheets.elastic_sheet import ElasticSheet
from .sheets.gliding_frame import SheetFrame
from .sheets.modal_sheet import ModalSheet
from .sheets.natural_modes import Modes
from .sheets.sheet_motion import SheetEnergy, SheetMotion
from .simulate import simulate
from .simulate_vjp import JumpWarning, TrajectoryCotangents, simulate_vjp
from .stable_steps import StableSteps, stable_steps
from .stiff_limits import stiff_limits
from .trajectory import Trajectory

__all__ = [
    "BaseTrajectory",
    "Corner",
    "ElasticSheet",
    "Impact",
    "JumpWarning",
    "ModalSheet",
    "Modes",
    "Outside",
    "OutsideDomainWarning",
    "OutsideRangeWarning",
    "RecordedRun",
    "SheetEnergy",
    "SheetFrame",
    "SheetMotion",
    "Slide",
    "SlipChange",
    "StableSteps",
    "Stop",
    "Stopped",
    "StoppedWarning",
    "Trajectory",
    "TrajectoryCotangents",
    "simulate",
    "simulate_vjp",
    "slide",
    "stable_steps",
    "stiff_limits",
]


def __dir__() -> list[str]:
    return sorted(__all__)
