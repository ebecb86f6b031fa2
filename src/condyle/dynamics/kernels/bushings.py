"""Bushings: springs and dampers of three turns and three shifts between frames of two bodies.

Frame b is turned from frame a by R = Rx(α) Ry(β) Rz(γ) and shifted by p in the axes of a. The generalised forces
on (α, β, γ, p) are −(K x + C ẋ). With ω = E (α̇, β̇, γ̇) in the axes of a, the moment is that of Eᵀ m = τ; the force
acts on both bodies at the origin of frame b, because p is seen from the frame that turns.
"""

from ...model.kernels.layout import FRAME_SIZE
from ...model.kernels.records import bushing_at, header
from ...numeric import arctan, inlined, less, seldom, select, sqrt
from ...spatial.kernels.algebra import (
    add3,
    cross,
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


@inlined
def frame_state(z, numbers, at, slots, slot):
    """Rotation and origin of a frame on a body in the world, the body's origin, its angular and linear velocity."""
    base = slot * SLOT.size
    R = load9(z, slots, base + SLOT.rotation)
    home = load3(z, slots, base + SLOT.position)
    w, v = halves(load6(z, slots, base + SLOT.twist))
    x = add3(home, matvec(R, (numbers[at + 9], numbers[at + 10], numbers[at + 11])))
    return matmul(R, rotation_at(numbers, at)), x, home, w, v


@inlined
def pulls(numbers, at, x, rate):
    """−(K x + C ẋ) of three coordinates; the stiffnesses are at `at`, the dampings six numbers after them."""
    return (
        -(numbers[at] * x[0] + numbers[at + 6] * rate[0]),
        -(numbers[at + 1] * x[1] + numbers[at + 7] * rate[1]),
        -(numbers[at + 2] * x[2] + numbers[at + 8] * rate[2]),
    )


@inlined
def bushing_angles(z, R):
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


@seldom
def apply_bushings(z, t, m):
    """Add every bushing to m.wrenches, in world axes at the bodies' origins."""
    for i in range(header(t).bushings):
        bushing = bushing_at(t, i)
        at = bushing.at
        A, x, home_a, wa, va = frame_state(z, t.numbers, at, m.slots, bushing.slot_a)
        B, y, home_b, wb, vb = frame_state(z, t.numbers, at + FRAME_SIZE, m.slots, bushing.slot_b)
        R = matmul((A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]), B)
        arm_a, arm_b = sub3(y, home_a), sub3(y, home_b)
        slip = sub3(add3(vb, cross(wb, arm_b)), add3(va, cross(wa, arm_a)))
        angles, turn, tilt = bushing_angles(z, R)
        rates = angle_rates(turn, tilt, transposed_matvec(A, sub3(wb, wa)))
        at += 2 * FRAME_SIZE
        tau = pulls(t.numbers, at, angles, rates)
        f = pulls(t.numbers, at + 3, transposed_matvec(A, sub3(y, x)), transposed_matvec(A, slip))
        moment, force = matvec(A, moment_of(turn, tilt, tau)), matvec(A, f)
        push_and_turn(z, m.wrenches, bushing.slot_b, arm_b, force, moment)
        push_and_turn(z, m.wrenches, bushing.slot_a, arm_a, scale3(-1.0, force), scale3(-1.0, moment))
