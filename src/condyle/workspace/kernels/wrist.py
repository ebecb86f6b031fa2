"""The wrist as three angles: extraction, limits, and the nearest orientation inside the limits.

R = R_x(a) R_y(b) R_z(c).  [TolaniBadlerGallier2000, eq. 11, corrected]
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...numeric import inlined, kernel

SWEEPS, STARTS = 400, 10
CORNERS = (0, 3, 5, 6, 1, 2, 4, 7)  # of the box of limits: first four that share no edge


class Effort(NamedTuple):
    """How hard the nearest orientation is looked for: starting angles, and sweeps from each."""

    starts: int
    sweeps: int


@inlined
def euler(t, M):
    """Angles (a, b, c) with R_x(a) R_y(b) R_z(c) = M; b in [−π/2, π/2]."""
    flat = math.hypot(M[0], M[1])
    if flat < 1e-12:
        return lined_up(t, M)
    return math.atan2(-M[5], M[8]), math.atan2(M[2], flat), math.atan2(-M[1], M[0])


@inlined
def excess(angle, low, high):
    """How far an angle is outside [low, high]."""
    return max(0.0, angle - high) + max(0.0, low - angle)


@inlined
def box_penalty(t, angles):
    """The weighted sum of squared excesses of the three wrist angles."""
    total = 0.0
    for i in range(3):
        e = excess(angles[i], t.limits[i + 1, 0], t.limits[i + 1, 1])
        total += t.weights[i + 2] * e * e
    return total


@inlined
def off_center(angle, low, high):
    """Squared distance from the middle of a range, 1 at its ends."""
    k = (2.0 * angle - low - high) / (high - low)
    return k * k


@kernel
def wrist_comfort(t, angles):
    """The weighted mean square distance of the wrist angles from the middle of their ranges."""
    total = 0.0
    for i in range(3):
        total += t.weights[i + 2] * off_center(angles[i], t.limits[i + 1, 0], t.limits[i + 1, 1])
    return total / (t.weights[2] + t.weights[3] + t.weights[4])


@inlined
def middle(t, i):
    """The middle of the range of wrist angle i."""
    return 0.5 * (t.limits[i + 1, 0] + t.limits[i + 1, 1])


@inlined
def lined_up(t, M):
    """Angles where R_y(b) lines up x and z, b = ±π/2: only c ± a matters, shared out so that c is near its middle."""
    sign = 1.0 if M[2] > 0.0 else -1.0
    total = math.atan2(M[3], M[4])
    turn = 2.0 * math.pi
    off = total - middle(t, 2)
    off = off - turn * math.floor(off / turn + 0.5)
    a = min(max(sign * off, t.limits[1, 0]), t.limits[1, 1])
    return a, math.copysign(0.5 * math.pi, sign), middle(t, 2) + off - sign * a


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
def nearest_orientation(t, M, effort):
    """The wrist angles inside the limits with the largest agreement with M, and that agreement."""
    limits = t.limits
    found = euler(t, M)
    best, value = found, -4.0
    for k in range(effort.starts):
        if k == 0:
            start = found
        elif k == 1:
            start = (middle(t, 0), middle(t, 1), middle(t, 2))
        else:
            n = CORNERS[k - 2]
            start = (limits[1, n & 1], limits[2, (n >> 1) & 1], limits[3, (n >> 2) & 1])
        angles = climb(t, M, start[0], start[1], start[2], effort.sweeps)
        trace = agreement(M, angles[0], angles[1], angles[2])
        if trace > value:
            best, value = angles, trace
    return best, value
