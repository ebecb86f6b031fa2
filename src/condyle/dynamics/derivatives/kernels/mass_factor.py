"""M = Uᵀ U of a full mass matrix, M⁻¹ and M⁻¹ B, by tiles of two rows and four columns.

A matrix of n rows has `stride(n)` numbers per row and an even number of rows; what is padded is zero, with a one on the
diagonal of M. U stands in the upper half of M, what is below is of no use; `diagonal` has 1/U_ii at 2 i, and for even i
U_i,i+1 after it. A tile stays in registers while the sums over all rows before (or after) run: fast in lanes. For one
state a tile has two rows and 32 columns, four numbers of lanes of columns (`side`, see `matrix_rows`).
"""

import math

from ....numeric import inlined, kernel, less, load, part, select, sqrt, store, width
from ....spatial.kernels.algebra import load4, store4

TILE = 32  # columns of one state that are four numbers of lanes


@inlined
def stride(n):
    """Numbers per row."""
    return (n + 3) // 4 * 4


@inlined
def even(n):
    """Rows."""
    return n + n % 2


@inlined
def scale4(k, a):
    return (k * a[0], k * a[1], k * a[2], k * a[3])


@inlined
def subtract4(a, k, b):
    """a − k b."""
    return (a[0] - k * b[0], a[1] - k * b[1], a[2] - k * b[2], a[3] - k * b[3])


@inlined
def wide(n):
    """Numbers per row of three right-hand sides beside each other: whole tiles of lanes of columns."""
    return (3 * stride(n) + TILE - 1) // TILE * TILE


@kernel
def lower_tile(z, side, U, X, sizes, i, start, c):
    """Rows i and i + 1 of a tile, less the sums Σ U_ki X_k over the rows start … i − 1."""
    s, w = sizes
    a, b = load4(side, part(z, X, i * w + c), 0), load4(side, part(z, X, (i + 1) * w + c), 0)
    for k in range(start, i):
        y = load4(side, part(z, X, k * w + c), 0)
        a, b = subtract4(a, load(z, U, k * s + i), y), subtract4(b, load(z, U, k * s + i + 1), y)
    return a, b


@kernel
def upper_tile(z, side, U, X, sizes, i, n, c):
    """Rows i and i + 1 of a tile, less the sums Σ U_ik X_k over the rows i + 2 … n − 1."""
    s, w = sizes
    a, b = load4(side, part(z, X, i * w + c), 0), load4(side, part(z, X, (i + 1) * w + c), 0)
    for k in range(i + 2, n):
        y = load4(side, part(z, X, k * w + c), 0)
        a, b = subtract4(a, load(z, U, i * s + k), y), subtract4(b, load(z, U, (i + 1) * s + k), y)
    return a, b


@inlined
def store_rows(z, side, X, w, i, c, a, b):
    """Store rows i and i + 1 of a tile."""
    store4(side, part(z, X, i * w + c), 0, a)
    store4(side, part(z, X, (i + 1) * w + c), 0, b)


@inlined
def finish_lower(z, side, U, X, diagonal, sizes, at):
    """Rows i and i + 1 of U⁻ᵀ X in a tile, at: (i, start, c) as of `lower_tile`."""
    i, start, c = at
    a, b = lower_tile(z, side, U, X, sizes, i, start, c)
    a = scale4(load(z, diagonal, 2 * i), a)
    b = scale4(load(z, diagonal, 2 * i + 2), subtract4(b, load(z, diagonal, 2 * i + 1), a))
    store_rows(z, side, X, sizes[1], i, c, a, b)


@inlined
def inverse_root(z, a):
    """1/√a, NaN where a is not positive (which plain Python would not divide by)."""
    positive = less(0.0, a)
    return select(positive, 1.0 / sqrt(select(positive, a, z + 1.0)), z + math.nan)


@kernel
def pivots(z, M, diagonal, s, i):
    """The diagonal of U in rows i and i + 1, and what is between them."""
    a, b, c = load(z, M, i * s + i), load(z, M, i * s + i + 1), load(z, M, (i + 1) * s + i + 1)
    for k in range(i):
        x, y = load(z, M, k * s + i), load(z, M, k * s + i + 1)
        a, b, c = a - x * x, b - x * y, c - y * y
    first = inverse_root(z, a)
    b = b * first
    store(z, diagonal, 2 * i, first)
    store(z, diagonal, 2 * i + 1, b)
    store(z, diagonal, 2 * i + 2, inverse_root(z, c - b * b))


@kernel
def factorize(z, M, diagonal, n):
    """M ↦ U in place. A matrix that is not positive definite becomes NaN."""
    s = stride(n)
    for i in range(0, even(n), 2):
        pivots(z, M, diagonal, s, i)
        for c in range(i // 4 * 4, s, 4):
            finish_lower(z, z, M, M, diagonal, (s, s), (i, 0, c))


@kernel
def solve_tile(z, side, U, X, diagonal, sizes, c, start):
    """A tile of M⁻¹ X in place; if rows before `start` are zero, only the rows from there on.

    Sizes are the number of rows and the numbers per row of X.
    """
    (n, w), rows = sizes, even(sizes[0])
    sizes = stride(n), w
    for i in range(start, rows, 2):
        finish_lower(z, side, U, X, diagonal, sizes, (i, start, c))
    for i in range(rows - 2, start - 1, -2):
        a, b = upper_tile(z, side, U, X, sizes, i, rows, c)
        b = scale4(load(z, diagonal, 2 * i + 2), b)
        a = scale4(load(z, diagonal, 2 * i), subtract4(a, load(z, diagonal, 2 * i + 1), b))
        store_rows(z, side, X, w, i, c, a, b)


@kernel
def solve_columns(z, U, X, diagonal, n):
    """X ↦ M⁻¹ X in place."""
    for c in range(0, stride(n), 4):
        solve_tile(z, z, U, X, diagonal, (n, stride(n)), c, 0)


@kernel
def move(z, side, x, at, y, to, n):
    """y = x in n numbers, a multiple of four, from places of both on."""
    step = width(side) // width(z)
    a, b = part(z, x, at), part(z, y, to)
    for k in range(n // step):
        store(side, b, k, load(side, a, k))
    for k in range(n // step * step, n):
        store(z, b, k, load(z, a, k))


@kernel
def solve_beside(z, side, U, X, Y, inverse, rooms, n):
    """X ↦ M⁻¹ X, Y ↦ M⁻¹ Y and the inverse of M of one state, in lanes of columns; rooms: (diagonal, all three)."""
    diagonal, both = rooms
    s, w = stride(n), wide(n)
    for i in range(even(n)):
        for k in range(2 * s, w):
            store(z, both, i * w + k, z)
        move(z, side, X, i * s, both, i * w, s)
        move(z, side, Y, i * s, both, i * w + s, s)
        store(z, both, i * w + 2 * s + i, z + 1.0)
    for c in range(0, w, TILE):
        solve_tile(z, side, U, both, diagonal, (n, w), c, 0)
    for i in range(n):
        move(z, side, both, i * w, X, i * s, s)
        move(z, side, both, i * w + s, Y, i * s, s)
        move(z, side, both, i * w + 2 * s, inverse, i * s, s)


@kernel
def invert(z, U, X, diagonal, n):
    """X = M⁻¹: the lower half is solved for, the upper one is its mirror."""
    s = stride(n)
    for i in range(even(n)):
        for c in range(s):
            store(z, X, i * s + c, z + (1.0 if i == c else 0.0))
    for c in range(0, s, 4):
        solve_tile(z, z, U, X, diagonal, (n, s), c, c)
    for i in range(n):
        for j in range(i):
            store(z, X, j * s + i, load(z, X, i * s + j))
