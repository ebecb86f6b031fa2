"""Rows of constraints as forces on bodies: what an inward pass over groups begins with, right after `place`.

A row says Σ Wᵀ V̇ + β = 0 over the bodies that it joins: W is the wrench that a unit of its multiplier is on a body, β
what velocities alone give. K = −W goes to the bodies and b = β to the group; a row of coordinates gives e = −∂/∂v̇.
"""

from ....joints.kernels.product_form import evaluate_joint
from ....joints.kernels.records import JointPlace
from ....model.kernels.layout import COUPLE, DISTANCE, FRAME_SIZE, LINE, POINT, ROLL
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
from ....numeric import inlined, kernel, less, load, select, sqrt, store
from ....spatial.kernels.algebra import (
    add3,
    add_scaled6,
    cross,
    dot3,
    halves,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    scale3,
    shifted,
    store3,
    store6,
    sub3,
    transposed_matvec,
)
from ...kernels.outward_pass import constants3, constants9
from ...kernels.scratch import joint_state
from ...kernels.scratch_layout import SLOT
from .constraint_rows import axis_of, contact_motion, rotation_gap
from .distance_rows import LEAST


@inlined
def frame_of(z, numbers, at, slots, slot):
    """Of a frame of a body: its rotation in the world, and the arm from the body's origin to its own."""
    R = load9(z, slots, slot * SLOT.size + SLOT.rotation)
    return matmul(R, constants9(numbers, at)), matvec(R, constants3(numbers, at + 9))


@inlined
def arm_of(z, numbers, at, slots, slot):
    """The arm from a body's origin to that of a frame of it, in world axes."""
    return matvec(load9(z, slots, slot * SLOT.size + SLOT.rotation), constants3(numbers, at + 9))


@inlined
def carried_point(z, slots, slot, r):
    """Of a body's point at the arm r: its place, velocity, and acceleration without V̇; the angular velocity."""
    w, v = halves(load6(z, slots, slot * SLOT.size + SLOT.twist))
    velocity = add3(v, cross(w, r))
    return add3(load3(z, slots, slot * SLOT.size + SLOT.position), r), velocity, cross(w, velocity), w


@inlined
def put_force(z, groups, at, sign, r, e):
    """Add ± a force along e at the arm r to K of one row."""
    m = cross(r, e)
    store6(z, groups, at, add_scaled6(load6(z, groups, at), -sign, (m[0], m[1], m[2], e[0], e[1], e[2])))


@inlined
def put_forces(z, groups, at, sign, r):
    """Add ± forces along the world's axes at the arm r to K of three rows."""
    put_force(z, groups, at, sign, r, (z + 1.0, z, z))
    put_force(z, groups, at + 6, sign, r, (z, z + 1.0, z))
    put_force(z, groups, at + 12, sign, r, (z, z, z + 1.0))


@inlined
def put_moments(z, groups, at, sign):
    """Add ± moments about the world's axes to K of three rows."""
    for i in range(3):
        store(z, groups, at + 7 * i, load(z, groups, at + 7 * i) - sign)


@inlined
def put_row(z, row, at_b, gap, rate, bias, c):
    """How far a row is from holding and its rate; its β, to b of its group."""
    store(z, c.gap, row, gap)
    store(z, c.rate, row, rate)
    store(z, c.groups, at_b, bias)


@kernel
def point_group_rows(z, t, loop, part, at_b, c, m):
    """A point of body a on one of body b, in world axes."""
    r = arm_of(z, t.numbers, loop.frames, m.slots, loop.slot_a)
    s = arm_of(z, t.numbers, loop.frames + FRAME_SIZE, m.slots, loop.slot_b)
    x, v, a, _ = carried_point(z, m.slots, loop.slot_a, r)
    y, w, b, _ = carried_point(z, m.slots, loop.slot_b, s)
    row = loop.first_row + loop.rows - 3  # of a weld, moments come first
    put_forces(z, c.groups, part.at_a + 6 * (part.row + loop.rows - 3), 1.0, r)
    put_forces(z, c.groups, part.at_b + 6 * (part.row + loop.rows - 3), -1.0, s)
    store3(z, c.gap, row, sub3(x, y))
    store3(z, c.rate, row, sub3(v, w))
    store3(z, c.groups, at_b + loop.rows - 3, sub3(a, b))


@kernel
def turn_group_rows(z, t, loop, part, at_b, c, m):
    """The first three rows of a weld: the turn of a frame of body a against one of body b, in world axes."""
    R, _ = frame_of(z, t.numbers, loop.frames, m.slots, loop.slot_a)
    Q, _ = frame_of(z, t.numbers, loop.frames + FRAME_SIZE, m.slots, loop.slot_b)
    w, _ = halves(load6(z, m.slots, loop.slot_a * SLOT.size + SLOT.twist))
    s, _ = halves(load6(z, m.slots, loop.slot_b * SLOT.size + SLOT.twist))
    put_moments(z, c.groups, part.at_a + 6 * part.row, 1.0)
    put_moments(z, c.groups, part.at_b + 6 * part.row, -1.0)
    gap = rotation_gap(z, matmul(R, (Q[0], Q[3], Q[6], Q[1], Q[4], Q[7], Q[2], Q[5], Q[8])))
    store3(z, c.gap, loop.first_row, gap)
    store3(z, c.rate, loop.first_row, sub3(w, s))
    store3(z, c.groups, at_b, (z, z, z))


@kernel
def distance_group_row(z, t, loop, part, at_b, c, m):
    """Two points at a distance, as `distance_row` has it."""
    r = arm_of(z, t.numbers, loop.frames, m.slots, loop.slot_a)
    s = arm_of(z, t.numbers, loop.frames + FRAME_SIZE, m.slots, loop.slot_b)
    x, v, a, _ = carried_point(z, m.slots, loop.slot_a, r)
    y, w, b, _ = carried_point(z, m.slots, loop.slot_b, s)
    d, moving = sub3(x, y), sub3(v, w)
    length = sqrt(dot3(d, d))
    inverse = 1.0 / select(less(length, LEAST), z + LEAST, length)
    u = scale3(inverse, d)
    along = dot3(u, moving)
    put_force(z, c.groups, part.at_a + 6 * part.row, 1.0, r, u)
    put_force(z, c.groups, part.at_b + 6 * part.row, -1.0, s, u)
    bias = dot3(u, sub3(a, b)) + inverse * (dot3(moving, moving) - along * along)
    put_row(z, loop.first_row, at_b, length - t.numbers[loop.frames + 2 * FRAME_SIZE], along, bias, c)


@kernel
def line_group_rows(z, t, loop, part, at_b, c, m):
    """A point of body a on the z axis of a frame of body b, as `line_rows` has it: seen from b, at that point."""
    Q, s = frame_of(z, t.numbers, loop.frames + FRAME_SIZE, m.slots, loop.slot_b)
    r = arm_of(z, t.numbers, loop.frames, m.slots, loop.slot_a)
    x, v, a, _ = carried_point(z, m.slots, loop.slot_a, r)
    origin = load3(z, m.slots, loop.slot_b * SLOT.size + SLOT.position)
    there = sub3(x, origin)
    _, w, b, turning = carried_point(z, m.slots, loop.slot_b, there)
    moving = sub3(v, w)
    gap, rate = transposed_matvec(Q, sub3(there, s)), transposed_matvec(Q, moving)
    bias = transposed_matvec(Q, sub3(sub3(a, b), scale3(2.0, cross(turning, moving))))
    for i in range(2):
        e = (Q[0], Q[3], Q[6]) if i == 0 else (Q[1], Q[4], Q[7])
        put_force(z, c.groups, part.at_a + 6 * (part.row + i), 1.0, r, e)
        put_force(z, c.groups, part.at_b + 6 * (part.row + i), -1.0, there, e)
    put_row(z, loop.first_row, at_b, gap[0], rate[0], bias[0], c)
    put_row(z, loop.first_row + 1, at_b + 1, gap[1], rate[1], bias[1], c)


@kernel
def couple_group_row(z, t, n, part, at_b, states, c, m):
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
    put_row(z, couple.first_row, at_b, load(z, q, couple.q) - X.p[0], rate, z - X.Z[3], c)


@kernel
def roll_group_rows(z, t, part, at_b, states, c, m):
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
        put_force(z, c.groups, part.at_a + 6 * (part.row + j), 1.0, r, along)
        put_force(z, c.groups, part.at_b + 6 * (part.row + j), -1.0, s, along)
        bias = dot3(e, rate) + dot3(cross(spin, e), g) - dot3(along, drawn)
        put_row(z, roll.first_row + j, at_b + j, z, dot3(e, g), bias, c)


@kernel
def loop_group_rows(z, t, part, at_b, c, m):
    """The rows of a POINT, WELD, DISTANCE or LINE."""
    loop = loop_at(t, part.number)
    if loop.kind == DISTANCE:
        distance_group_row(z, t, loop, part, at_b, c, m)
    elif loop.kind == LINE:
        line_group_rows(z, t, loop, part, at_b, c, m)
    else:
        if loop.kind != POINT:
            turn_group_rows(z, t, loop, part, at_b, c, m)
        point_group_rows(z, t, loop, part, at_b, c, m)


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
            at_b = g.at + g.rows * g.rows + part.row
            kind = constraint_at(t, part.number).kind
            if kind == COUPLE:
                couple_group_row(z, t, n, part, at_b, (q, v), c, m)
            elif kind != ROLL:
                loop_group_rows(z, t, part, at_b, c, m)
            elif rolling:
                roll_group_rows(z, t, part, at_b, (q, v), c, m)
