"""Logarithms of poses and the inverse of their Jacobian in kernels, on tuples of numbers of any type.

Every lane takes the series below its bound and the closed form above, so neighbours in a register do not matter.
"""

import numpy as np

from ..numeric import arctan, inlined, kernel, less, select, sincos, some, sqrt
from .algebra import add3, cross, dot3, halves, scale3, times6
from .coefficients import INVERSE_FOURTH, INVERSE_SECOND, LOG

__all__ = ["left_inverse_transposed", "pose_log", "rotation_log"]

NEAR_TANGENT = 0.01  # of tan²(θ/2)
NEAR_ANGLE = 1.0  # [rad²] of θ²
TERMS = 12  # of ratio (1/2π)² at NEAR_ANGLE, 0.01 at NEAR_TANGENT: round-off
ARCTAN = np.array([(-1.0) ** k / (2 * k + 1) for k in range(TERMS)])
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
    near = less(x, NEAR_TANGENT)
    out = series(select(near, x, z), ARCTAN)
    if some(less(NEAR_TANGENT, x + SMALLEST)):
        t = sqrt(select(near, z + 1.0, x))
        out = select(near, out, arctan(t) / t)
    return out


@kernel
def rotation_log(z, R):
    """The rotation vector, below half a turn: 2 arctan(t)/t · t n with t = tan(θ/2), t n = vee(R − Rᵀ)/(1 + tr R)."""
    c = 1.0 + R[0] + R[4] + R[8]
    k = 1.0 / select(less(SMALLEST, c), c, z + SMALLEST)
    y = scale3(k, (R[7] - R[5], R[2] - R[6], R[3] - R[1]))
    return scale3(2.0 * arctan_ratio(z, dot3(y, y)), y)


@inlined
def cotangent(z, x):
    """(θ/2)², sin²(θ/2) and h = (θ/2) cot(θ/2) of x = θ²."""
    t = 0.5 * sqrt(x)
    s, c = sincos(t)
    return t * t, s * s, t * c / s


@kernel
def log_coefficient(z, x):
    """(1 − (θ/2) cot(θ/2))/θ² of x = θ²."""
    near = less(x, NEAR_ANGLE)
    out = series(select(near, x, z), LOG)
    if some(less(NEAR_ANGLE, x + SMALLEST)):
        far = select(near, z + 1.0, x)
        out = select(near, out, (1.0 - cotangent(z, far)[2]) / far)
    return out


@kernel
def inverse_coefficients(z, x):
    """d₂ and d₄ of Jl⁻¹ = I − ad/2 + d₂ ad² + d₄ ad⁴ at x = θ²."""
    near = less(x, NEAR_ANGLE)
    inside = select(near, x, z)
    second, fourth = series(inside, INVERSE_SECOND), series(inside, INVERSE_FOURTH)
    if some(less(NEAR_ANGLE, x + SMALLEST)):
        far = select(near, z + 1.0, x)
        a, b, h = cotangent(z, far)
        slope = h - a / b
        second = select(near, second, (slope - 4.0 * (h - 1.0)) / (2.0 * far))
        fourth = select(near, fourth, (slope - 2.0 * (h - 1.0)) / (2.0 * far * far))
    return second, fourth


@kernel
def pose_log(z, R, p):
    """The twist that reaches the pose (R, p) in unit time, turning less than half a turn."""
    w = rotation_log(z, R)
    a = cross(w, p)
    v = add3(add3(p, scale3(-0.5, a)), scale3(log_coefficient(z, dot3(w, w)), cross(w, a)))
    return (w[0], w[1], w[2], v[0], v[1], v[2])


@inlined
def ad_transposed(x, f):
    """ad_xᵀ f for a wrench f."""
    w, v = halves(x)
    m, l = halves(f)
    a, b = add3(cross(m, w), cross(l, v)), cross(l, w)
    return (a[0], a[1], a[2], b[0], b[1], b[2])


@kernel
def left_inverse_transposed(z, x, f):
    """Jl(x)⁻ᵀ f of a twist x and a wrench or momentum f, for less than a full turn."""
    second, fourth = inverse_coefficients(z, x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
    f1 = ad_transposed(x, f)
    f2 = ad_transposed(x, f1)
    f4 = ad_transposed(x, ad_transposed(x, f2))
    return times6(times6(times6(f, -0.5, f1), second, f2), fourth, f4)
