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
def step_printed(z, plan, rows, soft, friction, h, x, loads, at, work):
    """v, then p with the new v; ω, then R exp(Ω h) with the new ω."""
    accelerate(z, plan, rows, soft, friction, h, x, loads, at, work)
    for i in range(len(plan.bodies) - 1):
        k = 13 * i
        v = add3(load3(z, x, k + 7), scale3(h, load3(z, work.f, 6 * i + 3)))
        alpha = turned_back(load9(z, work.R, 9 * i), load3(z, work.f, 6 * i))
        w = add3(load3(z, x, k + 10), scale3(h, alpha))
        store3(z, x, k, add3(load3(z, x, k), scale3(h, v)))
        store4(z, x, k + 3, unit(quaternion_product(load4(z, x, k + 3), half_turn(z, scale3(0.5 * h, w)))))
        store3(z, x, k + 7, v)
        store3(z, x, k + 10, w)


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
