"""Poses of all bodies as positions and unit quaternions, for callers that want nothing else."""

from ...model.kernels.records import header
from ...numeric import (
    as_scratch,
    entry,
    finite,
    inlined,
    kernel,
    load,
    pack,
    pick,
    release,
    scratch,
    store,
    tables,
    width,
)
from ...spatial.kernels.algebra import add3, load3, load9, matmul, matvec, store3, store4
from ...spatial.kernels.quaternion import rotation_quaternion
from .outward_pass import place
from .scratch import tree_scratch
from .scratch_layout import SLOT

POSE = 7  # numbers per body: unit quaternion, position
UNFIT = -1  # what an entry returns that could not be used


@kernel
def write_poses(z, t, frames, slots, out):
    """The pose of every body, given those of the body frames in the inertial ones (bodies, 12), rotations by rows.

    Returns a number that is finite if all poses are.
    """
    total = z
    for i in range(header(t).bodies):
        at, x, to = (i + 1) * SLOT.size, frames[i], i * POSE
        R = load9(z, slots, at + SLOT.rotation)
        w = rotation_quaternion(z, matmul(R, (x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8])))
        p = add3(load3(z, slots, at + SLOT.position), matvec(R, (x[9], x[10], x[11])))
        store4(z, out, to, w)
        store3(z, out, to + 4, p)
        total = total + (w[0] + p[0] + p[1] + p[2])
    return total


@inlined
def all_finite(z, x, k):
    """Whether number k is finite in every lane."""
    good = True
    for l in range(width(z)):
        good = good and finite(pick(z, x, k, l))
    return good


@entry
def pose_states(z, pair, frames, start, stop, Q, POSES):
    """POSES (count, nbodies, 7) of rows start … stop of Q; UNFIT if Q is too small or a number not finite, else 0."""
    t = tables(pair[:2])
    h, size, to = header(t), POSE * header(t).bodies, as_scratch(POSES)
    if Q.shape[1] != h.nq or Q.shape[0] < stop:
        return UNFIT
    m, q, v, out = tree_scratch(z, t, *pair[2:]), scratch(z, h.nq), scratch(z, h.nv), scratch(z, size + 1)
    total = z
    for k in range(h.nv):
        store(z, v, k, z)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        place(z, t, q, v, m)
        total = total + write_poses(z, t, frames, m.slots, out)
        for k in range(h.nq):
            total = total + load(z, q, k)
        for l in range(min(width(z), stop - first)):
            for k in range(size):
                store(0.0, to, (first + l) * size + k, pick(z, out, k, l))
    store(z, out, size, total)
    good = all_finite(z, out, size)
    release(m, q, v, out)
    return 0 if good else UNFIT
