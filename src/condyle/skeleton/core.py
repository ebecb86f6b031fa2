"""The core of a skeleton: bodies and joints on loops, left when all branches are eliminated.

With M̃ = L Lᵀ of every body and Y = L⁻¹ Gᵀ of every joint's rows, A = Yᵀ Y + Σ is the article's equation (6) with 5 or
3 unknowns per joint: symmetric positive semidefinite, and sparse, as joints meet only at bodies. It is factored by
blocks in an order that fills little (`fill`). A row whose pivot vanishes is redundant and carries no reaction: a
planar ring of hinges has three. A joint comes after both its bodies, so a vanishing pivot means nothing else.
"""

from __future__ import annotations

from ..numeric import kernel, load, store
from ..spatial.algebra import load6, load9, store6
from .dense import KEEP, backward, factor, forward, product_transposed, subtract_product, subtract_transposed
from .rows import fill_rows

__all__ = ["REDUNDANT", "factor_core", "rows_of", "solve_core"]

REDUNDANT = 1e-9  # a pivot below this part of the bodies' own compliance carries no reaction


@kernel
def rows_of(plan, drag, j):
    """How many unknowns joint j has; all six with implicit friction."""
    return 3 + plan.links[j, 2] if drag[j] == 0.0 else 6


@kernel
def factor_core(z, w, o, plan, drag):
    """Factor the bodies and then the joints of the core."""
    for h in range(len(plan.hubs)):
        pack(z, w, o.M + 21 * plan.hubs[h])
        factor(z, w, o.M + 21 * plan.hubs[h], 6, KEEP, o.M + 21 * plan.hubs[h])
    if len(plan.core) > 0:
        respond(z, w, o, plan, drag)
        assemble(z, w, o, plan, drag)
        for place in range(len(plan.core)):
            eliminate(z, w, o, plan, drag, place)


@kernel
def pack(z, w, at):
    """A, B, C become the packed lower half of [A B; Bᵀ C]."""
    A, B, C = load6(z, w, at), load9(z, w, at + 6), load6(z, w, at + 15)
    store6(z, w, at, (A[0], A[1], A[3], A[2], A[4], A[5]))
    store6(z, w, at + 6, (B[0], B[3], B[6], C[0], B[1], B[4]))
    store6(z, w, at + 12, (B[7], C[1], C[3], B[2], B[5], B[8]))
    store(z, w, at + 18, C[2])
    store(z, w, at + 19, C[4])
    store(z, w, at + 20, C[5])


@kernel
def respond(z, w, o, plan, drag):
    """Y of both sides of every joint; nothing for the world."""
    world = len(plan.bodies) - 1
    for place in range(len(plan.core)):
        j = plan.core[place]
        for side in range(2):
            body, Y = plan.links[j, side], o.Y + 72 * place + 36 * side
            if body != world:
                fill_rows(z, w, o.arm, j, side == 0, rows_of(plan, drag, j), Y)
                forward(z, w, o.M + 21 * body, 6, Y, rows_of(plan, drag, j), 1, 6)


@kernel
def assemble(z, w, o, plan, drag):
    """The blocks of A, those off the diagonal in `block`, those on it packed in `pivot`."""
    for k in range(36 * len(plan.below)):
        store(z, w, o.block + k, z)
    for m in range(len(plan.shared)):
        block, i, s, k, t = plan.shared[m, 0], plan.shared[m, 1], plan.shared[m, 2], plan.shared[m, 3], plan.shared[m, 4]
        a, b = rows_of(plan, drag, plan.core[i]), rows_of(plan, drag, plan.core[k])
        product_transposed(
            z, w, 1.0, o.Y + 72 * i + 36 * s, a, o.Y + 72 * k + 36 * t, b, 6, o.block + 36 * block
        )
    for place in range(len(plan.core)):
        own_block(z, w, o, plan, drag, place)


@kernel
def own_block(z, w, o, plan, drag, place):
    """The diagonal block of a joint, and each row's compliance if its bodies were free, the measure of its pivot."""
    world, j, to = len(plan.bodies) - 1, plan.core[place], o.block + 36 * plan.first[place]
    used = rows_of(plan, drag, j)
    for side in range(2):
        if plan.links[j, side] != world:
            Y = o.Y + 72 * place + 36 * side
            product_transposed(z, w, 1.0, Y, used, Y, used, 6, to)
    for i in range(used):
        if i >= 3 + plan.links[j, 2]:
            store(z, w, to + 7 * i, load(z, w, to + 7 * i) + 1.0 / drag[j])
        store(z, w, o.free + 6 * place + i, z + own_compliance(plan, j, i))


@kernel
def own_compliance(plan, j, i):
    """1/m (point rows) or 1/I (turning rows) of the bodies of joint j, the world not counted."""
    world, total = len(plan.bodies) - 1, 0.0
    for side in range(2):
        k = plan.links[j, side]
        if k != world:
            total += 1.0 / plan.bodies[k, 0] if i < 3 else plan.bodies[k, 7] + plan.bodies[k, 10] + plan.bodies[k, 12]
    return total


@kernel
def eliminate(z, w, o, plan, drag, place):
    """Factor one column of blocks and take its products off the columns after it."""
    used, at = rows_of(plan, drag, plan.core[place]), o.pivot + 21 * place
    start, stop = plan.first[place], plan.first[place + 1]
    for i in range(used):
        for k in range(i + 1):
            store(z, w, at + i * (i + 1) // 2 + k, load(z, w, o.block + 36 * start + 6 * i + k))
    factor(z, w, at, used, REDUNDANT, o.free + 6 * place)
    for m in range(start + 1, stop):
        rows = rows_of(plan, drag, plan.core[plan.below[m]])
        forward(z, w, at, used, o.block + 36 * m, rows, 1, 6)
    for m in range(start + 1, stop):
        k = plan.below[m]
        columns, to = rows_of(plan, drag, plan.core[k]), plan.first[k]
        for n in range(m, stop):
            i = plan.below[n]
            while plan.below[to] != i:  # the column of k has every row that this one has below k
                to += 1
            rows = rows_of(plan, drag, plan.core[i])
            product_transposed(z, w, -1.0, o.block + 36 * n, rows, o.block + 36 * m, columns, used, o.block + 36 * to)


@kernel
def solve_core(z, w, o, plan, drag, f, b):
    """Forces f of the core's bodies become accelerations, right-hand sides b of its joints become reactions."""
    for h in range(len(plan.hubs)):
        forward(z, w, o.M + 21 * plan.hubs[h], 6, f + 6 * plan.hubs[h], 1, 1, 0)
    count, world = len(plan.core), len(plan.bodies) - 1
    for place in range(count):
        j = plan.core[place]
        for side in range(2):
            if plan.links[j, side] != world:
                Y, body = o.Y + 72 * place + 36 * side, plan.links[j, side]
                subtract_product(z, w, Y, rows_of(plan, drag, j), 6, f + 6 * body, b + 6 * j)
    for place in range(count):
        solve_column(z, w, o, plan, drag, place, b)
    for place in range(count - 1, -1, -1):
        j = plan.core[place]
        solve_row(z, w, o, plan, drag, place, b)
        for side in range(2):
            if plan.links[j, side] != world:
                Y, body = o.Y + 72 * place + 36 * side, plan.links[j, side]
                subtract_transposed(z, w, -1.0, Y, rows_of(plan, drag, j), 6, b + 6 * j, f + 6 * body)
    for h in range(len(plan.hubs)):
        backward(z, w, o.M + 21 * plan.hubs[h], 6, f + 6 * plan.hubs[h])


@kernel
def solve_column(z, w, o, plan, drag, place, b):
    """Forward substitution with one column of blocks."""
    j = plan.core[place]
    used = rows_of(plan, drag, j)
    forward(z, w, o.pivot + 21 * place, used, b + 6 * j, 1, 1, 0)
    for m in range(plan.first[place] + 1, plan.first[place + 1]):
        i = plan.core[plan.below[m]]
        subtract_product(z, w, o.block + 36 * m, rows_of(plan, drag, i), used, b + 6 * j, b + 6 * i)


@kernel
def solve_row(z, w, o, plan, drag, place, b):
    """Backward substitution; rows that a joint does not have carry no reaction."""
    j = plan.core[place]
    used = rows_of(plan, drag, j)
    for m in range(plan.first[place] + 1, plan.first[place + 1]):
        i = plan.core[plan.below[m]]
        subtract_transposed(z, w, 1.0, o.block + 36 * m, rows_of(plan, drag, i), used, b + 6 * i, b + 6 * j)
    backward(z, w, o.pivot + 21 * place, used, b + 6 * j)
    for i in range(used, 6):
        store(z, w, b + 6 * j + i, z)
