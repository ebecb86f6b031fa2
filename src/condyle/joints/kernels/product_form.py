"""One kernel for every joint: pose, Jacobian and bias of a product of exponentials.

In the parent's frame the sums of equations 27-31 need no transport: with X the product of the factors so far and
ĝ = Ad_X g, the spatial columns are s_i = Σ ĝ_k ∂φ_k/∂q_i, the spatial velocity U = Σ ĝ_k φ̇_k and the bias
Ṡv = Σ (ad_U ĝ_k φ̇_k + ĝ_k φ̈_k), φ̈ at constant rates.  [LeeTerzopoulos2008, eqs. 26-31]
"""

from ...numeric import arctan, floor, gather, gather4, inlined, kernel, load, locate, row_start, sincos, store
from ...spatial.kernels.algebra import (
    ad,
    add3,
    add6,
    cross,
    exponential,
    identity_pose,
    load6,
    matvec,
    multiply,
    quaternion_rotation,
    scale6,
    store6,
    times6,
    twist_zero,
)
from .layout import (
    AT,
    AXES,
    AXIS,
    AXIS_SIZE,
    BASE,
    BREAKS,
    BUCKETS,
    CENTERS,
    CODE,
    COUNT,
    DIMENSIONS,
    ELLIPSE,
    FACTOR_HEAD,
    FACTORS,
    FIRST_AXIS,
    FIRST_READER,
    FIRST_TERM,
    FREE,
    KIND,
    LOOKED_UP,
    ORDER,
    PERIODIC,
    POLYNOMIAL,
    POSE,
    Q_INDEX,
    READ_AXIS,
    READ_ORDER,
    READ_Q,
    READ_V,
    READER_SIZE,
    ROWS,
    SEGMENT_SIZE,
    SIZE,
    SPLIT,
    STRIDE,
    TERM_SIZE,
    TERMS,
    TURNS,
    V_INDEX,
)

__all__ = [
    "centred",
    "evaluate_joint",
    "gather_factor",
    "gather_pose",
    "local_variable",
    "look_up",
    "scalar_function",
    "term_jet",
    "transformed",
]


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
def local_variable(z, codes, term, q, q0, work):
    """A term's coordinate, less its row's centre where the grid has it."""
    axis = codes[term + AXIS]
    if axis < 0:
        return load(z, q, q0 + codes[term + Q_INDEX])
    return load(z, work, axis)


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
def powers(z, codes, readers, count, q, q0, work, at):
    """u^i, its first and second derivative for every reader, 3 × order numbers each, from work[at]."""
    for r in range(count):
        reader = readers + r * READER_SIZE
        axis, order = codes[reader + READ_AXIS], codes[reader + READ_ORDER]
        u = load(z, q, q0 + codes[reader + READ_Q]) if axis < 0 else load(z, work, axis)
        f, d, e = z + 1.0, z, z
        for i in range(order):
            store(z, work, at + i, f)
            store(z, work, at + order + i, d)
            store(z, work, at + 2 * order + i, e)
            e = e * u + 2.0 * d
            d = d * u + f
            f = f * u
        at += 3 * order
    return at


@kernel
def monomial(z, codes, readers, count, work, at, k, i, j):
    """Coefficient k's product of powers, differentiated by coordinates i and j (none if −1)."""
    out = z + 1.0
    for r in range(count - 1, -1, -1):
        order = codes[readers + r * READER_SIZE + READ_ORDER]
        derivatives = (1 if r == i else 0) + (1 if r == j else 0)
        begin = at
        for b in range(r):
            begin += 3 * codes[readers + b * READER_SIZE + READ_ORDER]
        out = out * load(z, work, begin + derivatives * order + k % order)
        k //= order
    return out


@kernel
def term_jet(z, codes, numbers, row, term, q, q0, work, at):
    """φ, ∂_i φ and ∂_i ∂_j φ of a polynomial in n coordinates, to work[at : at + 1 + n + n²]."""
    n, readers = codes[term + DIMENSIONS], codes[term + FIRST_READER]
    constants = codes[term + AT] + FACTOR_HEAD
    size = 1 + n + n * n
    basis = at + size
    powers(z, codes, readers, n, q, q0, work, basis)
    for s in range(size):
        store(z, work, at + s, z)
    total = 1
    for r in range(n):
        total *= codes[readers + r * READER_SIZE + READ_ORDER]
    for k in range(total):
        c = gather(numbers, row, constants + k)
        for i in range(-1, n):
            for j in range(-1, i + 1):
                value = c * monomial(z, codes, readers, n, work, basis, k, i, j)
                spot = at + (0 if i < 0 else (1 + i if j < 0 else 1 + n + i * n + j))
                store(z, work, spot, load(z, work, spot) + value)
    for i in range(n):
        for j in range(i):
            store(z, work, at + 1 + n + j * n + i, load(z, work, at + 1 + n + i * n + j))


@inlined
def accumulate(z, columns, k, g, slope):
    """Add ĝ ∂φ to the column at position k."""
    store6(z, columns, k, times6(load6(z, columns, k), slope, g))


@kernel
def several(z, codes, term, v, v0, columns, c0, g, work, at):
    """The rates φ̇ and φ̈ (at constant velocities) of a function with its jet at work[at]; columns updated."""
    n, readers = codes[term + DIMENSIONS], codes[term + FIRST_READER]
    rate, bend = z, z
    for i in range(n):
        a = codes[readers + i * READER_SIZE + READ_V]
        slope, speed = load(z, work, at + 1 + i), load(z, v, v0 + a)
        accumulate(z, columns, c0 + 6 * a, g, slope)
        rate = rate + slope * speed
        for j in range(n):
            b = codes[readers + j * READER_SIZE + READ_V]
            bend = bend + load(z, work, at + 1 + n + i * n + j) * speed * load(z, v, v0 + b)
    return rate, bend


@kernel
def factors(z, codes, numbers, segment, row, first, R, p, U, Z, q, q0, v, v0, columns, c0, work):
    """Multiply a pose by one row: H and then each exponential."""
    Q, t = gather_pose(numbers, row)
    if first:  # the first H needs no multiplication by the identity
        R = (z + Q[0], z + Q[1], z + Q[2], z + Q[3], z + Q[4], z + Q[5], z + Q[6], z + Q[7], z + Q[8])
        p = (z + t[0], z + t[1], z + t[2])
    else:
        R, p = multiply(R, p, Q, t)
    term = codes[segment + FIRST_TERM]
    for _ in range(codes[segment + TERMS]):
        at = codes[term + AT]
        n, w, b, iw = gather_factor(numbers, row, at)
        g = transformed(R, p, n, w, b)
        if codes[term + DIMENSIONS] == 1:
            a = codes[term + V_INDEX]
            x = local_variable(z, codes, term, q, q0, work)
            phi, slope, bend = scalar_function(
                numbers, row, at + FACTOR_HEAD, codes[term + CODE], codes[term + ORDER], x
            )
            speed = load(z, v, v0 + a)
            accumulate(z, columns, c0 + 6 * a, g, slope)
            rate, bend = slope * speed, bend * speed * speed
        else:
            term_jet(z, codes, numbers, row, term, q, q0, work, CENTERS)
            rate, bend = several(z, codes, term, v, v0, columns, c0, g, work, CENTERS)
            phi = load(z, work, CENTERS)
        Z = add6(Z, add6(scale6(rate, ad(U, g)), scale6(bend, g)))
        U = times6(U, rate, g)
        if codes[term + TURNS]:
            Q, t = exponential(n, w, b, iw, phi)
            R, p = multiply(R, p, Q, t)
        else:
            p = (p[0] + phi * g[3], p[1] + phi * g[4], p[2] + phi * g[5])
        term += TERM_SIZE
    return R, p, U, Z


@inlined
def axis_span(z, codes, numbers, axis, k, q, q0, work):
    """The span of axis k; its coordinate, wrapped if periodic, goes to work[k]."""
    first, count = codes[axis + BREAKS], codes[axis + COUNT]
    x = load(z, q, q0 + codes[axis + LOOKED_UP])
    if codes[axis + PERIODIC]:
        period = numbers[first + count - 1] - numbers[first]
        x = x - period * floor((x - numbers[first]) * (1.0 / period))
    store(z, work, k, x)
    return locate(x, numbers, codes, first, count, codes[axis + BUCKETS], codes[axis + SIZE])


@kernel
def look_up(z, codes, numbers, segment, q, q0, work):
    """Where the row begins that a segment's coordinates select."""
    axis = codes[segment + FIRST_AXIS]
    cell = axis_span(z, codes, numbers, axis, 0, q, q0, work)
    for k in range(1, codes[segment + AXES]):
        axis += AXIS_SIZE
        cell = row_start(cell, codes[axis + COUNT] + 1, axis_span(z, codes, numbers, axis, k, q, q0, work))
    return row_start(cell, codes[segment + STRIDE], codes[segment + ROWS])


@inlined
def centred(z, codes, numbers, segment, row, work):
    """Take the row's centres off the coordinates that selected it."""
    for k in range(codes[segment + AXES]):
        store(z, work, k, load(z, work, k) - gather(numbers, row, k))


@kernel
def quaternion(z, codes, segment, R, p, U, Z, q, q0, v, v0, columns, c0):
    """Multiply a pose by a unit quaternion, and a translation before it if free; velocities are the child's own."""
    base = codes[segment + BASE]
    q0, v0, c0 = q0 + base // SPLIT, v0 + base % SPLIT, c0 + 6 * (base % SPLIT)
    free = codes[segment + KIND] == FREE
    if free:
        p = add3(p, matvec(R, (load(z, q, q0 + 4), load(z, q, q0 + 5), load(z, q, q0 + 6))))
    Q = quaternion_rotation(load(z, q, q0), load(z, q, q0 + 1), load(z, q, q0 + 2), load(z, q, q0 + 3))
    R, p = multiply(R, p, Q, (z, z, z))
    D = twist_zero(z)
    for i in range(3):
        e = (R[0], R[3], R[6]) if i == 0 else ((R[1], R[4], R[7]) if i == 1 else (R[2], R[5], R[8]))
        t = cross(p, e)
        g = (e[0], e[1], e[2], t[0], t[1], t[2])
        store6(z, columns, c0 + 6 * i, g)
        D = times6(D, load(z, v, v0 + i), g)
        if free:
            h = (z, z, z, e[0], e[1], e[2])
            store6(z, columns, c0 + 18 + 6 * i, h)
            D = times6(D, load(z, v, v0 + 3 + i), h)
    return R, p, add6(U, D), add6(Z, ad(U, D))


@kernel
def evaluate_joint(z, codes, numbers, segment, segments, nv, q, q0, v, v0, columns, c0, work):
    """Pose (R, p), velocity U and bias Z = Ṡv of a joint, in the parent's frame; its columns go to columns[c0 …]."""
    for k in range(6 * nv):
        store(z, columns, c0 + k, z)
    R, p = identity_pose(z)
    U, Z = twist_zero(z), twist_zero(z)
    for s in range(segments):
        if codes[segment + KIND] != FACTORS:
            R, p, U, Z = quaternion(z, codes, segment, R, p, U, Z, q, q0, v, v0, columns, c0)
        elif codes[segment + AXES] == 0:
            one = codes[segment + ROWS]
            R, p, U, Z = factors(z, codes, numbers, segment, one, s == 0, R, p, U, Z, q, q0, v, v0, columns, c0, work)
        else:
            row = look_up(z, codes, numbers, segment, q, q0, work)
            centred(z, codes, numbers, segment, row, work)
            R, p, U, Z = factors(z, codes, numbers, segment, row, s == 0, R, p, U, Z, q, q0, v, v0, columns, c0, work)
        segment += SEGMENT_SIZE
    return R, p, U, Z
