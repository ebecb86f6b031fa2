"""Logarithms of rotations and the inverse of their Jacobian in kernels, on tuples of numbers of any type.

Every lane takes the series below its bound and the closed form above, so neighbours in a register do not matter.
"""

import math

import numpy as np

from ...numeric import any_lane, arctan, inlined, kernel, less, select, sincos, sqrt
from .algebra import add3, cross, dot3, scale3
from .angle_series import LOG as LOG_SERIES

NEAR_TANGENT = 0.04  # of tan²(θ/2)
NEAR_ANGLE = 1.0  # [rad²] of θ²
TERMS = 12  # ratio 0.04 for arctan, (1/2π)² for the cotangent: round-off
ARCTAN = np.array([(-1.0) ** k / (2 * k + 1) for k in range(TERMS)])
LOG = np.array(LOG_SERIES)
SMALLEST = 1e-30
HALF_TURN = -0.9  # cosine below which the axis is read from R + Rᵀ


@inlined
def select3(condition, a, b):
    """The vector a where the condition holds, else b."""
    return select(condition, a[0], b[0]), select(condition, a[1], b[1]), select(condition, a[2], b[2])


@inlined
def series(x, constants):
    """Σ constants[k] x^k."""
    out = 0.0 * x + constants[TERMS - 1]
    for k in range(TERMS - 2, -1, -1):
        out = out * x + constants[k]
    return out


@kernel
def arctan_ratio(z, x):
    """arctan(t)/t of x = t²."""
    far = less(NEAR_TANGENT, x)
    out = series(select(far, z, x), ARCTAN)
    if any_lane(far):
        t = sqrt(select(far, x, z + 1.0))
        out = select(far, arctan(t) / t, out)
    return out


@kernel
def log_coefficient(z, x):
    """(1 − (θ/2) cot(θ/2))/θ² of x = θ²."""
    far = less(NEAR_ANGLE, x)
    out = series(select(far, z, x), LOG)
    if any_lane(far):
        y = select(far, x, z + 1.0)
        t = 0.5 * sqrt(y)
        s, c = sincos(t)
        out = select(far, (1.0 - t * c / s) / y, out)
    return out


@kernel
def rotation_log(z, R):
    """The rotation vector, below half a turn: 2 arctan(t)/t · t n with t = tan(θ/2), t n = vee(R − Rᵀ)/(1 + tr R)."""
    c = 1.0 + R[0] + R[4] + R[8]
    k = 1.0 / select(less(SMALLEST, c), c, z + SMALLEST)
    y = scale3(k, (R[7] - R[5], R[2] - R[6], R[3] - R[1]))
    return scale3(2.0 * arctan_ratio(z, dot3(y, y)), y)


@kernel
def axis_of_half_turn(R):
    """The longest column of R + Rᵀ + (1 − tr R) I, 2 (1 − cos θ) times a component of the axis, made a unit."""
    less_trace = 1.0 - R[0] - R[4] - R[8]
    x = (2.0 * R[0] + less_trace, R[1] + R[3], R[2] + R[6])
    y = (x[1], 2.0 * R[4] + less_trace, R[5] + R[7])
    u = (x[2], y[2], 2.0 * R[8] + less_trace)
    n = select3(less(y[1], u[2]), u, y)
    n = select3(less(x[0], select(less(y[1], u[2]), u[2], y[1])), n, x)
    return scale3(1.0 / sqrt(dot3(n, n)), n)


@kernel
def log_near_half_turn(z, R):
    """The rotation vector of a rotation near half a turn: π − arcsin of the sine, about the axis of R + Rᵀ."""
    n = axis_of_half_turn(R)
    sine = 0.5 * (n[0] * (R[7] - R[5]) + n[1] * (R[2] - R[6]) + n[2] * (R[3] - R[1]))
    back = arctan(sine / sqrt(1.0 - sine * sine))
    return scale3(select(less(sine, 0.0), z - math.pi, z + math.pi) - back, n)


@kernel
def rotation_log_to_half_turn(z, R):
    """The rotation vector, half a turn included."""
    out = rotation_log(z, R)
    far = less(R[0] + R[4] + R[8], 1.0 + 2.0 * HALF_TURN)
    if any_lane(far):
        out = select3(far, log_near_half_turn(z, R), out)
    return out


@kernel
def left_inverse_transposed(z, x, y):
    """Jl(x)⁻ᵀ y = y + x×y/2 + (1 − (θ/2) cot(θ/2))/θ² x×(x×y) for rotation vectors x of less than a full turn."""
    a = cross(x, y)
    return add3(add3(y, scale3(0.5, a)), scale3(log_coefficient(z, dot3(x, x)), cross(x, a)))
