"""One kernel for every joint: pose, Jacobian and bias of a product of exponentials.

In the parent's frame the sums of equations 27-31 need no transport: with X the product of the factors so far and
ĝ = Ad_X g, the spatial columns are s_i = Σ ĝ_k ∂φ_k/∂q_i, the spatial velocity U = Σ ĝ_k φ̇_k and the bias
Ṡv = Σ (ad_U ĝ_k φ̇_k + ĝ_k φ̈_k), φ̈ at constant rates.  [LeeTerzopoulos2008, eqs. 26-31]
"""

from typing import Any, NamedTuple

from ...numeric import (
    arctan,
    floor,
    gather,
    gather4,
    inlined,
    kernel,
    less,
    load,
    locate,
    row_start,
    select,
    sincos,
    store,
)
from ...spatial.kernels.algebra import (
    ad,
    add3,
    add6,
    add_scaled6,
    cross,
    exponential,
    identity_pose,
    load6,
    matvec,
    multiply,
    quaternion_rotation,
    scale6,
    store6,
    twist_zero,
)
from .layout import CENTERS, ELLIPSE, FACTOR_HEAD, FACTORS, FREE, POLYNOMIAL, POSE, TERM_SIZE
from .records import axis_at, reader_at, segment_at, term_at


class JointMotion(NamedTuple):
    """Pose (R, p), spatial velocity U and bias Z = Ṡv of a joint, in the parent's frame."""

    R: Any
    p: Any
    U: Any
    Z: Any


@inlined
def transformed(R, p, n, w, v):
    """Ad_X g for g = (w n, v)."""
    a = matvec(R, (w * n[0], w * n[1], w * n[2]))
    b = add3(cross(p, a), matvec(R, v))
    return (a[0], a[1], a[2], b[0], b[1], b[2])


@inlined
def gather_pose(numbers, row):
    """The constant pose H of a row."""
    a, b, c = gather4(numbers, row, POSE), gather4(numbers, row, POSE + 4), gather4(numbers, row, POSE + 8)
    return (a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[0]), (c[1], c[2], c[3])


@inlined
def gather_factor(numbers, row, at):
    """The axis, rate, linear part and inverse rate of a factor's twist."""
    a, b = gather4(numbers, row, at), gather4(numbers, row, at + 4)
    return (a[0], a[1], a[2]), a[3], (b[0], b[1], b[2]), b[3]


@inlined
def cubic(numbers, row, at, u):
    """A polynomial of four coefficients with its first two derivatives."""
    a, b, c, d = gather4(numbers, row, at)
    return a + u * (b + u * (c + u * d)), b + u * (2.0 * c + u * (3.0 * d)), 2.0 * c + u * (6.0 * d)


@kernel
def polynomial(numbers, row, at, order, u):
    """A polynomial of any order with its first two derivatives, by Horner's rule."""
    f = 0.0 * u + gather(numbers, row, at + order - 1)
    d, e = 0.0 * f, 0.0 * f
    for k in range(order - 2, -1, -1):
        e = e * u + d
        d = d * u + f
        f = f * u + gather(numbers, row, at + k)
    return f, d, 2.0 * e


@inlined
def sinusoid(numbers, row, at, x):
    """c0 + c1 sin(c2 q + c3) with its first two derivatives."""
    offset, amplitude, rate, phase = gather4(numbers, row, at)
    s, c = sincos(rate * x + phase)
    k = amplitude * rate
    return offset + amplitude * s, k * c, -k * rate * s


@inlined
def ellipse(numbers, row, at, x):
    """The tangent angle atan2(b sin q, a cos q), continued past π.  [LeeTerzopoulos2008, eq. 18]"""
    a, b, _, _ = gather4(numbers, row, at)
    s, c = sincos(x)
    ac, bs = a * c, b * s
    D = ac * ac + bs * bs
    f = x + arctan((b - a) * s * c / (ac * c + bs * s))
    d = a * b / D
    return f, d, -2.0 * d * (b * b - a * a) * s * c / D


@inlined
def local_variable(z, term, s):
    """A term's coordinate, less its row's centre where the grid has it."""
    if term.axis < 0:
        return load(z, s.q, s.q0 + term.q)
    return load(z, s.work, term.axis)


@inlined
def scalar_function(numbers, row, at, code, order, x):
    """φ, φ' and φ'' of a function of one coordinate."""
    if code == POLYNOMIAL:
        if order == 4:
            return cubic(numbers, row, at, x)
        return polynomial(numbers, row, at, order, x)
    if code == ELLIPSE:
        return ellipse(numbers, row, at, x)
    return sinusoid(numbers, row, at, x)


@kernel
def powers(z, t, readers, count, s, at):
    """u^i, its first and second derivative for every reader, 3 × order numbers each, from work[at]."""
    for r in range(count):
        reader = reader_at(t, readers, r)
        order = reader.order
        u = load(z, s.q, s.q0 + reader.q) if reader.axis < 0 else load(z, s.work, reader.axis)
        f, d, e = z + 1.0, z, z
        for i in range(order):
            store(z, s.work, at + i, f)
            store(z, s.work, at + order + i, d)
            store(z, s.work, at + 2 * order + i, e)
            e = e * u + 2.0 * d
            d = d * u + f
            f = f * u
        at += 3 * order


@kernel
def monomial(z, t, term, work, at, k, i, j):
    """Coefficient k's product of powers, differentiated by coordinates i and j (none if −1)."""
    f = term_at(t, term)
    out = z + 1.0
    for r in range(f.dimensions - 1, -1, -1):
        order = reader_at(t, f.first_reader, r).order
        derivatives = (1 if r == i else 0) + (1 if r == j else 0)
        begin = at
        for b in range(r):
            begin += 3 * reader_at(t, f.first_reader, b).order
        out = out * load(z, work, begin + derivatives * order + k % order)
        k //= order
    return out


@kernel
def term_jet(z, t, term, row, s, at):
    """φ, ∂_i φ and ∂_i ∂_j φ of a polynomial in n coordinates, to work[at : at + 1 + n + n²]."""
    f = term_at(t, term)
    n, work = f.dimensions, s.work
    size = 1 + n + n * n
    basis = at + size
    powers(z, t, f.first_reader, n, s, basis)
    for k in range(size):
        store(z, work, at + k, z)
    total = 1
    for r in range(n):
        total *= reader_at(t, f.first_reader, r).order
    for k in range(total):
        c = gather(t.numbers, row, f.at + FACTOR_HEAD + k)
        for i in range(-1, n):
            for j in range(-1, i + 1):
                value = c * monomial(z, t, term, work, basis, k, i, j)
                spot = at + (0 if i < 0 else (1 + i if j < 0 else 1 + n + i * n + j))
                store(z, work, spot, load(z, work, spot) + value)
    for i in range(n):
        for j in range(i):
            store(z, work, at + 1 + n + j * n + i, load(z, work, at + 1 + n + i * n + j))


@inlined
def add_column(z, columns, k, g, slope):
    """Add ĝ ∂φ to the column at position k."""
    store6(z, columns, k, add_scaled6(load6(z, columns, k), slope, g))


@kernel
def several(z, t, term, g, s):
    """The rates φ̇ and φ̈ (at constant velocities) of a function with its jet at work[CENTERS]; columns updated."""
    f = term_at(t, term)
    n, work, at = f.dimensions, s.work, CENTERS
    rate, bend = z, z
    for i in range(n):
        a = reader_at(t, f.first_reader, i).v
        slope, speed = load(z, work, at + 1 + i), load(z, s.v, s.v0 + a)
        add_column(z, s.columns, 6 * a, g, slope)
        rate = rate + slope * speed
        for j in range(n):
            b = reader_at(t, f.first_reader, j).v
            bend = bend + load(z, work, at + 1 + n + i * n + j) * speed * load(z, s.v, s.v0 + b)
    return rate, bend


@kernel
def factors(z, t, terms, row, first, X, s):
    """Multiply a motion by one row: H and then each exponential; `terms` is (position of the first, count)."""
    R, p, U, Z = X
    Q, c = gather_pose(t.numbers, row)
    if first:  # the first H needs no multiplication by the identity
        R = (z + Q[0], z + Q[1], z + Q[2], z + Q[3], z + Q[4], z + Q[5], z + Q[6], z + Q[7], z + Q[8])
        p = (z + c[0], z + c[1], z + c[2])
    else:
        R, p = multiply(R, p, Q, c)
    at, count = terms
    for _ in range(count):
        term = term_at(t, at)
        n, w, b, iw = gather_factor(t.numbers, row, term.at)
        g = transformed(R, p, n, w, b)
        if term.dimensions == 1:
            x = local_variable(z, term, s)
            phi, slope, bend = scalar_function(t.numbers, row, term.at + FACTOR_HEAD, term.code, term.order, x)
            speed = load(z, s.v, s.v0 + term.v)
            add_column(z, s.columns, 6 * term.v, g, slope)
            rate, bend = slope * speed, bend * speed * speed
        else:
            term_jet(z, t, at, row, s, CENTERS)
            rate, bend = several(z, t, at, g, s)
            phi = load(z, s.work, CENTERS)
        Z = add6(Z, add6(scale6(rate, ad(U, g)), scale6(bend, g)))
        U = add_scaled6(U, rate, g)
        if term.turns:
            Q, c = exponential(n, w, b, iw, phi)
            R, p = multiply(R, p, Q, c)
        else:
            p = (p[0] + phi * g[3], p[1] + phi * g[4], p[2] + phi * g[5])
        at += TERM_SIZE
    return JointMotion(R, p, U, Z)


@inlined
def axis_span(z, t, axis, k, s):
    """The span of axis k; its coordinate, wrapped if periodic, goes to work[k]."""
    first, count = axis.breaks, axis.count
    x = load(z, s.q, s.q0 + axis.q)
    place = x
    if axis.periodic:
        low, high = t.numbers[first], t.numbers[first + count - 1]
        period = high - low
        x = x - period * floor((x - low) * (1.0 / period))
        # by round-off it may lie just outside the period: the first and the last row go on there, continuations do not
        place = select(less(x, low), low + 0.0 * x, x)
        place = select(less(place, high), place, 0.5 * (t.numbers[first + count - 2] + high) + 0.0 * x)
    store(z, s.work, k, x)
    return locate(place, t.numbers, t.codes, first, count, axis.buckets, axis.size)


@kernel
def look_up(z, t, first, k, s):
    """Where the row begins that the coordinates of segment k select."""
    segment = segment_at(t, first, k)
    cell = axis_span(z, t, axis_at(t, segment.first_axis, 0), 0, s)
    for i in range(1, segment.axes):
        axis = axis_at(t, segment.first_axis, i)
        cell = row_start(cell, axis.count + 1, axis_span(z, t, axis, i, s))
    return row_start(cell, segment.stride, segment.rows)


@inlined
def subtract_centers(z, t, axes, row, work):
    """Subtract the row's centres from the coordinates that selected it."""
    for k in range(axes):
        store(z, work, k, load(z, work, k) - gather(t.numbers, row, k))


@kernel
def quaternion(z, segment, X, s):
    """Multiply a motion by a unit quaternion, and a translation before it if free; velocities are the child's own."""
    R, p, U, Z = X
    q0, v0, c0 = s.q0 + segment.quaternion_q, s.v0 + segment.quaternion_v, 6 * segment.quaternion_v
    q, v, columns, free = s.q, s.v, s.columns, segment.kind == FREE
    if free:
        p = add3(p, matvec(R, (load(z, q, q0 + 4), load(z, q, q0 + 5), load(z, q, q0 + 6))))
    Q = quaternion_rotation(load(z, q, q0), load(z, q, q0 + 1), load(z, q, q0 + 2), load(z, q, q0 + 3))
    R, p = multiply(R, p, Q, (z, z, z))
    D = twist_zero(z)
    for i in range(3):
        e = (R[0], R[3], R[6]) if i == 0 else ((R[1], R[4], R[7]) if i == 1 else (R[2], R[5], R[8]))
        c = cross(p, e)
        g = (e[0], e[1], e[2], c[0], c[1], c[2])
        store6(z, columns, c0 + 6 * i, g)
        D = add_scaled6(D, load(z, v, v0 + i), g)
        if free:
            h = (z, z, z, e[0], e[1], e[2])
            store6(z, columns, c0 + 18 + 6 * i, h)
            D = add_scaled6(D, load(z, v, v0 + 3 + i), h)
    return JointMotion(R, p, add6(U, D), add6(Z, ad(U, D)))


@kernel
def evaluate_joint(z, t, joint, s):
    """The motion of a joint in the parent's frame; its columns go to s.columns."""
    for k in range(6 * joint.nv):
        store(z, s.columns, k, z)
    R, p = identity_pose(z)
    X = JointMotion(R, p, twist_zero(z), twist_zero(z))
    for k in range(joint.segments):
        segment = segment_at(t, joint.first, k)
        terms = segment.first_term, segment.terms
        if segment.kind != FACTORS:
            X = quaternion(z, segment, X, s)
        elif segment.axes == 0:
            X = factors(z, t, terms, segment.rows, k == 0, X, s)
        else:
            row = look_up(z, t, joint.first, k, s)
            subtract_centers(z, t, segment.axes, row, s.work)
            X = factors(z, t, terms, row, k == 0, X, s)
    return X
