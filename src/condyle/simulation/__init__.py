"""Time: states, integrators, trajectories."""

from .outside import OutsideDomainWarning
from .simulate import simulate
from .stiff_limits import stiff_limits
from .trajectory import Outside, Stopped, Trajectory

__all__ = ["Outside", "OutsideDomainWarning", "Stopped", "Trajectory", "simulate", "stiff_limits"]
