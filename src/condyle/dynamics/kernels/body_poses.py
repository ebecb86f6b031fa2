"""Poses of all bodies as positions and unit quaternions, for callers that want nothing else."""

from ...model.kernels.records import header
from ...numeric import entry, kernel, pack, release, scratch, store, tables, unpack, width
from ...spatial.kernels.algebra import add3, load3, load9, matmul, matvec, store3, store4
from ...spatial.kernels.quaternion import rotation_quaternion
from .layout import SLOT
from .outward_pass import place
from .scratch import tree_scratch

POSE = 7  # numbers per body: unit quaternion, position


@kernel
def write_poses(z, t, frames, slots, out):
    """The pose of every body, given those of the body frames in the inertial ones (bodies, 12), rotations by rows."""
    for i in range(header(t).bodies):
        at, x, to = (i + 1) * SLOT.size, frames[i], i * POSE
        R = load9(z, slots, at + SLOT.rotation)
        store4(z, out, to, rotation_quaternion(z, matmul(R, (x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]))))
        store3(z, out, to + 4, add3(load3(z, slots, at + SLOT.position), matvec(R, (x[9], x[10], x[11]))))


@entry
def pose_states(z, pair, frames, states, start, stop):
    """POSES (count, 7 nbodies) of states = (Q, POSES)."""
    t = tables(pair[:2])
    Q, POSES = states
    h, m = header(t), tree_scratch(z, t, *pair[2:])
    q, v, out = scratch(z, h.nq), scratch(z, h.nv), scratch(z, POSE * h.bodies)
    for k in range(h.nv):
        store(z, v, k, z)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        place(z, t, q, v, m)
        write_poses(z, t, frames, m.slots, out)
        unpack(z, out, POSES, first, stop)
    release(m, q, v, out)
