"""One-sided Jacobi rotations: rows made orthogonal, the core of small singular and eigenvalue decompositions.

LAPACK's decompositions of 30 and more unknowns hand their products to all threads of the BLAS, which on a busy machine
cost a hundred times the work; these stay on the thread that calls.
"""

import math

from ...numeric import entry, kernel, load, pack, release, scratch, store, unpack

__all__ = ["orthogonal_rows"]

ORTHOGONAL = 1e-15  # of the product of their lengths
SWEEPS = 40


@kernel
def products(z, a, i, j, columns):
    """x·x, y·y and x·y of rows that begin at i and j."""
    xx, yy, xy = z, z, z
    for k in range(columns):
        x, y = load(z, a, i + k), load(z, a, j + k)
        xx, yy, xy = xx + x * x, yy + y * y, xy + x * y
    return xx, yy, xy


@kernel
def rotate(z, a, i, j, width, xx, yy, xy):
    """Turn two rows in their plane so that they become orthogonal."""
    zeta = (yy - xx) / (2.0 * xy)
    t = (1.0 if zeta >= 0.0 else -1.0) / (abs(zeta) + math.sqrt(1.0 + zeta * zeta))
    c = 1.0 / math.sqrt(1.0 + t * t)
    s = c * t
    for k in range(width):
        x, y = load(z, a, i + k), load(z, a, j + k)
        store(z, a, i + k, c * x - s * y)
        store(z, a, j + k, s * x + c * y)


@kernel
def sweep(z, a, rows, columns, width, least):
    """Rotate every pair of rows once; how many were not orthogonal. Rows shorter than √least are rounding."""
    turned = 0
    for i in range(rows - 1):
        for j in range(i + 1, rows):
            xx, yy, xy = products(z, a, i * width, j * width, columns)
            if min(xx, yy) > least and abs(xy) > ORTHOGONAL * math.sqrt(xx * yy):
                rotate(z, a, i * width, j * width, width, xx, yy, xy)
                turned += 1
    return turned


@entry
def orthogonal_rows(z, A, rows, columns, width, start, stop):
    """Rotate the rows (of `width` numbers) of each matrix A[i] until their first `columns` numbers are orthogonal."""
    a = scratch(z, rows * width)
    for i in range(start, stop):
        pack(z, A, i, stop, a)
        longest = z
        for k in range(rows):
            longest = max(longest, products(z, a, k * width, k * width, columns)[0])
        for _ in range(SWEEPS):
            if sweep(z, a, rows, columns, width, 1e-30 * longest) == 0:
                break
        unpack(z, a, A, i, i + 1)
    release(a)
