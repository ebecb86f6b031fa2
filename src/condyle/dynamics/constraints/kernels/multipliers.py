"""Multipliers λ of A λ = b for A = J M⁻¹ Jᵀ, which loses rank where rows are redundant; the shortest λ then.

A is scaled to a unit diagonal and factored by Cholesky's method with the largest pivot first; a pivot below `tolerance`
ends it. With rows B independent and rows D = C B dependent, all solutions are λ_B − Cᵀ y, λ_D = y; the shortest has
(I + C Cᵀ) y = C λ_B.
States side by side share one order of pivots. Those for which another would be better, or of another rank, are odd:
they are told, and must be solved by themselves.
"""

from ....numeric import (
    inlined,
    kernel,
    less,
    load,
    magnitude,
    pivoted_backward,
    pivoted_cholesky,
    pivoted_forward,
    select,
    sqrt,
    store,
    width,
)

SHARE = 1e-3  # a lane whose pivot is a smaller share of its own largest one is odd
NO_ROW = 1e-24  # of the largest A_ii: a row this weak moves nothing (its entries are round-off)
NO_LEVER = 1e-20  # of what it would be if all forces had the best lever: the same


@kernel
def scale_rows(z, A, n, scale):
    """A scaled to a unit diagonal, in place; rows that move nothing become zero."""
    most = z
    for i in range(n):
        d = load(z, A, i * (n + 1))
        most = select(less(most, d), d, most)
    for i in range(n):
        d = load(z, A, i * (n + 1))
        moves = less(NO_ROW * most, d)
        store(z, scale, i, select(moves, 1.0 / sqrt(select(moves, d, z + 1.0)), z))
    for i in range(n):
        for j in range(n):
            store(z, A, i * n + j, load(z, scale, i) * load(z, A, i * n + j) * load(z, scale, j))


@kernel
def least_lane(z, x, room):
    """The least of the lanes of x; what is not a number does not count."""
    store(z, room, 0, x)
    least = 1e300
    for lane in range(width(z)):
        if room[lane].real < least:
            least = room[lane].real
    return least


@kernel
def common_cholesky(z, A, n, order, tolerance, room):
    """`pivoted_cholesky` with one order for all lanes: first the row whose pivot is the largest in its least lane.

    Returns how many pivots exceed the tolerance in all lanes, and 1 in lanes that are odd, else 0.
    """
    odd = z
    for i in range(n):
        order[i] = i
    for k in range(n):
        best, most, own = k, -1e300, load(z, A, order[k] * (n + 1))
        for i in range(k, n):
            d = load(z, A, order[i] * (n + 1))
            own, least = select(less(own, d), d, own), least_lane(z, d, room)
            if most < least:
                best, most = i, least
        order[k], order[best] = order[best], order[k]
        at = order[k]
        pivot = load(z, A, at * (n + 1))
        if least_lane(z, pivot - tolerance, room) <= 0.0:
            return k, select(less(tolerance, own), z + 1.0, odd)
        odd = select(less(pivot, SHARE * own), z + 1.0, odd)
        root = sqrt(pivot)
        store(z, A, at * (n + 1), root)
        put_factor_column(z, A, n, order, k, 1.0 / root)
    return n, odd


@inlined
def factored(z, A, n, order, tolerance, room, alone):
    """`common_cholesky`, or `pivoted_cholesky` of a state alone.

    For states side by side `alone` is None: a branch that is not for lanes is then not compiled.
    """
    if alone is None:
        return common_cholesky(z, A, n, order, tolerance, room)
    return pivoted_cholesky(z, A, n, order, tolerance), z


@kernel
def put_factor_column(z, A, n, order, k, inverse):
    """Column k of the factor below its diagonal, from those before it; diagonal entries lose what it explains."""
    at = order[k]
    for i in range(k + 1, n):
        row = order[i] * n
        s = load(z, A, row + at)
        for j in range(k):
            s = s - load(z, A, row + order[j]) * load(z, A, at * n + order[j])
        s = s * inverse
        store(z, A, row + at, s)
        store(z, A, row + order[i], load(z, A, row + order[i]) - s * s)


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
            moves = less(0.0, k)
            ratio = load(z, scale, order[i]) / select(moves, k, z + 1.0)
            store(z, ties, d * n + i, load(z, ties, d * n + i) * select(moves, ratio, z))


@kernel
def shorten(z, n, rank, c, alone):
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
    factored(z, norms, rest, c.tied, z, c.room, alone)
    pivoted_forward(z, norms, rest, c.tied, rest, y)
    pivoted_backward(z, norms, rest, c.tied, rest, y)
    for d in range(rest):
        s = load(z, y, d)
        store(z, x, order[rank + d], s)
        for i in range(rank):
            store(z, x, order[i], load(z, x, order[i]) - load(z, ties, d * n + i) * s)


@kernel
def solve_rows(z, n, b, tolerance, c, alone):
    """λ of the first n rows, to c.multipliers; returns (rank, the largest |b| that no λ gives, its row, odd).

    `alone` is True for a state alone, None for states side by side.
    """
    A, order, scale, x = c.gram, c.order, c.scale, c.multipliers
    scale_rows(z, A, n, scale)
    rank, odd = factored(z, A, n, order, tolerance, c.room, alone)
    for i in range(n):
        store(z, x, i, load(z, scale, i) * load(z, b, i))
    pivoted_forward(z, A, n, order, rank, x)
    worst, at = z, z
    for d in range(rank, n):
        row = order[d]
        k = load(z, scale, row)
        moves = less(0.0, k)
        left = magnitude(select(moves, load(z, x, row) / select(moves, k, z + 1.0), load(z, b, row)))
        larger = less(worst, left)
        worst, at = select(larger, left, worst), select(larger, z + row, at)
        store(z, x, row, z)
    pivoted_backward(z, A, n, order, rank, x)
    for i in range(n):
        store(z, x, i, load(z, scale, i) * load(z, x, i))
    if rank < n:
        shorten(z, n, rank, c, alone)
    return rank, worst, at, odd
