"""Rows of constraints along directions that turn with bodies: points at a distance, and a point on a line.

With x on body a and y on body b, w their relative velocity:
distance: gap |x − y| − l, rate u · w, second rate u · ẅ + (w² − (u · w)²) / |x − y|, u from y to x.
line: gaps e · (x − y) along two axes e of a frame of b; seen from b, so rates and accelerations are those of x less
those of the point of b that is there, and 2 ω_b × w less.
"""

from ....model.kernels.layout import DISTANCE, FRAME_SIZE
from ....model.kernels.records import body_at, header, loop_at
from ....numeric import inlined, kernel, less, load, select, sqrt, store
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
    shifted,
    sub3,
    transposed_matvec,
)
from ...kernels.followers import body_column, body_columns
from ...kernels.outward_pass import constants9
from ...kernels.scratch_layout import COLUMN, SLOT

LEAST = 1e-300  # [m]: points that coincide have no direction


@inlined
def point_of(z, numbers, at, slots, slot):
    """Where the origin of a frame of a body is in the world."""
    base = slot * SLOT.size
    R = load9(z, slots, base + SLOT.rotation)
    r = matvec(R, (numbers[at + 9], numbers[at + 10], numbers[at + 11]))
    return add3(load3(z, slots, base + SLOT.position), r)


@inlined
def material_motion(z, slots, slot, x):
    """Velocity and acceleration of the point of a body that is at x, and the body's angular velocity."""
    base = slot * SLOT.size
    r = sub3(x, load3(z, slots, base + SLOT.position))
    w, v = halves(load6(z, slots, base + SLOT.twist))
    alpha, a = halves(load6(z, slots, base + SLOT.acceleration))
    velocity = add3(v, cross(w, r))
    return velocity, add3(add3(a, cross(alpha, r)), cross(w, velocity)), w


@kernel
def add_along(z, t, row, slot, x, e, m, c):
    """Add the velocity of a body's point at x along e to a row, for every column that moves the body."""
    nv = header(t).nv
    while slot > 0:
        b = body_at(t, slot - 1)
        r = sub3(x, load3(z, m.slots, slot * SLOT.size + SLOT.position))
        for j in range(body_columns(t, b, slot - 1, m.fold)):
            column, k = body_column(t, b, slot - 1, j, m.fold)
            _, v = halves(shifted(load6(z, m.columns, column * COLUMN.size + COLUMN.axis), r))
            at, along = row * nv + k, dot3(e, v)
            store(z, c.jacobian, at, load(z, c.jacobian, at) + along)
            store(z, c.reach, row, load(z, c.reach, row) + along * along)
        slot = b.parent


@kernel
def distance_row(z, t, loop, x, y, m, c):
    """Two points at a distance."""
    d = sub3(x, y)
    length = sqrt(dot3(d, d))
    inverse = 1.0 / select(less(length, LEAST), z + LEAST, length)
    u, row = scale3(inverse, d), loop.first_row
    v, a, _ = material_motion(z, m.slots, loop.slot_a, x)
    s, b, _ = material_motion(z, m.slots, loop.slot_b, y)
    w = sub3(v, s)
    along = dot3(u, w)
    add_along(z, t, row, loop.slot_a, x, u, m, c)
    add_along(z, t, row, loop.slot_b, y, scale3(-1.0, u), m, c)
    store(z, c.gap, row, length - t.numbers[loop.frames + 2 * FRAME_SIZE])
    store(z, c.second, row, dot3(u, sub3(a, b)) + inverse * (dot3(w, w) - along * along))


@kernel
def line_row(z, t, loop, row, e, x, m, c):
    """The Jacobian of a body's point at x along e, seen from the other body."""
    add_along(z, t, row, loop.slot_a, x, e, m, c)
    add_along(z, t, row, loop.slot_b, x, scale3(-1.0, e), m, c)


@kernel
def line_rows(z, t, loop, x, y, m, c):
    """A point of body a on the z axis of a frame of body b."""
    base = loop.slot_b * SLOT.size
    R = matmul(load9(z, m.slots, base + SLOT.rotation), constants9(t.numbers, loop.frames + FRAME_SIZE))
    v, a, _ = material_motion(z, m.slots, loop.slot_a, x)
    s, b, turning = material_motion(z, m.slots, loop.slot_b, x)
    relative = sub3(sub3(a, b), scale3(2.0, cross(turning, sub3(v, s))))
    row = loop.first_row
    line_row(z, t, loop, row, (R[0], R[3], R[6]), x, m, c)
    line_row(z, t, loop, row + 1, (R[1], R[4], R[7]), x, m, c)
    gap, second = transposed_matvec(R, sub3(x, y)), transposed_matvec(R, relative)
    store(z, c.gap, row, gap[0])
    store(z, c.gap, row + 1, gap[1])
    store(z, c.second, row, second[0])
    store(z, c.second, row + 1, second[1])


@kernel
def directed_rows(z, t, i, m, c):
    """The rows of a DISTANCE or a LINE."""
    loop = loop_at(t, i)
    x = point_of(z, t.numbers, loop.frames, m.slots, loop.slot_a)
    y = point_of(z, t.numbers, loop.frames + FRAME_SIZE, m.slots, loop.slot_b)
    if loop.kind == DISTANCE:
        distance_row(z, t, loop, x, y, m, c)
    else:
        line_rows(z, t, loop, x, y, m, c)
