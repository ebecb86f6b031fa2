"""A limit that pushes back beyond its ends, and whose damping begins with a jump."""

from ....numeric import inlined, less, select
from ..declaration import COORDINATE, Constant, Law
from ..shared import beyond, limit_force, stored_energy


@inlined
def force(z, c, x, rate):
    """−stiffness · (how far beyond) − damping ẋ beyond the ends; it never pulls."""
    return -limit_force(z, c.stiffness, beyond(z, x, c.low, c.high), c.damping, rate)


@inlined
def energy(z, c, x):
    """½ stiffness · (how far beyond)²."""
    return stored_energy(c.stiffness, beyond(z, x, c.low, c.high))


@inlined
def slopes(z, c, x, rate):
    """By x and by ẋ: those of the side that the state is on."""
    push = limit_force(z, c.stiffness, beyond(z, x, c.low, c.high), c.damping, rate)
    acts = less(0.0, push * push)
    return select(acts, z - c.stiffness, z), select(acts, z - c.damping, z)


LIMIT = Law(
    "limit",
    COORDINATE,
    {
        "low": Constant("x", infinite=True),
        "high": Constant("x", infinite=True),
        "stiffness": Constant("f/x", least=0.0, linear=True),
        "damping": Constant("f s/x", least=0.0, default=0.0, linear=True),
    },
    force,
    energy,
    slopes,
    limit=True,
    words="limit",
    file="limit",
)
