"""Rows of all joints at states of free bodies: across and along, how far they gape, and what their rates must be."""

from ....joints.kernels.child_frame_derivatives import Derivatives, jacobian_and_hessian
from ....joints.kernels.layout import FACTORS, FREE
from ....joints.kernels.product_form import evaluate_joint
from ....joints.kernels.records import JointPlace, JointState, segment_at
from ....numeric import (
    entry,
    finite,
    inlined,
    kernel,
    load,
    pack,
    release,
    scratch,
    select,
    store,
    tables,
    unpack,
    width,
)
from ....spatial.kernels.algebra import (
    add3,
    cross,
    load3,
    load4,
    load6,
    load9,
    matmul,
    matvec,
    quaternion_product,
    quaternion_rotation,
    store3,
    store4,
    sub3,
    transposed_matvec,
)
from ...kernels.rotations import half_turn
from .held_layout import Parts, Scratch, Sizes, held_body
from .orthonormal import split


@kernel
def constants(z, t, at):
    """Three numbers of the tables."""
    return z + t.numbers[at], z + t.numbers[at + 1], z + t.numbers[at + 2]


@kernel
def rotation(z, t, at):
    """Nine numbers of the tables, by rows."""
    a, b, c = constants(z, t, at), constants(z, t, at + 3), constants(z, t, at + 6)
    return a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]


@kernel
def frames(z, t, body, i, n, m):
    """The rotation of M, the levers of its origin from both centres of mass, and the frame F, in world axes."""
    R, p = load9(z, m.x, 9 * i), load3(z, m.x, 9 * n + 3 * i)
    RM, arm = matmul(R, rotation(z, t, body.at)), matvec(R, constants(z, t, body.at + 9))
    RF, pF = rotation(z, t, body.at + 12), constants(z, t, body.at + 21)
    center = (z, z, z)
    if body.parent >= 0:
        Rp, center = load9(z, m.x, 9 * body.parent), load3(z, m.x, 9 * n + 3 * body.parent)
        RF, pF = matmul(Rp, RF), add3(center, matvec(Rp, pF))
    to = add3(p, arm)
    return RM, arm, sub3(to, center), RF, sub3(to, pF)


@kernel
def apart(z, X, RM, RF, away):
    """r of G(q)⁻¹ X_FM = 1 + r: half the difference of the rotation and its inverse, and the shift."""
    shift = transposed_matvec(X.R, sub3(transposed_matvec(RF, away), X.p))
    a = transposed_matvec(X.R, transposed_matvec(RF, (RM[0], RM[3], RM[6])))
    b = transposed_matvec(X.R, transposed_matvec(RF, (RM[1], RM[4], RM[7])))
    c = transposed_matvec(X.R, transposed_matvec(RF, (RM[2], RM[5], RM[8])))
    return 0.5 * (b[2] - c[1]), 0.5 * (c[0] - a[2]), 0.5 * (a[1] - b[0]), shift[0], shift[1], shift[2]


@kernel
def direction(z, m, across, k):
    """Number k of the directions across, or along."""
    if across:
        Q = m.Q
        return (load(z, Q, k), load(z, Q, 6 + k), load(z, Q, 12 + k)), (
            load(z, Q, 18 + k),
            load(z, Q, 24 + k),
            load(z, Q, 30 + k),
        )
    return load3(z, m.back, 6 * k), load3(z, m.back, 6 * k + 3)


@kernel
def put_row(z, m, at, side, g, lever, RM, sign):
    """One row for one body: (a + lever × b, b) with a, b the direction in world axes."""
    if side >= 0:
        a, b = matvec(RM, g[0]), matvec(RM, g[1])
        a = add3(a, cross(lever, b))
        for k in range(3):
            store(z, m.out, at + 6 * side + k, sign * (a[0] if k == 0 else (a[1] if k == 1 else a[2])))
            store(z, m.out, at + 6 * side + 3 + k, sign * (b[0] if k == 0 else (b[1] if k == 1 else b[2])))


@kernel
def dot6(g, r):
    """Of a direction and six numbers."""
    a, b = g
    return a[0] * r[0] + a[1] * r[1] + a[2] * r[2] + b[0] * r[3] + b[1] * r[4] + b[2] * r[5]


@kernel
def moving(z, body, i, n, m, arm, lever, RM):
    """T = C u − P u_parent in the axes of M, and its rate where no body accelerates."""
    u0 = 12 * n
    mine, theirs = load6(z, m.x, u0 + 6 * i), (z, z, z, z, z, z)
    if body.parent >= 0:
        theirs = load6(z, m.x, u0 + 6 * body.parent)
    w, wp = (mine[0], mine[1], mine[2]), (theirs[0], theirs[1], theirs[2])
    turned = cross(w, arm)
    carried = sub3(add3((mine[3], mine[4], mine[5]), turned), (theirs[3], theirs[4], theirs[5]))
    slip = sub3(carried, cross(wp, lever))
    turn = sub3(w, wp)
    spun = cross(turn, w)  # −w × (w − wp)
    slid = sub3(cross(w, sub3(turned, slip)), cross(wp, carried))
    a, b = transposed_matvec(RM, turn), transposed_matvec(RM, slip)
    c, d = transposed_matvec(RM, spun), transposed_matvec(RM, slid)
    return (a[0], a[1], a[2], b[0], b[1], b[2]), (c[0], c[1], c[2], d[0], d[1], d[2])


@kernel
def bias(z, nv, m):
    """Ṡ q̇, with q̇ in m.v."""
    a, b = (z, z, z), (z, z, z)
    for i in range(nv):
        for j in range(nv):
            vv = load(z, m.v, i) * load(z, m.v, j)
            at = 6 * (i * nv + j)
            h, k = load3(z, m.H, at), load3(z, m.H, at + 3)
            a = (a[0] + vv * h[0], a[1] + vv * h[1], a[2] + vv * h[2])
            b = (b[0] + vv * k[0], b[1] + vv * k[1], b[2] + vv * k[2])
    return a[0], a[1], a[2], b[0], b[1], b[2]


@kernel
def rate_rows(z, body, i, size, o, m, placed):
    """Velocities, what rows must become, and how far velocities lag behind without accelerations."""
    RM, arm, lever = placed
    T, drift = moving(z, body, i, size.bodies, m, arm, lever, RM)
    for k in range(body.nv):
        v = dot6(direction(z, m, False, k), T)
        store(z, m.v, k, v)
        store(z, m.out, o.v + body.v + k, v)
    B = bias(z, body.nv, m)
    left = (B[0] - drift[0], B[1] - drift[1], B[2] - drift[2], B[3] - drift[3], B[4] - drift[4], B[5] - drift[5])
    for k in range(body.nv):
        store(z, m.out, o.lag + body.v + k, -dot6(direction(z, m, False, k), left))
    for k in range(6 - body.nv):
        store(z, m.out, o.rate + body.row + k, dot6(direction(z, m, True, body.nv + k), left))


@kernel
def quaternion_moved(z, segment, r, m):
    """The turn of a quaternion (and the shift beside it) by what it is behind, put into m.q."""
    at, k = segment.quaternion_q, segment.quaternion_v
    w = load3(z, r, k)
    unit = load4(z, m.q, at)
    if segment.kind == FREE:
        R = quaternion_rotation(unit[0], unit[1], unit[2], unit[3])
        store3(z, m.q, at + 4, add3(load3(z, m.q, at + 4), matvec(R, load3(z, r, k + 3))))
    store4(z, m.q, at, quaternion_product(unit, half_turn(z, (0.5 * w[0], 0.5 * w[1], 0.5 * w[2]))))


@kernel
def follow(z, t, body, o, m):
    """The joint's coordinates moved by what they are behind; those that are not finite stay."""
    for k in range(body.nv):
        x = load(z, m.out, o.behind + body.v + k)
        store(z, m.v, k, select(finite(x), x, z))
    for k in range(body.plains):
        q, v = t.codes[body.plain + 2 * k], t.codes[body.plain + 2 * k + 1]
        store(z, m.q, q, load(z, m.q, q) + load(z, m.v, v))
    for k in range(body.segments):
        segment = segment_at(t, body.first, k)
        if segment.kind != FACTORS:
            quaternion_moved(z, segment, m.v, m)
    for k in range(body.nq):
        store(z, m.out, o.next + body.q + k, load(z, m.q, k))


@kernel
def one_joint(z, t, i, size, o, m):
    """All rows of one joint."""
    body, n = held_body(t, i), size.bodies
    joint = JointPlace(body.first, body.segments, body.nv)
    for k in range(body.nq):
        store(z, m.q, k, load(z, m.x, 18 * n + body.q + k))
    for k in range(body.nv):
        store(z, m.v, k, z)
    X = evaluate_joint(z, t, joint, JointState(m.q, 0, m.v, 0, m.columns, m.work))
    d = Derivatives(m.S, m.H, m.columns, body.nv)
    jacobian_and_hessian(z, t, joint, JointState(m.q, 0, m.columns, 0, m.S, m.work), d)
    store(z, m.out, o.rank + i, split(z, body.nv, m))
    RM, arm, lever, RF, away = frames(z, t, body, i, n, m)
    r = apart(z, X, RM, RF, away)
    for k in range(body.nv):
        g, at = direction(z, m, False, k), o.along + 6 * n * (body.v + k)
        store(z, m.out, o.behind + body.v + k, dot6(g, r))
        put_row(z, m, at, i, g, arm, RM, 1.0)
        put_row(z, m, at, body.parent, g, lever, RM, -1.0)
    for k in range(6 - body.nv):
        g, at = direction(z, m, True, body.nv + k), o.A + 6 * n * (body.row + k)
        store(z, m.out, o.gap + body.row + k, dot6(g, r))
        put_row(z, m, at, i, g, arm, RM, 1.0)
        put_row(z, m, at, body.parent, g, lever, RM, -1.0)
    if size.rates:
        rate_rows(z, body, i, size, o, m, (RM, arm, lever))
    follow(z, t, body, o, m)


@inlined
def scratch_for(z, size, given, wanted):
    """Scratch of rows, for states of `given` and results of `wanted` numbers; the results are zero."""
    m = Scratch(
        scratch(z, given), scratch(z, wanted), scratch(z, 7), scratch(z, 6), scratch(z, 36), scratch(z, 216),
        scratch(z, 36), scratch(z, size.work), scratch(z, 36), scratch(z, 36), scratch(z, 6), scratch(z, 36),
    )  # fmt: skip
    for k in range(wanted):
        store(z, m.out, k, z)
    return m


@entry
def joint_rows(z, pair, sizes, parts, states, out, start, stop):
    """`Parts` of each row of `states`: R (9), p (3) and u (6) of every body, then q."""
    t = tables(pair)
    size, o = Sizes(*sizes), Parts(*parts)
    m = scratch_for(z, size, states.shape[1], out.shape[1])
    for first in range(start, stop, width(z)):
        pack(z, states, first, stop, m.x)
        for i in range(size.bodies):
            one_joint(z, t, i, size, o, m)
        unpack(z, m.out, out, first, stop)
    release(m)
