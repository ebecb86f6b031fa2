"""The passive moment of a joint: two exponentials that rise towards the ends of its range, and a damper.

A double exponential is smooth and acts everywhere, a little in the middle too, so that it is no limit to whoever asks
for forces that begin at an end.
"""

from ....numeric import inlined
from ....spatial.kernels.transcendental import exp
from ..declaration import COORDINATE, Constant, Law


@inlined
def sides(z, c, x):
    """What pushes up from the lower end, and down from the upper one."""
    below = c.force_below * exp(z, c.steepness_below * (c.low - x))
    above = c.force_above * exp(z, c.steepness_above * (x - c.high))
    return below, above


@inlined
def force(z, c, x, rate):
    """force_below e^(steepness_below (low − x)) − force_above e^(steepness_above (x − high)) − damping ẋ."""
    below, above = sides(z, c, x)
    return below - above - c.damping * rate


@inlined
def energy(z, c, x):
    """Each side's force over its steepness."""
    below, above = sides(z, c, x)
    return below / c.steepness_below + above / c.steepness_above


EXPONENTIAL_LIMIT = Law(
    "exponential_limit",
    COORDINATE,
    {
        "low": Constant("x"),
        "high": Constant("x"),
        "force_below": Constant("f", least=0.0, linear=True),
        "force_above": Constant("f", least=0.0, linear=True),
        "steepness_below": Constant("1/x", above=0.0),
        "steepness_above": Constant("1/x", above=0.0),
        "damping": Constant("f s/x", least=0.0, default=0.0, linear=True),
    },
    force,
    energy,
    words="exponential limit",
)
