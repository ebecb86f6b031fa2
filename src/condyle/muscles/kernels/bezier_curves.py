"""Curves of corners, as Millard's muscle has them: Bézier pieces x(u), y(u) of degree 5, and straight lines beyond.

The control points of a corner are P0, A, A, B, B, P1. In the tables a curve is, at a position of the numbers: x, y
and slope of its first point, the same of its last, then for each corner the x and the y of P0, A, B, P1.
"""

from ...numeric import inlined, kernel, less, select
from ...spatial.kernels.transcendental import clamped

HEAD, CORNER = 6, 8
ROUNDS = 14


@inlined
def quintic(p, a, b, q, u):
    """A coordinate of the curve at u, and its derivative by u."""
    w = 1.0 - u
    u2, w2 = u * u, w * w
    first, last = w2 * w2, u2 * u2
    left, right = 5.0 * u * first + 10.0 * u2 * w2 * w, 10.0 * u2 * u * w2 + 5.0 * last * w
    value = w * first * p + left * a + right * b + u * last * q
    rate = 5.0 * first * (a - p) + 30.0 * u2 * w2 * (b - a) + 5.0 * last * (q - b)
    return value, rate


@kernel
def solve_u(z, p, a, b, q, x):
    """The u from 0 to 1 where x(u) is x: Newton's method, halving the bracket where it leaves it."""
    low, high = z, z + 1.0
    u = clamped(z, (x - p) / (q - p), 0.0, 1.0)
    for _ in range(ROUNDS):
        value, rate = quintic(p, a, b, q, u)
        above = less(x, value)
        high = select(above, u, high)
        low = select(above, low, u)
        step = u - (value - x) / select(less(rate, z + 1e-12), z + 1e-12, rate)
        good = select(less(step, low), z, select(less(high, step), z, z + 1.0))
        u = select(less(good, z + 0.5), 0.5 * (low + high), step)
    return u


@kernel
def curve_at(z, t, at, corners, x):
    """(value, slope) of a curve."""
    n = t.numbers
    row = at + HEAD
    p, a, b, q = z + n[row], z + n[row + 1], z + n[row + 2], z + n[row + 3]
    d, e, f, g = z + n[row + 4], z + n[row + 5], z + n[row + 6], z + n[row + 7]
    for k in range(1, corners):
        row = at + HEAD + k * CORNER
        beyond = less(z + n[row], x)
        p, a = select(beyond, z + n[row], p), select(beyond, z + n[row + 1], a)
        b, q = select(beyond, z + n[row + 2], b), select(beyond, z + n[row + 3], q)
        d, e = select(beyond, z + n[row + 4], d), select(beyond, z + n[row + 5], e)
        f, g = select(beyond, z + n[row + 6], f), select(beyond, z + n[row + 7], g)
    u = solve_u(z, p, a, b, q, x)
    rise, y = quintic(p, a, b, q, u)[1], quintic(d, e, f, g, u)
    value, slope = y[0], y[1] / select(less(rise, z + 1e-12), z + 1e-12, rise)
    before, after = less(x, z + n[at]), less(z + n[at + 3], x)
    value = select(before, n[at + 1] + n[at + 2] * (x - n[at]), value)
    value = select(after, n[at + 4] + n[at + 5] * (x - n[at + 3]), value)
    slope = select(before, z + n[at + 2], select(after, z + n[at + 5], slope))
    return value, slope
