"""Motions in a plane, of one coordinate: pose, column and its derivative.

The sums are those of `product_form.evaluate_joint` with three numbers for a twist, (w, a, b): with X the factors so far
and ĝ = Ad_X g, the column is s = Σ ĝ φ' and its derivative h = Σ (φ' ad_s ĝ + φ'' ĝ).
"""

from ...numeric import gather4, inlined, kernel, sincos
from .layout import PLANE_HEAD, PLANE_POSE, TERM_SIZE
from .product_form import local_variable, look_up, scalar_function, subtract_centers
from .records import segment_at, term_at


@inlined
def plane_times(X, Y):
    """The product of two poses (cos, sin, x, y)."""
    c, s, x, y = X
    return (
        c * Y[0] - s * Y[1],
        s * Y[0] + c * Y[1],
        x + (c * Y[2] - s * Y[3]),
        y + (s * Y[2] + c * Y[3]),
    )


@inlined
def plane_adjoint(X, g):
    """Ad_X g."""
    c, s, x, y = X
    w = g[0]
    return w, c * g[1] - s * g[2] + y * w, s * g[1] + c * g[2] - x * w


@inlined
def plane_exponential(g, iw, phi):
    """exp(ĝ φ) of a twist (w, a, b), iw = 1/w."""
    w, a, b = g
    t = w * phi
    s, c = sincos(0.5 * t)
    sn, cs = 2.0 * s * c, 2.0 * s * s
    k, m = cs * iw, phi - (t - sn) * iw
    return 1.0 - cs, sn, m * a - k * b, m * b + k * a


@kernel
def plane_factors(z, t, terms, row, X, s, h, state):
    """Multiply a pose by one row, with the column s and its derivative h; `terms` is (position of the first, count)."""
    X = plane_times(X, gather4(t.numbers, row, PLANE_POSE))
    at, count = terms
    for _ in range(count):
        term = term_at(t, at)
        w, a, b, iw = gather4(t.numbers, row, term.at)
        x = local_variable(z, term, state)
        phi, slope, bend = scalar_function(t.numbers, row, term.at + PLANE_HEAD, term.code, term.order, x)
        g = plane_adjoint(X, (w, a, b))
        # ad_s ĝ is a translation
        e, f = s[2] * g[0] - s[0] * g[2], s[0] * g[1] - s[1] * g[0]
        h = (h[0] + bend * g[0], h[1] + bend * g[1] + slope * e, h[2] + bend * g[2] + slope * f)
        s = (s[0] + slope * g[0], s[1] + slope * g[1], s[2] + slope * g[2])
        if term.turns:
            X = plane_times(X, plane_exponential((w, a, b), iw, phi))
        else:
            X = (X[0], X[1], X[2] + phi * g[1], X[3] + phi * g[2])
        at += TERM_SIZE
    return X, s, h


@kernel
def evaluate_plane(z, t, joint, state):
    """Pose (cos, sin, x, y) of a motion of one coordinate, its column (w, a, b) at the origin, and the derivative."""
    X, s, h = (z + 1.0, z, z, z), (z, z, z), (z, z, z)
    for k in range(joint.segments):
        segment = segment_at(t, joint.first, k)
        terms = segment.first_term, segment.terms
        if segment.axes == 0:
            X, s, h = plane_factors(z, t, terms, segment.rows, X, s, h, state)
        else:
            row = look_up(z, t, joint.first, k, state)
            subtract_centers(z, t, segment.axes, row, state.work)
            X, s, h = plane_factors(z, t, terms, row, X, s, h, state)
    return X, s, h
