"""Skeletons in maximal coordinates: rigid bodies with hinges, balls and welds, loops allowed, momentum kept."""

from .data import Skeleton
from .projection import Projection
from .reactions import Accelerations
from .residuals import Residuals
from .state import State
from .trajectory import Stop, Trajectory

__all__ = ["Accelerations", "Projection", "Residuals", "Skeleton", "State", "Stop", "Trajectory"]
