"""K, b, gaps and rates of all constraints in groups: what an inward pass over groups begins with, right after `place`.

Rows of bodies are forces on them (`row_wrenches`); a row of coordinates gives e = −∂/∂v̇.
"""

from ....joints.kernels.product_form import evaluate_joint
from ....joints.kernels.records import JointPlace
from ....model.kernels.layout import COUPLE, ROLL
from ....model.kernels.records import (
    body_at,
    constraint_at,
    coupling_at,
    group_at,
    group_of_velocity,
    grouped_constraint_at,
    grouping,
    header,
    loop_at,
    rolling_at,
)
from ....numeric import inlined, kernel, load, store
from ....spatial.kernels.algebra import cross, dot3, halves, load3, load6, load9, matvec, shifted, sub3
from ...kernels.scratch import joint_state
from ...kernels.scratch_layout import SLOT
from .constraint_rows import axis_of, contact_motion
from .row_wrenches import RowPlace, loop_wrenches, put_force, put_row


@kernel
def couple_group_row(z, t, n, part, to, states, c, m):
    """A coordinate less a function of others; n is the group."""
    q, v = states
    couple, widest = coupling_at(t, part.number), grouping(t).widest
    joint, other = JointPlace(couple.slide, couple.slides, couple.span), couple.other_v
    X = evaluate_joint(z, t, joint, joint_state(q, couple.other_q, v, other, m))
    rate = load(z, v, couple.v)
    for k in range(couple.span):
        slope = load(z, m.joint_columns, 6 * k + 3)
        rate = rate - slope * load(z, v, other + k)
        if group_of_velocity(t, other + k) == n:  # one between them that the function does not read may be elsewhere
            store(z, c.responses, (other + k) * widest + part.row, slope)
    store(z, c.responses, couple.v * widest + part.row, z - 1.0)
    put_row(z, couple.first_row, load(z, q, couple.q) - X.p[0], rate, z - X.Z[3], to, 0, c)


@kernel
def roll_group_rows(z, t, part, to, states, c, m):
    """A body that does not slip on its parent: `roll_rows`, less what the bias of its joint gives of V̇ alone."""
    q, v = states
    roll = rolling_at(t, part.number)
    b, slots = body_at(t, roll.body), m.slots
    R, p, g, rate, spin = contact_motion(z, t, roll, q, v, m)
    at, Rp = (roll.body + 1) * SLOT.size, load9(z, slots, b.parent * SLOT.size + SLOT.rotation)
    s = matvec(Rp, p)
    r = sub3(s, load3(z, slots, at + SLOT.offset))
    _, drawn = halves(shifted(load6(z, slots, at + SLOT.bias), r))
    for j in range(roll.rows):
        e = axis_of(R, t.codes[roll.tangents + j])
        along = matvec(Rp, e)
        put_force(z, to.forces, to.at_a + 6 * j, 1.0, r, along)
        put_force(z, to.forces, to.at_b + 6 * j, -1.0, s, along)
        bias = dot3(e, rate) + dot3(cross(spin, e), g) - dot3(along, drawn)
        put_row(z, roll.first_row + j, z, dot3(e, g), bias, to, j, c)


@inlined
def row_place(g, part, c):
    """Where the rows of a constraint of a group go."""
    at_a, at_b = part.at_a + 6 * part.row, part.at_b + 6 * part.row
    return RowPlace(c.groups, at_a, at_b, c.groups, g.at + g.rows * g.rows + part.row)


@kernel
def clear(z, t, c):
    """Empty scratch, in which rows are summed."""
    for k in range(grouping(t).room):
        store(z, c.groups, k, z)
    if grouping(t).coupled:
        for k in range(grouping(t).widest * header(t).nv):
            store(z, c.responses, k, z)


@kernel
def put_biases(z, t, x, c):
    """x of every row in the place of b."""
    for n in range(grouping(t).groups):
        g = group_at(t, n)
        for k in range(g.constraints):
            part = grouped_constraint_at(t, g, k)
            of = constraint_at(t, part.number)
            for i in range(of.rows):
                store(z, c.groups, g.at + g.rows * g.rows + part.row + i, load(z, x, of.first_row + i))


@kernel
def group_rows(z, t, q, v, rolling, m, c):
    """K, b, gaps and their rates of all constraints; those of rolling are left empty if not `rolling`."""
    clear(z, t, c)
    for n in range(grouping(t).groups):
        g = group_at(t, n)
        for k in range(g.constraints):
            part = grouped_constraint_at(t, g, k)
            kind, to = constraint_at(t, part.number).kind, row_place(g, part, c)
            if kind == COUPLE:
                couple_group_row(z, t, n, part, to, (q, v), c, m)
            elif kind != ROLL:
                loop_wrenches(z, t, loop_at(t, part.number), to, c, m)
            elif rolling:
                roll_group_rows(z, t, part, to, (q, v), c, m)
