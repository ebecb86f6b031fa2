"""Symmetric systems of 6x6 blocks that couple only neighbouring control frames; linear time to solve.

`BlockBand.blocks[j, d]` is the block of frames j and j + d (modulo the count if periodic) for d = 0 … k − 1.
LAPACK's banded Cholesky hands each column to all threads of the BLAS, which on a busy machine costs a thousand times
the work; products of blocks of a dozen rows stay on one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import splu


def factored(diagonal: np.ndarray, upper: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """A function that solves A x = b, b (m·w,) or (m·w, columns), for A of blocks (m, w, w) on and above its diagonal.

    A_ii = L_i L_iᵀ + X_{i−1}ᵀ X_{i−1} (its lower triangle is read) and A_{i,i+1} = L_i X_i; LinAlgError if A is not
    positive.
    """
    V, X, rest = [], [], diagonal[0]  # V_i = L_i⁻¹
    for i in range(len(diagonal)):
        V.append(np.linalg.inv(np.linalg.cholesky(rest)))
        if i + 1 < len(diagonal):
            X.append(V[i] @ upper[i])
            rest = diagonal[i + 1] - X[i].T @ X[i]
    return lambda b: solved(V, X, b)


def solved(V: list[np.ndarray], X: list[np.ndarray], b: np.ndarray) -> np.ndarray:
    """Down with L, up with its transpose."""
    x = list(b.reshape(len(V), -1, *b.shape[1:]))
    for i in range(len(V)):
        x[i] = V[i] @ (x[i] - X[i - 1].T @ x[i - 1] if i else x[i])
    for i in reversed(range(len(V))):
        x[i] = V[i].T @ (x[i] - X[i] @ x[i + 1] if i < len(X) else x[i])
    return np.concatenate(x)


ONE_THREAD = 2**18  # multiplications of a product that the BLAS does not hand to its other threads


class NotPositive(Exception):
    """The matrix has no Cholesky factor: more damping is needed. Never leaves this layer."""


@dataclass
class BlockBand:
    """A symmetric matrix and the right-hand side that belongs to it."""

    blocks: np.ndarray  # (n, k, 6, 6)
    right: np.ndarray  # (n, 6)
    periodic: bool = False

    @classmethod
    def zeros(cls, count: int, order: int, periodic: bool) -> BlockBand:
        return cls(np.zeros((count, order, 6, 6)), np.zeros((count, 6)), periodic)

    def add(self, first: np.ndarray, J: np.ndarray, r: np.ndarray) -> None:
        """Add JᵀJ and −Jᵀr of rows whose local frames begin at `first`: J (points, rows, 6k), r (points, rows)."""
        n, k = self.blocks.shape[:2]
        order = np.argsort(first, kind="stable")
        starts = np.flatnonzero(np.diff(first[order], prepend=-1))
        most = max(1, ONE_THREAD // (J.shape[1] * (6 * k) ** 2))
        for group in np.split(order, starts[1:]):
            frames = (first[group[0]] + np.arange(k)) % n
            local, right = np.zeros((6 * k, 6 * k)), np.zeros(6 * k)
            for at in range(0, len(group), most):
                part = group[at : at + most]
                Jg = J[part].reshape(-1, 6 * k)
                local += Jg.T @ Jg
                right += Jg.T @ r[part].ravel()
            for a in range(k):
                self.blocks[frames[a], : k - a] += local.reshape(k, 6, k, 6)[a].swapaxes(0, 1)[a:]
            np.subtract.at(self.right, frames, right.reshape(k, 6))

    def diagonal(self) -> np.ndarray:
        """The diagonal, (n, 6)."""
        return np.einsum("jrr->jr", self.blocks[:, 0]).copy()

    def factor(self, damping: np.ndarray | float = 0.0):
        """A function that solves (matrix + diag(damping)) x = b for b (6n,) or (6n, columns); or NotPositive."""
        return self._sparse(damping) if self.periodic else self._banded(damping)

    def solve(self, damping: np.ndarray | float = 0.0) -> np.ndarray:
        """The solution (n, 6)."""
        return self.factor(damping)(self.right.ravel()).reshape(-1, 6)

    def inverse(self) -> np.ndarray:
        """The dense inverse (6n, 6n), for leverages."""
        return self.factor()(np.eye(self.right.size))

    def _banded(self, damping):
        lower, beside = self._tridiagonal(damping)
        try:
            solve = factored(lower, beside)
        except np.linalg.LinAlgError:
            raise NotPositive from None
        size = self.right.size
        padding = lower.shape[0] * lower.shape[1] - size
        return lambda b: solve(np.concatenate([b, np.zeros((padding, *b.shape[1:]))]))[:size]

    def _tridiagonal(self, damping) -> tuple[np.ndarray, np.ndarray]:
        """Taken k − 1 frames at a time only neighbours couple: lower triangles of the diagonal, the blocks above."""
        (n, k), size = self.blocks.shape[:2], self.blocks.shape[1] - 1
        full = np.zeros((-(-n // size), size, 6, 2 * size, 6))  # rows of k − 1 frames, columns of these and the next
        for d in range(min(k, n)):
            group, r = np.divmod(np.arange(n - d), size)
            full[group, r, :, r + d] = self.blocks[: n - d, d]
        square = full.reshape(len(full), 6 * size, 2, 6 * size)
        extra = np.ones(square[:, :, 0, 0].shape)  # where frames are missing to fill the last block
        extra.ravel()[: self.right.size] = np.ravel(damping)
        np.einsum("mii->mi", square[:, :, 0])[:] += extra
        return square[:, :, 0].swapaxes(1, 2), square[:, :, 1]

    def _sparse(self, damping):
        n, k = self.blocks.shape[:2]
        j, d, r, c = np.meshgrid(np.arange(n), np.arange(k), np.arange(6), np.arange(6), indexing="ij")
        rows, columns, values = 6 * j + r, 6 * ((j + d) % n) + c, self.blocks
        beside = d > 0
        matrix = coo_array(
            (
                np.concatenate([values.ravel(), values[beside]]),
                (
                    np.concatenate([rows.ravel(), columns[beside]]),
                    np.concatenate([columns.ravel(), rows[beside]]),
                ),
            ),
            shape=(6 * n, 6 * n),
        ).tocsc()
        matrix.setdiag(matrix.diagonal() + np.ravel(damping))
        try:
            return splu(matrix, permc_spec="MMD_AT_PLUS_A").solve
        except RuntimeError:  # exactly singular
            raise NotPositive from None
