"""Gradients of the momenta Π that bodies have over a step, contracted with virtual twists at its two ends.

T = (2/h) Σ (W − W') · Π has virtual twists W at the start of the step and W' at its end. Its gradients by the poses at
the two ends, less what co-rotation gives, are one wrench X on the pose at the end, and −X on that at the start: turning
both ends together turns Π.  With x the rotation vector of the step in the body's axes, the spin is R Jl⁻ᵀ(x) I x / h.
"""

import numpy as np

from ...dynamics.derivatives.kernels.body_cotangents import by_moment, give_inertia
from ...dynamics.derivatives.kernels.inverse_derivatives import six
from ...dynamics.kernels.scratch_layout import SLOT
from ...model.kernels.records import body_at, header, mass_and_moments
from ...numeric import any_lane, inlined, kernel, less, select, sincos, sqrt
from ...spatial.kernels.algebra import (
    add3,
    cross,
    dot3,
    halves,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    scale3,
    store9,
    sub3,
    transposed_matvec,
)
from ...spatial.kernels.logarithm import (
    LOG,
    NEAR_ANGLE,
    TERMS,
    left_inverse_transposed,
    log_coefficient,
    rotation_log,
    series,
)
from .discrete_momenta import transposed

LOG_SLOPE = np.array([(k + 1) * LOG[k + 1] for k in range(TERMS)])


@kernel
def log_slope(z, x):
    """The slope of `log_coefficient` by x = θ²."""
    far = less(NEAR_ANGLE, x)
    out = series(select(far, z, x), LOG_SLOPE)
    if any_lane(far):
        y = select(far, x, z + 1.0)
        t = 0.5 * sqrt(y)
        s, c = sincos(t)
        rise = (t / (s * s) - c / s) / (8.0 * t)
        out = select(far, (rise - (1.0 - t * c / s) / y) / y, out)
    return out


@inlined
def times(moments, x):
    """I x in principal axes."""
    return moments[0] * x[0], moments[1] * x[1], moments[2] * x[2]


@kernel
def spin_gradient(z, moments, x, k):
    """Of k · Jl⁻ᵀ(x) I x, all in the body's axes, by a turn of the end of the step about the axes at its start."""
    c, g = times(moments, x), log_coefficient(z, dot3(x, x))
    xk, cx, ck = dot3(x, k), dot3(c, x), dot3(c, k)
    out = add3(times(moments, left_inverse_transposed(z, scale3(-1.0, x), k)), scale3(-0.5, cross(k, c)))
    out = add3(out, scale3(g, add3(scale3(xk, c), scale3(cx, k))))
    steeper = 2.0 * log_slope(z, dot3(x, x)) * (cx * xk - ck * dot3(x, x)) - 2.0 * g * ck
    return left_inverse_transposed(z, x, add3(out, scale3(steeper, x)))


@kernel
def place_turns(z, t, h, m, later, turns):
    """The matrices B of all bodies, in world axes, nine numbers each: B k is the gradient of k · spin by R'."""
    for i in range(header(t).bodies):
        at = (i + 1) * SLOT.size
        _, moments = mass_and_moments(t, body_at(t, i))
        R = load9(z, m.slots, at + SLOT.rotation)
        x = rotation_log(z, matmul(transposed(R), load9(z, later.slots, at + SLOT.rotation)))
        one = z + 1.0 / h
        a = spin_gradient(z, moments, x, (one, z, z))
        b = spin_gradient(z, moments, x, (z, one, z))
        c = spin_gradient(z, moments, x, (z, z, one))
        B = (a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2])
        store9(z, turns, 9 * i, matmul(matmul(R, B), transposed(R)))


@inlined
def pose_wrench(z, t, i, h, momenta, turns, twists):
    """X of body i, at its centre of mass at the end; twists: (W, W'), each at the centre of mass at its end."""
    spin, P = halves(load6(z, momenta, 6 * i))
    (turn, w), (turn_later, w_later) = halves(twists[0]), halves(twists[1])
    mass, _ = mass_and_moments(t, body_at(t, i))
    k = 2.0 / h
    moment = add3(matvec(load9(z, turns, 9 * i), sub3(turn, turn_later)), cross(spin, turn_later))
    moment = scale3(k, add3(moment, cross(P, w_later)))
    return six(moment, scale3(k * mass / h, sub3(w, w_later)))


@kernel
def momentum_parameters(z, t, i, each, h, twists, trees, out):
    """Add ∂T by mass, centre and moment of body i, in principal axes, to its numbers of `out`; trees: (m, later)."""
    at, to = (i + 1) * SLOT.size, i * each
    (turn, w), (turn_later, w_later) = halves(twists[0]), halves(twists[1])
    mass, _ = mass_and_moments(t, body_at(t, i))
    R, S = load9(z, trees[0].slots, at + SLOT.rotation), load9(z, trees[1].slots, at + SLOT.rotation)
    p, r = load3(z, trees[0].slots, at + SLOT.position), load3(z, trees[1].slots, at + SLOT.position)
    k, u = 2.0 / h, scale3(1.0 / h, sub3(r, p))
    change = sub3(w, w_later)
    start = transposed_matvec(R, sub3(cross(u, turn), scale3(1.0 / h, change)))
    end = transposed_matvec(S, sub3(scale3(1.0 / h, change), cross(u, turn_later)))
    x = rotation_log(z, matmul(transposed(R), S))
    y = left_inverse_transposed(z, scale3(-1.0, x), transposed_matvec(R, sub3(turn, turn_later)))
    M = by_moment(scale3(k / h, y), x, (z, z, z))
    give_inertia(z, None, i, to, k * dot3(change, u), scale3(k * mass, add3(start, end)), M, out)
