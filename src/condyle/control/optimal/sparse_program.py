"""A sparse nonlinear program from terms of points: cost, rows between bounds, first and second derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, vstack

from .point_terms import Term

Sparse = Any  # a csr_matrix: the types of scipy's sparse matrices do not know their shapes


def diagonal(blocks: np.ndarray) -> Sparse:
    """The matrix with these blocks (count, k, m) along its diagonal."""
    count, k, m = blocks.shape
    columns = np.broadcast_to(np.arange(count * m).reshape(count, 1, m), blocks.shape)
    return csr_matrix((blocks.ravel(), columns.ravel(), m * np.arange(count * k + 1)), shape=(count * k, count * m))


@dataclass(frozen=True, eq=False)
class Block:
    """A term at some points: x = reading z, its rows between low and high, and weights of their squares in the cost.

    Attributes
    ----------
    term : Term
    reading : csr_matrix, shape (points · m, unknowns)
    low, high : ndarray, shape (points, k)
        Infinite on both sides where a row is free.
    weights : ndarray, shape (points, k), or None
        Of squares of the rows in the cost.
    """

    term: Term
    reading: Sparse
    low: np.ndarray
    high: np.ndarray
    weights: np.ndarray | None = None

    @cached_property
    def bound(self) -> np.ndarray:
        """Which rows (points · k,) are constraints."""
        return (np.isfinite(self.low) | np.isfinite(self.high)).ravel()

    def x(self, z: np.ndarray) -> np.ndarray:
        """What the points read (points, m)."""
        return (self.reading @ z).reshape(len(self.low), -1)

    @cached_property
    def pattern(self) -> Sparse:
        """Where the slopes may differ from zero, all rows."""
        count, k = self.low.shape
        return csr_matrix(diagonal(np.ones((count, k, self.reading.shape[0] // count))) @ abs(self.reading))


class BlockAt:
    """A block at some unknowns: what is computed once is kept for cost, rows and their derivatives."""

    def __init__(self, block: Block, z: np.ndarray) -> None:
        self.block, self.x = block, block.x(z)

    @cached_property
    def value(self) -> np.ndarray:
        """Rows (points, k)."""
        return self.block.term.value(self.x)

    @cached_property
    def slope(self) -> np.ndarray:
        """∂ rows / ∂x (points, k, m)."""
        return self.block.term.slope(self.x)

    @cached_property
    def slopes(self) -> Sparse:
        """∂ rows / ∂z, those that are constraints."""
        return (diagonal(self.slope) @ self.block.reading)[self.block.bound]

    def curvature(self, cost: float, y: np.ndarray) -> np.ndarray:
        """Second derivatives (points, m, m) of cost · Σ w r² + y · rows."""
        b = self.block
        if b.weights is None:
            return b.term.curvature(self.x, y)
        w = 2.0 * cost * b.weights
        bent = b.term.curvature(self.x, y + w * self.value)
        return bent + np.swapaxes(self.slope * w[:, :, None], 1, 2) @ self.slope


class Program:
    """min Σ w r² over z with low ≤ z ≤ high, C z = 0 and rows of blocks between their bounds."""

    def __init__(self, blocks: Sequence[Block], closing: Sparse, low: np.ndarray, high: np.ndarray) -> None:
        self.blocks, self.closing, self.low, self.high = tuple(blocks), closing, low, high
        self._last: tuple[np.ndarray, list[BlockAt]] | None = None

    @cached_property
    def row_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Low and high of all rows."""
        zero = np.zeros(self.closing.shape[0])
        parts = [(b.low.ravel()[b.bound], b.high.ravel()[b.bound]) for b in self.blocks]
        return tuple(np.concatenate([zero, *(x[k] for x in parts)]) for k in (0, 1))  # type: ignore[return-value]

    def at(self, z: np.ndarray) -> list[BlockAt]:
        """All blocks at some unknowns; the last ones are kept, as solvers ask for one thing after the other."""
        if self._last is None or not np.array_equal(self._last[0], z):
            self._last = z.copy(), [BlockAt(b, z) for b in self.blocks]
        return self._last[1]

    def cost(self, z: np.ndarray) -> float:
        """Σ w r²."""
        weighed = [b for b in self.at(z) if b.block.weights is not None]
        return float(sum(np.sum(b.block.weights * b.value**2) for b in weighed))

    def cost_slope(self, z: np.ndarray) -> np.ndarray:
        """Its gradient (unknowns,)."""
        out = np.zeros_like(z)
        for b in self.at(z):
            if b.block.weights is not None:
                pull = np.einsum("pkm,pk->pm", b.slope, 2.0 * b.block.weights * b.value)
                out += b.block.reading.T @ pull.ravel()
        return out

    def rows(self, z: np.ndarray) -> np.ndarray:
        """All rows of constraints."""
        parts = [b.value.ravel()[b.block.bound] for b in self.at(z) if b.block.bound.any()]
        return np.concatenate([self.closing @ z, *parts])

    def row_slopes(self, z: np.ndarray) -> Sparse:
        """Their slopes."""
        parts = [b.slopes for b in self.at(z) if b.block.bound.any()]
        return csr_matrix(vstack([self.closing, *parts])) if parts else self.closing

    @cached_property
    def row_pattern(self) -> Sparse:
        """Where slopes of rows may differ from zero."""
        return csr_matrix(vstack([abs(self.closing), *(b.pattern[b.bound] for b in self.blocks if b.bound.any())]))

    def curvature(self, z: np.ndarray, cost: float, y: np.ndarray) -> Sparse:
        """∂²(cost · f + y · rows)/∂z²."""
        out, at = csr_matrix((len(z), len(z))), self.closing.shape[0]
        for b in self.at(z):
            bound = b.block.bound
            count, full = int(bound.sum()), np.zeros(bound.size)
            full[bound] = y[at : at + count]
            at += count
            H = b.curvature(cost, full.reshape(b.block.low.shape))
            out = out + b.block.reading.T @ diagonal(H) @ b.block.reading
        return csr_matrix(out)

    @cached_property
    def curvature_pattern(self) -> Sparse:
        """Where second derivatives may differ from zero."""
        out = csr_matrix((len(self.low),) * 2)
        for b in self.blocks:
            count = len(b.low)
            m = b.reading.shape[0] // count
            R = abs(b.reading)
            out = out + R.T @ diagonal(np.ones((count, m, m))) @ R
        return csr_matrix(out)


@dataclass(frozen=True)
class Optimality:
    """How well the conditions of Karush, Kuhn and Tucker hold, in the units of the problem.

    Attributes
    ----------
    stationarity : float
        Largest entry of ∇f + Jᵀ y + multipliers of bounds, over 1 + the largest entry of ∇f.
    feasibility : float
        Largest violation of a constraint or bound.
    complementarity : float
        Largest product of a multiplier and the distance from its bound, over 1 + the largest entry of ∇f.
    """

    stationarity: float
    feasibility: float
    complementarity: float


def optimality(program: Program, z: np.ndarray, y: np.ndarray, of_bounds: np.ndarray) -> Optimality:
    """Of a point z with multipliers y of rows and of bounds; positive ones push from above."""
    slope, g, (low, high) = program.cost_slope(z), program.rows(z), program.row_bounds
    size = 1.0 + float(np.abs(slope).max())
    rest = slope + program.row_slopes(z).T @ y + of_bounds
    off, gap = 0.0, 0.0
    for x, a, b, m in ((g, low, high, y), (z, program.low, program.high, of_bounds)):
        off = max(off, float(np.max(np.maximum(a - x, x - b), initial=0.0)))
        for room, push in ((b - x, np.maximum(m, 0.0)), (x - a, np.maximum(-m, 0.0))):
            open_ = np.isfinite(room) & (b > a)
            gap = max(gap, float(np.max(np.abs(room[open_]) * push[open_], initial=0.0)))
    return Optimality(float(np.abs(rest).max()) / size, off, gap / size)
