"""The core of a skeleton: bodies and joints on loops, left when all branches are eliminated.

With M̃ = L Lᵀ of every body and Y = L⁻¹ Gᵀ of every joint's rows, A = Yᵀ Y + Σ is the article's equation (6) with 5 or
3 unknowns per joint: symmetric positive semidefinite, and sparse, as joints meet only at bodies. It is factored by
blocks in an order that fills little (`fill`). Loops may be redundant (a planar ring of hinges is, three times over),
and which rows depend on which changes with the pose. So no row is dropped: A + εF is factored, F being each joint's
compliance if its bodies were free, and the residual is corrected a few times, λ += (A + εF)⁻¹ (b − G a). What the
joints can do converges by ε/μ for an eigenvalue μ of F⁻¹A; where μ is zero, nothing is asked and nothing is done.
"""

from __future__ import annotations

from ...numeric import cholesky, cholesky_backward, cholesky_forward, kernel, load, store
from ...spatial.kernels.algebra import load6, load9, store6
from .constraint_jacobian import fill_rows

SLACK = 1e-8  # ε
ROUNDS = 3  # solutions with the factor, each of which divides the error by μ/ε


@kernel
def rows_of(plan, drag, j):
    """How many unknowns joint j has; all six with implicit friction."""
    return 3 + plan.links[j, 2] if drag[j] == 0.0 else 6


@kernel
def factor_core(z, w, o, plan, drag):
    """Factor the bodies and then the joints of the core."""
    for h in range(len(plan.hubs)):
        pack(z, w, o.M + 21 * plan.hubs[h])
        cholesky(z, w, o.M + 21 * plan.hubs[h], 6)
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
                cholesky_forward(z, w, o.M + 21 * body, 6, Y, rows_of(plan, drag, j), 1, 6)


@kernel
def assemble(z, w, o, plan, drag):
    """The blocks of A, those off the diagonal in `block`, those on it packed in `pivot`."""
    for k in range(36 * len(plan.below)):
        store(z, w, o.block + k, z)
    for m in range(len(plan.shared)):
        block, i, s, k, t = (
            plan.shared[m, 0],
            plan.shared[m, 1],
            plan.shared[m, 2],
            plan.shared[m, 3],
            plan.shared[m, 4],
        )
        a, b = rows_of(plan, drag, plan.core[i]), rows_of(plan, drag, plan.core[k])
        product_transposed(z, w, 1.0, o.Y + 72 * i + 36 * s, o.Y + 72 * k + 36 * t, (a, b, 6), o.block + 36 * block)
    for place in range(len(plan.core)):
        own_block(z, w, o, plan, drag, place)


@kernel
def own_block(z, w, o, plan, drag, place):
    """The diagonal block of a joint, with its slack."""
    world, j, to = len(plan.bodies) - 1, plan.core[place], o.block + 36 * plan.first[place]
    used = rows_of(plan, drag, j)
    for side in range(2):
        if plan.links[j, side] != world:
            Y = o.Y + 72 * place + 36 * side
            product_transposed(z, w, 1.0, Y, Y, (used, used, 6), to)
    for i in range(used):
        soft = SLACK * own_compliance(plan, j, i) + (1.0 / drag[j] if i >= 3 + plan.links[j, 2] else 0.0)
        store(z, w, to + 7 * i, load(z, w, to + 7 * i) + soft)


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
    cholesky(z, w, at, used)
    for m in range(start + 1, stop):
        rows = rows_of(plan, drag, plan.core[plan.below[m]])
        cholesky_forward(z, w, at, used, o.block + 36 * m, rows, 1, 6)
    for m in range(start + 1, stop):
        k = plan.below[m]
        columns, to = rows_of(plan, drag, plan.core[k]), plan.first[k]
        for n in range(m, stop):
            i = plan.below[n]
            while plan.below[to] != i:  # the column of k has every row that this one has below k
                to += 1
            rows = rows_of(plan, drag, plan.core[i])
            shape = (rows, columns, used)
            product_transposed(z, w, -1.0, o.block + 36 * n, o.block + 36 * m, shape, o.block + 36 * to)


@kernel
def solve_core(z, w, o, plan, drag, rounds, f, b):
    """Forces f of the core's bodies become accelerations, right-hand sides b of its joints become reactions."""
    for h in range(len(plan.hubs)):
        cholesky_forward(z, w, o.M + 21 * plan.hubs[h], 6, f + 6 * plan.hubs[h], 1, 1, 0)
    count = len(plan.core)
    for place in range(count):
        for i in range(6):
            store(z, w, o.wanted + 6 * place + i, load(z, w, b + 6 * plan.core[place] + i))
            store(z, w, b + 6 * plan.core[place] + i, z)
    for _ in range(rounds if count > 0 else 0):
        for place in range(count):
            missing(z, w, o, plan, drag, place, f, b)
        for place in range(count):
            solve_column(z, w, o, plan, drag, place)
        for place in range(count - 1, -1, -1):
            solve_row(z, w, o, plan, drag, place)
            answer(z, w, o, plan, drag, place, f, b)
    for h in range(len(plan.hubs)):
        cholesky_backward(z, w, o.M + 21 * plan.hubs[h], 6, f + 6 * plan.hubs[h])


@kernel
def missing(z, w, o, plan, drag, place, f, b):
    """The residual b − G a − Σλ of a joint, in `change`; f holds Lᵀ a of the bodies, b the reactions λ so far."""
    j, to = plan.core[place], o.change + 6 * place
    used = rows_of(plan, drag, j)
    for i in range(used):
        soft = 1.0 / drag[j] if i >= 3 + plan.links[j, 2] else 0.0
        store(z, w, to + i, load(z, w, o.wanted + 6 * place + i) - soft * load(z, w, b + 6 * j + i))
    for side in range(2):
        body = plan.links[j, side]
        if body != len(plan.bodies) - 1:
            subtract_product(z, w, o.Y + 72 * place + 36 * side, used, 6, f + 6 * body, to)


@kernel
def answer(z, w, o, plan, drag, place, f, b):
    """Add the change of a joint's reactions to them and to the motion of its bodies."""
    j, at = plan.core[place], o.change + 6 * place
    used = rows_of(plan, drag, j)
    for i in range(used):
        store(z, w, b + 6 * j + i, load(z, w, b + 6 * j + i) + load(z, w, at + i))
    for side in range(2):
        body = plan.links[j, side]
        if body != len(plan.bodies) - 1:
            subtract_transposed(z, w, -1.0, o.Y + 72 * place + 36 * side, used, 6, at, f + 6 * body)


@kernel
def solve_column(z, w, o, plan, drag, place):
    """Forward substitution with one column of blocks."""
    used, x = rows_of(plan, drag, plan.core[place]), o.change + 6 * place
    cholesky_forward(z, w, o.pivot + 21 * place, used, x, 1, 1, 0)
    for m in range(plan.first[place] + 1, plan.first[place + 1]):
        i = plan.below[m]
        subtract_product(z, w, o.block + 36 * m, rows_of(plan, drag, plan.core[i]), used, x, o.change + 6 * i)


@kernel
def solve_row(z, w, o, plan, drag, place):
    """Backward substitution."""
    used, x = rows_of(plan, drag, plan.core[place]), o.change + 6 * place
    for m in range(plan.first[place] + 1, plan.first[place + 1]):
        i = plan.below[m]
        rows = rows_of(plan, drag, plan.core[i])
        subtract_transposed(z, w, 1.0, o.block + 36 * m, rows, used, o.change + 6 * i, x)
    cholesky_backward(z, w, o.pivot + 21 * place, used, x)


@kernel
def product_transposed(z, w, sign, at, bt, shape, to):
    """T += sign · A Bᵀ of blocks with 6 numbers per row, used or not; the shape is (rows of A, rows of B, columns)."""
    rows, columns, inner = shape
    for i in range(rows):
        for k in range(columns):
            s = z
            for m in range(inner):
                s = s + load(z, w, at + 6 * i + m) * load(z, w, bt + 6 * k + m)
            here = to + 6 * i + k
            store(z, w, here, load(z, w, here) + sign * s)


@kernel
def subtract_product(z, w, at, rows, inner, xt, yt):
    """y −= A x."""
    for i in range(rows):
        s = load(z, w, yt + i)
        for k in range(inner):
            s = s - load(z, w, at + 6 * i + k) * load(z, w, xt + k)
        store(z, w, yt + i, s)


@kernel
def subtract_transposed(z, w, sign, at, rows, inner, xt, yt):
    """y −= sign · Aᵀ x."""
    for k in range(inner):
        s = z
        for i in range(rows):
            s = s + load(z, w, at + 6 * i + k) * load(z, w, xt + i)
        store(z, w, yt + k, load(z, w, yt + k) - sign * s)
