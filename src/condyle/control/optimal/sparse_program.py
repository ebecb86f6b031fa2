"""A sparse nonlinear program from terms of points: cost, rows between bounds, first and second derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix, vstack

from .point_terms import Term


def diagonal(blocks: np.ndarray) -> csr_matrix:
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
    reading: csr_matrix
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

    def slopes(self, z: np.ndarray) -> csr_matrix:
        """∂ rows / ∂z, all rows."""
        return csr_matrix(diagonal(self.term.slope(self.x(z))) @ self.reading)

    @cached_property
    def pattern(self) -> csr_matrix:
        """Where the slopes may differ from zero, all rows."""
        count, k = self.low.shape
        return csr_matrix(diagonal(np.ones((count, k, self.reading.shape[0] // count))) @ abs(self.reading))


class Program:
    """min Σ w r² over z with low ≤ z ≤ high, C z = 0 and rows of blocks between their bounds."""

    def __init__(self, blocks: Sequence[Block], closing: csr_matrix, low: np.ndarray, high: np.ndarray) -> None:
        self.blocks, self.closing, self.low, self.high = tuple(blocks), closing, low, high

    @cached_property
    def row_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Low and high of all rows."""
        zero = np.zeros(self.closing.shape[0])
        parts = [(b.low.ravel()[b.bound], b.high.ravel()[b.bound]) for b in self.blocks]
        return tuple(np.concatenate([zero, *(x[k] for x in parts)]) for k in (0, 1))  # type: ignore[return-value]

    def cost(self, z: np.ndarray) -> float:
        """Σ w r²."""
        weighed = [b for b in self.blocks if b.weights is not None]
        return float(sum(np.sum(b.weights * b.term.value(b.x(z)) ** 2) for b in weighed))

    def cost_slope(self, z: np.ndarray) -> np.ndarray:
        """Its gradient (unknowns,)."""
        out = np.zeros_like(z)
        for b in self.blocks:
            if b.weights is not None:
                x = b.x(z)
                pull = np.einsum("pkm,pk->pm", b.term.slope(x), 2.0 * b.weights * b.term.value(x))
                out += b.reading.T @ pull.ravel()
        return out

    def rows(self, z: np.ndarray) -> np.ndarray:
        """All rows of constraints."""
        parts = [b.term.value(b.x(z)).ravel()[b.bound] for b in self.blocks]
        return np.concatenate([self.closing @ z, *parts])

    def row_slopes(self, z: np.ndarray) -> csr_matrix:
        """Their slopes."""
        return csr_matrix(vstack([self.closing, *(b.slopes(z)[b.bound] for b in self.blocks)]))

    @cached_property
    def row_pattern(self) -> csr_matrix:
        """Where slopes of rows may differ from zero."""
        return csr_matrix(vstack([abs(self.closing), *(b.pattern[b.bound] for b in self.blocks)]))

    def curvature(self, z: np.ndarray, cost: float, y: np.ndarray) -> csr_matrix:
        """∂²(cost · f + y · rows)/∂z²."""
        out, at = csr_matrix((len(z), len(z))), self.closing.shape[0]
        for b in self.blocks:
            count = int(b.bound.sum())
            full = np.zeros(b.low.size)
            full[b.bound] = y[at : at + count]
            at += count
            H = self._own(b, b.x(z), cost, full.reshape(b.low.shape))
            out = out + b.reading.T @ diagonal(H) @ b.reading
        return csr_matrix(out)

    @staticmethod
    def _own(b: Block, x: np.ndarray, cost: float, y: np.ndarray) -> np.ndarray:
        """Second derivatives (points, m, m) of one block, in what its points read."""
        if b.weights is None:
            return b.term.curvature(x, y)
        w, J = 2.0 * cost * b.weights, b.term.slope(x)
        return b.term.curvature(x, y + w * b.term.value(x)) + np.einsum("pki,pk,pkj->pij", J, w, J)

    @cached_property
    def curvature_pattern(self) -> csr_matrix:
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
