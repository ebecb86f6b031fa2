"""Skeletons in maximal coordinates: rigid bodies with hinges, balls and welds, loops allowed, momentum kept."""

from .as_model import as_model, coordinates_of
from .builder import SkeletonBuilder
from .data import Skeleton
from .elastic import Limit, Spring
from .from_model import from_model, state_of
from .projection import Projection
from .reactions import Accelerations
from .report import Report
from .residuals import Residuals
from .state import State
from .trajectory import Stop, Trajectory

__all__ = [
    "Accelerations",
    "Limit",
    "Projection",
    "Report",
    "Residuals",
    "Skeleton",
    "SkeletonBuilder",
    "Spring",
    "State",
    "Stop",
    "Trajectory",
    "as_model",
    "coordinates_of",
    "from_model",
    "state_of",
]
