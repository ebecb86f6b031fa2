"""Entries for one state, called with the vectors that the caller has: nothing is packed, little is allocated.

Each looks at its arguments, since whoever calls it may not have: UNFIT means that a vector has another length or holds
what is not a number, or that a result does. Else they return 0, or a status.
"""

from ....model.kernels.layout import LINEAR
from ....model.kernels.records import body_at, header
from ....numeric import (
    ahead,
    as_int64,
    as_scratch,
    entry,
    finite,
    inlined,
    kernel,
    load,
    release,
    sqrt,
    store,
    tables,
)
from ....spatial.kernels.algebra import (
    add3,
    cross,
    halves,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    store3,
    store4,
    store9,
    sub3,
    transposed_matvec,
)
from ....spatial.kernels.quaternion import rotation_quaternion
from ...kernels.body_poses import POSE, UNFIT
from ...kernels.followers import begin, body_column, body_columns
from ...kernels.forward import forward, inward_part, joint_part
from ...kernels.inverse import inverse
from ...kernels.mass_matrix import at_rest, put_mass_matrix
from ...kernels.outward_pass import linear_pose, place, place_other, place_world, put_linear_column
from ...kernels.scratch import External, tree_scratch
from ...kernels.scratch_layout import COLUMN, SLOT


@kernel
def unfit(x, count):
    """Whether a vector has another length, or holds what is not a finite number."""
    if x.shape[0] != count:
        return True
    for k in range(count):  # noqa: SIM110 (kernels have no generators)
        if not finite(x[k]):
            return True
    return False


@kernel
def resting(z, t, m):
    """Velocities of zero, in room of the scratch that entries without forces do not use."""
    for k in range(header(t).nv):
        store(z, m.forces, k, z)
    return as_scratch(m.forces)


@ahead(joint_part, inward_part)
@entry
def forward_one(z, pair, q, v, tau, a):
    """Accelerations a under forces tau."""
    t = tables(pair[:2])
    h = header(t)
    if unfit(q, h.nq) or unfit(v, h.nv) or unfit(tau, h.nv):
        return UNFIT
    m, f = tree_scratch(z, t, *pair[2:]), as_scratch(tau)
    pushed = h.nv < 0  # never; a literal would give the compiler a second specialisation
    status = forward(z, t, as_scratch(q), as_scratch(v), as_scratch(a), External(f, f, pushed), m)
    release(m)
    return int(status)


@entry
def inverse_one(z, pair, q, v, a, tau):
    """Forces tau that give accelerations a."""
    t = tables(pair[:2])
    h = header(t)
    if unfit(q, h.nq) or unfit(v, h.nv) or unfit(a, h.nv):
        return UNFIT
    m, none = tree_scratch(z, t, *pair[2:]), at_rest(z, t)
    pushed = h.nv < 0
    inverse(z, t, as_scratch(q), as_scratch(v), as_scratch(a), External(none, none, pushed), m)
    for k in range(h.nv):
        tau[k] = load(z, m.forces, k)
    release(m, none)
    return UNFIT if unfit(tau, h.nv) else 0


@entry
def mass_one(z, pair, q, M):
    """The mass matrix M (nv, nv)."""
    t = tables(pair[:2])
    h = header(t)
    if unfit(q, h.nq):
        return UNFIT
    m, out = tree_scratch(z, t, *pair[2:]), as_scratch(M)
    for k in range(h.nv * h.nv):
        store(z, out, k, z)
    put_mass_matrix(z, t, as_scratch(q), resting(z, t, m), m, m.wrenches, out, (as_int64(0), as_int64(1), h.nv))
    release(m)
    trace = z
    for k in range(h.nv):
        trace = trace + load(z, out, k * (h.nv + 1))
    return 0 if finite(trace) else UNFIT


@inlined
def pose_body(z, t, i, q, v, m):
    """Where body i is; the column of a joint that is one exponential is left out."""
    b = body_at(t, i)
    at, above = (i + 1) * SLOT.size, b.parent * SLOT.size
    Rp = load9(z, m.slots, above + SLOT.rotation)
    if b.shape == LINEAR:
        Rj, pj = linear_pose(t.numbers, b.row, load(z, q, b.q0))
        R, r = matmul(Rp, Rj), matvec(Rp, pj)
    else:
        R, r, _, _ = place_other(z, t, i, Rp, q, v, m, m.fold)
    p = add3(load3(z, m.slots, above + SLOT.position), r)
    store9(z, m.slots, at + SLOT.rotation, R)
    store3(z, m.slots, at + SLOT.position, p)
    return R, p


@inlined
def place_body(z, t, i, q, v, m):
    """Where body i is, and the columns of its joint: the outward pass without velocities."""
    R, _ = pose_body(z, t, i, q, v, m)
    b = body_at(t, i)
    if b.shape == LINEAR:
        put_linear_column(z, t, b, R, m)


@inlined
def quaternion_of(z, R):
    """As `rotation_quaternion`, to the bit; sooner where w is the largest of the four numbers, as in most poses."""
    w = 1.0 + R[0] + R[4] + R[8]
    x, y, u = 1.0 + R[0] - R[4] - R[8], 1.0 - R[0] + R[4] - R[8], 1.0 - R[0] - R[4] + R[8]
    if w < x or w < y or w < u:
        return rotation_quaternion(z, R)
    a, b, c = R[7] - R[5], R[2] - R[6], R[3] - R[1]
    k = 1.0 / sqrt(w * w + a * a + b * b + c * c)
    return (k * w, k * a, k * b, k * c)


@entry
def poses_one(z, pair, frames, q, out):
    """Poses of all bodies (nbodies, 7)."""
    t = tables(pair[:2])
    h = header(t)
    if unfit(q, h.nq):
        return UNFIT
    m, given, to = tree_scratch(z, t, *pair[2:]), as_scratch(q), as_scratch(out)
    v = resting(z, t, m)
    begin(z, t, given, v, m, m.fold)
    place_world(z, m.slots)
    total = z
    for i in range(h.bodies):
        C, p = pose_body(z, t, i, given, v, m)
        R, p = body_frame(frames, i, C, p)
        store4(z, to, i * POSE, quaternion_of(z, R))
        store3(z, to, i * POSE + 4, p)
        total = total + R[0] + p[0] + p[1] + p[2]
    release(m)
    return 0 if finite(total) else UNFIT


@inlined
def body_frame(frames, i, C, p):
    """Rotation and position of body i from those of its inertial frame."""
    x = frames[i]
    R = matmul(C, (x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]))
    return R, add3(p, matvec(C, (x[9], x[10], x[11])))


@kernel
def put_jacobian(z, t, frames, body, m, J):
    """Columns of a body's twist, in its own axes at its own origin, from those of the joints that carry it."""
    at, nv = (body + 1) * SLOT.size, header(t).nv
    C, p = load9(z, m.slots, at + SLOT.rotation), load3(z, m.slots, at + SLOT.position)
    R, origin = body_frame(frames, body, C, p)
    total, i = z, body
    while i >= 0:
        b = body_at(t, i)
        arm = sub3(origin, load3(z, m.slots, (i + 1) * SLOT.size + SLOT.position))
        for j in range(body_columns(t, b, i, m.fold)):
            column, k = body_column(t, b, i, j, m.fold)
            w, u = halves(load6(z, m.columns, column * COLUMN.size + COLUMN.axis))
            x, y = transposed_matvec(R, w), transposed_matvec(R, add3(u, cross(w, arm)))
            J[k] += x[0]
            J[k + nv] += x[1]
            J[k + 2 * nv] += x[2]
            J[k + 3 * nv] += y[0]
            J[k + 4 * nv] += y[1]
            J[k + 5 * nv] += y[2]
            total = total + x[0] + x[1] + x[2] + y[0] + y[1] + y[2]
        i = b.parent - 1
    return total


@kernel
def place_way(z, t, q, body, v, m):
    """Where a body is, and those that carry it; a model with followers is placed as a whole."""
    if m.fold is None:  # decided when compiling
        place_world(z, m.slots)
        depth, i = 0, body
        while i >= 0:  # the way back, in room that is not used otherwise
            store(z, m.wrenches, depth, float(i))
            depth, i = depth + 1, body_at(t, i).parent - 1
        for k in range(depth - 1, -1, -1):
            place_body(z, t, int(load(z, m.wrenches, k)), q, v, m)
    else:
        place(z, t, q, v, m)


@entry
def jacobian_one(z, pair, frames, q, body, J):
    """The Jacobian J (6, nv) of a body's twist."""
    t = tables(pair[:2])
    h = header(t)
    if unfit(q, h.nq):
        return UNFIT
    m, out = tree_scratch(z, t, *pair[2:]), as_scratch(J)
    place_way(z, t, as_scratch(q), body, resting(z, t, m), m)
    for k in range(6 * h.nv):
        store(z, out, k, z)
    total = put_jacobian(z, t, frames, body, m, out)
    release(m)
    return 0 if finite(total) else UNFIT
