"""The article's own update: semi-implicit, first order; only linear momentum survives.  [Hakenberg, algorithm]"""

from __future__ import annotations

from ..numeric import kernel, less, select, sincos, sqrt
from .accelerations import accelerate
from .algebra import (
    add3,
    dot,
    load3,
    load4,
    load9,
    quaternion_product,
    scale3,
    store3,
    store4,
    turned_back,
)

__all__ = ["step_printed"]


@kernel
def step_printed(z, w, o, plan, rows, soft, friction, h, loads, at):
    """v, then p with the new v; ω, then R exp(Ω h) with the new ω."""
    accelerate(z, w, o, plan, rows, soft, friction, h, o.x, loads, at)
    for i in range(len(plan.bodies) - 1):
        k = o.x + 13 * i
        v = add3(load3(z, w, k + 7), scale3(h, load3(z, w, o.f + 6 * i + 3)))
        alpha = turned_back(load9(z, w, o.R + 9 * i), load3(z, w, o.f + 6 * i))
        rate = add3(load3(z, w, k + 10), scale3(h, alpha))
        store3(z, w, k, add3(load3(z, w, k), scale3(h, v)))
        store4(z, w, k + 3, unit(quaternion_product(load4(z, w, k + 3), half_turn(z, scale3(0.5 * h, rate)))))
        store3(z, w, k + 7, v)
        store3(z, w, k + 10, rate)


@kernel
def half_turn(z, a):
    """The unit quaternion of the rotation vector 2a."""
    square = dot(a, a)
    near = less(square, 1e-8)
    angle = sqrt(select(near, z + 1.0, square))
    s, c = sincos(angle)
    ratio = select(near, 1.0 - square * (1.0 / 6.0) * (1.0 - square * 0.05), s / angle)
    return select(near, 1.0 - 0.5 * square * (1.0 - square / 12.0), c), ratio * a[0], ratio * a[1], ratio * a[2]


@kernel
def unit(q):
    """q over its length."""
    s = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return s * q[0], s * q[1], s * q[2], s * q[3]
