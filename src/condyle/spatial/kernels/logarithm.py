"""Logarithms of rotations and the inverse of their Jacobian in kernels, on tuples of numbers of any type.

Every lane takes the series below its bound and the closed form above, so neighbours in a register do not matter.
"""

import numpy as np

from ...numeric import arctan, inlined, kernel, less, select, sincos, some, sqrt
from .algebra import add3, cross, dot3, scale3
from .angle_series import LOG as LOG_SERIES

__all__ = ["left_inverse_transposed", "rotation_log"]

NEAR_TANGENT = 0.04  # of tan²(θ/2)
NEAR_ANGLE = 1.0  # [rad²] of θ²
TERMS = 12  # ratio 0.04 for arctan, (1/2π)² for the cotangent: round-off
ARCTAN = np.array([(-1.0) ** k / (2 * k + 1) for k in range(TERMS)])
LOG = np.array(LOG_SERIES)
SMALLEST = 1e-30


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
    if some(far):
        t = sqrt(select(far, x, z + 1.0))
        out = select(far, arctan(t) / t, out)
    return out


@kernel
def log_coefficient(z, x):
    """(1 − (θ/2) cot(θ/2))/θ² of x = θ²."""
    far = less(NEAR_ANGLE, x)
    out = series(select(far, z, x), LOG)
    if some(far):
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
def left_inverse_transposed(z, x, y):
    """Jl(x)⁻ᵀ y = y + x×y/2 + (1 − (θ/2) cot(θ/2))/θ² x×(x×y) for rotation vectors x of less than a full turn."""
    a = cross(x, y)
    return add3(add3(y, scale3(0.5, a)), scale3(log_coefficient(z, dot3(x, x)), cross(x, a)))
