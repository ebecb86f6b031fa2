"""A damped spring on a coordinate."""

from ....numeric import inlined
from ..declaration import COORDINATE, Constant, Law
from ..shared import elastic_force, stored_energy


@inlined
def force(z, c, x, rate):
    """−stiffness (x − rest) − damping ẋ."""
    return -elastic_force(c.stiffness, x - c.rest, c.damping, rate)


@inlined
def energy(z, c, x):
    """½ stiffness (x − rest)²."""
    return stored_energy(c.stiffness, x - c.rest)


@inlined
def slopes(z, c, x, rate):
    """By x and by ẋ."""
    return z - c.stiffness, z - c.damping


COORDINATE_SPRING = Law(
    "coordinate_spring",
    COORDINATE,
    {
        "stiffness": Constant("f/x", least=0.0, linear=True),
        "rest": Constant("x", default=0.0, linear=True),
        "damping": Constant("f s/x", least=0.0, default=0.0, linear=True),
    },
    force,
    energy,
    slopes,
    words="spring",
    file="stiffness",
)
