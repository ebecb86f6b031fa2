"""One posture: elbow, twist, flexion, wrist and the nine joint angles, with how far each is outside its limits.

At flexion 0 the forearm continues the upper arm; it bends about ŷ = ẑ × x̂, so at 90° it points along x̂.
[TolaniBadlerGallier2000, section 4.4, corrected]
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...numeric import inlined, kernel
from ...spatial.kernels.algebra import add3, cross, dot3, matmul, matvec, scale3, sub3, transposed_matvec
from .elbow_surface import rigid, twist_limits, wrapped
from .hand_spin import spun_angles
from .measured_rim import outside
from .wrist import box_penalty, euler, excess, middle, nearest_orientation, off_center, wrist_comfort

FREE, FULL, AXIS, SPIN = (
    0,
    1,
    2,
    3,
)  # what is asked of the hand's orientation; AXIS: where its z axis points, SPIN: any axis
STRAIGHT = 1e-10  # below this sine of flexion the twist of a straight arm is free


class Goal(NamedTuple):
    """One goal: wrist position g at distance R from the elbow, and what is asked of the hand."""

    g: tuple
    R: float
    mode: int
    G: tuple
    axis: tuple  # of the hand, the one that is asked for in mode SPIN
    trimmed: int  # 1: only places that samples cover
    kept: int  # 1: the orientation is kept and limits are broken, as little as their weights allow


class UpperArm(NamedTuple):
    """The arm down to the elbow, and how the elbow is bent."""

    shoulder: tuple
    elbow: tuple
    z: tuple  # along the upper arm
    side: tuple  # x̂, towards which the elbow bends
    twist: float
    span: float  # range of the twist
    flexion: float


@inlined
def columns(x, y, z):
    """A rotation by rows from its columns."""
    return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


@inlined
def transposed(R):
    return (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8])


@kernel
def upper_arm(t, patch, x, y, g):
    """The upper arm at a place, bent so that the forearm points at g."""
    s, z, e, _, _ = rigid(t, patch, x, y)
    x0, span = twist_limits(t, patch, x, y, z)
    f = sub3(g, e)
    f = scale3(1.0 / math.sqrt(dot3(f, f)), f)
    along = dot3(f, z)
    side = sub3(f, scale3(along, z))
    across = math.sqrt(dot3(side, side))
    if across < STRAIGHT:
        return UpperArm(s, e, z, turned(x0, z, 0.5 * span), 0.5 * span, span, math.atan2(across, along))
    side = scale3(1.0 / across, side)
    twist = wrapped(math.atan2(dot3(z, cross(x0, side)), dot3(x0, side)))
    return UpperArm(s, e, z, side, twist, span, math.atan2(across, along))


@inlined
def turned(x, z, angle):
    """x, square to z, turned about z."""
    return add3(scale3(math.cos(angle), x), scale3(math.sin(angle), cross(z, x)))


@inlined
def twist_excess(twist, span):
    """How far a twist in [0, 2π) is from the arc [0, span]."""
    return 0.0 if twist <= span else min(twist - span, 2.0 * math.pi - twist)


@inlined
def forearm_frame(x, z, flexion):
    """The forearm's axes by rows: R_E R_y(flexion)."""
    s, c = math.sin(flexion), math.cos(flexion)
    return columns(sub3(scale3(c, x), scale3(s, z)), cross(z, x), add3(scale3(s, x), scale3(c, z)))


@inlined
def position_penalty(t, twist, span, flexion):
    """Weighted squared excess of twist and flexion: what the position alone asks for."""
    a, b = twist_excess(twist, span), excess(flexion, t.limits[0, 0], t.limits[0, 1])
    return t.weights[0] * a * a + t.weights[1] * b * b


@kernel
def wrist_angles(t, frame, goal):
    """Wrist angles for the hand orientation G; where only an axis is asked for, with the best spin about it (z: θ₉)."""
    M = matmul(transposed(frame), goal.G)
    if goal.mode == SPIN:
        return spun_angles(t, M, goal.axis)
    a, b, c = euler(t, M)
    return a, b, middle(t, 2) if goal.mode == AXIS else c


@kernel
def judged(t, patch, x, y, arm, goal):
    """(position penalty, wrist penalty, comfort) of an upper arm.

    Comfort is the weighted mean square distance from the middle of the ranges. If only measured places are allowed, a
    distance from them counts as a position penalty.
    """
    first = position_penalty(t, arm.twist, arm.span, arm.flexion)
    if goal.trimmed == 1:
        off = outside(t, x, y) / t.lengths[1]
        first += off * off
    r, a, b = t.weights, off_center(arm.twist, 0.0, arm.span), off_center(arm.flexion, t.limits[0, 0], t.limits[0, 1])
    comfort = r[0] * a + r[1] * b
    if goal.mode == FREE:
        return first, 0.0, comfort / (r[0] + r[1])
    angles = wrist_angles(t, forearm_frame(arm.side, arm.z, arm.flexion), goal)
    hand = r[2] + r[3] + r[4]
    comfort = (comfort + hand * wrist_comfort(t, angles)) / (r[0] + r[1] + hand)
    return first, box_penalty(t, angles), comfort


@kernel
def closest_hand(t, frame, goal, effort):
    """Wrist angles inside the limits that come nearest to the wanted orientation, and the angle [rad] left over.

    When only an axis a of the hand is asked for, to point along d, d·Ra = trace((d aᵀ)ᵀ R) is maximised instead of
    trace(MᵀR).
    """
    M = matmul(transposed(frame), goal.G)
    if goal.mode == AXIS:
        M = (0.0, 0.0, M[2], 0.0, 0.0, M[5], 0.0, 0.0, M[8])
    elif goal.mode == SPIN:
        a, d = goal.axis, matvec(M, goal.axis)
        M = columns(scale3(a[0], d), scale3(a[1], d), scale3(a[2], d))
    angles, value = nearest_orientation(t, M, effort)
    if goal.mode == FULL:
        return angles, math.acos(min(1.0, max(-1.0, 0.5 * (value - 1.0))))
    left = math.acos(min(1.0, max(-1.0, value)))
    return (angles[0], angles[1], middle(t, 2) if goal.mode == AXIS else angles[2]), left


@kernel
def clavicle_and_shoulder(t, s, x, z):
    """θ₁ … θ₅: R_z(θ₁) R_y(θ₂) takes the clavicle to s, R_x(θ₃) R_y(θ₄) R_z(θ₅) the shoulder's zero frame to (x, z).

    The clavicle lies along x, of a left arm along −x.
    """
    s = scale3(t.side, s)
    one, two = math.atan2(s[1], s[0]), math.atan2(-s[2], math.hypot(s[0], s[1]))
    c1, s1, c2, s2 = math.cos(one), math.sin(one), math.cos(two), math.sin(two)
    R1 = (c1 * c2, -s1, c1 * s2, s1 * c2, c1, s1 * s2, -s2, 0.0, c2)
    a = t.rest
    Q = matmul(R1, (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]))
    v = transposed_matvec(Q, z)
    flat = math.hypot(v[1], v[2])
    four = math.atan2(v[0], flat)
    three = math.atan2(-v[1], v[2]) if flat > 1e-12 else 0.0
    c3, s3, c4, s4 = math.cos(three), math.sin(three), math.cos(four), math.sin(four)
    w = transposed_matvec(Q, x)  # R_x(θ₃) R_y(θ₄) R_z(θ₅) x̂, so undo the first two
    w = (w[0], c3 * w[1] + s3 * w[2], -s3 * w[1] + c3 * w[2])
    return one, two, three, four, math.atan2(w[1], c4 * w[0] - s4 * w[2])
