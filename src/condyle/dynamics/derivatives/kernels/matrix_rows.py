"""Rows of ∂τ/∂q, ∂τ/∂v and ∂τ/∂a, two at a time, from six to nine numbers of every column.

Row r has s_r · (∂F/∂q_c, ∂F/∂v_c, ∂F/∂a_c) in the columns c of its own joint and of all that it carries, and

    Bᵀs_r · ψ_c + 𝓘 s_r · χ_c        Bᵀs_r · s_c + 𝓘 s_r · y_c        𝓘 s_r · s_c

in the columns c above. The numbers of columns stand side by side, all first ones, all second ones and so on, so that a
row is a sum of rows of numbers. `side` is the zero of lanes: where z is one state, eight columns of it are one number
of that type; where z is lanes of states, a column is.
"""

from typing import NamedTuple

from ....model.kernels.layout import LINEAR
from ....model.kernels.records import armature, body_at, coordinate_element_at, header
from ....numeric import inlined, kernel, load, part, store, width
from ....spatial.kernels.algebra import dot6, load3, load6, store3
from .derivative_scratch import ABOVE, BELOW, LUMP, MOVE, column_bend
from .load_derivatives import element_slopes
from .mass_response import is_next

BY_Q, BY_V, BY_A = 0, 1, 2  # which matrix


class Strip(NamedTuple):
    """One row of a matrix, or two neighbours of a joint or of a joint and the only one that it carries."""

    body: int  # of the first row
    last: int  # body of the last one
    row: int  # the first
    rows: int


@inlined
def spread(z, x, at, n, numbers):
    """Store the numbers of a column, n places from one to the next."""
    for k in range(len(numbers)):
        store(z, x, at + k * n, numbers[k])


@inlined
def gathered6(z, x, at, n):
    """Six numbers that stand n places from one to the next."""
    return (
        load(z, x, at),
        load(z, x, at + n),
        load(z, x, at + 2 * n),
        load(z, x, at + 3 * n),
        load(z, x, at + 4 * n),
        load(z, x, at + 5 * n),
    )


@inlined
def place_column(z, t, j, changes, turn, d):
    """Put what rows need of column j: changes are (∂F/∂q, ∂F/∂v, ∂F/∂a), turn is the angular part of Bᵀ s."""
    n, at = header(t).nv, j * MOVE.size
    spread(z, d.below, BELOW.by_q * n + j, n, changes[0])
    spread(z, d.below, BELOW.by_v * n + j, n, changes[1])
    spread(z, d.below, BELOW.by_a * n + j, n, changes[2])
    spread(z, d.above, ABOVE.by_q * n + j, n, load3(z, d.moves, at + MOVE.psi))
    spread(z, d.above, (ABOVE.by_q + 3) * n + j, n, load6(z, d.moves, at + MOVE.chi))
    spread(z, d.above, ABOVE.by_v * n + j, n, load3(z, d.moves, at + MOVE.s))
    spread(z, d.above, (ABOVE.by_v + 3) * n + j, n, load6(z, d.moves, at + MOVE.y))
    spread(z, d.above, ABOVE.by_a * n + j, n, load6(z, d.moves, at + MOVE.s))
    store3(z, d.turns, 3 * j, turn)


@inlined
def six_parts(z, x, at, n):
    """Six rows of numbers, from place `at` of the first on."""
    return (
        part(z, x, at),
        part(z, x, at + n),
        part(z, x, at + 2 * n),
        part(z, x, at + 3 * n),
        part(z, x, at + 4 * n),
        part(z, x, at + 5 * n),
    )


@inlined
def three_parts(z, x, at, n):
    return part(z, x, at), part(z, x, at + n), part(z, x, at + 2 * n)


@inlined
def loaded6(z, x, c):
    """Number c of six rows."""
    return (
        load(z, x[0], c),
        load(z, x[1], c),
        load(z, x[2], c),
        load(z, x[3], c),
        load(z, x[4], c),
        load(z, x[5], c),
    )


@inlined
def product6(k, x):
    """Σ k x in two sums, so that one need not wait for the other."""
    return (k[0] * x[0] + k[1] * x[1] + k[2] * x[2]) + (k[3] * x[3] + k[4] * x[4] + k[5] * x[5])


@inlined
def product3(k, x):
    return k[0] * x[0] + k[1] * x[1] + k[2] * x[2]


@kernel
def one_row(z, side, k, x, count, out):
    """out_c = Σ k x_c in as many columns as are counted, x: six rows."""
    step = width(side) // width(z)
    whole = count // step
    for c in range(whole):
        store(side, out, c, product6(k, loaded6(side, x, c)))
    for c in range(whole * step, count):
        store(z, out, c, product6(k, loaded6(z, x, c)))


@kernel
def two_rows(z, side, k, x, count, outs):
    """As `one_row`, with two sets of factors and two rows of results."""
    step = width(side) // width(z)
    whole = count // step
    for c in range(whole):
        y = loaded6(side, x, c)
        store(side, outs[0], c, product6(k[0], y))
        store(side, outs[1], c, product6(k[1], y))
    for c in range(whole * step, count):
        y = loaded6(z, x, c)
        store(z, outs[0], c, product6(k[0], y))
        store(z, outs[1], c, product6(k[1], y))


@inlined
def loaded3(z, x, c):
    """Number c of three rows."""
    return load(z, x[0], c), load(z, x[1], c), load(z, x[2], c)


@kernel
def one_long_row(z, side, k, x, count, out):
    """out_c = Σ k x_c with nine factors, three and six, and as many rows."""
    step = width(side) // width(z)
    whole = count // step
    for c in range(whole):
        store(side, out, c, product3(k[0], loaded3(side, x[0], c)) + product6(k[1], loaded6(side, x[1], c)))
    for c in range(whole * step, count):
        store(z, out, c, product3(k[0], loaded3(z, x[0], c)) + product6(k[1], loaded6(z, x[1], c)))


@kernel
def two_long_rows(z, side, k, x, count, outs):
    """As `one_long_row`, with two sets of factors and two rows of results."""
    step = width(side) // width(z)
    whole = count // step
    for c in range(whole):
        u, y = loaded3(side, x[0], c), loaded6(side, x[1], c)
        store(side, outs[0], c, product3(k[0][0], u) + product6(k[0][1], y))
        store(side, outs[1], c, product3(k[1][0], u) + product6(k[1][1], y))
    for c in range(whole * step, count):
        u, y = loaded3(z, x[0], c), loaded6(z, x[1], c)
        store(z, outs[0], c, product3(k[0][0], u) + product6(k[0][1], y))
        store(z, outs[1], c, product3(k[1][0], u) + product6(k[1][1], y))


@inlined
def column_of(z, d, r):
    """Column r of a joint."""
    return load6(z, d.moves, r * MOVE.size + MOVE.s)


@inlined
def answer(z, t, d, r):
    """Bᵀ s (its angular part) and 𝓘 s of column r."""
    n = header(t).nv
    return load3(z, d.turns, 3 * r), gathered6(z, d.below, BELOW.by_a * n + r, n)


@kernel
def columns_below(z, side, t, row, rows, span, d, outs):
    """Rows in the columns of what they carry or of their own joint; span: (matrix, first column, count)."""
    kind, first, count = span
    n = header(t).nv
    x = six_parts(z, d.below, 6 * kind * n + first, n)
    a, b = part(z, outs[0], first), part(z, outs[1], first)
    if rows == 2:
        two_rows(z, side, (column_of(z, d, row), column_of(z, d, row + 1)), x, count, (a, b))
    else:
        one_row(z, side, column_of(z, d, row), x, count, a)


@kernel
def columns_above(z, side, t, row, rows, span, d, outs):
    """Rows in the columns of joints that carry them; span: (matrix, first column, count)."""
    kind, first, count = span
    n, at = header(t).nv, 9 * kind * header(t).nv + first
    a, b, last = part(z, outs[0], first), part(z, outs[1], first), row + rows - 1
    one, other = answer(z, t, d, row), answer(z, t, d, last)
    if kind == BY_A:
        x = six_parts(z, d.above, at, n)
        if rows == 2:
            two_rows(z, side, (one[1], other[1]), x, count, (a, b))
        else:
            one_row(z, side, one[1], x, count, a)
    else:
        y = three_parts(z, d.above, at, n), six_parts(z, d.above, at + 3 * n, n)
        if rows == 2:
            two_long_rows(z, side, (one, other), y, count, (a, b))
        else:
            one_long_row(z, side, one, y, count, a)


@kernel
def mark_chain(t, marks):
    """After the marks of bodies, 1 if every body hangs on the one before: then no entry is zero by structure."""
    chain = 1
    for i in range(header(t).bodies):
        if body_at(t, i).parent != i:
            chain = 0
    marks[header(t).bodies] = chain


@inlined
def is_chain(t, d):
    """Whether every body hangs on the one before."""
    return d.marks[header(t).bodies] != 0


@kernel
def mark_carried(t, i, marks):
    """Mark with ones the bodies that body i carries, and itself."""
    marks[i] = 1
    for k in range(i + 1, header(t).bodies):
        parent = body_at(t, k).parent - 1
        marks[k] = marks[parent] if parent >= i else 0


@kernel
def runs_below(z, side, t, strip, kind, d, outs):
    """A strip in the columns of its last body and of all that this carries, as many at a time as are side by side."""
    bodies, k = header(t).bodies, strip.last
    if is_chain(t, d):
        first = body_at(t, k).v0
        columns_below(z, side, t, strip.row, strip.rows, (kind, first, header(t).nv - first), d, outs)
        return
    mark_carried(t, k, d.marks)
    while k < bodies:
        first = body_at(t, k).v0
        stop = first
        while k < bodies and d.marks[k] != 0:
            stop = body_at(t, k).v0 + body_at(t, k).nv
            k += 1
        if stop > first:
            columns_below(z, side, t, strip.row, strip.rows, (kind, first, stop - first), d, outs)
        k += 1


@kernel
def runs_above(z, side, t, strip, kind, d, outs):
    """A strip in the columns above its first body, as many at a time as are side by side."""
    slot = body_at(t, strip.body).parent
    while slot > 0:
        b = body_at(t, slot - 1)
        stop, first = b.v0 + b.nv, b.v0
        while b.parent > 0 and b.parent == slot - 1:
            slot, b = b.parent, body_at(t, b.parent - 1)
            first = b.v0
        columns_above(z, side, t, strip.row, strip.rows, (kind, first, stop - first), d, outs)
        slot = b.parent


@inlined
def add_to(z, x, k, more):
    store(z, x, k, load(z, x, k) + more)


@inlined
def finish_row(z, t, i, r, kind, d, out):
    """Add to row r of body i what its own joint and its loads do beside; springs are not in it."""
    b = body_at(t, i)
    if kind == BY_A:
        add_to(z, out, r, armature(t, r))
    else:
        add_to(z, out, r, load(z, d.loads, 2 * r + kind))
    if kind == BY_Q and b.shape != LINEAR:  # the joint's columns turn with its coordinates
        F = load6(z, d.lumps, (i + 1) * LUMP.size + LUMP.force)
        for j in range(b.nv):
            add_to(z, out, b.v0 + j, dot6(column_bend(z, t, r, j, d), F))


@inlined
def strip_at(t, i, r):
    """The strip that begins with row r of body i."""
    b = body_at(t, i)
    if r + 1 < b.v0 + b.nv:
        return Strip(i, i, r, 2)
    if i + 1 < header(t).bodies and is_next(t, i + 1) and body_at(t, i + 1).nv > 0:
        return Strip(i, i + 1, r, 2)
    return Strip(i, i, r, 1)


@kernel
def fill_strip(z, side, t, strip, kind, d, outs):
    """All numbers of a strip of one matrix but those of springs, to one or two rows; other branches are left."""
    runs_below(z, side, t, strip, kind, d, outs)
    runs_above(z, side, t, strip, kind, d, outs)
    r = strip.row
    if strip.last != strip.body:  # the first row carries the second, which is moved by the first one's joint
        b = body_at(t, strip.body)
        span = kind, b.v0, b.nv
        columns_below(z, side, t, r, 1, span, d, outs)
        columns_above(z, side, t, r + 1, 1, span, d, (outs[1], outs[1]))
    finish_row(z, t, strip.body, r, kind, d, outs[0])
    if strip.rows == 2:
        finish_row(z, t, strip.last, r + 1, kind, d, outs[1])


@inlined
def after_strip(t, strip):
    """Body and row of the strip that follows."""
    i, r = strip.last, strip.row + strip.rows
    while i < header(t).bodies and r >= body_at(t, i).v0 + body_at(t, i).nv:
        i += 1
    return i, r


@kernel
def place_loads(z, t, q, v, d):
    """By coordinate and velocity, the slopes of what the coordinate loads of every velocity take."""
    for k in range(2 * header(t).nv):
        store(z, d.loads, k, z)
    for i in range(header(t).coordinate_elements):
        f = coordinate_element_at(t, i)
        by_q, by_v = element_slopes(z, t, f, q, v)
        add_to(z, d.loads, 2 * f.v, -by_q)
        add_to(z, d.loads, 2 * f.v + 1, -by_v)


@kernel
def whole_matrix(z, side, t, kind, d, out, n):
    """One matrix, whose rows are n numbers apart; pairs of columns on different branches are left as they are."""
    i, r = after_strip(t, Strip(0, 0, 0, 0))
    while r < header(t).nv:
        strip = strip_at(t, i, r)
        fill_strip(z, side, t, strip, kind, d, (part(z, out, r * n), part(z, out, (r + 1) * n)))
        i, r = after_strip(t, strip)
