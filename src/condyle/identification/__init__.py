"""Models from measured motion: shapes of joints, placements, sizes and marker places, together with the motion."""

from .identify import identify
from .result import Identified

__all__ = ["Identified", "identify"]


def __dir__() -> list[str]:
    return sorted(__all__)
