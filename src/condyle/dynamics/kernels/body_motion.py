"""Poses, twists, accelerations and columns of all bodies, for callers that look at motion rather than forces."""

from ...model.kernels.records import header
from ...numeric import entry, inlined, kernel, load, pack, release, scratch, store, tables, unpack, width
from ...spatial.kernels.algebra import halves, load3, load6, load9, store3, store6, store9, transposed_matvec
from .inverse import accelerate_bodies
from .outward_pass import place
from .scratch import tree_scratch
from .scratch_layout import COLUMN, SLOT

MOTION = 24  # numbers per body: rotation, position, twist, acceleration


@inlined
def in_body_axes(z, R, g):
    """A twist of world axes in the body's."""
    w, v = halves(g)
    a, b = transposed_matvec(R, w), transposed_matvec(R, v)
    return (a[0], a[1], a[2], b[0], b[1], b[2])


@kernel
def write_motion(z, t, slots, out):
    """Rotation, position, body twist and body acceleration (gravity included) of every body's inertial frame."""
    for i in range(header(t).bodies):
        at, to = (i + 1) * SLOT.size, i * MOTION
        R = load9(z, slots, at + SLOT.rotation)
        store9(z, out, to, R)
        store3(z, out, to + 9, load3(z, slots, at + SLOT.position))
        store6(z, out, to + 12, in_body_axes(z, R, load6(z, slots, at + SLOT.twist)))
        store6(z, out, to + 18, in_body_axes(z, R, load6(z, slots, at + SLOT.acceleration)))


@entry
def motion_states(z, pair, states, start, stop):
    """MOVES (count, 24 nbodies) and the joint columns AXES (count, 6 nv) in world axes at the bodies' origins.

    Guest columns come after those of the velocities. `states` is (Q, V, A, MOVES, AXES).
    """
    t = tables(pair[:2])
    Q, V, A, MOVES, AXES = states
    h, m = header(t), tree_scratch(z, t, *pair[2:])
    q, v, a = scratch(z, h.nq), scratch(z, h.nv), scratch(z, h.nv)
    columns = AXES.shape[1] // 6
    out, axes = scratch(z, MOTION * h.bodies), scratch(z, 6 * columns)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, A, first, stop, a)
        place(z, t, q, v, m)
        accelerate_bodies(z, t, a, m)
        write_motion(z, t, m.slots, out)
        for k in range(columns):
            for c in range(6):
                store(z, axes, 6 * k + c, load(z, m.columns, k * COLUMN.size + COLUMN.axis + c))
        unpack(z, out, MOVES, first, stop)
        unpack(z, axes, AXES, first, stop)
    release(m, q, v, a, out, axes)
