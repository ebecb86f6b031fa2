"""Rows of constraints: how far each is from holding, its Jacobian J, and the second rate of the gap.

They are read after `forward` has run: slots hold poses, twists V and accelerations V̇ of all bodies (less gravity, which
differences do not see). A material point x of a body at the arm r has ẋ = v + ω × r and ẍ = v̇ + α × r + ω × ẋ, with v̇
the rate in body axes.
"""

from ....joints.kernels.product_form import evaluate_joint
from ....joints.kernels.records import JointPlace
from ....model.kernels.layout import COUPLE, FRAME_SIZE, POINT, ROLL, WELD
from ....model.kernels.records import body_at, constraint_at, coupling_at, header, is_prescribed, loop_at, rolling_at
from ....numeric import inlined, kernel, less, load, select, store
from ....spatial.kernels.algebra import (
    add3,
    cross,
    dot3,
    halves,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    shifted,
    store3,
    sub3,
)
from ....spatial.kernels.quaternion import rotation_quaternion
from ...kernels.followers import body_column, body_columns
from ...kernels.scratch import joint_state
from ...kernels.scratch_layout import COLUMN, SLOT
from .distance_rows import directed_rows
from .multipliers import NO_ROW


@inlined
def frame_motion(z, numbers, at, slots, slot):
    """Rotation and origin of a body's frame, its angular acceleration and the acceleration of its origin."""
    base = slot * SLOT.size
    R = load9(z, slots, base + SLOT.rotation)
    r = matvec(R, (numbers[at + 9], numbers[at + 10], numbers[at + 11]))
    w, v = halves(load6(z, slots, base + SLOT.twist))
    alpha, a = halves(load6(z, slots, base + SLOT.acceleration))
    second = add3(add3(a, cross(alpha, r)), cross(w, add3(v, cross(w, r))))
    return matmul(R, load9(z, numbers, at)), add3(load3(z, slots, base + SLOT.position), r), alpha, second


@kernel
def rotation_gap(z, R):
    """A vector along the axis of a rotation, 2 sin(θ/2) long.

    Not the rotation's logarithm, on purpose: it equals it to first order, so the rows of J are those of the gap where
    the loop is closed; it needs no arc tangent; and it grows up to the half turn, where a logarithm jumps.
    """
    _, x, y, u = rotation_quaternion(z, R)
    return (2.0 * x, 2.0 * y, 2.0 * u)


@inlined
def accumulate(z, c, nv, row, k, sign, a):
    """Add ± a vector to column k of three rows."""
    for i in range(3):
        at = (row + i) * nv + k
        store(z, c.jacobian, at, load(z, c.jacobian, at) + sign * a[i])
        store(z, c.reach, row + i, load(z, c.reach, row + i) + a[i] * a[i])


@kernel
def add_body(z, t, loop, slot, x, sign, m, c):
    """Add ± the velocity of a body's point at x, after its angular velocity if frames are welded, to a loop's rows."""
    nv, row, turning = header(t).nv, loop.first_row, loop.kind == WELD
    while slot > 0:
        b = body_at(t, slot - 1)
        r = sub3(x, load3(z, m.slots, slot * SLOT.size + SLOT.position))
        for j in range(body_columns(t, b, slot - 1, m.fold)):
            column, k = body_column(t, b, slot - 1, j, m.fold)
            w, v = halves(shifted(load6(z, m.columns, column * COLUMN.size + COLUMN.axis), r))
            if turning:
                accumulate(z, c, nv, row, k, sign, w)
                accumulate(z, c, nv, row + 3, k, sign, v)
            else:
                accumulate(z, c, nv, row, k, sign, v)
        slot = b.parent


@kernel
def loop_rows(z, t, i, m, c):
    """A point or frame of body a on that of body b, in world axes: turn (frames only), then displacement."""
    loop = loop_at(t, i)
    row, turning = loop.first_row, loop.kind == WELD
    R, x, alpha, second = frame_motion(z, t.numbers, loop.frames, m.slots, loop.slot_a)
    Q, y, beta, other = frame_motion(z, t.numbers, loop.frames + FRAME_SIZE, m.slots, loop.slot_b)
    add_body(z, t, loop, loop.slot_a, x, 1.0, m, c)
    add_body(z, t, loop, loop.slot_b, y, -1.0, m, c)
    if turning:
        gap = rotation_gap(z, matmul(R, (Q[0], Q[3], Q[6], Q[1], Q[4], Q[7], Q[2], Q[5], Q[8])))
        store3(z, c.gap, row, gap)
        store3(z, c.second, row, sub3(alpha, beta))
        row += 3
    store3(z, c.gap, row, sub3(x, y))
    store3(z, c.second, row, sub3(second, other))


@kernel
def couple_rows(z, t, i, q, v, a, m, c):
    """A coordinate less a function of others; the function is the place of a slide along x."""
    couple = coupling_at(t, i)
    joint, other = JointPlace(couple.slide, couple.slides, couple.span), couple.other_v
    X = evaluate_joint(z, t, joint, joint_state(q, couple.other_q, v, other, m))
    row = couple.first_row
    start, second = row * header(t).nv, load(z, a, couple.v) - X.Z[3]
    for k in range(couple.span):
        slope = load(z, m.joint_columns, 6 * k + 3)
        store(z, c.jacobian, start + other + k, -slope)
        second = second - slope * load(z, a, other + k)
    store(z, c.jacobian, start + couple.v, z + 1.0)
    store(z, c.gap, row, load(z, q, couple.q) - X.p[0])
    store(z, c.second, row, second)


@inlined
def axis_of(R, k):
    """Column k of a rotation."""
    if k == 0:
        return (R[0], R[3], R[6])
    if k == 1:
        return (R[1], R[4], R[7])
    return (R[2], R[5], R[8])


@kernel
def contact_motion(z, t, roll, q, v, m):
    """Of a contact p, in the parent's frame: R and p of the contact frame, g, ġ without S a, and how the frame turns.

    With U the joint's spatial velocity: g = U_v + U_ω × p, ġ = (S a + Z)_v + (S a + Z)_ω × p + U_ω × ṗ.
    """
    b = body_at(t, roll.body)
    s = joint_state(q, b.q0, v, b.v0, m)
    R, p, C, _ = evaluate_joint(z, t, JointPlace(roll.contact, roll.contacts, b.nv), s)
    _, _, U, Z = evaluate_joint(z, t, JointPlace(b.segment, b.segments, b.nv), s)
    _, g = halves(shifted(U, p))
    _, rate = halves(shifted(Z, p))
    spin, _ = halves(C)
    _, moving = halves(shifted(C, p))
    return R, p, g, add3(rate, cross((U[0], U[1], U[2]), moving)), spin


@kernel
def roll_rows(z, t, i, q, v, a, m, c):
    """The relative velocity g of two material points at a contact p, along tangents e: d/dt (e·g) = e·ġ + ė·g."""
    roll, nv = rolling_at(t, i), header(t).nv
    b, row = body_at(t, roll.body), roll.first_row
    R, p, g, rate, spin = contact_motion(z, t, roll, q, v, m)
    for j in range(roll.rows):
        e = axis_of(R, t.codes[roll.tangents + j])
        second = dot3(e, rate) + dot3(cross(spin, e), g)
        for k in range(b.nv):
            _, column = halves(shifted(load6(z, m.joint_columns, 6 * k), p))
            along = dot3(e, column)
            store(z, c.jacobian, (row + j) * nv + b.v0 + k, along)
            second = second + along * load(z, a, b.v0 + k)
        store(z, c.gap, row + j, z)
        store(z, c.second, row + j, second)


@kernel
def constraint_rows(z, t, q, v, a, m, c):
    """All rows of J, gaps and second rates at accelerations a that `forward` has just given."""
    for k in range(header(t).constraint_rows * header(t).nv):
        store(z, c.jacobian, k, z)
    for k in range(header(t).constraint_rows):
        store(z, c.reach, k, z)
    for i in range(header(t).constraints):
        kind = constraint_at(t, i).kind
        if kind in (POINT, WELD):
            loop_rows(z, t, i, m, c)
        elif kind == COUPLE:
            couple_rows(z, t, i, q, v, a, m, c)
        elif kind == ROLL:
            roll_rows(z, t, i, q, v, a, m, c)
        else:
            directed_rows(z, t, i, m, c)


@kernel
def sound_rows(z, t, q, v, a, m, c):
    """`constraint_rows` without those that move nothing: where both ends cancel, J has round-off that must not act."""
    constraint_rows(z, t, q, v, a, m, c)
    nv = header(t).nv
    for row in range(header(t).constraint_rows):
        size = z
        for k in range(nv):
            if not is_prescribed(t, k):
                size = size + load(z, c.jacobian, row * nv + k) * load(z, c.jacobian, row * nv + k)
        moves = less(NO_ROW * load(z, c.reach, row), size)
        for k in range(nv):
            if not is_prescribed(t, k):
                store(z, c.jacobian, row * nv + k, select(moves, load(z, c.jacobian, row * nv + k), z))
