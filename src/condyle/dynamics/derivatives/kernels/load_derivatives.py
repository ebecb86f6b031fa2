"""Derivatives of forces on coordinates and between points, added to those of inverse dynamics."""

from typing import Any, NamedTuple

from ....forces.kernels.dispatch import coordinate_slopes, line_force, line_slopes
from ....model.kernels.layout import LINEAR
from ....model.kernels.records import body_at, header, line_at
from ....numeric import inlined, kernel, less, load, select, store
from ....spatial.kernels.algebra import (
    add3,
    cross,
    dot3,
    halves,
    load3,
    load6,
    scale3,
    store3,
    sub3,
)
from ...kernels.loads import LINE_CONSTANTS, line_state
from ...kernels.scratch_layout import SLOT
from .derivative_scratch import LUMP, MOVE, REACH, column_bend
from .mass_factor import stride

# offsets in the reach of a column: velocity of the spring's end, turn of the spring's direction, ∂l and ∂l̇
END, TURN, STRETCH, RATE = 0, 3, 6, 7


@inlined
def element_slopes(z, t, f, q, v):
    """By coordinate and velocity, the slopes of the force of an element on a coordinate: those of the state's side."""
    return coordinate_slopes(z, f.law, t.numbers, f.at, load(z, q, f.q), load(z, v, f.v))


@inlined
def step_inward(t, a, b):
    """The next pair of slots on the way from two slots to where they meet: the later body goes to its parent."""
    if a > b:
        return body_at(t, a - 1).parent, b
    return a, body_at(t, b - 1).parent


@inlined
def end_point(z, slot, arm, d):
    """The end of a spring on a body, from the root's centre of mass; the world's ends move with no column."""
    return add3(load3(z, d.lumps, slot * LUMP.size + LUMP.position), arm)


@inlined
def point_velocity(g, x):
    """The velocity that a twist gives to the point x."""
    w, v = halves(g)
    return add3(v, cross(w, x))


@kernel
def reach_columns(z, t, slot, side, x, line, d):
    """What the columns of a body do to a spring whose end on their side is at x.

    `side` is 1 at the end b and −1 at a; `line` is (direction, 1/length, velocities of the ends a and b).
    """
    n, inverse, ends = line
    body, speed = body_at(t, slot - 1), ends[1] if side > 0 else ends[0]
    for j in range(body.v0, body.v0 + body.nv):
        s, psi = load6(z, d.moves, j * MOVE.size + MOVE.s), load6(z, d.moves, j * MOVE.size + MOVE.psi)
        u = point_velocity(s, x)
        along = dot3(n, u)
        turn = scale3(side * inverse, sub3(u, scale3(along, n)))
        change = add3(cross((s[0], s[1], s[2]), speed), point_velocity(psi, x))
        at = j * REACH
        store3(z, d.reach, at + END, u)
        store3(z, d.reach, at + TURN, turn)
        store(z, d.reach, at + STRETCH, side * along)
        store(z, d.reach, at + RATE, dot3(turn, sub3(ends[1], ends[0])) + side * dot3(n, change))


class Pull(NamedTuple):
    """A spring as it is: direction from a to b, force, stiffness and damping."""

    n: Any
    force: Any
    stiffness: Any
    damping: Any


@inlined
def end_turn(z, t, row, column, k, j, x, d):
    """∂_j of the velocity that column k gives to its end x of a spring; row and column: (slot, side) of k and j."""
    if row[1] != column[1]:
        return z, z, z
    first, second = load3(z, d.moves, k * MOVE.size + MOVE.s), load3(z, d.reach, j * REACH + END)
    if column[0] < row[0]:  # j carries k and the end
        first, second = load3(z, d.moves, j * MOVE.size + MOVE.s), load3(z, d.reach, k * REACH + END)
    out = cross(first, second)
    body = body_at(t, row[0] - 1)
    if column[0] == row[0] and body.shape != LINEAR:
        out = add3(out, point_velocity(column_bend(z, t, k, j - body.v0, d), x))
    return out


@kernel
def pair_of_bodies(z, t, row, column, pull, ends, d):
    """Add the derivatives by the columns of one body of a spring's forces on those of another; ends: (x, y)."""
    width, one, other = stride(header(t).nv), body_at(t, row[0] - 1), body_at(t, column[0] - 1)
    x = ends[1] if row[1] > 0 else ends[0]
    for j in range(other.v0, other.v0 + other.nv):
        stretch, rate = load(z, d.reach, j * REACH + STRETCH), load(z, d.reach, j * REACH + RATE)
        change, turn = pull.stiffness * stretch + pull.damping * rate, load3(z, d.reach, j * REACH + TURN)
        for k in range(one.v0, one.v0 + one.nv):
            r, u = load(z, d.reach, k * REACH + STRETCH), load3(z, d.reach, k * REACH + END)
            bend = row[1] * (dot3(turn, u) + dot3(pull.n, end_turn(z, t, row, column, k, j, x, d)))
            at = k * width + j
            store(z, d.by_q, at, load(z, d.by_q, at) + r * change + pull.force * bend)
            store(z, d.by_v, at, load(z, d.by_v, at) + pull.damping * r * stretch)


@kernel
def bodies_between(z, t, row, line, pull, ends, d):
    """Add the derivatives of a spring's forces on the columns of one body by all columns that change the spring."""
    a, b = line.slot_a, line.slot_b
    while a != b:
        pair_of_bodies(z, t, row, (a, -1.0) if a > b else (b, 1.0), pull, ends, d)
        a, b = step_inward(t, a, b)


@kernel
def one_line(z, t, i, m, d):
    """Add the derivatives of force i between two points: only columns between its ends feel or change it."""
    line = line_at(t, i)
    at, ia, ib = line.at + LINE_CONSTANTS, line.slot_a * SLOT.size, line.slot_b * SLOT.size
    arm_a, arm_b, n, length, rate = line_state(z, t, line, m.slots)
    exists = less(0.0, length)
    inverse = select(exists, 1.0 / select(exists, length, z + 1.0), z)
    force = line_force(z, line.law, t.numbers, at, length, rate)
    stiffness, damping = line_slopes(z, line.law, t.numbers, at, length, rate)
    pull = Pull(n, force, stiffness, damping)
    ends = end_point(z, line.slot_a, arm_a, d), end_point(z, line.slot_b, arm_b, d)
    speeds = (
        point_velocity(load6(z, m.slots, ia + SLOT.twist), arm_a),
        point_velocity(load6(z, m.slots, ib + SLOT.twist), arm_b),
    )
    a, b = line.slot_a, line.slot_b
    while a != b:
        if a > b:
            reach_columns(z, t, a, -1.0, ends[0], (n, inverse, speeds), d)
        else:
            reach_columns(z, t, b, 1.0, ends[1], (n, inverse, speeds), d)
        a, b = step_inward(t, a, b)
    a, b = line.slot_a, line.slot_b
    while a != b:
        bodies_between(z, t, (a, -1.0) if a > b else (b, 1.0), line, pull, ends, d)
        a, b = step_inward(t, a, b)


@kernel
def line_derivatives(z, t, m, d):
    """Add the derivatives of all forces between two points."""
    for i in range(header(t).lines):
        one_line(z, t, i, m, d)
