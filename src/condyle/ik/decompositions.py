"""Eigenvalues, pseudoinverses and null spaces of batches of small matrices, by Jacobi rotations on one thread."""

from __future__ import annotations

import numpy as np

from ..numeric import one_by_one

__all__ = ["null_space", "pseudoinverse", "symmetric_eigen"]


def symmetric_eigen(H: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues (count, n), rising, and eigenvectors (count, n, n) as columns of symmetric H (count, n, n).

    cI − H is positive with the same eigenvectors v; its rows become (c − λ) v when they are orthogonal.
    """
    n = H.shape[-1]
    c = 2.0 * np.linalg.norm(H, axis=(1, 2)) + 1e-300
    rows = _orthogonal(c[:, None, None] * np.eye(n) - H, n)
    lengths = np.linalg.norm(rows, axis=2)
    order = np.argsort(-lengths, axis=1)
    vectors = np.take_along_axis(rows / lengths[..., None], order[..., None], axis=1)
    return c[:, None] - np.take_along_axis(lengths, order, axis=1), vectors.swapaxes(1, 2)


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
    from .kernels.jacobi import orthogonal_rows

    count, rows, width = A.shape
    flat = A.reshape(count, rows * width).copy()
    if flat.size:
        one_by_one(lambda z, start, stop: orthogonal_rows(z, flat, rows, columns, width, start, stop), count)
    return flat.reshape(A.shape)
