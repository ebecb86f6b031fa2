"""Models: bodies, tree, loads, packed tables, validation."""

from .body import Body, Bushing, Spring
from .builder import ModelBuilder
from .ground_contacts import ground_contacts
from .limits import Limits, Rating
from .markers import Marker
from .model import Model

__all__ = ["Body", "Bushing", "Limits", "Marker", "Model", "ModelBuilder", "Rating", "Spring", "ground_contacts"]


def __dir__() -> list[str]:
    return sorted(__all__)
