"""Time: states, integrators, trajectories."""

from .outside import OutsideDomainWarning
from .simulate import simulate
from .trajectory import Outside, Stopped, Trajectory

__all__ = ["Outside", "OutsideDomainWarning", "Stopped", "Trajectory", "simulate"]
