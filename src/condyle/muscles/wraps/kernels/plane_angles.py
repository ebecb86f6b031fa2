"""Angles and directions of single states: what wrapping needs of plane geometry. Numbers are floats or complex."""

from ....numeric import arctan, inlined, kernel, less, sqrt
from ....spatial.kernels.algebra import dot3, scale3

PI = 3.141592653589793


@kernel
def angle_between(s, c):
    """The angle from 0 to π whose sine and cosine are s ≥ 0 and c, both times one positive number."""
    if less(c, 0.0):
        return PI - 2.0 * arctan(s / (sqrt(s * s + c * c) - c))
    return 2.0 * arctan(s / (sqrt(s * s + c * c) + c))


@inlined
def norm3(a):
    """The length of a vector."""
    return sqrt(dot3(a, a))


@kernel
def unit3(a):
    """A vector of length 1 in the direction of another; 0 for 0."""
    n = norm3(a)
    if less(n, 1e-200):
        return scale3(0.0, a)
    return scale3(1.0 / n, a)


@inlined
def side(x):
    """1 for numbers that are not negative, else −1."""
    return -1 if less(x, 0.0) else 1


@kernel
def bounded(x, most):
    """A number, no larger than `most` either way."""
    if less(most, x):
        return most + 0.0 * x
    if less(x, -most):
        return -most + 0.0 * x
    return x
