"""Contact of smooth bodies, whose stored energy and losses balance exactly: Hertz's law, rounded, and Coulomb's.

With s = ½ (depth + √(depth² + 4 margin²)) the bodies store 2/5 stiffness s^(5/2), and push with its slope: Hertz's law
where they are much deeper in each other than the margin, next to nothing where they are much further apart.
"""

from ....numeric import inlined, less, select, sqrt
from ..declaration import GAP, Constant, Law


@inlined
def rounded(c, depth):
    """The depth, without its kink at touch, and the root that its slope has."""
    root = sqrt(depth * depth + 4.0 * c.margin * c.margin)
    return 0.5 * (depth + root), root


@inlined
def force(z, c, radius, depth, rate, slip):
    """Normal force, which never pulls, and drag: friction · normal force / √(slip + slowest²)."""
    s, root = rounded(c, depth)
    normal = c.stiffness * s * sqrt(s) * s / root * (1.0 + 1.5 * c.dissipation * rate)
    normal = select(less(normal, 0.0), z, normal)
    return normal, c.friction * normal / sqrt(slip + c.slowest * c.slowest)


@inlined
def energy(z, c, radius, depth):
    """2/5 stiffness s^(5/2)."""
    s, _ = rounded(c, depth)
    return 0.4 * c.stiffness * s * s * sqrt(s)


HERTZ = Law(
    "hertz",
    GAP,
    {
        "stiffness": Constant("N/m^1.5", least=0.0, linear=True),
        "dissipation": Constant("s/m", least=0.0, default=0.0),
        "friction": Constant("1", least=0.0, default=0.0),
        "slowest": Constant("m/s", above=0.0, default=0.01),
        "margin": Constant("m", above=0.0, default=1e-3),
    },
    force,
    energy,
    words="contact",
)
