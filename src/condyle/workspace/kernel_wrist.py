"""The wrist as three angles: extraction, limits, and the nearest orientation inside the limits.

R = R_x(a) R_y(b) R_z(c).  [TolaniBadlerGallier2000, eq. 11, corrected]
"""

from __future__ import annotations

import math

from ..numeric import inlined, kernel
from ..spatial.algebra import add3, cross, dot3, scale3

SWEEPS, STARTS = 400, 10
SPINS = 48
GOLDEN = 0.6180339887498949


@inlined
def euler(M):
    """Angles (a, b, c) with R_x(a) R_y(b) R_z(c) = M; b in [−π/2, π/2]; a = 0 where the axes line up."""
    flat = math.hypot(M[0], M[1])
    if flat < 1e-12:
        return 0.0, math.atan2(M[2], flat), math.atan2(M[3], M[4])
    return math.atan2(-M[5], M[8]), math.atan2(M[2], flat), math.atan2(-M[1], M[0])


@inlined
def excess(angle, low, high):
    """How far an angle is outside [low, high]."""
    return max(0.0, angle - high) + max(0.0, low - angle)


@inlined
def box_penalty(t, angles):
    """The sum of squared excesses of the three wrist angles."""
    total = 0.0
    for i in range(3):
        e = excess(angles[i], t.limits[i + 1, 0], t.limits[i + 1, 1])
        total += e * e
    return total


@inlined
def spun(M, axis, spin):
    """M · Rot(axis, spin), by columns turned about the axis (Rodrigues' formula on the rows of M)."""
    s, c = math.sin(spin), math.cos(spin)
    a = turned_row((M[0], M[1], M[2]), axis, s, c)
    b = turned_row((M[3], M[4], M[5]), axis, s, c)
    d = turned_row((M[6], M[7], M[8]), axis, s, c)
    return (a[0], a[1], a[2], b[0], b[1], b[2], d[0], d[1], d[2])


@inlined
def turned_row(r, n, s, c):
    """rᵀ Rot(n, ·), which is Rot(n, −·) r."""
    return add3(add3(scale3(c, r), scale3(-s, cross(n, r))), scale3((1.0 - c) * dot3(n, r), n))


@kernel
def best_spin(t, M, axis):
    """The spin about the hand's axis with the smallest penalty: sampled all round, then refined."""
    step = 2.0 * math.pi / SPINS
    best, value = 0.0, math.inf
    for k in range(SPINS):
        p = box_penalty(t, euler(spun(M, axis, k * step)))
        if p < value:
            best, value = k * step, p
    low, high = best - step, best + step
    for _ in range(50):
        if value == 0.0:
            break
        a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        pa, pb = box_penalty(t, euler(spun(M, axis, a))), box_penalty(t, euler(spun(M, axis, b)))
        if pa < pb:
            high, best, value = (b, a, pa) if pa < value else (b, best, value)
        else:
            low, best, value = (a, b, pb) if pb < value else (a, best, value)
    return best


@inlined
def nearest_angle(A, B, low, high):
    """The angle in [low, high] that maximises A cos + B sin."""
    best = math.atan2(B, A)
    turn = 2.0 * math.pi
    best = best + turn * math.ceil((low - best) / turn)
    if best <= high:
        return best
    return high if best - high < low + turn - best else low


@kernel
def agreement(M, a, b, c):
    """trace(Mᵀ R_x(a) R_y(b) R_z(c)) = 1 + 2 cos(angle between them)."""
    sa, ca, sb, cb, sc, cc = math.sin(a), math.cos(a), math.sin(b), math.cos(b), math.sin(c), math.cos(c)
    top = M[0] * cb * cc - M[1] * cb * sc + M[2] * sb
    middle = M[3] * (ca * sc + sa * sb * cc) + M[4] * (ca * cc - sa * sb * sc) - M[5] * sa * cb
    return top + middle + M[6] * (sa * sc - ca * sb * cc) + M[7] * (sa * cc + ca * sb * sc) + M[8] * ca * cb


@kernel
def climb(t, M, a, b, c, sweeps):
    """Maximise the agreement one angle at a time, each exactly inside its limits."""
    limits = t.limits
    for _ in range(sweeps):
        before = (a, b, c)
        sb, cb, sc, cc = math.sin(b), math.cos(b), math.sin(c), math.cos(c)
        A = M[3] * sc + M[4] * cc - M[6] * sb * cc + M[7] * sb * sc + M[8] * cb
        B = M[3] * sb * cc - M[4] * sb * sc - M[5] * cb + M[6] * sc + M[7] * cc
        a = nearest_angle(A, B, limits[1, 0], limits[1, 1])
        sa, ca = math.sin(a), math.cos(a)
        A = M[0] * cc - M[1] * sc - M[5] * sa + M[8] * ca
        B = M[2] + M[3] * sa * cc - M[4] * sa * sc - M[6] * ca * cc + M[7] * ca * sc
        b = nearest_angle(A, B, limits[2, 0], limits[2, 1])
        sb, cb = math.sin(b), math.cos(b)
        A = M[0] * cb + M[3] * sa * sb + M[4] * ca - M[6] * ca * sb + M[7] * sa
        B = -M[1] * cb + M[3] * ca - M[4] * sa * sb + M[6] * sa + M[7] * ca * sb
        c = nearest_angle(A, B, limits[3, 0], limits[3, 1])
        if abs(a - before[0]) + abs(b - before[1]) + abs(c - before[2]) < 1e-14:
            break
    return a, b, c


@kernel
def nearest_orientation(t, M, starts, sweeps):
    """The wrist angles inside the limits with the largest agreement with M, and that agreement."""
    limits = t.limits
    found = euler(M)
    best, value = found, -4.0
    for k in range(starts):
        if k == 0:
            start = found
        elif k == 1:
            start = (
                0.5 * (limits[1, 0] + limits[1, 1]),
                0.5 * (limits[2, 0] + limits[2, 1]),
                0.5 * (limits[3, 0] + limits[3, 1]),
            )
        else:
            start = (limits[1, (k - 2) & 1], limits[2, ((k - 2) >> 1) & 1], limits[3, ((k - 2) >> 2) & 1])
        angles = climb(t, M, start[0], start[1], start[2], sweeps)
        trace = agreement(M, angles[0], angles[1], angles[2])
        if trace > value:
            best, value = angles, trace
    return best, value
