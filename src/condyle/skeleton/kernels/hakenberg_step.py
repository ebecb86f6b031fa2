"""The article's own update: semi-implicit, first order; only linear momentum survives.  [Hakenberg, algorithm]"""

from __future__ import annotations

from ...numeric import kernel
from ...spatial.kernels.algebra import (
    add3,
    load3,
    load4,
    load9,
    quaternion_product,
    scale3,
    store3,
    store4,
    transposed_matvec,
)
from .accelerations import accelerate
from .joint_geometry import turn_bodies
from .rotations import half_turn, unit


@kernel
def step_printed(z, w, o, plan, braking, instant):
    """v, then p with the new v; ω, then R exp(Ω h) with the new ω."""
    h = braking.step
    turn_bodies(z, w, o, plan.bodies, o.x)
    accelerate(z, w, o, plan, braking, o.x, instant)
    for i in range(len(plan.bodies) - 1):
        k = o.x + 13 * i
        v = add3(load3(z, w, k + 7), scale3(h, load3(z, w, o.f + 6 * i + 3)))
        alpha = transposed_matvec(load9(z, w, o.R + 9 * i), load3(z, w, o.f + 6 * i))
        rate = add3(load3(z, w, k + 10), scale3(h, alpha))
        store3(z, w, k, add3(load3(z, w, k), scale3(h, v)))
        store4(z, w, k + 3, unit(quaternion_product(load4(z, w, k + 3), half_turn(z, scale3(0.5 * h, rate)))))
        store3(z, w, k + 7, v)
        store3(z, w, k + 10, rate)
