"""Eigenvalues, pseudoinverses and null spaces of batches of small matrices, by one-sided Jacobi rotations.

LAPACK's decompositions of 30 and more unknowns hand their products to all threads of the BLAS, which on a busy machine
cost a hundred times the work; these stay on the thread that calls.
"""

from __future__ import annotations

import math

import numpy as np

from ...numeric import entry, kernel, load, one_by_one, pack, release, scratch, store, unpack

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


def symmetric_eigen(H: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues (count, n), rising, and eigenvectors (count, n, n) as columns of symmetric H (count, n, n).

    cI − H is positive with the same eigenvectors v; its rows become (c − λ) v when they are orthogonal.
    """
    count, n, _ = H.shape
    c = 2.0 * np.sqrt(np.einsum("cij,cij->c", H, H)) + 1e-300
    rows = _orthogonal(c[:, None, None] * np.eye(n) - H, n)
    lengths = np.sqrt(np.einsum("cij,cij->ci", rows, rows))
    falling = np.arange(count)[:, None], np.argsort(-lengths, axis=1)
    rows, lengths = rows[falling], lengths[falling]
    return c[:, None] - lengths, (rows / lengths[..., None]).swapaxes(1, 2)


def pseudoinverse(C: np.ndarray, rcond: float) -> np.ndarray:
    """C⁺ (count, n, m) of C (count, m, n); singular values below `rcond` of the largest count as zero.

    Rotations U make the rows of UᵀC orthogonal: (σ v)ᵀ. Then C⁺ = Σ v σ⁻¹ uᵀ.
    """
    count, m, n = C.shape
    both = np.concatenate([C, np.broadcast_to(np.eye(m), (count, m, m))], axis=2)
    rows = _orthogonal(both, n)
    v, u = rows[..., :n], rows[..., n:]
    squares = np.einsum("cmn,cmn->cm", v, v)
    kept = squares > rcond**2 * squares.max(axis=1, keepdims=True, initial=1e-300)
    return np.einsum("cmn,cmk->cnk", v * np.where(kept, 1.0 / np.where(kept, squares, 1.0), 0.0)[..., None], u)


def null_space(C: np.ndarray, rcond: float) -> np.ndarray:
    """An orthonormal basis (n, n − rank), as columns, of what C (m, n) takes to zero."""
    n = C.shape[1]
    projector = np.eye(n) - pseudoinverse(C[None], rcond)[0] @ C
    rows = _orthogonal(projector[None], n)[0]
    lengths = np.linalg.norm(rows, axis=1)  # 1 or 0
    kept = lengths > 0.5
    return np.ascontiguousarray((rows[kept] / lengths[kept, None]).T)


def _orthogonal(A: np.ndarray, columns: int) -> np.ndarray:
    """A with the rows of each matrix rotated until their first columns are orthogonal."""
    count, rows, width = A.shape
    flat = A.reshape(count, rows * width).copy()
    if flat.size:
        one_by_one(lambda z, start, stop: orthogonal_rows(z, flat, rows, columns, width, start, stop), count)
    return flat.reshape(A.shape)
