"""Poses, twists, accelerations and columns of all bodies, for callers that look at motion rather than forces."""

from ...model.kernels.layout import BODIES, NQ, NV
from ...numeric import entry, give_back, kernel, load, pack, scratch, store, tables, unpack, width
from ...spatial.kernels.algebra import halves, load3, load6, load9, store3, store6, store9, transposed_matvec
from .inverse import accelerate_bodies
from .layout import AXIS, BIAS, COLUMN, POSITION, ROTATION, SLOT, TWIST
from .outward_pass import place
from .scratch import COLUMNS, LOCAL, SLOTS, SPARE, memory

__all__ = ["MOTION", "motion_states"]

MOTION = 24  # numbers per body: rotation, position, twist, acceleration


@kernel
def in_body_axes(z, R, g):
    """A twist of world axes in the body's."""
    w, v = halves(g)
    a, b = transposed_matvec(R, w), transposed_matvec(R, v)
    return (a[0], a[1], a[2], b[0], b[1], b[2])


@kernel
def write_motion(z, codes, slots, out):
    """Rotation, position, body twist and body acceleration (gravity included) of every body's inertial frame."""
    for i in range(codes[BODIES]):
        at, to = (i + 1) * SLOT, i * MOTION
        R = load9(z, slots, at + ROTATION)
        store9(z, out, to, R)
        store3(z, out, to + 9, load3(z, slots, at + POSITION))
        store6(z, out, to + 12, in_body_axes(z, R, load6(z, slots, at + TWIST)))
        store6(z, out, to + 18, in_body_axes(z, R, load6(z, slots, at + BIAS)))


@entry
def motion_states(z, codes, numbers, Q, V, A, MOVES, AXES, start, stop):
    """MOVES (count, 24 nbodies) and the joint columns AXES (count, 6 nv) in world axes at the bodies' origins."""
    codes, numbers = tables(codes, numbers)
    m = memory(z, codes)
    nv = codes[NV]
    q, v, a = scratch(z, codes[NQ]), scratch(z, nv), scratch(z, nv)
    out, axes = scratch(z, MOTION * codes[BODIES]), scratch(z, 6 * nv)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, A, first, stop, a)
        place(z, codes, numbers, q, v, m[SLOTS], m[COLUMNS], m[LOCAL], m[SPARE])
        accelerate_bodies(z, codes, numbers, a, m[SLOTS], m[COLUMNS])
        write_motion(z, codes, m[SLOTS], out)
        for k in range(nv):
            for c in range(6):
                store(z, axes, 6 * k + c, load(z, m[COLUMNS], k * COLUMN + AXIS + c))
        unpack(z, out, MOVES, first, stop)
        unpack(z, axes, AXES, first, stop)
    give_back(m, q, v, a, out, axes)
