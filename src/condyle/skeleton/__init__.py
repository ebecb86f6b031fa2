"""Bodies in maximal coordinates: with hinges, balls, welds and loops compiled, with joints of any kind in NumPy."""

from .conservation_report import Report
from .convert.from_model import from_model, state_of
from .convert.to_model import as_model, coordinates_of
from .engine.joint_gaps import Residuals
from .engine.reactions import Accelerations
from .engine.state_projection import Projection
from .held.held_model import HeldModel
from .held.held_motion import HeldMotion
from .held.held_simulation import HeldAccelerations
from .maximal_dynamics import HeldBodies, maximal_accelerations
from .recorded_motion import RecordedMotion
from .skeleton import Skeleton
from .skeleton_builder import SkeletonBuilder
from .springs_and_limits import Limit, Spring
from .state import State
from .trajectory import Stop, Stopped, Trajectory

__all__ = [
    "Accelerations",
    "HeldAccelerations",
    "HeldBodies",
    "HeldModel",
    "HeldMotion",
    "Limit",
    "Projection",
    "RecordedMotion",
    "Report",
    "Residuals",
    "Skeleton",
    "SkeletonBuilder",
    "Spring",
    "State",
    "Stop",
    "Stopped",
    "Trajectory",
    "as_model",
    "coordinates_of",
    "from_model",
    "maximal_accelerations",
    "state_of",
]


def __dir__() -> list[str]:
    return sorted(__all__)
