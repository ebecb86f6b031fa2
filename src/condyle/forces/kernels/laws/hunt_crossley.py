"""Hunt and Crossley's contact, as OpenSim's HuntCrossleyForce has it, and friction by its curve over slip.

Two materials of k_i = modulus_i^(2/3) have together k = k_1 k_2 / (k_1 + k_2); the modulus here is k^(3/2), so that
f_H = 4/3 modulus √radius depth^(3/2).
"""

from ....numeric import inlined, less, select, sqrt
from ..declaration import GAP, Constant, Law
from ..friction import stribeck_drag


@inlined
def force(z, c, radius, depth, rate, slip):
    """Normal force, which never pulls, and drag."""
    deep = select(less(z, depth), depth, z)
    normal = 4.0 / 3.0 * c.modulus * sqrt(radius) * deep * sqrt(deep) * (1.0 + 1.5 * c.dissipation * rate)
    normal = select(less(normal, 0.0), z, normal)
    return normal, normal * stribeck_drag(z, c, slip)


@inlined
def energy(z, c, radius, depth):
    """8/15 modulus √radius depth^(5/2)."""
    deep = select(less(z, depth), depth, z)
    return 8.0 / 15.0 * c.modulus * sqrt(radius) * deep * deep * sqrt(deep)


HUNT_CROSSLEY = Law(
    "hunt_crossley",
    GAP,
    {
        "modulus": Constant("Pa", least=0.0, linear=True),
        "dissipation": Constant("s/m", least=0.0, default=0.0),
        "static_friction": Constant("1", least=0.0, default=0.0),
        "dynamic_friction": Constant("1", least=0.0, default=0.0),
        "viscous_friction": Constant("s/m", least=0.0, default=0.0),
        "transition_velocity": Constant("m/s", above=0.0, default=0.01),
    },
    force,
    energy,
    words="contact",
)
