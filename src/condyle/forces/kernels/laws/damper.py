"""A damper on a coordinate."""

from ....numeric import inlined
from ..declaration import COORDINATE, Constant, Law


@inlined
def force(z, c, x, rate):
    """−damping ẋ."""
    return -(c.damping * rate)


@inlined
def energy(z, c, x):
    """None is stored."""
    return z


@inlined
def slopes(z, c, x, rate):
    """By x and by ẋ."""
    return z, z - c.damping


DAMPER = Law(
    "damper",
    COORDINATE,
    {"damping": Constant("f s/x", least=0.0, linear=True)},
    force,
    energy,
    slopes,
    words="damper",
    file="damping",
)
