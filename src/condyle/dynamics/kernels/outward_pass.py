"""The outward pass that every recursion starts with: where bodies are and how they move.

All twists are in world axes at the body's own origin, which is its centre of mass with principal axes: then moving a
twist to the next body is a shift, without a rotation, and a rigid inertia is three moments and a mass. Velocities and
accelerations are those of the body frame, written in world axes: V̇_i = V̇_λ + ad_{V_i} u + Ṡv + S q̈, u = S v.
[LeeTerzopoulos2008, eqs. 11, 14]
"""

from ...joints.kernels.curve_motion import evaluate_curve
from ...joints.kernels.plane_motion import evaluate_plane
from ...joints.kernels.product_form import evaluate_joint
from ...joints.kernels.records import JointPlace, JointState
from ...model.kernels.layout import CURVE, FOLLOWING, LINEAR, PLANE, PLANE_PA, PLANE_PB, PLANE_RB, ROW_G, ROW_P, ROW_W
from ...model.kernels.records import body_at, folded_at, header
from ...numeric import inlined, kernel, load, seldom, sincos
from ...spatial.kernels.algebra import (
    ad,
    add3,
    add6,
    add_scaled6,
    halves,
    identity_pose,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    scale6,
    shifted,
    store3,
    store6,
    store9,
    twist_zero,
)
from .followers import begin, gather_joint
from .scratch import joint_state
from .scratch_layout import COLUMN, FOLLOWER, SLOT


@inlined
def rotated(R, g):
    """A twist in other axes."""
    w, v = halves(g)
    a, b = matvec(R, w), matvec(R, v)
    return (a[0], a[1], a[2], b[0], b[1], b[2])


@inlined
def place_world(z, slots):
    """The world's slot: at rest, at the origin."""
    R, p = identity_pose(z)
    store9(z, slots, SLOT.rotation, R)
    store3(z, slots, SLOT.position, p)
    store6(z, slots, SLOT.twist, twist_zero(z))


@inlined
def linear_pose(numbers, row, x):
    """H exp(ĝ q) from its constants."""
    t = numbers[row + ROW_W] * x
    s, c = sincos(0.5 * t)
    sn, cs = 2.0 * s * c, 2.0 * s * s
    k = t - sn
    R = (
        numbers[row] + sn * numbers[row + 9] + cs * numbers[row + 18],
        numbers[row + 1] + sn * numbers[row + 10] + cs * numbers[row + 19],
        numbers[row + 2] + sn * numbers[row + 11] + cs * numbers[row + 20],
        numbers[row + 3] + sn * numbers[row + 12] + cs * numbers[row + 21],
        numbers[row + 4] + sn * numbers[row + 13] + cs * numbers[row + 22],
        numbers[row + 5] + sn * numbers[row + 14] + cs * numbers[row + 23],
        numbers[row + 6] + sn * numbers[row + 15] + cs * numbers[row + 24],
        numbers[row + 7] + sn * numbers[row + 16] + cs * numbers[row + 25],
        numbers[row + 8] + sn * numbers[row + 17] + cs * numbers[row + 26],
    )
    at = row + ROW_P
    p = (
        numbers[at] + x * numbers[at + 3] + cs * numbers[at + 6] + k * numbers[at + 9],
        numbers[at + 1] + x * numbers[at + 4] + cs * numbers[at + 7] + k * numbers[at + 10],
        numbers[at + 2] + x * numbers[at + 5] + cs * numbers[at + 8] + k * numbers[at + 11],
    )
    return R, p


@inlined
def put_linear_column(z, t, body, R, m):
    """The column of a joint that is one exponential, constant in its body."""
    w = matvec(R, constants3(t.numbers, body.row + ROW_G))
    b = matvec(R, constants3(t.numbers, body.row + ROW_G + 3))
    s = (w[0], w[1], w[2], b[0], b[1], b[2])
    store6(z, m.columns, body.v0 * COLUMN.size + COLUMN.axis, s)
    return s


@inlined
def place_linear(z, t, body, Rp, q, v, m):
    """Pose, velocity and bias of a joint that is one exponential of its coordinate; its column is constant in B."""
    Rj, pj = linear_pose(t.numbers, body.row, load(z, q, body.q0))
    R, r = matmul(Rp, Rj), matvec(Rp, pj)
    s = put_linear_column(z, t, body, R, m)
    return R, r, scale6(load(z, v, body.v0), s), twist_zero(z)


@inlined
def constants3(numbers, at):
    return numbers[at], numbers[at + 1], numbers[at + 2]


@inlined
def constants9(numbers, at):
    a, b, c = constants3(numbers, at), constants3(numbers, at + 3), constants3(numbers, at + 6)
    return (a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2])


@inlined
def out_of_plane(W, g, x, y):
    """A twist (w, a, b) of the plane with axes W, seen at the point (x, y) of it."""
    w, a, b = g[0], g[1] - g[0] * y, g[2] + g[0] * x
    return (W[2] * w, W[5] * w, W[8] * w, W[0] * a + W[1] * b, W[3] * a + W[4] * b, W[6] * a + W[7] * b)


@kernel
def place_plane(z, t, i, Rp, q, v, m):
    """Pose, velocity and bias of a joint A · P(q) · B, where P moves in a plane."""
    body = body_at(t, i)
    head, v0 = body.row, body.v0
    joint = JointPlace(body.plane_segment, body.segments, body.nv)
    X, s, h = evaluate_plane(z, t, joint, joint_state(q, body.q0, v, v0, m))
    W = matmul(Rp, constants9(t.numbers, head))
    c, sn, b = X[0], X[1], constants3(t.numbers, head + PLANE_PB)
    x, y = X[2] + c * b[0] - sn * b[1], X[3] + sn * b[0] + c * b[1]
    r = add3(matvec(Rp, constants3(t.numbers, head + PLANE_PA)), matvec(W, (x, y, b[2])))
    turned = (
        c * W[0] + sn * W[1],
        c * W[1] - sn * W[0],
        W[2],
        c * W[3] + sn * W[4],
        c * W[4] - sn * W[3],
        W[5],
        c * W[6] + sn * W[7],
        c * W[7] - sn * W[6],
        W[8],
    )
    column, speed = out_of_plane(W, s, x, y), load(z, v, v0)
    store6(z, m.columns, v0 * COLUMN.size + COLUMN.axis, column)
    R = matmul(turned, constants9(t.numbers, head + PLANE_RB))
    return R, r, scale6(speed, column), scale6(speed * speed, out_of_plane(W, h, x, y))


@inlined
def place_curve(z, t, i, Rp, q, v, m):
    """Pose, velocity and bias of a joint of one coordinate that selects rows of three cubic factors."""
    b = body_at(t, i)
    x = evaluate_curve(z, t, b.segment, joint_state(q, b.q0, v, b.v0, m))
    W, speed = matmul(Rp, x.R), load(z, v, b.v0)
    column, bend = rotated(W, shifted(x.s, x.d)), rotated(W, shifted(x.h, x.d))
    store6(z, m.columns, b.v0 * COLUMN.size + COLUMN.axis, column)
    r = add3(matvec(Rp, x.p), matvec(W, x.d))
    return matmul(W, x.Q), r, scale6(speed, column), scale6(speed * speed, bend)


@kernel
def place_general(z, t, i, Rp, q, v, m):
    """Pose, velocity and bias of any joint."""
    b = body_at(t, i)
    joint = JointPlace(b.segment, b.segments, b.nv)
    R, p, U, Z = evaluate_joint(z, t, joint, joint_state(q, b.q0, v, b.v0, m))
    for k in range(b.nv):
        s = rotated(Rp, shifted(load6(z, m.joint_columns, 6 * k), p))
        store6(z, m.columns, (b.v0 + k) * COLUMN.size + COLUMN.axis, s)
    return matmul(Rp, R), matvec(Rp, p), rotated(Rp, shifted(U, p)), rotated(Rp, shifted(Z, p))


@kernel
def place_following(z, t, i, Rp, q, v, m):
    """Pose, velocity and bias of a joint of which coordinates follow others; their columns go to those velocities."""
    b, f, guests = body_at(t, i), folded_at(t, i), header(t).nv
    gather_joint(z, t, i, q, v, m)
    state = JointState(m.fold.q, 0, m.fold.v, 0, m.joint_columns, m.joint_work)
    R, p, U, Z = evaluate_joint(z, t, JointPlace(b.segment, b.segments, f.nv), state)
    Z = rotated(Rp, shifted(Z, p))
    for k in range(b.v0, b.v0 + b.nv):
        store6(z, m.columns, k * COLUMN.size + COLUMN.axis, twist_zero(z))
    for k in range(guests + f.first_guest, guests + f.first_guest + f.guests):
        store6(z, m.columns, k * COLUMN.size + COLUMN.axis, twist_zero(z))
    for k in range(f.nv):
        s = rotated(Rp, shifted(load6(z, m.joint_columns, 6 * k), p))
        at, follower = t.codes[f.columns + k] * COLUMN.size + COLUMN.axis, -1 - t.codes[f.rates + k]
        if follower >= 0:
            known = follower * FOLLOWER.size
            Z = add_scaled6(Z, load(z, m.fold.followers, known + FOLLOWER.bend), s)
            s = scale6(load(z, m.fold.followers, known + FOLLOWER.slope), s)
        store6(z, m.columns, at, add6(load6(z, m.columns, at), s))
    return matmul(Rp, R), matvec(Rp, p), rotated(Rp, shifted(U, p)), Z


@kernel
def place_folded(z, t, i, Rp, q, v, m):
    """Pose, velocity and bias of any joint, in a model with followers."""
    if body_at(t, i).shape == FOLLOWING:
        return place_following(z, t, i, Rp, q, v, m)
    return place_general(z, t, i, Rp, q, v, m)


@seldom
def place_other(z, t, i, Rp, q, v, m, fold):
    """Pose, velocity and bias of a joint that is not one exponential."""
    shape = body_at(t, i).shape
    if shape == PLANE:
        return place_plane(z, t, i, Rp, q, v, m)
    if shape == CURVE:
        return place_curve(z, t, i, Rp, q, v, m)
    if fold is None:  # decided when compiling
        return place_general(z, t, i, Rp, q, v, m)
    return place_folded(z, t, i, Rp, q, v, m)


@kernel
def place(z, t, q, v, m):
    """Rotation, position, twist and velocity-dependent acceleration of every body, and the columns of its joint."""
    begin(z, t, q, v, m, m.fold)
    slots = m.slots
    place_world(z, slots)
    for i in range(header(t).bodies):
        b = body_at(t, i)
        at, parent = (i + 1) * SLOT.size, b.parent * SLOT.size
        Rp = load9(z, slots, parent + SLOT.rotation)
        if b.shape == LINEAR:
            R, r, u, Z = place_linear(z, t, b, Rp, q, v, m)
        else:
            R, r, u, Z = place_other(z, t, i, Rp, q, v, m, m.fold)
        V = add6(shifted(load6(z, slots, parent + SLOT.twist), r), u)
        store9(z, slots, at + SLOT.rotation, R)
        store3(z, slots, at + SLOT.offset, r)
        store3(z, slots, at + SLOT.position, add3(load3(z, slots, parent + SLOT.position), r))
        store6(z, slots, at + SLOT.twist, V)
        store6(z, slots, at + SLOT.bias, add6(ad(V, u), Z))
