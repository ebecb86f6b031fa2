"""One round of a step of RATTLE: bodies thrown by rates, their discrete momenta, and the rows of joints at the end.

A body turns by the Cayley map of a = hξ, 1 + (hat a + ½ hat a²) / (1 + ¼ |a|²), and Rᵀπ = Iξ + h/2 ξ × Iξ +
h²/4 (ξ·Iξ) ξ is its momentum in its own axes.
"""

from typing import NamedTuple

from ....numeric import entry, kernel, load, pack, release, tables, unpack, width
from ....spatial.kernels.algebra import (
    add3,
    cross,
    dot3,
    load3,
    load9,
    matmul,
    matvec,
    scale3,
    store3,
    store9,
    transposed_matvec,
)
from ....spatial.kernels.inertia import symmetric_times
from .held_layout import Parts, Sizes, held_body
from .joint_rows import constants, one_joint, scratch_for


class Thrown(NamedTuple):
    """Where the parts of a result begin, after those of rows, whose A is by rates, not by turns."""

    R: int  # (bodies, 3, 3) at the end
    p: int
    momentum: int  # (bodies, 6) in world axes
    slope: int  # (bodies, 3, 3): of the angular momentum by rates
    end: int


@kernel
def hat(a):
    """The matrix of a ×."""
    z = a[0] - a[0]
    return z, -a[2], a[1], a[2], z, -a[0], -a[1], a[0], z


@kernel
def plus(A, k, B):
    """A + k B."""
    return (
        A[0] + k * B[0], A[1] + k * B[1], A[2] + k * B[2], A[3] + k * B[3], A[4] + k * B[4], A[5] + k * B[5],
        A[6] + k * B[6], A[7] + k * B[7], A[8] + k * B[8],
    )  # fmt: skip


@kernel
def in_world(R, X):
    """R X Rᵀ."""
    return matmul(matmul(R, X), (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]))


@kernel
def momentum_slope(z, J, L, rate, h):
    """The derivative of Iξ + h/2 ξ × Iξ + h²/4 (ξ·Iξ) ξ by ξ."""
    full = J[0], J[1], J[2], J[1], J[3], J[4], J[2], J[4], J[5]
    one = z + 1.0, z, z, z, z + 1.0, z, z, z, z + 1.0
    X = plus(full, 0.5 * h, plus(matmul(hat(rate), full), -1.0, hat(L)))
    a, b, c = scale3(rate[0], L), scale3(rate[1], L), scale3(rate[2], L)
    outer = a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]
    quarter = 0.25 * h * h
    return plus(plus(X, 2.0 * quarter, outer), quarter * dot3(rate, L), one)


@kernel
def throw(z, t, i, n, o, m, h):
    """Body i to its end in m.x, its momentum and slope to the result; how its turn answers to rates (9), world axes."""
    R, p, at = load9(z, m.x, 9 * i), load3(z, m.x, 9 * n + 3 * i), held_body(t, i).at + 24
    w, v = load3(z, m.x, 12 * n + 6 * i), load3(z, m.x, 12 * n + 6 * i + 3)
    x, y = constants(z, t, at), constants(z, t, at + 3)
    J, mass = (x[0], x[1], x[2], y[0], y[1], y[2]), t.numbers[at + 6]
    rate = transposed_matvec(R, w)
    a = scale3(h, rate)
    share, one = 1.0 / (1.0 + 0.25 * dot3(a, a)), (z + 1.0, z, z, z, z + 1.0, z, z, z, z + 1.0)
    turned = matmul(R, plus(one, share, plus(hat(a), 0.5, matmul(hat(a), hat(a)))))
    L = symmetric_times(J, rate)
    own = add3(add3(L, scale3(0.5 * h, cross(rate, L))), scale3(0.25 * h * h * dot3(rate, L), rate))
    there = add3(p, scale3(h, v))
    store9(z, m.x, 9 * i, turned)
    store3(z, m.x, 9 * n + 3 * i, there)
    store9(z, m.out, o.R + 9 * i, turned)
    store3(z, m.out, o.p + 3 * i, there)
    store3(z, m.out, o.momentum + 6 * i, matvec(R, own))
    store3(z, m.out, o.momentum + 6 * i + 3, scale3(mass, v))
    store9(z, m.out, o.slope + 9 * i, in_world(R, momentum_slope(z, J, L, rate, h)))
    answer = plus((z, z, z, z, z, z, z, z, z), share, plus(one, 0.5, hat(a)))
    return in_world(R, answer)


@kernel
def by_rates(z, rows, n, i, T, m):
    """The columns of A that turn body i, from its turn to the rates that made it."""
    for k in range(rows):
        at = 6 * (k * n + i)
        store3(z, m.out, at, transposed_matvec(T, load3(z, m.out, at)))


@entry
def thrown_rows(z, pair, sizes, parts, states, out, start, stop):
    """Rows and momenta where the rates u of each row of `states` lead; a row ends with the length of the step."""
    t, size, o = tables(pair), Sizes(*sizes), Parts(*parts)
    n, q = size.bodies, 18 * size.bodies + size.nq
    at = o.end
    ends = Thrown(at, at + 9 * n, at + 12 * n, at + 18 * n, at + 27 * n)
    m = scratch_for(z, size, states.shape[1], out.shape[1])
    for first in range(start, stop, width(z)):
        pack(z, states, first, stop, m.x)
        h = load(z, m.x, q)
        for i in range(n):
            T = throw(z, t, i, n, ends, m, h)
            store9(z, m.out, ends.R + 9 * i, T)  # until the rows are there
        for i in range(n):
            one_joint(z, t, i, size, o, m)
        for i in range(n):
            by_rates(z, size.rows, n, i, load9(z, m.out, ends.R + 9 * i), m)
            store9(z, m.out, ends.R + 9 * i, load9(z, m.x, 9 * i))
        unpack(z, m.out, out, first, stop)
    release(m)
