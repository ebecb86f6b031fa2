"""Moving coordinates in kernels: rates, the step on the group, and norms kept."""

from ...model.kernels.records import header, plain_at, quaternion_at
from ...numeric import kernel, less, load, select, sincos, sqrt, store
from ...spatial.kernels.algebra import (
    add3,
    dot3,
    exponential,
    load3,
    load4,
    matvec,
    quaternion_product,
    quaternion_rotation,
    scale3,
    store3,
    store4,
)


@kernel
def rates(z, t, q, v, out):
    """q̇ = N(q) v."""
    for i in range(header(t).plain):
        c = plain_at(t, i)
        store(z, out, c.q, load(z, v, c.v))
    for i in range(header(t).quaternions):
        at, k, free = quaternion_at(t, i)
        w = load3(z, v, k)
        unit = load4(z, q, at)
        d = quaternion_product(unit, (z, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]))
        store4(z, out, at, d)
        if free:
            R = quaternion_rotation(unit[0], unit[1], unit[2], unit[3])
            store3(z, out, at + 4, matvec(R, load3(z, v, k + 3)))


@kernel
def retract(z, t, q, v, h, out):
    """The group step: q moved by velocity v for a time h; `out` may be q itself."""
    for i in range(header(t).plain):
        c = plain_at(t, i)
        store(z, out, c.q, load(z, q, c.q) + h * load(z, v, c.v))
    for i in range(header(t).quaternions):
        at, k, free = quaternion_at(t, i)
        w = load3(z, v, k)
        rate = sqrt(dot3(w, w))
        inverse = 1.0 / select(less(0.0, rate), rate, z + 1.0)
        n = scale3(inverse, w)
        s, c = sincos(0.5 * h * rate)
        unit = load4(z, q, at)
        if free:
            R = quaternion_rotation(unit[0], unit[1], unit[2], unit[3])
            moving = select(less(0.0, rate), inverse, z)
            _, p = exponential(n, rate, load3(z, v, k + 3), moving, h + z)
            store3(z, out, at + 4, add3(load3(z, q, at + 4), matvec(R, p)))
        store4(z, out, at, quaternion_product(unit, (c, s * n[0], s * n[1], s * n[2])))


@kernel
def normalize(z, t, q):
    """Bring quaternions back to unit norm."""
    for i in range(header(t).quaternions):
        at = quaternion_at(t, i).q
        a, b, c, d = load4(z, q, at)
        k = 1.0 / sqrt(a * a + b * b + c * c + d * d)
        store4(z, q, at, (k * a, k * b, k * c, k * d))
