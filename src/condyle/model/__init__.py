"""Models: bodies, tree, loads, packed tables, validation."""

from .body import Body, CoordinateLoad, Spring
from .builder import ModelBuilder
from .model import Model

__all__ = ["Body", "CoordinateLoad", "Model", "ModelBuilder", "Spring"]
