"""Compiled entry points that evaluate one joint at many coordinates."""

from ...numeric import entry, give_back, pack, scratch, store, tables, unpack, width
from ...spatial.kernels.algebra import store3, store9
from .child_frame_derivatives import jacobian_and_hessian
from .product_form import evaluate_joint

__all__ = ["derivatives", "poses"]


@entry
def poses(z, codes, numbers, segment, segments, nv, work_size, states, out, start, stop):
    """Rotation (9 numbers, by rows) and position (3) at each row of `states`."""
    codes, numbers = tables(codes, numbers)
    q, v, columns = scratch(z, states.shape[1]), scratch(z, nv), scratch(z, 6 * nv)
    work, x = scratch(z, work_size), scratch(z, 12)
    for k in range(nv):
        store(z, v, k, z)
    for first in range(start, stop, width(z)):
        pack(z, states, first, stop, q)
        R, p, _, _ = evaluate_joint(z, codes, numbers, segment, segments, nv, q, 0, v, 0, columns, 0, work)
        store9(z, x, 0, R)
        store3(z, x, 9, p)
        unpack(z, x, out, first, stop)
    give_back(q, v, columns, work, x)


@entry
def derivatives(z, codes, numbers, segment, segments, nv, work_size, states, S_out, H_out, start, stop):
    """The Jacobian and the Hessian in the child's frame at each row of `states`."""
    codes, numbers = tables(codes, numbers)
    q, S, H = scratch(z, states.shape[1]), scratch(z, 6 * nv), scratch(z, 6 * nv * nv)
    phi_v, work = scratch(z, nv), scratch(z, work_size)
    for first in range(start, stop, width(z)):
        pack(z, states, first, stop, q)
        jacobian_and_hessian(z, codes, numbers, segment, segments, nv, q, S, H, phi_v, work)
        unpack(z, S, S_out, first, stop)
        unpack(z, H, H_out, first, stop)
    give_back(q, S, H, phi_v, work)
