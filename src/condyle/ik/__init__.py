"""Inverse kinematics: the coordinates that bring bodies to targets."""

from .follow import follow
from .retargeting import Contact, Retargeted, retarget
from .solve import Solution, solve
from .targets import CoordinateTarget, Target, coordinate, orientation, points, pose, position

__all__ = [
    "Contact",
    "CoordinateTarget",
    "Retargeted",
    "Solution",
    "Target",
    "coordinate",
    "follow",
    "orientation",
    "points",
    "pose",
    "position",
    "retarget",
    "solve",
]


def __dir__() -> list[str]:
    return sorted(__all__)
