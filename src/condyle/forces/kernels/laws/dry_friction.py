"""Dry friction of a joint, regularised: Coulomb's law where the rate is much faster than `slowest`."""

from ....numeric import inlined, sqrt
from ..declaration import COORDINATE, Constant, Law


@inlined
def force(z, c, x, rate):
    """−friction ẋ / √(ẋ² + slowest²)."""
    return -(c.friction * rate / sqrt(rate * rate + c.slowest * c.slowest))


@inlined
def energy(z, c, x):
    """None is stored."""
    return z


DRY_FRICTION = Law(
    "dry_friction",
    COORDINATE,
    {
        "friction": Constant("f", least=0.0, linear=True),
        "slowest": Constant("x/s", above=0.0, default=0.01),
    },
    force,
    energy,
    words="dry friction",
)
