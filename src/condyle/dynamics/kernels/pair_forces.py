"""Forces between frames of two bodies: by three turns and three shifts, or by the gap between two surfaces.

Of turns and shifts, frame b is turned from frame a by R = Rx(α) Ry(β) Rz(γ) and shifted by p in the axes of a; the law
gives the generalised forces on (α, β, γ, p). With ω = E (α̇, β̇, γ̇) in the axes of a, the moment is that of Eᵀ m = τ; the
force acts on both bodies at the origin of frame b, because p is seen from the frame that turns.
Of a gap, the law gives the normal force and the drag; both act where between the surfaces the element says.
"""

from typing import Any, NamedTuple

from ...forces.kernels.dispatch import gap_force, turns_force
from ...forces.kernels.shared import direction
from ...model.kernels.layout import FRAME_SIZE, PLANE_GAP, RADIUS, RADIUS_A, RADIUS_B, SHARE, TURNS
from ...model.kernels.records import header, pair_at
from ...numeric import arctan, inlined, less, seldom, select, sqrt
from ...spatial.kernels.algebra import (
    add3,
    cross,
    dot3,
    halves,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    scale3,
    sub3,
    transposed_matvec,
)
from .push import push_and_turn
from .scratch_layout import SLOT

FLAT = 1e-12  # cosine of β below which the angles are not told apart


@inlined
def angle_of(y, x):
    """The angle of the direction (x, y), between −π and π."""
    return 2.0 * arctan(y / (sqrt(x * x + y * y) + x))


@inlined
def rotation_at(numbers, at):
    """A rotation of the model's tables, which all lanes share."""
    n, k = numbers, at
    return n[k], n[k + 1], n[k + 2], n[k + 3], n[k + 4], n[k + 5], n[k + 6], n[k + 7], n[k + 8]


class Frame(NamedTuple):
    """A frame on a body: rotation and origin in the world, the body's origin, its angular and linear velocity there."""

    R: Any
    x: Any
    home: Any
    w: Any
    v: Any


class Wrench(NamedTuple):
    """What a law does to body b, in world axes: a force at a place, and a moment."""

    place: Any
    force: Any
    moment: Any


@inlined
def frame_state(z, numbers, at, slots, slot):
    """The frame of an element on a body."""
    base = slot * SLOT.size
    R = load9(z, slots, base + SLOT.rotation)
    home = load3(z, slots, base + SLOT.position)
    w, v = halves(load6(z, slots, base + SLOT.twist))
    x = add3(home, matvec(R, (numbers[at + 9], numbers[at + 10], numbers[at + 11])))
    return Frame(matmul(R, rotation_at(numbers, at)), x, home, w, v)


@inlined
def velocity_at(f, place):
    """The velocity of the material point of a frame's body that is at a place."""
    return add3(f.v, cross(f.w, sub3(place, f.home)))


@inlined
def turn_angles(z, R):
    """(α, β, γ) of Rx(α) Ry(β) Rz(γ), and sines and cosines: (sin α, cos α), (sin β, cos β)."""
    c = sqrt(R[0] * R[0] + R[1] * R[1])
    c = select(less(c, FLAT), z + FLAT, c)
    angles = angle_of(-R[5], R[8]), arctan(R[2] / c), angle_of(-R[1], R[0])
    return angles, (-R[5] / c, R[8] / c), (R[2], c)


@inlined
def angle_rates(turn, tilt, w):
    """(α̇, β̇, γ̇) of an angular velocity in the axes of frame a: E⁻¹ ω."""
    (sa, ca), (sb, cb) = turn, tilt
    across = ca * w[2] - sa * w[1]
    spin = across / cb
    return w[0] - sb * spin, ca * w[1] + sa * w[2], spin


@inlined
def moment_of(turn, tilt, tau):
    """m with Eᵀ m = τ, in the axes of frame a."""
    (sa, ca), (sb, cb) = turn, tilt
    across = (tau[2] - sb * tau[0]) / cb
    return tau[0], ca * tau[1] - sa * across, sa * tau[1] + ca * across


@inlined
def turns_wrench(z, t, pair, A, B):
    """The wrench of a law on three turns and three shifts of frame b in frame a."""
    R = matmul((A.R[0], A.R[3], A.R[6], A.R[1], A.R[4], A.R[7], A.R[2], A.R[5], A.R[8]), B.R)
    slip = sub3(velocity_at(B, B.x), velocity_at(A, B.x))
    angles, turn, tilt = turn_angles(z, R)
    rates = angle_rates(turn, tilt, transposed_matvec(A.R, sub3(B.w, A.w)))
    shifts = transposed_matvec(A.R, sub3(B.x, A.x))
    torque, push = turns_force(
        z, pair.law, t.numbers, pair.constants, angles, shifts, rates, transposed_matvec(A.R, slip)
    )
    return Wrench(B.x, matvec(A.R, push), matvec(A.R, moment_of(turn, tilt, torque)))


@inlined
def gap_state(z, t, pair, A, B):
    """Depth, unit normal from a to b, and where the force acts, of two surfaces."""
    n, at = t.numbers, pair.at + 2 * FRAME_SIZE
    if pair.reading == PLANE_GAP:
        normal = (A.R[2], A.R[5], A.R[8])
        depth = n[at + RADIUS_B] - dot3(normal, sub3(B.x, A.x))
    else:
        normal, distance = direction(z, sub3(B.x, A.x))
        depth = (n[at + RADIUS_A] + n[at + RADIUS_B]) - distance
    inward = n[at + SHARE] * depth - n[at + RADIUS_B]
    return depth, normal, add3(B.x, scale3(inward, normal))


@inlined
def gap_wrench(z, t, pair, A, B):
    """The wrench of a law of contact: a force along the normal, and friction against the slip."""
    depth, normal, place = gap_state(z, t, pair, A, B)
    velocity = sub3(velocity_at(B, place), velocity_at(A, place))
    apart = dot3(normal, velocity)
    slip = sub3(velocity, scale3(apart, normal))
    radius = t.numbers[pair.at + 2 * FRAME_SIZE + RADIUS]
    push, drag = gap_force(z, pair.law, t.numbers, pair.constants, radius, depth, -apart, dot3(slip, slip))
    return Wrench(place, sub3(scale3(push, normal), scale3(drag, slip)), (z, z, z))


@inlined
def pair_wrench(z, t, pair, A, B):
    """The wrench of a law between two frames on body b; that on body a is its opposite at the same place."""
    if pair.reading == TURNS:
        return turns_wrench(z, t, pair, A, B)
    return gap_wrench(z, t, pair, A, B)


@seldom
def apply_pairs(z, t, m):
    """Add every force between frames to m.wrenches, in world axes at the bodies' origins."""
    for i in range(header(t).pairs):
        pair = pair_at(t, i)
        A = frame_state(z, t.numbers, pair.at, m.slots, pair.slot_a)
        B = frame_state(z, t.numbers, pair.at + FRAME_SIZE, m.slots, pair.slot_b)
        w = pair_wrench(z, t, pair, A, B)
        push_and_turn(z, m.wrenches, pair.slot_b, sub3(w.place, B.home), w.force, w.moment)
        opposite = scale3(-1.0, w.force)
        push_and_turn(z, m.wrenches, pair.slot_a, sub3(w.place, A.home), opposite, scale3(-1.0, w.moment))
