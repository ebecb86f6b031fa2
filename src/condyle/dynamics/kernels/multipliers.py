"""Multipliers λ of A λ = b for A = J M⁻¹ Jᵀ, which loses rank where rows are redundant; the shortest λ then.

A is scaled to a unit diagonal and factored by Cholesky's method with the largest pivot first; a pivot below `tolerance`
ends it. With rows B independent and rows D = C B dependent, all solutions are λ_B − Cᵀ y, λ_D = y; the shortest has
(I + C Cᵀ) y = C λ_B.
"""

from ...numeric import inlined, kernel, less, load, magnitude, sqrt, store
from .constraint_scratch import FORCES_OF, GRAM, NORMS, ORDER, SCALE, TIED, TIES

__all__ = ["solve_rows"]

NO_ROW = 1e-24  # of the largest A_ii: a row this weak moves nothing (its entries are round-off)


@inlined
def largest(z, A, n, order, k):
    """Which of the positions k … n − 1 has the largest diagonal entry."""
    best = k
    for i in range(k + 1, n):
        if less(load(z, A, order[best] * (n + 1)), load(z, A, order[i] * (n + 1))):
            best = i
    return best


@kernel
def factorise(z, A, n, order, tolerance):
    """L Lᵀ = A with rows in `order`, L[i, j] at A[order[i] n + order[j]]; returns how many pivots exceed tolerance."""
    for i in range(n):
        order[i] = i
    for k in range(n):
        best = largest(z, A, n, order, k)
        order[k], order[best] = order[best], order[k]
        at = order[k]
        pivot = load(z, A, at * (n + 1))
        if not less(tolerance, pivot):
            return k
        root = sqrt(pivot)
        store(z, A, at * (n + 1), root)
        for i in range(k + 1, n):
            store(z, A, order[i] * n + at, load(z, A, order[i] * n + at) / root)
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                spot = order[i] * n + order[j]
                less_by = load(z, A, order[i] * n + at) * load(z, A, order[j] * n + at)
                store(z, A, spot, load(z, A, spot) - less_by)
    return n


@kernel
def substitute_forward(z, A, n, order, rank, x):
    """L⁻¹ x for the independent rows, in place; the others are left with what their rows do not explain."""
    for i in range(n):
        s = load(z, x, order[i])
        for j in range(min(i, rank)):
            s = s - load(z, A, order[i] * n + order[j]) * load(z, x, order[j])
        store(z, x, order[i], s / load(z, A, order[i] * (n + 1)) if i < rank else s)


@kernel
def substitute_back(z, A, n, order, rank, x):
    """L⁻ᵀ x of the independent rows, in place."""
    for i in range(rank - 1, -1, -1):
        s = load(z, x, order[i])
        for j in range(i + 1, rank):
            s = s - load(z, A, order[j] * n + order[i]) * load(z, x, order[j])
        store(z, x, order[i], s / load(z, A, order[i] * (n + 1)))


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
    A, order, ties, scale = c[GRAM], c[ORDER], c[TIES], c[SCALE]
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
    order, ties, norms, x = c[ORDER], c[TIES], c[NORMS], c[FORCES_OF]
    rest = n - rank
    tie_rows(z, n, rank, c)
    for d in range(rest):
        y = z
        for i in range(rank):
            y = y + load(z, ties, d * n + i) * load(z, x, order[i])
        store(z, c[SCALE], d, y)  # the scale is done with
        for e in range(rest):
            s = z + (1.0 if d == e else 0.0)
            for i in range(rank):
                s = s + load(z, ties, d * n + i) * load(z, ties, e * n + i)
            store(z, norms, d * rest + e, s)
    factorise(z, norms, rest, c[TIED], 0.0)
    substitute_forward(z, norms, rest, c[TIED], rest, c[SCALE])
    substitute_back(z, norms, rest, c[TIED], rest, c[SCALE])
    for d in range(rest):
        y = load(z, c[SCALE], d)
        store(z, x, order[rank + d], y)
        for i in range(rank):
            store(z, x, order[i], load(z, x, order[i]) - load(z, ties, d * n + i) * y)


@kernel
def solve_rows(z, n, b, tolerance, c):
    """λ of the first n rows, to c[FORCES_OF]; returns (rank, the largest |b| that no λ gives, its row)."""
    A, order, scale, x = c[GRAM], c[ORDER], c[SCALE], c[FORCES_OF]
    scale_rows(z, A, n, scale)
    rank = factorise(z, A, n, order, tolerance)
    for i in range(n):
        store(z, x, i, load(z, scale, i) * load(z, b, i))
    substitute_forward(z, A, n, order, rank, x)
    worst, at = z, 0
    for d in range(rank, n):
        row = order[d]
        k = load(z, scale, row)
        left = magnitude(load(z, x, row) / k if less(0.0, k) else load(z, b, row))
        if less(worst, left):
            worst, at = left, row
        store(z, x, row, z)
    substitute_back(z, A, n, order, rank, x)
    for i in range(n):
        store(z, x, i, load(z, scale, i) * load(z, x, i))
    if rank < n:
        shorten(z, n, rank, c)
    return rank, worst, at
