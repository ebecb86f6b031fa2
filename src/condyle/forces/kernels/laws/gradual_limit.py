"""A limit whose damping rises in proportion to how far it is passed, so that its force is continuous."""

from ....numeric import inlined, less, magnitude, select
from ..declaration import COORDINATE, Constant, Law
from ..shared import beyond, stored_energy


@inlined
def push(z, c, past, rate):
    """What it takes from the coordinate, and the damping there."""
    part = magnitude(past) / c.damping_depth
    damping = c.damping * select(less(part, 1.0), part, z + 1.0)
    return c.stiffness * past + damping * rate, damping


@inlined
def force(z, c, x, rate):
    """Minus that; it never pulls."""
    past = beyond(z, x, c.low, c.high)
    total, _ = push(z, c, past, rate)
    return -select(less(0.0, total * past), total, z)


@inlined
def energy(z, c, x):
    """½ stiffness · (how far beyond)²."""
    return stored_energy(c.stiffness, beyond(z, x, c.low, c.high))


@inlined
def slopes(z, c, x, rate):
    """By x and by ẋ: those of the side that the state is on."""
    past = beyond(z, x, c.low, c.high)
    total, damping = push(z, c, past, rate)
    rising = less(magnitude(past) / c.damping_depth, 1.0)
    steeper = select(rising, select(less(0.0, past), rate, -rate) * (c.damping / c.damping_depth), z)
    acts = less(0.0, total * past)
    return -select(acts, c.stiffness + steeper, z), -select(acts, damping, z)


GRADUAL_LIMIT = Law(
    "gradual_limit",
    COORDINATE,
    {
        "low": Constant("x", infinite=True),
        "high": Constant("x", infinite=True),
        "stiffness": Constant("f/x", least=0.0, linear=True),
        "damping": Constant("f s/x", least=0.0, default=0.0, linear=True),
        "damping_depth": Constant("x", above=0.0),
    },
    force,
    energy,
    slopes,
    limit=True,
    words="limit",
    file="limit",
)
