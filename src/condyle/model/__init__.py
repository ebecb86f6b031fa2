"""Models: bodies, tree, loads, packed tables, validation."""

from .body import Body, CoordinateLoad, Spring
from .builder import ModelBuilder
from .limits import Limits, Rating
from .model import Model

__all__ = ["Body", "CoordinateLoad", "Limits", "Model", "ModelBuilder", "Rating", "Spring"]


def __dir__() -> list[str]:
    return sorted(__all__)
