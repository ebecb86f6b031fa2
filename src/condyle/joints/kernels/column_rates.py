"""How the columns of a joint change: with its coordinates, and twice with time along a motion (v, a).

In the parent's frame the sums of `product_form` need no transport: with U the velocity of the factors before and
ĝ = Ad_X g, a factor's twist has the rates ĝ1 = ad_U ĝ and ĝ2 = ad_U̇ ĝ + ad_U ĝ1, and the slope φ_,j the rates
e1 = Σ φ_,ji v_i and e2 = Σ φ_,jil v_i v_l + Σ φ_,ji a_i. Then

    σ_j  += φ_,j ĝ          σ̇_j += φ_,j ĝ1 + e1 ĝ          σ̈_j += φ_,j ĝ2 + 2 e1 ĝ1 + e2 ĝ
    ∂_j σ_k += φ_,kj ĝ + φ_,k ad_{σ_j} ĝ                   (σ_j of the factors before)

The third derivatives of φ are only ever needed contracted with the velocities. A quaternion's columns turn with its own
velocity D; their rates here are those of columns fixed in what stands before the quaternion; ad_D σ_j is kept beside.
"""

from typing import Any, NamedTuple

from ...numeric import gather, gather4, inlined, kernel, load, sincos, store
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
    store6,
    twist_zero,
)
from .child_frame_derivatives import add_to
from .layout import CENTERS, ELLIPSE, FACTOR_HEAD, FACTORS, FREE, POLYNOMIAL, TERM_SIZE
from .product_form import (
    gather_factor,
    gather_pose,
    local_variable,
    look_up,
    scalar_function,
    subtract_centers,
    term_jet,
    transformed,
)
from .records import reader_at, segment_at, term_at


class ColumnRates(NamedTuple):
    """Twists in the parent's frame: σ_k at first[6 k], σ̇_k, σ̈_k, ad_D σ_k, and ∂_j σ_k at bend[6 (k nv + j)].

    Of one factor: φ_,a, e1 and e2 of its coordinate a at slopes[3 a], and the rates of powers of its coordinates.
    """

    first: Any
    second: Any
    third: Any
    turn: Any
    bend: Any
    slopes: Any
    powers: Any
    accelerations: Any  # of the model


class Carried(NamedTuple):
    """The factors so far: pose (R, p), velocity U and its rate."""

    R: Any
    p: Any
    U: Any
    rate: Any


@inlined
def sinusoid_third(numbers, row, at, x):
    _, amplitude, rate, phase = gather4(numbers, row, at)
    _, c = sincos(rate * x + phase)
    return -amplitude * rate * rate * rate * c


@inlined
def ellipse_third(numbers, row, at, x):
    """φ''' = −φ' D''/D + 2 φ' (D'/D)² with φ' = a b/D, D = a² cos² + b² sin²."""
    a, b, _, _ = gather4(numbers, row, at)
    s, c = sincos(x)
    D = a * a * c * c + b * b * s * s
    k, slope = 2.0 * (b * b - a * a), a * b / D
    first, second = k * s * c / D, k * (c * c - s * s) / D
    return slope * (2.0 * first * first - second)


@kernel
def polynomial_third(numbers, row, at, order, u):
    """By Horner's rule."""
    out = 0.0 * u
    for k in range(order - 1, 2, -1):
        out = out * u + (k * (k - 1) * (k - 2)) * gather(numbers, row, at + k)
    return out


@inlined
def third_derivative(numbers, row, at, code, order, x):
    """φ''' of a function of one coordinate."""
    if code == POLYNOMIAL:
        return polynomial_third(numbers, row, at, order, x)
    if code == ELLIPSE:
        return ellipse_third(numbers, row, at, x)
    return sinusoid_third(numbers, row, at, x)


@kernel
def power_rates(z, t, term, s, powers):
    """u^i and its derivative along the velocities at constant rates, six numbers for each power of every reader.

    They are f, f' v, f'' v² and f', f'' v, f''' v² of f = u^i.
    """
    at = 0
    for r in range(term.dimensions):
        reader = reader_at(t, term.first_reader, r)
        speed = load(z, s.v, s.v0 + reader.v)
        u = load(z, s.q, s.q0 + reader.q) if reader.axis < 0 else load(z, s.work, reader.axis)
        f, d, e, h = z + 1.0, z, z, z
        for _ in range(reader.order):
            store6(z, powers, at, (f, d * speed, e * speed * speed, d, e * speed, h * speed * speed))
            h = h * u + 3.0 * e
            e = e * u + 2.0 * d
            d = d * u + f
            f = f * u
            at += 6


@inlined
def jet_product(x, y):
    """Value, rate and second rate of a product."""
    return x[0] * y[0], x[1] * y[0] + x[0] * y[1], x[2] * y[0] + 2.0 * x[1] * y[1] + x[0] * y[2]


@kernel
def monomial_bend(z, t, term, powers, k, j):
    """The second rate of the derivative by coordinate j of coefficient k's product of powers."""
    jet = z + 1.0, z, z
    for r in range(term.dimensions - 1, -1, -1):
        order = reader_at(t, term.first_reader, r).order
        begin = 0
        for b in range(r):
            begin += 6 * reader_at(t, term.first_reader, b).order
        x = load6(z, powers, begin + 6 * (k % order))
        jet = jet_product(jet, (x[3], x[4], x[5]) if r == j else (x[0], x[1], x[2]))
        k //= order
    return jet[2]


@kernel
def slope_bend(z, t, at, row, powers, j):
    """Σ φ_,jil v_i v_l of a polynomial in several coordinates."""
    term = term_at(t, at)
    total, out = 1, z
    for r in range(term.dimensions):
        total *= reader_at(t, term.first_reader, r).order
    for k in range(total):
        c = gather(t.numbers, row, term.at + FACTOR_HEAD + k)
        out = out + c * monomial_bend(z, t, term, powers, k, j)
    return out


@inlined
def one_slope(z, t, term, row, s, d):
    """φ, φ̇ and φ̈ of a function of one coordinate; its slopes and φ'' (at work[CENTERS]) stored."""
    x = local_variable(z, term, s)
    at = term.at + FACTOR_HEAD
    phi, slope, bend = scalar_function(t.numbers, row, at, term.code, term.order, x)
    third = third_derivative(t.numbers, row, at, term.code, term.order, x)
    v, a = load(z, s.v, s.v0 + term.v), load(z, d.accelerations, s.v0 + term.v)
    store(z, d.slopes, 0, slope)
    store(z, d.slopes, 1, bend * v)
    store(z, d.slopes, 2, third * v * v + bend * a)
    store(z, s.work, CENTERS, bend)
    return phi, slope * v, bend * v * v + slope * a


@kernel
def several_slopes(z, t, at, row, s, d):
    """φ, φ̇ and φ̈ of a polynomial in several coordinates; its slopes and φ_,ij (at work[CENTERS]) stored."""
    term = term_at(t, at)
    n = term.dimensions
    term_jet(z, t, at, row, s, CENTERS)
    power_rates(z, t, term, s, d.powers)
    rate, second = z, z
    for j in range(n):
        slope = load(z, s.work, CENTERS + 1 + j)
        first, bend = z, slope_bend(z, t, at, row, d.powers, j)
        for i in range(n):
            reader = reader_at(t, term.first_reader, i)
            mixed = load(z, s.work, CENTERS + 1 + n + j * n + i)
            first = first + mixed * load(z, s.v, s.v0 + reader.v)
            bend = bend + mixed * load(z, d.accelerations, s.v0 + reader.v)
        own = reader_at(t, term.first_reader, j).v
        v, a = load(z, s.v, s.v0 + own), load(z, d.accelerations, s.v0 + own)
        store(z, d.slopes, 3 * j, slope)
        store(z, d.slopes, 3 * j + 1, first)
        store(z, d.slopes, 3 * j + 2, bend)
        rate, second = rate + slope * v, second + first * v + slope * a
    phi = load(z, s.work, CENTERS)
    for k in range(n * n):  # the mixed derivatives, where those of one coordinate stand too
        store(z, s.work, CENTERS + k, load(z, s.work, CENTERS + 1 + n + k))
    return phi, rate, second


@inlined
def velocity_of(t, term, a):
    """The velocity, within the joint, of coordinate a of a function."""
    return term.v if term.dimensions == 1 else reader_at(t, term.first_reader, a).v


@kernel
def add_factor(z, t, at, g, X, nv, s, d):
    """Add one factor, its twist ĝ and its slopes stored, to the columns, their rates and their derivatives."""
    term = term_at(t, at)
    n = term.dimensions
    g1 = ad(X.U, g)
    g2 = add6(ad(X.rate, g), ad(X.U, g1))
    for a in range(n):  # by the columns of the factors before: all of them before any changes
        k, slope = velocity_of(t, term, a), load(z, d.slopes, 3 * a)
        for j in range(nv):
            add_to(z, d.bend, 6 * (k * nv + j), slope, ad(load6(z, d.first, 6 * j), g))
        for b in range(n):
            j = velocity_of(t, term, b)
            add_to(z, d.bend, 6 * (k * nv + j), load(z, s.work, CENTERS + a * n + b), g)
    for a in range(n):
        k = 6 * velocity_of(t, term, a)
        slope, e1, e2 = load(z, d.slopes, 3 * a), load(z, d.slopes, 3 * a + 1), load(z, d.slopes, 3 * a + 2)
        add_to(z, d.first, k, slope, g)
        store6(z, d.second, k, add_scaled6(add_scaled6(load6(z, d.second, k), slope, g1), e1, g))
        third = add_scaled6(add_scaled6(load6(z, d.third, k), slope, g2), 2.0 * e1, g1)
        store6(z, d.third, k, add_scaled6(third, e2, g))
    return g1


@kernel
def row_rates(z, t, segment, row, X, nv, s, d):
    """Carry a motion and its columns through one row."""
    R, p, U, rate = X
    Q, c = gather_pose(t.numbers, row)
    R, p = multiply(R, p, Q, c)
    at = segment.first_term
    for _ in range(segment.terms):
        term = term_at(t, at)
        n, w, b, iw = gather_factor(t.numbers, row, term.at)
        g = transformed(R, p, n, w, b)
        if term.dimensions == 1:
            phi, speed, second = one_slope(z, t, term, row, s, d)
        else:
            phi, speed, second = several_slopes(z, t, at, row, s, d)
        g1 = add_factor(z, t, at, g, Carried(R, p, U, rate), nv, s, d)
        rate = add_scaled6(add_scaled6(rate, speed, g1), second, g)
        U = add_scaled6(U, speed, g)
        Q, c = exponential(n, w, b, iw, phi)
        R, p = multiply(R, p, Q, c)
        at += TERM_SIZE
    return Carried(R, p, U, rate)


@inlined
def axis_of(R, i):
    """Column i of a rotation."""
    return (R[0], R[3], R[6]) if i == 0 else ((R[1], R[4], R[7]) if i == 1 else (R[2], R[5], R[8]))


@inlined
def quaternion_column(z, R, p, i):
    """Column i of a quaternion, in the frame that (R, p) is written in: three turns, then three shifts."""
    e = axis_of(R, i % 3)
    c = cross(p, e)
    return (e[0], e[1], e[2], c[0], c[1], c[2]) if i < 3 else (z, z, z, e[0], e[1], e[2])


@kernel
def quaternion_rates(z, segment, X, nv, s, d):
    """Carry a motion and its columns through a quaternion."""
    R, p, U, rate = X
    q0, v0, free = s.q0 + segment.quaternion_q, segment.quaternion_v, segment.kind == FREE
    q, count = s.q, 6 if free else 3
    if free:
        p = add3(p, matvec(R, (load(z, q, q0 + 4), load(z, q, q0 + 5), load(z, q, q0 + 6))))
    Q = quaternion_rotation(load(z, q, q0), load(z, q, q0 + 1), load(z, q, q0 + 2), load(z, q, q0 + 3))
    R, p = multiply(R, p, Q, (z, z, z))
    D, pull = twist_zero(z), twist_zero(z)
    for i in range(count):
        g = quaternion_column(z, R, p, i)
        store6(z, d.first, 6 * (v0 + i), g)
        D = add_scaled6(D, load(z, s.v, s.v0 + v0 + i), g)
        pull = add_scaled6(pull, load(z, d.accelerations, s.v0 + v0 + i), g)
    for i in range(count):
        k = v0 + i
        g = load6(z, d.first, 6 * k)
        first = ad(U, g)
        store6(z, d.second, 6 * k, first)
        store6(z, d.third, 6 * k, add6(ad(rate, g), ad(U, first)))
        store6(z, d.turn, 6 * k, ad(D, g))
        for j in range(nv):
            store6(z, d.bend, 6 * (k * nv + j), ad(load6(z, d.first, 6 * j), g))
    rate = add6(rate, add6(ad(U, D), pull))
    return Carried(R, p, add6(U, D), rate)


@kernel
def column_rates(z, t, joint, s, d):
    """σ, σ̇, σ̈, ad_D σ and ∂_j σ_k of a joint, in the parent's frame, to d; returns its position."""
    nv = joint.nv
    for k in range(6 * nv):
        store(z, d.first, k, z)
        store(z, d.second, k, z)
        store(z, d.third, k, z)
        store(z, d.turn, k, z)
    for k in range(6 * nv * nv):
        store(z, d.bend, k, z)
    R, p = identity_pose(z)
    X = Carried(R, p, twist_zero(z), twist_zero(z))
    for k in range(joint.segments):
        segment = segment_at(t, joint.first, k)
        if segment.kind != FACTORS:
            X = quaternion_rates(z, segment, X, nv, s, d)
        elif segment.axes == 0:
            X = row_rates(z, t, segment, segment.rows, X, nv, s, d)
        else:
            row = look_up(z, t, joint.first, k, s)
            subtract_centers(z, t, segment.axes, row, s.work)
            X = row_rates(z, t, segment, row, X, nv, s, d)
    return X.p
