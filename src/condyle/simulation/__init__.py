"""Time: states, integrators, trajectories."""

from .base_trajectory import BaseTrajectory
from .domain_exits import OutsideDomainWarning, OutsideRangeWarning
from .events import Outside, Stop, Stopped, StoppedWarning
from .records.recorded_run import RecordedRun
from .simulate import simulate
from .simulate_vjp import JumpWarning, TrajectoryCotangents, simulate_vjp
from .stiff_limits import stiff_limits
from .track_slide import Corner, Slide, slide
from .trajectory import Trajectory

__all__ = [
    "BaseTrajectory",
    "Corner",
    "JumpWarning",
    "Outside",
    "OutsideDomainWarning",
    "OutsideRangeWarning",
    "RecordedRun",
    "Slide",
    "Stop",
    "Stopped",
    "StoppedWarning",
    "Trajectory",
    "TrajectoryCotangents",
    "simulate",
    "simulate_vjp",
    "slide",
    "stiff_limits",
]


def __dir__() -> list[str]:
    return sorted(__all__)
