"""A constant force on a coordinate."""

from ....numeric import inlined
from ..declaration import COORDINATE, Constant, Law


@inlined
def force(z, c, x, rate):
    """The same everywhere."""
    return z + c.force


@inlined
def slopes(z, c, x, rate):
    """None."""
    return z, z


CONSTANT_FORCE = Law(
    "constant_force",
    COORDINATE,
    {"force": Constant("f", linear=True)},
    force,
    slopes=slopes,
    words="constant force",
    file="force",
)
