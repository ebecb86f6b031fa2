"""The outward pass that every recursion starts with: where bodies are and how they move.

All twists are in world axes at the body's own origin, which is its centre of mass with principal axes: then moving a
twist to the next body is a shift, without a rotation, and a rigid inertia is three moments and a mass. Velocities and
accelerations are those of the body frame, written in world axes: V̇_i = V̇_λ + ad_{V_i} u + Ṡv + S q̈, u = S v.
[LeeTerzopoulos2008, eqs. 11, 14]
"""

from ...joints.kernels.plane_motion import evaluate_plane
from ...joints.kernels.product_form import evaluate_joint
from ...model.kernels.layout import (
    BODIES,
    BODY_SIZE,
    FIRST_BODY,
    IN_PLANE,
    LINEAR,
    PARENT,
    PLANE,
    PLANE_PA,
    PLANE_PB,
    PLANE_RB,
    Q0,
    ROW,
    ROW_G,
    ROW_P,
    ROW_W,
    SEGMENT,
    SEGMENTS,
    SHAPE,
    V0,
    WIDTH,
)
from ...numeric import inlined, kernel, load, sincos
from ...spatial.kernels.algebra import (
    ad,
    add3,
    add6,
    cross,
    halves,
    identity_pose,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    scale6,
    store3,
    store6,
    store9,
    twist_zero,
)
from .layout import AXIS, BIAS, COLUMN, OFFSET, POSITION, ROTATION, SLOT, TWIST

__all__ = ["place", "rotated", "shifted"]


@inlined
def shifted(V, r):
    """A twist seen at a point r further."""
    w, v = halves(V)
    t = add3(v, cross(w, r))
    return (V[0], V[1], V[2], t[0], t[1], t[2])


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
    store9(z, slots, ROTATION, R)
    store3(z, slots, POSITION, p)
    store6(z, slots, TWIST, twist_zero(z))


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
def place_linear(z, codes, numbers, body, Rp, q, v, columns):
    """Pose, velocity and bias of a joint that is one exponential of its coordinate; its column is constant in B."""
    row, v0 = codes[body + ROW], codes[body + V0]
    Rj, pj = linear_pose(numbers, row, load(z, q, codes[body + Q0]))
    R, r = matmul(Rp, Rj), matvec(Rp, pj)
    at = row + ROW_G
    w = matvec(R, (numbers[at], numbers[at + 1], numbers[at + 2]))
    b = matvec(R, (numbers[at + 3], numbers[at + 4], numbers[at + 5]))
    s = (w[0], w[1], w[2], b[0], b[1], b[2])
    store6(z, columns, v0 * COLUMN + AXIS, s)
    return R, r, scale6(load(z, v, v0), s), twist_zero(z)


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
def place_plane(z, codes, numbers, body, Rp, q, v, columns, work):
    """Pose, velocity and bias of a joint A · P(q) · B, where P moves in a plane."""
    head, v0 = codes[body + ROW], codes[body + V0]
    first, count = codes[body + IN_PLANE], codes[body + SEGMENTS]
    X, s, h = evaluate_plane(z, codes, numbers, first, count, q, codes[body + Q0], work)
    W = matmul(Rp, constants9(numbers, head))
    c, sn, b = X[0], X[1], constants3(numbers, head + PLANE_PB)
    x, y = X[2] + c * b[0] - sn * b[1], X[3] + sn * b[0] + c * b[1]
    r = add3(matvec(Rp, constants3(numbers, head + PLANE_PA)), matvec(W, (x, y, b[2])))
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
    store6(z, columns, v0 * COLUMN + AXIS, column)
    R = matmul(turned, constants9(numbers, head + PLANE_RB))
    return R, r, scale6(speed, column), scale6(speed * speed, out_of_plane(W, h, x, y))


@kernel
def place_general(z, codes, numbers, body, Rp, q, v, columns, local, work):
    """Pose, velocity and bias of any joint."""
    v0, nv, q0 = codes[body + V0], codes[body + WIDTH], codes[body + Q0]
    first, count = codes[body + SEGMENT], codes[body + SEGMENTS]
    R, p, U, Z = evaluate_joint(z, codes, numbers, first, count, nv, q, q0, v, v0, local, 0, work)
    for k in range(nv):
        store6(z, columns, (v0 + k) * COLUMN + AXIS, rotated(Rp, shifted(load6(z, local, 6 * k), p)))
    return matmul(Rp, R), matvec(Rp, p), rotated(Rp, shifted(U, p)), rotated(Rp, shifted(Z, p))


@kernel
def place(z, codes, numbers, q, v, slots, columns, local, work):
    """Rotation, position, twist and velocity-dependent acceleration of every body, and the columns of its joint."""
    place_world(z, slots)
    body = codes[FIRST_BODY]
    for i in range(codes[BODIES]):
        at, parent = (i + 1) * SLOT, codes[body + PARENT] * SLOT
        Rp = load9(z, slots, parent + ROTATION)
        if codes[body + SHAPE] == LINEAR:
            R, r, u, Z = place_linear(z, codes, numbers, body, Rp, q, v, columns)
        elif codes[body + SHAPE] == PLANE:
            R, r, u, Z = place_plane(z, codes, numbers, body, Rp, q, v, columns, work)
        else:
            R, r, u, Z = place_general(z, codes, numbers, body, Rp, q, v, columns, local, work)
        V = add6(shifted(load6(z, slots, parent + TWIST), r), u)
        store9(z, slots, at + ROTATION, R)
        store3(z, slots, at + OFFSET, r)
        store3(z, slots, at + POSITION, add3(load3(z, slots, parent + POSITION), r))
        store6(z, slots, at + TWIST, V)
        store6(z, slots, at + BIAS, add6(ad(V, u), Z))
        body += BODY_SIZE
