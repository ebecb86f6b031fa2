"""Models: bodies, tree, loads, packed tables, validation."""

from .body import Body, Bushing, Spring
from .builder import ModelBuilder
from .limits import Limits, Rating
from .markers import Marker
from .model import Model

__all__ = ["Body", "Bushing", "Limits", "Marker", "Model", "ModelBuilder", "Rating", "Spring"]


def __dir__() -> list[str]:
    return sorted(__all__)
