"""Forces as elements: laws, the ports at which they act, and their registry."""

from .element import BetweenFrames, Element, OnCoordinate, Surface
from .element import checked_constant as checked_constant
from .element import renumber as renumber
from .kernels.declaration import Constant, Law
from .registry import LAWS, find_law
from .surfaces import PlacedSurface, half_space, sphere

__all__ = [
    "LAWS",
    "BetweenFrames",
    "Constant",
    "Element",
    "Law",
    "OnCoordinate",
    "PlacedSurface",
    "Surface",
    "find_law",
    "half_space",
    "sphere",
]


def __dir__() -> list[str]:
    return sorted(__all__)
