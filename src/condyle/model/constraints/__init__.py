"""What ties bodies and coordinates together beyond the tree: loops closed, coordinates coupled, surfaces rolling.

Each value says what it is in names; `bound(model)` checks it against a model and turns names into numbers.
"""

from .constraint import Constraint
from .couplings import Couple, couple
from .points import Distance, Line, Point, distance, line, point
from .rolling import Roll, roll
from .welds import Weld, weld

__all__ = [
    "Constraint",
    "Couple",
    "Distance",
    "Line",
    "Point",
    "Roll",
    "Weld",
    "couple",
    "distance",
    "line",
    "point",
    "roll",
    "weld",
]


def __dir__() -> list[str]:
    return sorted(__all__)
