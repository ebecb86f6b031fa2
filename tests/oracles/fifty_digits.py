"""Poses of written definitions with fifty digits, by mpmath: exponentials by Taylor series, B-splines by recursion.

Twists are [ω; v]; derivatives are central differences, right to fifteen digits and more.
"""

from itertools import pairwise

import numpy as np
from mpmath import mp, mpf

__all__ = ["derivatives", "exponential", "fixed", "floats", "screws", "spline_curve", "tensor"]

mp.dps = 50
STEP = mpf(10) ** -20
WIDE = mpf(10) ** -8  # of the second difference: its own square, and 30 digits that the first has left


def fixed(pose):
    """A matrix of floats, exactly."""
    return mp.matrix(np.asarray(pose, float).tolist())


def floats(matrix):
    return np.array(matrix.tolist(), float)


def exponential(twist, x):
    """exp(ĝ x)."""
    (a, b, c), v = ([mpf(float(g)) for g in part] for part in (twist[:3], twist[3:]))
    hat = mp.matrix([[0, -c, b, v[0]], [c, 0, -a, v[1]], [-b, a, 0, v[2]], [0, 0, 0, 0]])
    return mp.expm(hat * x, method="taylor")


def screws(twists, values):
    """Π exp(ĝ_k φ_k)."""
    out = mp.eye(4)
    for g, x in zip(twists, values, strict=True):
        out = out * exponential(g, x)
    return out


def basis(knots, order, x):
    """All B-splines of an order at x, inside their domain."""
    t = [mpf(float(k)) for k in knots]
    b = [mpf(int(low <= x < high)) for low, high in pairwise(t)]
    for k in range(2, order + 1):
        up = [(x - t[i]) / (t[i + k - 1] - t[i]) * b[i] if b[i] else mpf(0) for i in range(len(t) - k)]
        down = [(t[i + k] - x) / (t[i + k] - t[i + 1]) * b[i + 1] if b[i + 1] else mpf(0) for i in range(len(t) - k)]
        b = [p + q for p, q in zip(up, down, strict=True)]
    return b


def spline_curve(frames, knots, order):
    """x to G_0 Π exp(z_j B̃_j(x)), z_j the logarithms between frames, by mpmath's `logm`."""
    logs = [mp.logm(mp.inverse(fixed(a)) * fixed(b)) for a, b in pairwise(frames)]

    def pose(x):
        out, values = fixed(frames[0]), basis(knots, order, x)
        for j, z in enumerate(logs, start=1):
            out = out * mp.expm(z * mp.fsum(values[j:]), method="taylor")
        return out

    return pose


def tensor(controls, knots, order, q):
    """Σ c_ij B_i(q_0) B_j(q_1)."""
    first, second = (basis(k, order, x) for k, x in zip(knots, q, strict=True))
    return mp.fsum(
        first[i] * second[j] * mpf(float(controls[i, j]))
        for i in range(len(first)) if first[i] for j in range(len(second)) if second[j]
    )  # fmt: skip


def derivatives(pose, q, way):
    """The pose, the columns s_i = (T⁻¹ ∂_i T)^∨ (6, i), and how they change along `way`, at floats q, as floats."""
    q, way = ([mpf(float(x)) for x in given] for given in (q, way))

    def columns(at):
        back, out = mp.inverse(pose(*at)), []
        for i in range(len(q)):
            ahead, behind = ([x + (s * STEP if k == i else 0) for k, x in enumerate(at)] for s in (1, -1))
            w = back * (pose(*ahead) - pose(*behind)) / (2 * STEP)
            out.append([w[2, 1], w[0, 2], w[1, 0], w[0, 3], w[1, 3], w[2, 3]])
        return np.array(out, object).T

    ends = [columns([x + s * WIDE * d for x, d in zip(q, way, strict=True)]) for s in (1, -1)]
    return floats(pose(*q)), columns(q).astype(float), ((ends[0] - ends[1]) / (2 * WIDE)).astype(float)
