"""Directing motion: coordinates an animator thinks in, inverse dynamics, closed loops."""

from .coordinate import Coordinate
from .jets import Jet, cross, dot, norm
from .own import function, joint
from .places import center_of_mass, distance, momentum, point
from .posture import Posture
from .space import AnimationSpace
from .turns import angle, orientation, spin

__all__ = [
    "AnimationSpace",
    "Coordinate",
    "Jet",
    "Posture",
    "angle",
    "center_of_mass",
    "cross",
    "distance",
    "dot",
    "function",
    "joint",
    "momentum",
    "norm",
    "orientation",
    "point",
    "spin",
]
