"""Cotangents of coordinates: of their numbers (nq) and of the steps dv of `integrate` (nv), and moves backwards.

Most coordinates are plain numbers. With u a quaternion and R its rotation, which does not see the length of u,

    tangent from numbers: ½ vec(u* ⊗ ū), Rᵀ p̄        numbers from tangent: (2/|u|²) u ⊗ (0, ω̄), R ν̄
"""

import math

import numpy as np

from ....model.kernels.records import header, plain_at, quaternion_at
from ....numeric import any_lane, inlined, kernel, less, load, select, sincos, sqrt, store
from ....spatial.kernels.algebra import (
    add3,
    cross,
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
    transposed_matvec,
)
from ....spatial.kernels.logarithm import NEAR_ANGLE, TERMS, series

# α = (1 − cos θ)/θ² and β = (θ − sin θ)/θ³ by θ², and α'/θ and β'/θ
ALPHA = np.array([(-1.0) ** k / math.factorial(2 * k + 2) for k in range(TERMS)])
BETA = np.array([(-1.0) ** k / math.factorial(2 * k + 3) for k in range(TERMS)])
ALPHA_SLOPE = np.array([(-1.0) ** k * 2 * k / math.factorial(2 * k + 2) for k in range(1, TERMS + 1)])
BETA_SLOPE = np.array([(-1.0) ** k * 2 * k / math.factorial(2 * k + 3) for k in range(1, TERMS + 1)])


@inlined
def quaternion_numbers(z, u, w):
    """Cotangent of the four numbers of a quaternion u from that of a turn about the child's axes."""
    k = 2.0 / (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3])
    return quaternion_product(u, (z, k * w[0], k * w[1], k * w[2]))


@inlined
def add4_at(z, x, k, a):
    """Add four numbers to those at x[k]."""
    b = load4(z, x, k)
    store4(z, x, k, (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]))


@inlined
def add3_at(z, x, k, a):
    """Add three numbers to those at x[k]."""
    store3(z, x, k, add3(load3(z, x, k), a))


@kernel
def add_numbers(z, t, q, tangent, out):
    """Add the cotangent of the steps from q, as one of the numbers of q, to `out`."""
    for i in range(header(t).plain):
        c = plain_at(t, i)
        store(z, out, c.q, load(z, out, c.q) + load(z, tangent, c.v))
    for i in range(header(t).quaternions):
        at, k, free = quaternion_at(t, i)
        u = load4(z, q, at)
        add4_at(z, out, at, quaternion_numbers(z, u, load3(z, tangent, k)))
        if free:
            R = quaternion_rotation(u[0], u[1], u[2], u[3])
            add3_at(z, out, at + 4, matvec(R, load3(z, tangent, k + 3)))


@inlined
def turn_from_numbers(u, x):
    """½ vec(u* ⊗ x)."""
    p = quaternion_product((u[0], -u[1], -u[2], -u[3]), x)
    return (0.5 * p[1], 0.5 * p[2], 0.5 * p[3])


@kernel
def add_tangent(z, t, q, numbers, out):
    """Add the cotangent of the numbers of q, as one of the steps from q (or of v, if q̇ = N(q) v), to `out`."""
    for i in range(header(t).plain):
        c = plain_at(t, i)
        store(z, out, c.v, load(z, out, c.v) + load(z, numbers, c.q))
    for i in range(header(t).quaternions):
        at, k, free = quaternion_at(t, i)
        u = load4(z, q, at)
        add3_at(z, out, k, turn_from_numbers(u, load4(z, numbers, at)))
        if free:
            R = quaternion_rotation(u[0], u[1], u[2], u[3])
            add3_at(z, out, k + 3, transposed_matvec(R, load3(z, numbers, at + 4)))


@kernel
def rates_backwards(z, t, q, v, by_rates, by_q, by_v):
    """From the cotangent of q̇ = N(q) v to those of the numbers of q, added to by_q, and of v, added to by_v."""
    add_tangent(z, t, q, by_rates, by_v)
    for i in range(header(t).quaternions):
        at, k, free = quaternion_at(t, i)
        w, u = load3(z, v, k), load4(z, q, at)
        add4_at(z, by_q, at, quaternion_product(load4(z, by_rates, at), (z, -0.5 * w[0], -0.5 * w[1], -0.5 * w[2])))
        if free:
            R = quaternion_rotation(u[0], u[1], u[2], u[3])
            turn = cross(load3(z, v, k + 3), transposed_matvec(R, load3(z, by_rates, at + 4)))
            add4_at(z, by_q, at, quaternion_numbers(z, u, turn))


@kernel
def shift_coefficients(z, x):
    """α, β, α'/θ and β'/θ of x = θ²."""
    far = less(NEAR_ANGLE, x)
    y = select(far, z, x)
    a, b, c, d = series(y, ALPHA), series(y, BETA), series(y, ALPHA_SLOPE), series(y, BETA_SLOPE)
    if any_lane(far):
        y = select(far, x, z + 1.0)
        w = sqrt(y)
        sn, cs = sincos(w)
        a, b = select(far, (1.0 - cs) / y, a), select(far, (w - sn) / (y * w), b)
        c = select(far, (w * sn - 2.0 * (1.0 - cs)) / (y * y), c)
        d = select(far, (3.0 * sn - 2.0 * w - w * cs) / (y * y * w), d)
    return a, b, c, d


@inlined
def shift_by_spin(z, w, v, h, g):
    """The gradient by ω of g · P, P = h v + h² α ω × v + h³ β ω × (ω × v) the shift of a free body in a step."""
    a, b, c, d = shift_coefficients(z, h * h * dot3(w, w))
    wv, gw, gv, once = dot3(w, v), dot3(g, w), dot3(g, v), dot3(g, cross(w, v))
    b, twice = h * h * h * b, gw * wv - gv * dot3(w, w)
    slope = h * h * h * h * (c * once + h * d * twice) - 2.0 * b * gv
    return add3(add3(scale3(h * h * a, cross(v, g)), scale3(slope, w)), add3(scale3(b * wv, g), scale3(b * gw, v)))


@kernel
def retract_backwards(z, t, v, h, by_q, by_v):
    """From the cotangent of steps after q ⊕ h v to those of steps before it, in place, and of v, added to by_v."""
    for i in range(header(t).plain):
        c = plain_at(t, i)
        store(z, by_v, c.v, load(z, by_v, c.v) + h * load(z, by_q, c.v))
    for i in range(header(t).quaternions):
        _, k, free = quaternion_at(t, i)
        w = load3(z, v, k)
        rate = sqrt(dot3(w, w))
        inverse = 1.0 / select(less(0.0, rate), rate, z + 1.0)
        n, moving = scale3(inverse, w), select(less(0.0, rate), inverse, z)
        R, turned = exponential(n, rate, load3(z, by_q, k), moving, h + z)
        turn = matvec(R, load3(z, by_q, k))
        if free:
            u, g = load3(z, v, k + 3), matvec(R, load3(z, by_q, k + 3))
            _, P = exponential(n, rate, u, moving, h + z)
            _, shifted = exponential(scale3(-1.0, n), rate, g, moving, h + z)
            turn = add3(turn, cross(P, g))
            turned = add3(turned, shift_by_spin(z, w, u, h, g))
            store3(z, by_q, k + 3, g)
            add3_at(z, by_v, k + 3, shifted)
        add3_at(z, by_v, k, turned)
        store3(z, by_q, k, turn)
