"""A limit whose stiffness and damping rise smoothly over a transition, as OpenSim's CoordinateLimitForce has it."""

from ....numeric import inlined, less, select
from ..declaration import COORDINATE, Constant, Law
from ..shared import smooth_step, smooth_step_slope


@inlined
def force(z, c, x, rate):
    """−S(u) (stiffness · (how far beyond) + damping ẋ) with u = (how far beyond) / transition."""
    up, down = x - c.high, x - c.low
    s, r = smooth_step(z, up / c.transition), smooth_step(z, -down / c.transition)
    return -(c.stiffness_above * s * up + c.stiffness_below * r * down + c.damping * (s + r) * rate)


@inlined
def stored(z, stiffness, past, width):
    """∫ stiffness · S(y / width) y dy from 0 to `past`."""
    u = select(less(past, 0.0), z, select(less(width, past), z + 1.0, past / width))
    more = select(less(width, past), 0.5 * (past * past - width * width), z)
    return stiffness * (width * width * u * u * u * u * u * (2.0 - 2.5 * u + 6.0 / 7.0 * u * u) + more)


@inlined
def energy(z, c, x):
    """What both sides store."""
    return stored(z, c.stiffness_above, x - c.high, c.transition) + stored(
        z, c.stiffness_below, c.low - x, c.transition
    )


@inlined
def slopes(z, c, x, rate):
    """By x and by ẋ."""
    up, down = (x - c.high) / c.transition, (c.low - x) / c.transition
    s, ds = smooth_step(z, up), smooth_step_slope(z, up)
    r, dr = smooth_step(z, down), smooth_step_slope(z, down)
    rising = c.stiffness_above * (s + ds * up) + c.stiffness_below * (r + dr * down)
    return -(rising + c.damping * (ds - dr) / c.transition * rate), -(c.damping * (s + r))


SOFT_LIMIT = Law(
    "soft_limit",
    COORDINATE,
    {
        "low": Constant("x"),
        "high": Constant("x"),
        "stiffness_below": Constant("f/x", least=0.0, linear=True),
        "stiffness_above": Constant("f/x", least=0.0, linear=True),
        "damping": Constant("f s/x", least=0.0, default=0.0, linear=True),
        "transition": Constant("x", above=0.0),
    },
    force,
    energy,
    slopes,
    limit=True,
    words="soft limit",
    file="soft_limit",
)
