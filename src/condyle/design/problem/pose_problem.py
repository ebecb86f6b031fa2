"""What every fit of poses is: Σ ρ(w |C r|²) + stiffness · bending over control points or frames x.

A curve and a surface differ in how poses follow from x; weights, losses, left-out poses and the cost are shared.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol, Self

import numpy as np

from ...progress import Report, silent
from ..pose_data import PoseData
from ..solve.block_band import NotPositive
from ..solve.loss import Loss
from .pose_residual import residual_slopes

CHUNK = 4096  # poses taken at once: the matrices of so many stay in the cache
Rows = Iterator[tuple[slice, np.ndarray, np.ndarray]]


class NormalEquations(Protocol):
    """A symmetric matrix of 6x6 blocks with its right-hand side −Jᵀr, (count, 6)."""

    right: np.ndarray

    def diagonal(self) -> np.ndarray: ...
    def solve(self, damping: np.ndarray | float = 0.0) -> np.ndarray: ...
    def inverse(self) -> np.ndarray: ...


@dataclass(frozen=True, kw_only=True)
class PoseProblem(ABC):
    """Poses with their coordinates, the metric C, the smoothing and the loss."""

    data: PoseData
    q: np.ndarray
    C: np.ndarray
    count: int  # control frames or control points
    smoothing: float = 0.0
    loss: Loss = field(default_factory=Loss)
    watch: Report = silent

    @property
    def stiffness(self) -> float:
        """The weight of the bending."""
        return self.smoothing

    @cached_property
    def distinct(self) -> int:
        """How many different coordinates the poses have."""
        return len(self.data)

    @property
    @abstractmethod
    def stiffest(self) -> float:
        """A smoothing that lets the answer bend about once over its domain."""

    @property
    @abstractmethod
    def touched(self) -> np.ndarray:
        """How much data acts on each control frame or point, (count,)."""

    @abstractmethod
    def residuals(self, x: np.ndarray) -> np.ndarray:
        """r = log(G⁻¹ G_d) of every pose, (N, 6), without weights."""

    @abstractmethod
    def bending(self, x: np.ndarray) -> float:
        """The penalty without its weight."""

    @abstractmethod
    def moved(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        """x after a step u (count, 6)."""

    @abstractmethod
    def rows(self, x: np.ndarray) -> Rows:
        """For each piece: which poses, whitened residuals (c, 6) and their Jacobian by what acts on them (c, 6, 6m)."""

    @abstractmethod
    def leverages(self, x: np.ndarray, inverse: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """For each piece of the poses: whitened residuals (c, 6) and J_i A⁻¹ J_iᵀ (c, 6, 6) for A⁻¹ (6n, 6n)."""

    @abstractmethod
    def normal(self, x: np.ndarray) -> NormalEquations:
        """JᵀJ and −Jᵀr."""

    def changed(self, **what) -> Self:
        return replace(self, **what)

    def chunks(self) -> Iterator[slice]:
        """The poses in pieces."""
        return (slice(i, i + CHUNK) for i in range(0, len(self.data), CHUNK))

    def squares(self, r: np.ndarray) -> np.ndarray:
        """w |C r|² of every pose."""
        return self.data.weights * ((r @ self.C.T) ** 2).sum(-1)

    def misfit(self, x: np.ndarray) -> float:
        """The weighted sum of squared residuals, outliers included."""
        return float(self.squares(self.residuals(x)).sum())

    def counted_misfit(self, x: np.ndarray) -> float:
        """The weighted sum of squared residuals, outliers as far as the loss counts them."""
        return float(self.loss.value(self.squares(self.residuals(x))).sum())

    def cost(self, x: np.ndarray) -> float:
        """What is minimised."""
        return self.counted_misfit(x) + (self.stiffness * self.bending(x) if self.stiffness else 0.0)

    def whitened(self, r: np.ndarray, c: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Residuals of one piece in the metric, with their weights; C ∂r/∂u; and the roots of the weights (c, 1)."""
        D, x, w = self.C @ residual_slopes(r, self.data[c]), r @ self.C.T, self.data.weights[c]
        root = np.sqrt(w * self.loss.slope(w * (x**2).sum(-1)))[:, None]
        return root * x, D, root

    def left_out(self, x: np.ndarray) -> np.ndarray:
        """Leave-one-out residuals of the poses, whitened, (N, 6); linearised at the answer.

        Leaving out pose i multiplies its residual by (I − J_i A⁻¹ J_iᵀ)⁻¹, where A = JᵀJ + bending. NaN for an answer
        that can meet all poses, or whose normal equations are singular: it predicts none of them.
        """
        unknown = np.full((len(self.data), 6), np.nan)
        if self.count >= self.distinct and self.smoothing == 0.0:
            return unknown
        try:
            inverse = self.normal(x).inverse()
        except NotPositive:
            return unknown
        I = np.eye(6)
        parts = (np.linalg.solve((1.0 + 1e-12) * I - H, r[..., None])[..., 0] for r, H in self.leverages(x, inverse))
        return np.concatenate(list(parts))
