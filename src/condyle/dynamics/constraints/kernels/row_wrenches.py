"""Rows of points, welds, distances and lines as forces on bodies, with their gaps: all that `place` alone gives.

A row says Σ Wᵀ V̇ + β = 0 over the two bodies that it joins: W is the wrench that a unit of its multiplier is on a
body, in world axes at the body's origin, and β what velocities alone give. Kept are K = −W and b = β.

A point x of a body at the arm r has ẋ = v + ω × r and ẍ = v̇ + α × r + ω × ẋ, with v̇ the rate in body axes. With x on
body a and y on body b, w their relative velocity:
distance: gap |x − y| − l, rate u · w, second rate u · ẅ + (w² − (u · w)²) / |x − y|, u from y to x.
line: gaps e · (x − y) along two axes e of a frame of b; seen from b, so rates and accelerations are those of x less
those of the point of b that is there, and 2 ω_b × w less.
"""

from typing import Any, NamedTuple

from ....model.kernels.layout import DISTANCE, FRAME_SIZE, LINE, POINT
from ....model.kernels.records import body_at
from ....numeric import inlined, kernel, less, select, sqrt, store
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
    scale3,
    scale6,
    store3,
    store6,
    sub3,
    transposed_matvec,
)
from ....spatial.kernels.quaternion import rotation_quaternion
from ...kernels.outward_pass import constants3, constants9
from ...kernels.scratch_layout import SLOT

LEAST = 1e-300  # [m]: points that coincide have no direction


class RowPlace(NamedTuple):
    """Where the rows of one constraint go: K on body a and on body b, six numbers a row, and b."""

    forces: Any
    at_a: Any
    at_b: Any
    biases: Any
    at: Any


@kernel
def rotation_gap(z, R):
    """A vector along the axis of a rotation, 2 sin(θ/2) long.

    Not the rotation's logarithm, on purpose: it equals it to first order, so the rows of J are those of the gap where
    the loop is closed; it needs no arc tangent; and it grows up to the half turn, where a logarithm jumps.
    """
    _, x, y, u = rotation_quaternion(z, R)
    return (2.0 * x, 2.0 * y, 2.0 * u)


@inlined
def best_lever(K, s):
    """The square, up to a factor of two, of the most that Kᵀ s could be if directions were others."""
    (m, f), (w, v) = halves(K), halves(s)
    return dot3(m, m) * dot3(w, w) + dot3(f, f) * dot3(v, v)


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
    """Of a body's point at the arm r: its velocity, and acceleration without V̇; the angular velocity."""
    w, v = halves(load6(z, slots, slot * SLOT.size + SLOT.twist))
    velocity = add3(v, cross(w, r))
    return velocity, cross(w, velocity), w


@kernel
def seen_from(z, t, root, slot, r, slots):
    """From the origin of a slot that carries another to a point of that at the arm r.

    Gaps are differences of such: with differences of places in the world, round-off would grow with the distance from
    the world's origin.
    """
    while slot != root:
        r = add3(r, load3(z, slots, slot * SLOT.size + SLOT.offset))
        slot = body_at(t, slot - 1).parent
    return r


@inlined
def put_force(z, forces, at, sign, r, e):
    """K of one row: ± a force along e at the arm r."""
    m = cross(r, e)
    store6(z, forces, at, scale6(-sign, (m[0], m[1], m[2], e[0], e[1], e[2])))


@inlined
def put_forces(z, forces, at, sign, r):
    """K of three rows: ± forces along the world's axes at the arm r."""
    x, y, u, one = sign * r[0], sign * r[1], sign * r[2], z - sign
    store6(z, forces, at, (z, -u, y, one, z, z))
    store6(z, forces, at + 6, (u, z, -x, z, one, z))
    store6(z, forces, at + 12, (-y, x, z, z, z, one))


@inlined
def put_moments(z, forces, at, sign):
    """K of three rows: ± moments about the world's axes."""
    one = z - sign
    store6(z, forces, at, (one, z, z, z, z, z))
    store6(z, forces, at + 6, (z, one, z, z, z, z))
    store6(z, forces, at + 12, (z, z, one, z, z, z))


@inlined
def put_row(z, row, gap, rate, bias, to, at, c):
    """How far a row is from holding, its rate, and its β, `at` places after that of the first."""
    store(z, c.gap, row, gap)
    store(z, c.rate, row, rate)
    store(z, to.biases, to.at + at, bias)


@inlined
def two_points(z, t, loop, m):
    """The points of bodies a and b that a loop joins: their arms, and x − y, ẋ − ẏ, and ẍ − ÿ without V̇."""
    r = arm_of(z, t.numbers, loop.frames, m.slots, loop.slot_a)
    s = arm_of(z, t.numbers, loop.frames + FRAME_SIZE, m.slots, loop.slot_b)
    x, y = seen_from(z, t, loop.root, loop.slot_a, r, m.slots), seen_from(z, t, loop.root, loop.slot_b, s, m.slots)
    v, a, _ = carried_point(z, m.slots, loop.slot_a, r)
    w, b, _ = carried_point(z, m.slots, loop.slot_b, s)
    return r, s, sub3(x, y), sub3(v, w), sub3(a, b)


@kernel
def point_rows(z, t, loop, to, c, m):
    """A point of body a on one of body b, in world axes."""
    r, s, gap, rate, bias = two_points(z, t, loop, m)
    first = loop.rows - 3  # those of a weld come after its turn
    put_forces(z, to.forces, to.at_a + 6 * first, 1.0, r)
    put_forces(z, to.forces, to.at_b + 6 * first, -1.0, s)
    store3(z, c.gap, loop.first_row + first, gap)
    store3(z, c.rate, loop.first_row + first, rate)
    store3(z, to.biases, to.at + first, bias)


@kernel
def turn_rows(z, t, loop, to, c, m):
    """The first three rows of a weld: the turn of a frame of body a against one of body b, in world axes."""
    R, _ = frame_of(z, t.numbers, loop.frames, m.slots, loop.slot_a)
    Q, _ = frame_of(z, t.numbers, loop.frames + FRAME_SIZE, m.slots, loop.slot_b)
    w, _ = halves(load6(z, m.slots, loop.slot_a * SLOT.size + SLOT.twist))
    s, _ = halves(load6(z, m.slots, loop.slot_b * SLOT.size + SLOT.twist))
    put_moments(z, to.forces, to.at_a, 1.0)
    put_moments(z, to.forces, to.at_b, -1.0)
    gap = rotation_gap(z, matmul(R, (Q[0], Q[3], Q[6], Q[1], Q[4], Q[7], Q[2], Q[5], Q[8])))
    store3(z, c.gap, loop.first_row, gap)
    store3(z, c.rate, loop.first_row, sub3(w, s))
    store3(z, to.biases, to.at, (z, z, z))


@kernel
def distance_row(z, t, loop, to, c, m):
    """Two points at a distance."""
    r, s, d, moving, bias = two_points(z, t, loop, m)
    length = sqrt(dot3(d, d))
    inverse = 1.0 / select(less(length, LEAST), z + LEAST, length)
    u = scale3(inverse, d)
    along = dot3(u, moving)
    put_force(z, to.forces, to.at_a, 1.0, r, u)
    put_force(z, to.forces, to.at_b, -1.0, s, u)
    bias = dot3(u, bias) + inverse * (dot3(moving, moving) - along * along)
    put_row(z, loop.first_row, length - t.numbers[loop.frames + 2 * FRAME_SIZE], along, bias, to, 0, c)


@kernel
def line_rows(z, t, loop, to, c, m):
    """A point of body a on the z axis of a frame of body b."""
    Q, s = frame_of(z, t.numbers, loop.frames + FRAME_SIZE, m.slots, loop.slot_b)
    r = arm_of(z, t.numbers, loop.frames, m.slots, loop.slot_a)
    zero = (z, z, z)
    x = seen_from(z, t, loop.root, loop.slot_a, r, m.slots)
    there = sub3(x, seen_from(z, t, loop.root, loop.slot_b, zero, m.slots))
    v, a, _ = carried_point(z, m.slots, loop.slot_a, r)
    w, b, turning = carried_point(z, m.slots, loop.slot_b, there)
    moving = sub3(v, w)
    gap, rate = transposed_matvec(Q, sub3(there, s)), transposed_matvec(Q, moving)
    bias = transposed_matvec(Q, sub3(sub3(a, b), scale3(2.0, cross(turning, moving))))
    for i in range(2):
        e = (Q[0], Q[3], Q[6]) if i == 0 else (Q[1], Q[4], Q[7])
        put_force(z, to.forces, to.at_a + 6 * i, 1.0, r, e)
        put_force(z, to.forces, to.at_b + 6 * i, -1.0, there, e)
    put_row(z, loop.first_row, gap[0], rate[0], bias[0], to, 0, c)
    put_row(z, loop.first_row + 1, gap[1], rate[1], bias[1], to, 1, c)


@kernel
def loop_wrenches(z, t, loop, to, c, m):
    """The rows of a POINT, WELD, DISTANCE or LINE; gaps and their rates to c."""
    if loop.kind == DISTANCE:
        distance_row(z, t, loop, to, c, m)
    elif loop.kind == LINE:
        line_rows(z, t, loop, to, c, m)
    else:
        if loop.kind != POINT:
            turn_rows(z, t, loop, to, c, m)
        point_rows(z, t, loop, to, c, m)
