"""Exponential, logarithm and their like on numbers of any type, by reduction and series.

In the ranges that they name they are right to about 2e-14: exp relative to its size, the others where they exceed one.
"""

from ...numeric import inlined, kernel, less, magnitude, select, sqrt

LARGEST = 75.0  # exp is that of ± this number beyond it


@kernel
def exp(z, x):
    """eˣ for |x| ≤ 75: (e^(x/128))^128, the inner one by its series."""
    most = z + LARGEST
    x = select(less(x, -most), -most, select(less(most, x), most, x))
    r = x * (1.0 / 128.0)
    y = z + 1.0
    for k in range(15, 0, -1):
        y = 1.0 + y * r * (1.0 / k)
    for _ in range(7):
        y = y * y
    return y


@kernel
def log(z, x):
    """ln x for 1e-8 ≤ x ≤ 1e8: 64 ln x^(1/64), the inner one by the series of the inverse hyperbolic tangent.

    Beyond, the series is too short: it is 1e-6 of ln x off at x = 1e30.
    """
    y = x
    for _ in range(6):
        y = sqrt(y)
    t = (y - 1.0) / (y + 1.0)
    t2 = t * t
    s = z + 1.0 / 15.0
    for k in range(13, 0, -2):
        s = s * t2 + 1.0 / k
    return 128.0 * t * s


@kernel
def asinh(z, x):
    """The inverse hyperbolic sine for |x| ≤ 1e8."""
    y = magnitude(x)
    r = log(z, y + sqrt(y * y + 1.0))
    return select(less(x, z), -r, r)


@kernel
def sinh(z, x):
    """The hyperbolic sine."""
    e = exp(z, x)
    return 0.5 * (e - 1.0 / e)


@kernel
def tanh(z, x):
    """The hyperbolic tangent."""
    return 1.0 - 2.0 / (exp(z, 2.0 * x) + 1.0)


@inlined
def clamped(z, x, low, high):
    """A number held between two others."""
    return select(less(x, z + low), z + low, select(less(z + high, x), z + high, x))
