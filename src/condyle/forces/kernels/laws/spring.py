"""A damped spring between two points."""

from ....numeric import inlined
from ..declaration import LINE, Constant, Law
from ..shared import elastic_force, stored_energy


@inlined
def force(z, c, length, rate):
    """The tension: stiffness (l − length) + damping l̇."""
    return elastic_force(c.stiffness, length - c.length, c.damping, rate)


@inlined
def energy(z, c, length):
    """½ stiffness (l − length)²."""
    return stored_energy(c.stiffness, length - c.length)


@inlined
def slopes(z, c, length, rate):
    """By length and by its rate."""
    return z + c.stiffness, z + c.damping


SPRING = Law(
    "spring",
    LINE,
    {
        "stiffness": Constant("N/m", least=0.0, linear=True),
        "damping": Constant("N s/m", least=0.0, default=0.0, linear=True),
        "length": Constant("m", least=0.0, linear=True),
    },
    force,
    energy,
    slopes,
    words="spring between points",
    file="spring",
)
