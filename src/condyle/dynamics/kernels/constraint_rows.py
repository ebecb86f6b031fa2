"""Rows of constraints: how far each is from holding, its Jacobian J, and the second rate of the gap.

They are read after `forward` has run: slots hold poses, twists V and accelerations V̇ of all bodies (less gravity, which
differences do not see). A material point x of a body at the arm r has ẋ = v + ω × r and ẍ = v̇ + α × r + ω × ẋ, with v̇
the rate in body axes.
"""

from ...joints.kernels.product_form import evaluate_joint
from ...model.kernels.layout import (
    BODY_A,
    BODY_B,
    BODY_SIZE,
    CONSTRAINT_ROWS,
    CONSTRAINT_SIZE,
    CONSTRAINTS,
    CONTACT,
    CONTACTS,
    COUPLE,
    COUPLED_Q,
    COUPLED_V,
    FIRST_BODY,
    FIRST_CONSTRAINT,
    FIRST_ROW,
    FRAME_SIZE,
    FRAMES,
    KIND,
    NV,
    OTHER_Q,
    OTHER_V,
    OTHERS,
    PARENT,
    POINT,
    Q0,
    ROLLER,
    ROWS,
    SEGMENT,
    SEGMENTS,
    SLIDE,
    SLIDES,
    TANGENTS,
    V0,
    WELD,
    WIDTH,
)
from ...numeric import inlined, kernel, less, load, select, sqrt, store
from ...spatial.kernels.algebra import (
    add3,
    cross,
    dot3,
    halves,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    scale3,
    store3,
    sub3,
)
from .constraint_scratch import GAP, JACOBIAN, SECOND
from .layout import AXIS, COLUMN, FORCE, POSITION, ROTATION, SLOT, TWIST
from .outward_pass import shifted
from .scratch import COLUMNS, LOCAL, SLOTS, SPARE

__all__ = ["constraint_rows"]


@inlined
def framed(z, numbers, at, slots, slot):
    """Rotation and origin of a body's frame, its angular acceleration and the acceleration of its origin."""
    base = slot * SLOT
    R = load9(z, slots, base + ROTATION)
    r = matvec(R, (numbers[at + 9], numbers[at + 10], numbers[at + 11]))
    w, v = halves(load6(z, slots, base + TWIST))
    alpha, a = halves(load6(z, slots, base + FORCE))
    second = add3(add3(a, cross(alpha, r)), cross(w, add3(v, cross(w, r))))
    return matmul(R, load9(z, numbers, at)), add3(load3(z, slots, base + POSITION), r), alpha, second


@kernel
def turned(z, R):
    """A vector along the axis of a rotation, 2 sin(θ/2) long: the rotation vector when it is small, never 0 at a half
    turn."""
    axial = (0.5 * (R[7] - R[5]), 0.5 * (R[2] - R[6]), 0.5 * (R[3] - R[1]))  # sin θ n
    c = 0.5 * (R[0] + R[4] + R[8] - 1.0)
    if less(-0.5, c):
        return scale3(1.0 / sqrt(0.5 * (1.0 + c)), axial)
    x, y, u = R[0] - c, R[4] - c, R[8] - c  # (1 − c) n nᵀ = (R + Rᵀ)/2 − c I, its column with the largest diagonal
    n = (x, 0.5 * (R[1] + R[3]), 0.5 * (R[2] + R[6]))
    if less(x, y) and less(u, y):
        n = (0.5 * (R[1] + R[3]), y, 0.5 * (R[5] + R[7]))
    elif less(x, u):
        n = (0.5 * (R[2] + R[6]), 0.5 * (R[5] + R[7]), u)
    k = sqrt(2.0 * (1.0 - c)) / sqrt(dot3(n, n))
    return scale3(select(less(dot3(n, axial), 0.0), -k, k), n)


@inlined
def accumulate(z, J, nv, row, k, sign, a):
    """Add ± a vector to column k of three rows."""
    for i in range(3):
        at = (row + i) * nv + k
        store(z, J, at, load(z, J, at) + sign * a[i])


@kernel
def add_body(z, codes, slots, columns, slot, x, sign, row, turning, J):
    """Add ± the velocity of a body's point at x, after its angular velocity if `turning`, to the rows from `row` on."""
    nv = codes[NV]
    while slot > 0:
        body = codes[FIRST_BODY] + (slot - 1) * BODY_SIZE
        r = sub3(x, load3(z, slots, slot * SLOT + POSITION))
        for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
            w, v = halves(shifted(load6(z, columns, k * COLUMN + AXIS), r))
            if turning:
                accumulate(z, J, nv, row, k, sign, w)
                accumulate(z, J, nv, row + 3, k, sign, v)
            else:
                accumulate(z, J, nv, row, k, sign, v)
        slot = codes[body + PARENT]


@kernel
def loop_rows(z, codes, numbers, record, slots, columns, c):
    """A point or frame of body a on that of body b, in world axes: turn (frames only), then displacement."""
    row, frames, turning = codes[record + FIRST_ROW], codes[record + FRAMES], codes[record + KIND] == WELD
    a, b = codes[record + BODY_A], codes[record + BODY_B]
    R, x, alpha, second = framed(z, numbers, frames, slots, a)
    Q, y, beta, other = framed(z, numbers, frames + FRAME_SIZE, slots, b)
    add_body(z, codes, slots, columns, a, x, 1.0, row, turning, c[JACOBIAN])
    add_body(z, codes, slots, columns, b, y, -1.0, row, turning, c[JACOBIAN])
    if turning:
        gap = turned(z, matmul(R, (Q[0], Q[3], Q[6], Q[1], Q[4], Q[7], Q[2], Q[5], Q[8])))
        store3(z, c[GAP], row, gap)
        store3(z, c[SECOND], row, sub3(alpha, beta))
        row += 3
    store3(z, c[GAP], row, sub3(x, y))
    store3(z, c[SECOND], row, sub3(second, other))


@kernel
def couple_rows(z, codes, numbers, record, q, v, acceleration, m, c):
    """A coordinate less a function of others; the function is the place of a slide along x."""
    k, other, span = codes[record + COUPLED_V], codes[record + OTHER_V], codes[record + OTHERS]
    first, count, local = codes[record + SLIDE], codes[record + SLIDES], m[LOCAL]
    _, p, _, Z = evaluate_joint(
        z, codes, numbers, first, count, span, q, codes[record + OTHER_Q], v, other, local, 0, m[SPARE]
    )
    row = codes[record + FIRST_ROW]
    start, second = row * codes[NV], load(z, acceleration, k) - Z[3]
    for i in range(span):
        slope = load(z, local, 6 * i + 3)
        store(z, c[JACOBIAN], start + other + i, -slope)
        second = second - slope * load(z, acceleration, other + i)
    store(z, c[JACOBIAN], start + k, z + 1.0)
    store(z, c[GAP], row, load(z, q, codes[record + COUPLED_Q]) - p[0])
    store(z, c[SECOND], row, second)


@inlined
def axis_of(R, k):
    """Column k of a rotation."""
    if k == 0:
        return (R[0], R[3], R[6])
    if k == 1:
        return (R[1], R[4], R[7])
    return (R[2], R[5], R[8])


@kernel
def roll_rows(z, codes, numbers, record, q, v, acceleration, m, c):
    """The relative velocity of two material points at a contact p, along tangents e of the contact frame.

    In the parent's frame, with U the joint's spatial velocity: g = U_v + U_ω × p, d/dt (e·g) = e·ġ + ė·g,
    ġ = (S a + Z)_v + (S a + Z)_ω × p + U_ω × ṗ.
    """
    body, row, nv = codes[record + ROLLER], codes[record + FIRST_ROW], codes[NV]
    q0, v0, width, local, work = codes[body + Q0], codes[body + V0], codes[body + WIDTH], m[LOCAL], m[SPARE]
    first, count = codes[record + CONTACT], codes[record + CONTACTS]
    R, p, C, _ = evaluate_joint(z, codes, numbers, first, count, width, q, q0, v, v0, local, 0, work)
    first, count = codes[body + SEGMENT], codes[body + SEGMENTS]
    _, _, U, Z = evaluate_joint(z, codes, numbers, first, count, width, q, q0, v, v0, local, 0, work)
    _, g = halves(shifted(U, p))
    _, rate = halves(shifted(Z, p))
    spin, _ = halves(C)
    _, moving = halves(shifted(C, p))
    rate = add3(rate, cross((U[0], U[1], U[2]), moving))
    for i in range(codes[record + ROWS]):
        e = axis_of(R, codes[record + TANGENTS + i])
        second = dot3(e, rate) + dot3(cross(spin, e), g)
        for k in range(width):
            _, s = halves(shifted(load6(z, local, 6 * k), p))
            along = dot3(e, s)
            store(z, c[JACOBIAN], (row + i) * nv + v0 + k, along)
            second = second + along * load(z, acceleration, v0 + k)
        store(z, c[GAP], row + i, z)
        store(z, c[SECOND], row + i, second)


@kernel
def constraint_rows(z, codes, numbers, q, v, acceleration, m, c):
    """All rows of J, gaps and second rates at accelerations that `forward` has just given."""
    for k in range(codes[CONSTRAINT_ROWS] * codes[NV]):
        store(z, c[JACOBIAN], k, z)
    record = codes[FIRST_CONSTRAINT]
    for _ in range(codes[CONSTRAINTS]):
        kind = codes[record + KIND]
        if kind in (POINT, WELD):
            loop_rows(z, codes, numbers, record, m[SLOTS], m[COLUMNS], c)
        elif kind == COUPLE:
            couple_rows(z, codes, numbers, record, q, v, acceleration, m, c)
        else:
            roll_rows(z, codes, numbers, record, q, v, acceleration, m, c)
        record += CONSTRAINT_SIZE
