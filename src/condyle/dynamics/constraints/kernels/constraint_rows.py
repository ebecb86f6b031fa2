"""Rows of constraints: how far each is from holding, its Jacobian J, and the second rate of the gap.

They are read after `forward` has run: slots hold poses, twists V and accelerations V̇ of all bodies (less gravity, which
differences do not see).
"""

from ....joints.kernels.product_form import evaluate_joint
from ....joints.kernels.records import JointPlace
from ....model.kernels.layout import COUPLE, ROLL
from ....model.kernels.records import body_at, constraint_at, coupling_at, header, is_prescribed, loop_at, rolling_at
from ....numeric import any_lane, inlined, kernel, less, load, select, store
from ....spatial.kernels.algebra import (
    add3,
    cross,
    dot3,
    dot6,
    halves,
    load3,
    load6,
    shifted,
)
from ...kernels.followers import body_column, body_columns
from ...kernels.scratch import joint_state
from ...kernels.scratch_layout import COLUMN, SLOT
from .multipliers import NO_LEVER
from .row_wrenches import LEAST, RowPlace, loop_wrenches


@kernel
def add_end(z, t, loop, slot, at, m, c):
    """Add what one body of a loop gives to its rows, whose K is at `at`: to J, and to the second rate with V̇ there."""
    nv, r, below, turn, shift = header(t).nv, (z, z, z), slot != loop.root, z, z
    acceleration = load6(z, m.slots, slot * SLOT.size + SLOT.acceleration)
    while slot > 0:
        b = body_at(t, slot - 1)
        for j in range(body_columns(t, b, slot - 1, m.fold)):
            column, k = body_column(t, b, slot - 1, j, m.fold)
            s = shifted(load6(z, m.columns, column * COLUMN.size + COLUMN.axis), r)
            local = below and not is_prescribed(t, k)
            if local:
                w, v = halves(s)
                turn, shift = turn + dot3(w, w), shift + dot3(v, v)
            for row in range(loop.first_row, loop.first_row + loop.rows):
                along = dot6(load6(z, c.forces, at + 6 * (row - loop.first_row)), s)
                store(z, c.jacobian, row * nv + k, load(z, c.jacobian, row * nv + k) - along)
                if local:
                    store(z, c.lever, row, load(z, c.lever, row) + along * along)
        r = add3(r, load3(z, m.slots, slot * SLOT.size + SLOT.offset))
        slot = b.parent
        below = below and slot != loop.root
    for i in range(loop.rows):
        row, K = loop.first_row + i, load6(z, c.forces, at + 6 * i)
        moment, force = halves(K)
        store(z, c.second, row, load(z, c.second, row) - dot6(K, acceleration))
        most = dot3(moment, moment) * turn + dot3(force, force) * shift  # if every column stood best to the force
        store(z, c.reach, row, load(z, c.reach, row) + most)


@kernel
def loop_rows(z, t, i, m, c):
    """The rows of a POINT, WELD, DISTANCE or LINE."""
    loop = loop_at(t, i)
    at_a = 12 * loop.first_row
    at_b = at_a + 6 * loop.rows
    loop_wrenches(z, t, loop, RowPlace(c.forces, at_a, at_b, c.second, loop.first_row), c, m)
    add_end(z, t, loop, loop.slot_a, at_a, m, c)
    add_end(z, t, loop, loop.slot_b, at_b, m, c)


@kernel
def couple_rows(z, t, i, q, v, a, m, c):
    """A coordinate less a function of others; the function is the place of a slide along x."""
    couple = coupling_at(t, i)
    joint, other = JointPlace(couple.slide, couple.slides, couple.span), couple.other_v
    X = evaluate_joint(z, t, joint, joint_state(q, couple.other_q, v, other, m))
    row = couple.first_row
    start, second, rate = row * header(t).nv, load(z, a, couple.v) - X.Z[3], load(z, v, couple.v)
    for k in range(couple.span):
        slope = load(z, m.joint_columns, 6 * k + 3)
        store(z, c.jacobian, start + other + k, -slope)
        second, rate = second - slope * load(z, a, other + k), rate - slope * load(z, v, other + k)
    store(z, c.jacobian, start + couple.v, z + 1.0)
    store(z, c.lever, row, z + 1.0)
    store(z, c.gap, row, load(z, q, couple.q) - X.p[0])
    store(z, c.rate, row, rate)
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
            if not is_prescribed(t, b.v0 + k):
                store(z, c.lever, row + j, load(z, c.lever, row + j) + along * along)
                store(z, c.reach, row + j, load(z, c.reach, row + j) + dot3(column, column))
            store(z, c.jacobian, (row + j) * nv + b.v0 + k, along)
            second = second + along * load(z, a, b.v0 + k)
        store(z, c.gap, row + j, z)
        store(z, c.rate, row + j, dot3(e, g))
        store(z, c.second, row + j, second)


@kernel
def constraint_rows(z, t, q, v, a, m, c):
    """All rows of J, gaps, their rates, and second rates at accelerations a that `forward` has just given."""
    for k in range(header(t).constraint_rows * header(t).nv):
        store(z, c.jacobian, k, z)
    for k in range(header(t).constraint_rows):
        store(z, c.lever, k, z)
        store(z, c.reach, k, z)
    for i in range(header(t).constraints):
        kind = constraint_at(t, i).kind
        if kind == COUPLE:
            couple_rows(z, t, i, q, v, a, m, c)
        elif kind == ROLL:
            roll_rows(z, t, i, q, v, a, m, c)
        else:
            loop_rows(z, t, i, m, c)


@kernel
def sound_rows(z, t, q, v, a, m, c):
    """`constraint_rows` without rows that move nothing: without a lever J has round-off, which must not act."""
    constraint_rows(z, t, q, v, a, m, c)
    nv = header(t).nv
    for row in range(header(t).constraint_rows):
        idle = less(load(z, c.lever, row), NO_LEVER * load(z, c.reach, row) + LEAST)
        if any_lane(idle):
            for k in range(nv):
                if not is_prescribed(t, k):
                    store(z, c.jacobian, row * nv + k, select(idle, z, load(z, c.jacobian, row * nv + k)))
