"""Multipliers λ of A λ = b for A = J M⁻¹ Jᵀ, which loses rank where rows are redundant; the shortest λ then.

A is scaled to a unit diagonal and factored by Cholesky's method with the largest pivot first; a pivot below `tolerance`
ends it. With rows B independent and rows D = C B dependent, all solutions are λ_B − Cᵀ y, λ_D = y; the shortest has
(I + C Cᵀ) y = C λ_B.
"""

from ....numeric import (
    kernel,
    less,
    load,
    magnitude,
    pivoted_backward,
    pivoted_cholesky,
    pivoted_forward,
    sqrt,
    store,
)

NO_ROW = 1e-24  # of the largest A_ii: a row this weak moves nothing (its entries are round-off)


@kernel
def scale_rows(z, A, n, scale):
    """A scaled to a unit diagonal, in place; rows that move nothing become zero."""
    most = z
    for i in range(n):
        if less(most, load(z, A, i * (n + 1))):
            most = load(z, A, i * (n + 1))
    for i in range(n):
        d = load(z, A, i * (n + 1))
        store(z, scale, i, 1.0 / sqrt(d) if less(NO_ROW * most, d) else z)
    for i in range(n):
        for j in range(n):
            store(z, A, i * n + j, load(z, scale, i) * load(z, A, i * n + j) * load(z, scale, j))


@kernel
def tie_rows(z, n, rank, c):
    """C, row by row: dependent row order[rank + d] in terms of the independent ones, unscaled."""
    A, order, ties, scale = c.gram, c.order, c.ties, c.scale
    for d in range(n - rank):
        row = order[rank + d]
        for i in range(rank - 1, -1, -1):  # C L = L_D
            s = load(z, A, row * n + order[i])
            for j in range(i + 1, rank):
                s = s - load(z, ties, d * n + j) * load(z, A, order[j] * n + order[i])
            store(z, ties, d * n + i, s / load(z, A, order[i] * (n + 1)))
    for d in range(n - rank):
        k = load(z, scale, order[rank + d])
        for i in range(rank):
            ratio = load(z, scale, order[i]) / k if less(0.0, k) else z
            store(z, ties, d * n + i, load(z, ties, d * n + i) * ratio)


@kernel
def shorten(z, n, rank, c):
    """The shortest of all multipliers that do the same; those of dependent rows come in as 0."""
    order, ties, norms, x, y = c.order, c.ties, c.norms, c.multipliers, c.dependent
    rest = n - rank
    tie_rows(z, n, rank, c)
    for d in range(rest):
        s = z
        for i in range(rank):
            s = s + load(z, ties, d * n + i) * load(z, x, order[i])
        store(z, y, d, s)
        for e in range(rest):
            s = z + (1.0 if d == e else 0.0)
            for i in range(rank):
                s = s + load(z, ties, d * n + i) * load(z, ties, e * n + i)
            store(z, norms, d * rest + e, s)
    pivoted_cholesky(z, norms, rest, c.tied, 0.0)
    pivoted_forward(z, norms, rest, c.tied, rest, y)
    pivoted_backward(z, norms, rest, c.tied, rest, y)
    for d in range(rest):
        s = load(z, y, d)
        store(z, x, order[rank + d], s)
        for i in range(rank):
            store(z, x, order[i], load(z, x, order[i]) - load(z, ties, d * n + i) * s)


@kernel
def solve_rows(z, n, b, tolerance, c):
    """λ of the first n rows, to c.multipliers; returns (rank, the largest |b| that no λ gives, its row)."""
    A, order, scale, x = c.gram, c.order, c.scale, c.multipliers
    scale_rows(z, A, n, scale)
    rank = pivoted_cholesky(z, A, n, order, tolerance)
    for i in range(n):
        store(z, x, i, load(z, scale, i) * load(z, b, i))
    pivoted_forward(z, A, n, order, rank, x)
    worst, at = z, 0
    for d in range(rank, n):
        row = order[d]
        k = load(z, scale, row)
        left = magnitude(load(z, x, row) / k if less(0.0, k) else load(z, b, row))
        if less(worst, left):
            worst, at = left, row
        store(z, x, row, z)
    pivoted_backward(z, A, n, order, rank, x)
    for i in range(n):
        store(z, x, i, load(z, scale, i) * load(z, x, i))
    if rank < n:
        shorten(z, n, rank, c)
    return rank, worst, at
