"""The surface in compiled code: channels with slopes, patch hopping, the rigid elbow and the twist limits."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...numeric import as_int64, entry, inlined, kernel
from ...spatial.kernels.algebra import add3, cross, dot3, scale3, sub3

SHOULDER, ELBOW, WRIST_LOW, WRIST_HIGH = 0, 3, 6, 9
CLOSE = 1e-15  # |e* − g|² − R² at which an elbow counts as found [m²]


class Place(NamedTuple):
    """A point of the domain, and the patch that holds it."""

    patch: int
    x: float
    y: float


class Sphere(NamedTuple):
    """Where the elbow may be for a goal: at distance R from g."""

    g: tuple
    R: float


@inlined
def barycentrics(t, patch, x, y):
    """Coordinates (u, v, w) of a domain point in a patch."""
    F = t.frames
    return (
        F[patch, 0] * x + F[patch, 1] * y + F[patch, 2],
        F[patch, 3] * x + F[patch, 4] * y + F[patch, 5],
        F[patch, 6] * x + F[patch, 7] * y + F[patch, 8],
    )


@kernel
def hop(t, patch, x, y):
    """Walk from `patch` to the one that holds (x, y), at the rim the last one; also the smallest barycentric there."""
    for _ in range(2 * t.neighbors.shape[0]):
        b = barycentrics(t, patch, x, y)
        corner = 0 if b[0] <= b[1] and b[0] <= b[2] else (1 if b[1] <= b[2] else 2)
        lowest = b[corner]
        if lowest >= 0.0 or t.neighbors[patch, corner] < 0:
            return patch, lowest
        patch = t.neighbors[patch, corner]
    return patch, lowest  # pyright: ignore[reportPossiblyUnboundVariable]  # the loop ran: lowest is bound


@inlined
def horner3(p, x, c, k):
    """p x + c[k … k + 2]."""
    return (p[0] * x + c[k], p[1] * x + c[k + 1], p[2] * x + c[k + 2])


@inlined
def axpy3(p, x, q):
    """p x + q."""
    return (p[0] * x + q[0], p[1] * x + q[1], p[2] * x + q[2])


@kernel
def point(t, patch, first, x, y):
    """Three channels from `first` on, and their slopes by x and y: Horner in v inside Horner in w."""
    F, c, zero = t.frames, t.coefficients, (0.0, 0.0, 0.0)
    _, v, w = barycentrics(t, patch, x, y)
    k = patch * 6 * (t.degree + 1) * (t.degree + 2) + first
    f, fv, fw = zero, zero, zero
    for m in range(t.degree + 1):
        p, pv = zero, zero
        for _ in range(m + 1):
            pv = axpy3(pv, v, p)
            p = horner3(p, v, c, k)
            k += 12
        fw = axpy3(fw, w, f)
        f = axpy3(f, w, p)
        fv = axpy3(fv, w, pv)
    by_x = axpy3(fv, F[patch, 3], scale3(F[patch, 6], fw))
    return f, by_x, axpy3(fv, F[patch, 4], scale3(F[patch, 7], fw))


@inlined
def unit_slope(n, length, d):
    """The slope of a/|a|, for a of the given length along n with slope d."""
    return scale3(1.0 / length, sub3(d, scale3(dot3(n, d), n)))


@kernel
def shoulder_slopes(t, patch, x, y):
    """Shoulder s* = L₁ s/|s| and its slopes."""
    s, sx, sy = point(t, patch, as_int64(SHOULDER), x, y)
    length, L1 = math.sqrt(dot3(s, s)), t.lengths[0]
    n = scale3(1.0 / length, s)
    return scale3(L1, n), scale3(L1, unit_slope(n, length, sx)), scale3(L1, unit_slope(n, length, sy))


@kernel
def rigid(t, patch, x, y):
    """Shoulder s*, upper-arm direction z, elbow e* = s* + L₂ z, and the slopes of e*."""
    star, sx, sy = shoulder_slopes(t, patch, x, y)
    e, ex, ey = point(t, patch, as_int64(ELBOW), x, y)
    L2 = t.lengths[1]
    a = sub3(e, star)
    reach = math.sqrt(dot3(a, a))
    z = scale3(1.0 / reach, a)
    zx, zy = unit_slope(z, reach, sub3(ex, sx)), unit_slope(z, reach, sub3(ey, sy))
    return star, z, add3(star, scale3(L2, z)), add3(sx, scale3(L2, zx)), add3(sy, scale3(L2, zy))


@entry
def corner_slopes(t, at, triangles, out):
    """∂e*/∂x and ∂e*/∂y at the corners of the leaves of every patch, all patches with as many leaves."""
    per_patch = triangles.shape[0] // t.neighbors.shape[0]
    for leaf in range(triangles.shape[0]):
        for k in range(3):
            v = triangles[leaf, k]
            _, _, _, ex, ey = rigid(t, leaf // per_patch, at[v, 0], at[v, 1])
            for i in range(3):
                out[leaf, k, i], out[leaf, k, 3 + i] = ex[i], ey[i]


@kernel
def gap(t, patch, x, y, g, R):
    """F = |e* − g|² − R² and its slopes."""
    _, _, e, ex, ey = rigid(t, patch, x, y)
    d = sub3(e, g)
    return dot3(d, d) - R * R, 2.0 * dot3(d, ex), 2.0 * dot3(d, ey)


@inlined
def perpendicular(a, z):
    """The unit vector along the part of a that is square to z."""
    p = sub3(a, scale3(dot3(a, z), z))
    return scale3(1.0 / math.sqrt(dot3(p, p)), p)


@kernel
def twist_limits(t, patch, x, y, z):
    """x̂₀, where the wrist points at its low twist limit, and the range of twist in [0, 2π).  [section 4.1]"""
    e, _, _ = point(t, patch, as_int64(ELBOW), x, y)
    low, _, _ = point(t, patch, as_int64(WRIST_LOW), x, y)
    high, _, _ = point(t, patch, as_int64(WRIST_HIGH), x, y)
    x0, x1 = perpendicular(sub3(low, e), z), perpendicular(sub3(high, e), z)
    return x0, wrapped(math.atan2(dot3(z, cross(x0, x1)), dot3(x0, x1)))


@inlined
def wrapped(angle):
    """The same angle in [0, 2π)."""
    turn = 2.0 * math.pi
    angle = angle - turn * math.floor(angle / turn)
    return angle if angle < turn else 0.0
