"""Scattered data on a tensor-product spline: which control points act on a datum, and normal equations cell by cell."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np


@dataclass(frozen=True)
class TensorSystem:
    """`index` (N, m): the control points (flat, C order) that act on each datum; `value` (N, m): their basis values."""

    index: np.ndarray
    value: np.ndarray
    count: int

    @classmethod
    def of(cls, axes: list[tuple[np.ndarray, np.ndarray]], shape: tuple[int, ...]) -> TensorSystem:
        """From the first index and the values along each axis."""
        n = len(axes[0][0])
        index, value = np.zeros((n, 1), int), np.ones((n, 1))
        for (first, basis), size in zip(axes, shape, strict=True):
            along = first[:, None] + np.arange(basis.shape[1])
            index = (index[:, :, None] * size + along[:, None, :]).reshape(n, -1)
            value = (value[:, :, None] * basis[:, None, :]).reshape(n, -1)
        return cls(index, value, prod(shape))

    def __getitem__(self, rows) -> TensorSystem:
        return TensorSystem(self.index[rows], self.value[rows], self.count)

    @property
    def touched(self) -> np.ndarray:
        """How much data acts on each control point, (count,)."""
        return np.bincount(self.index.ravel(), self.value.ravel(), self.count)

    def values(self, controls: np.ndarray) -> np.ndarray:
        """The spline of controls (count, k) at the data, (N, k)."""
        return np.einsum("nm,nmk->nk", self.value, controls[self.index])

    def cells(self):
        """Data that share their control points: (rows, control points)."""
        order = np.argsort(self.index[:, 0], kind="stable")
        starts = np.flatnonzero(np.diff(self.index[order, 0], prepend=-1))
        return ((rows, self.index[rows[0]]) for rows in np.split(order, starts[1:]))

    def scalar_normal(self, y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """BᵀWB (count, count) and BᵀWy."""
        A, b = np.zeros((self.count, self.count)), np.zeros((self.count, y.shape[1]))
        for rows, points in self.cells():
            B = self.value[rows]
            WB = weights[rows, None] * B
            A[np.ix_(points, points)] += np.einsum("na,nb->ab", B, WB)
            b[points] += np.einsum("na,nk->ak", WB, y[rows])
        return A, b

    def add_normal(self, A: np.ndarray, b: np.ndarray, J: np.ndarray, r: np.ndarray) -> None:
        """Add JᵀJ to A (6·count square) and −Jᵀr to b (count, 6); J (N, 6, 6) is by six functions at each datum.

        The block of two control points is Σ B_a B_b JᵀJ. Sums by einsum, which leaves the threads of the BLAS asleep.
        """
        blocks = A.reshape(self.count, 6, self.count, 6)
        JJ, Jr = J.swapaxes(1, 2) @ J, (J.swapaxes(1, 2) @ r[..., None])[..., 0]
        for rows, points in self.cells():
            B, m = self.value[rows], len(points)
            local = np.einsum("np,nk->pk", pairs(B), JJ[rows].reshape(len(rows), 36)).reshape(m, m, 6, 6)
            blocks[points[:, None], :, points[None, :], :] += local
            b[points] -= np.einsum("na,nk->ak", B, Jr[rows])

    def between(self, matrix: np.ndarray) -> np.ndarray:
        """Σ B_a B_b of the 6x6 blocks of a matrix (6·count square) at each datum, (N, 6, 6)."""
        blocks, out = matrix.reshape(self.count, 6, self.count, 6), np.empty((len(self.index), 36))
        for rows, points in self.cells():
            local = blocks[points[:, None], :, points[None, :], :].reshape(-1, 36)
            out[rows] = np.einsum("np,pk->nk", pairs(self.value[rows]), local)
        return out.reshape(-1, 6, 6)


def pairs(B: np.ndarray) -> np.ndarray:
    """B_a B_b of each datum, (N, m²)."""
    return (B[:, :, None] * B[:, None, :]).reshape(len(B), -1)
