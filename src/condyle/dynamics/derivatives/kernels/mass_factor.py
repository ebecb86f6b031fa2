"""M = Uᵀ U of a full mass matrix, M⁻¹ and M⁻¹ B, by tiles of two rows and four columns.

A matrix of n rows has `stride(n)` numbers per row and an even number of rows; what is padded is zero, with a one on the
diagonal of M. U stands in the upper half of M, what is below is of no use; `diagonal` has 1/U_ii at 2 i, and for even i
U_i,i+1 after it. A tile stays in registers while the sums over all rows before (or after) run: fast in lanes.
"""

import math

from ....numeric import inlined, kernel, less, load, select, sqrt, store
from ....spatial.kernels.algebra import load4, store4


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


@kernel
def lower_tile(z, U, X, s, i, start, c):
    """Rows i and i + 1 of four columns, less the sums Σ U_ki X_k over the rows start … i − 1."""
    a, b = load4(z, X, i * s + c), load4(z, X, (i + 1) * s + c)
    for k in range(start, i):
        y = load4(z, X, k * s + c)
        a, b = subtract4(a, load(z, U, k * s + i), y), subtract4(b, load(z, U, k * s + i + 1), y)
    return a, b


@kernel
def upper_tile(z, U, X, s, i, n, c):
    """Rows i and i + 1 of four columns, less the sums Σ U_ik X_k over the rows i + 2 … n − 1."""
    a, b = load4(z, X, i * s + c), load4(z, X, (i + 1) * s + c)
    for k in range(i + 2, n):
        y = load4(z, X, k * s + c)
        a, b = subtract4(a, load(z, U, i * s + k), y), subtract4(b, load(z, U, (i + 1) * s + k), y)
    return a, b


@inlined
def finish_lower(z, U, X, diagonal, s, i, start, c):
    """Rows i and i + 1 of U⁻ᵀ X in four columns."""
    a, b = lower_tile(z, U, X, s, i, start, c)
    a = scale4(load(z, diagonal, 2 * i), a)
    b = scale4(load(z, diagonal, 2 * i + 2), subtract4(b, load(z, diagonal, 2 * i + 1), a))
    store4(z, X, i * s + c, a)
    store4(z, X, (i + 1) * s + c, b)


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
            finish_lower(z, M, M, diagonal, s, i, 0, c)


@kernel
def solve_tile(z, U, X, diagonal, n, c, start):
    """Four columns of M⁻¹ X in place; if rows before `start` are zero, only the rows from there on."""
    s, rows = stride(n), even(n)
    for i in range(start, rows, 2):
        finish_lower(z, U, X, diagonal, s, i, start, c)
    for i in range(rows - 2, start - 1, -2):
        a, b = upper_tile(z, U, X, s, i, rows, c)
        b = scale4(load(z, diagonal, 2 * i + 2), b)
        a = scale4(load(z, diagonal, 2 * i), subtract4(a, load(z, diagonal, 2 * i + 1), b))
        store4(z, X, i * s + c, a)
        store4(z, X, (i + 1) * s + c, b)


@kernel
def solve_columns(z, U, X, diagonal, n):
    """X ↦ M⁻¹ X in place."""
    for c in range(0, stride(n), 4):
        solve_tile(z, U, X, diagonal, n, c, 0)


@kernel
def invert(z, U, X, diagonal, n):
    """X = M⁻¹: the lower half is solved for, the upper one is its mirror."""
    s = stride(n)
    for i in range(even(n)):
        for c in range(s):
            store(z, X, i * s + c, z + (1.0 if i == c else 0.0))
    for c in range(0, s, 4):
        solve_tile(z, U, X, diagonal, n, c, c)
    for i in range(n):
        for j in range(i):
            store(z, X, j * s + i, load(z, X, i * s + j))
