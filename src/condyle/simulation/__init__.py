"""Time: states, integrators, trajectories."""

from .events import Outside, Stopped
from .outside import OutsideDomainWarning, OutsideRangeWarning
from .simulate import StoppedWarning, simulate
from .trajectory import Trajectory

__all__ = [
    "Outside",
    "OutsideDomainWarning",
    "OutsideRangeWarning",
    "Stopped",
    "StoppedWarning",
    "Trajectory",
    "simulate",
]
