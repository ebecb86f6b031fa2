"""Time: states, integrators, trajectories."""

from .events import Outside, Stopped, StoppedWarning
from .outside import OutsideDomainWarning, OutsideRangeWarning
from .simulate import simulate
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
