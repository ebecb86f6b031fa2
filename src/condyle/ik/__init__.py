"""Inverse kinematics: the coordinates that bring bodies to targets."""

from .solve import Solution, follow, solve
from .targets import Target, orientation, points, pose, position

__all__ = ["Solution", "Target", "follow", "orientation", "points", "pose", "position", "solve"]


def __dir__() -> list[str]:
    return sorted(__all__)
