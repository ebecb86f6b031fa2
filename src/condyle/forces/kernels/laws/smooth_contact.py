"""OpenSim's SmoothSphereHalfSpaceForce: Hunt and Crossley's contact without kinks, which pushes a little in the air.

With k = ½ modulus^(2/3): f_H = 4/3 k √(radius k) (depth² + rest)^(3/4) σ(depth_steepness · depth), where
σ(y) = ½ + ½ tanh y; times (1 + 3/2 dissipation · rate) σ(rate_steepness (rate + 2/(3 dissipation))). `rest` stands
under both roots, once as m², once as m²/s², as there. OpenSim's energy is not the integral of its force; none is given.
"""

from ....numeric import inlined, less, select, sqrt
from ....spatial.kernels.transcendental import tanh
from ..declaration import GAP, Constant, Law
from ..friction import stribeck_drag

HALF_MODULUS = 4.0 / 3.0 * 0.5**1.5  # 4/3 of the power 3/2 of the half in k


@inlined
def switch(z, y):
    """½ + ½ tanh y."""
    return 0.5 + 0.5 * tanh(z, y)


@inlined
def force(z, c, radius, depth, rate, slip):
    """Normal force and drag."""
    y = depth * depth + c.rest
    root = sqrt(y)
    elastic = HALF_MODULUS * c.modulus * sqrt(radius) * root * sqrt(root) * switch(z, c.depth_steepness * depth)
    damped = less(z, z + c.dissipation)
    start = 2.0 / (3.0 * select(damped, z + c.dissipation, z + 1.0))
    closing = select(damped, switch(z, c.rate_steepness * (rate + start)), z + 1.0)
    normal = elastic * (1.0 + 1.5 * c.dissipation * rate) * closing
    return normal, normal * stribeck_drag(z, c, slip + c.rest)


SMOOTH_CONTACT = Law(
    "smooth",
    GAP,
    {
        "modulus": Constant("Pa", least=0.0, linear=True, default=1.0),
        "dissipation": Constant("s/m", least=0.0, default=0.0),
        "static_friction": Constant("1", least=0.0, default=0.0),
        "dynamic_friction": Constant("1", least=0.0, default=0.0),
        "viscous_friction": Constant("s/m", least=0.0, default=0.0),
        "transition_velocity": Constant("m/s", above=0.0, default=0.01),
        "rest": Constant("m²", above=0.0, default=1e-5),
        "depth_steepness": Constant("1/m", above=0.0, default=300.0),
        "rate_steepness": Constant("s/m", above=0.0, default=50.0),
    },
    force,
    words="contact",
)
