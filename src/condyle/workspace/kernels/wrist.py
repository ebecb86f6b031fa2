"""The wrist as three angles: extraction, limits, and the nearest orientation inside the limits.

R = R_x(a) R_y(b) R_z(c).  [TolaniBadlerGallier2000, eq. 11, corrected]
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...numeric import inlined, kernel

SWEEPS, STARTS, CHANGE = 400, 10, 1e-14
LOW, HIGH, MIDDLE, NARROW = 2, 4, 6, 8  # columns of limits: cosine and sine of the ends and the middle, see arm_tables
CORNERS = (0, 3, 5, 6, 1, 2, 4, 7)  # of the box of limits: first four that share no edge


class Effort(NamedTuple):
    """How hard the nearest orientation is looked for: starting angles, sweeps from each, and the last change [rad]."""

    starts: int
    sweeps: int
    change: float


class Turns(NamedTuple):
    """Cosines and sines of the three wrist angles."""

    ca: float
    sa: float
    cb: float
    sb: float
    cc: float
    sc: float


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
def end_of(limits, i, which):
    """Cosine and sine of an end of range i, or of its middle."""
    return limits[i + 1, which], limits[i + 1, which + 1]


@inlined
def turn_in_range(limits, i, A, B):
    """Cosine and sine of the angle inside range i that maximises A cos + B sin."""
    (lc, ls), (hc, hs), (mc, ms) = end_of(limits, i, LOW), end_of(limits, i, HIGH), end_of(limits, i, MIDDLE)
    r = math.sqrt(A * A + B * B + 1e-300)
    inside = A * mc + B * ms >= r * limits[i + 1, NARROW] and r > 1e-140
    upper = A * (hc - lc) + B * (hs - ls) > 0.0
    c, s = hc if upper else lc, hs if upper else ls  # chosen without a jump: a wrong guess costs more than both
    return A / r if inside else c, B / r if inside else s


@inlined
def angle_in_range(limits, i, c, s):
    """The angle of range i with this cosine and sine."""
    mc, ms = end_of(limits, i, MIDDLE)
    angle = 0.5 * (limits[i + 1, 0] + limits[i + 1, 1]) + math.atan2(s * mc - c * ms, c * mc + s * ms)
    return min(max(angle, limits[i + 1, 0]), limits[i + 1, 1])


@kernel
def agreement(M, at):
    """trace(Mᵀ R_x(a) R_y(b) R_z(c)) = 1 + 2 cos(angle between them)."""
    ca, sa, cb, sb, cc, sc = at
    top = M[0] * cb * cc - M[1] * cb * sc + M[2] * sb
    middle = M[3] * (ca * sc + sa * sb * cc) + M[4] * (ca * cc - sa * sb * sc) - M[5] * sa * cb
    return top + middle + M[6] * (sa * sc - ca * sb * cc) + M[7] * (sa * cc + ca * sb * sc) + M[8] * ca * cb


@inlined
def climb(limits, M, start, effort):
    """Maximise the agreement one angle at a time, each exactly inside its limits."""
    ca, sa, cb, sb, cc, sc = start
    for _ in range(effort.sweeps):
        before = Turns(ca, sa, cb, sb, cc, sc)
        A = M[3] * sc + M[4] * cc - M[6] * sb * cc + M[7] * sb * sc + M[8] * cb
        B = M[3] * sb * cc - M[4] * sb * sc - M[5] * cb + M[6] * sc + M[7] * cc
        ca, sa = turn_in_range(limits, 0, A, B)
        A = M[0] * cc - M[1] * sc - M[5] * sa + M[8] * ca
        B = M[2] + M[3] * sa * cc - M[4] * sa * sc - M[6] * ca * cc + M[7] * ca * sc
        cb, sb = turn_in_range(limits, 1, A, B)
        A = M[0] * cb + M[3] * sa * sb + M[4] * ca - M[6] * ca * sb + M[7] * sa
        B = -M[1] * cb + M[3] * ca - M[4] * sa * sb + M[6] * sa + M[7] * ca * sb
        cc, sc = turn_in_range(limits, 2, A, B)
        moved = abs(ca - before.ca) + abs(sa - before.sa) + abs(cb - before.cb) + abs(sb - before.sb)
        if moved + abs(cc - before.cc) + abs(sc - before.sc) < effort.change:
            break
    return Turns(ca, sa, cb, sb, cc, sc)


@inlined
def box_start(limits, k):
    """Where climbs 1, 2, … start: the middle of the box of limits, then its corners."""
    x = y = z = MIDDLE
    if k > 1:
        n = CORNERS[k - 2]
        x, y, z = LOW + 2 * (n & 1), LOW + 2 * ((n >> 1) & 1), LOW + 2 * ((n >> 2) & 1)
    a, b, c = end_of(limits, 0, x), end_of(limits, 1, y), end_of(limits, 2, z)
    return Turns(a[0], a[1], b[0], b[1], c[0], c[1])


@kernel
def nearest_orientation(t, M, effort):
    """The wrist angles inside the limits with the largest agreement with M, and that agreement."""
    limits = t.limits
    a, b, c = euler(t, M)
    start = Turns(math.cos(a), math.sin(a), math.cos(b), math.sin(b), math.cos(c), math.sin(c))
    best, value = start, -4.0
    for k in range(effort.starts):
        if k > 0:
            start = box_start(limits, k)
        found = climb(limits, M, start, effort)
        trace = agreement(M, found)
        if trace > value:
            best, value = found, trace
    a, b = angle_in_range(limits, 0, best.ca, best.sa), angle_in_range(limits, 1, best.cb, best.sb)
    return (a, b, angle_in_range(limits, 2, best.cc, best.sc)), value
