"""Compiled entry points that evaluate one joint at many coordinates."""

from ...numeric import entry, pack, release, scratch, store, tables, unpack, width
from ...spatial.kernels.algebra import store3, store4, store9
from ...spatial.kernels.quaternion import rotation_quaternion
from .child_frame_derivatives import Derivatives, jacobian_and_hessian
from .product_form import evaluate_joint
from .records import JointPlace, JointState

POSE = 16  # numbers of a pose


@entry
def poses(z, pair, place, work_size, states, out, start, stop):
    """Rotation (9 numbers, by rows), position (3) and unit quaternion (4) at each row of `states`.

    `place` is (first, segments, nv).
    """
    t, joint = tables(pair), JointPlace(place[0], place[1], place[2])
    q, v, columns = scratch(z, states.shape[1]), scratch(z, joint.nv), scratch(z, 6 * joint.nv)
    work, x = scratch(z, work_size), scratch(z, POSE)
    s = JointState(q, 0, v, 0, columns, work)
    for k in range(joint.nv):
        store(z, v, k, z)
    for first in range(start, stop, width(z)):
        pack(z, states, first, stop, q)
        X = evaluate_joint(z, t, joint, s)
        store9(z, x, 0, X.R)
        store3(z, x, 9, X.p)
        store4(z, x, 12, rotation_quaternion(z, X.R))
        unpack(z, x, out, first, stop)
    release(q, v, columns, work, x)


@entry
def derivatives(z, pair, place, work_size, states, out, start, stop):
    """The Jacobian out[0] and the Hessian out[1] in the child's frame at each row of `states`."""
    t, joint = tables(pair), JointPlace(place[0], place[1], place[2])
    nv = joint.nv
    q, work = scratch(z, states.shape[1]), scratch(z, work_size)
    d = Derivatives(scratch(z, 6 * nv), scratch(z, 6 * nv * nv), scratch(z, nv), nv)
    s = JointState(q, 0, d.phi_v, 0, d.S, work)
    for first in range(start, stop, width(z)):
        pack(z, states, first, stop, q)
        jacobian_and_hessian(z, t, joint, s, d)
        unpack(z, d.S, out[0], first, stop)
        unpack(z, d.H, out[1], first, stop)
    release(d, q, work)
