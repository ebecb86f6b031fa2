"""The least-squares problem of a curve: what it costs, and its normal equations, in linear time and bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..spatial import exp_se3
from ..splines import Basis
from .band import BlockBand
from .data import PoseData
from .loss import Loss
from .residual import pose_residuals, residual_slopes
from .smoothness import bending, gauss_points
from .variation import Controls, Places, applied, curve_poses, curve_twists, places, pose_variation

__all__ = ["CurveProblem"]

CHUNK = 4096  # poses taken at once: the matrices of so many stay in the cache


@dataclass(frozen=True)
class CurveProblem:
    """Σ ρ(w |C r|²) + smoothing · bending, over the control frames."""

    data: PoseData
    q: np.ndarray
    basis: Basis
    count: int  # control frames
    C: np.ndarray
    periodic: bool = False
    smoothing: float = 0.0
    penalty: str = "hessian"
    loss: Loss = field(default_factory=Loss)

    @property
    def order(self) -> int:
        return self.basis.table.shape[1]

    @cached_property
    def at(self) -> Places:
        """Where the poses lie on the curve."""
        return places(self.basis, self.q, self.periodic)

    @cached_property
    def gauss(self) -> tuple[Places, np.ndarray]:
        """Where bending is measured."""
        return gauss_points(self.basis, self.order)

    def changed(self, **what) -> CurveProblem:
        return replace(self, **what)

    def controls(self, frames: np.ndarray) -> Controls:
        """Frames with their twists, the first ones again at the end of a periodic curve; or HalfTurn."""
        if self.periodic:
            frames = frames[np.arange(self.count + self.order - 1) % self.count]
        return Controls.of(frames)

    def moved(self, frames: np.ndarray, u: np.ndarray) -> np.ndarray:
        """G_j exp(u_j)."""
        return frames @ exp_se3(u)

    def chunks(self) -> Iterator[slice]:
        """The poses in pieces."""
        return (slice(i, i + CHUNK) for i in range(0, len(self.data), CHUNK))

    def residuals(self, frames: np.ndarray) -> np.ndarray:
        """r = log(G⁻¹ G_d) of every pose, (N, 6), without weights."""
        controls = self.controls(frames)
        parts = [pose_residuals(curve_poses(controls, self.at[c]), self.data[c]) for c in self.chunks()]
        return np.concatenate(parts)

    def squares(self, r: np.ndarray) -> np.ndarray:
        """w |C r|² of every pose."""
        return self.data.weights * ((r @ self.C.T) ** 2).sum(-1)

    def bending(self, frames: np.ndarray) -> float:
        """The penalty without its weight."""
        return float((bending(self.controls(frames), *self.gauss, self.C, self.penalty)[0] ** 2).sum())

    def cost(self, frames: np.ndarray) -> float:
        """What is minimised."""
        fit = float(self.loss.value(self.squares(self.residuals(frames))).sum())
        return fit + (self.smoothing * self.bending(frames) if self.smoothing else 0.0)

    def rows(self, frames: np.ndarray) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """For each piece: which poses, whitened residuals (c, 6) and their Jacobian (c, 6, 6k)."""
        controls = self.controls(frames)
        for c in self.chunks():
            G, M = pose_variation(controls, self.at[c])
            r, D, root = self.whitened(pose_residuals(G, self.data[c]), c)
            yield c, r, root[..., None] * (D @ M)

    def tangents(self, frames: np.ndarray) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """For each piece: which poses, whitened residuals (c, 6) and ∂r/∂q (c, 6)."""
        controls = self.controls(frames)
        for c in self.chunks():
            r, D, root = self.whitened(pose_residuals(curve_poses(controls, self.at[c]), self.data[c]), c)
            yield c, r, root * applied(D, curve_twists(controls, self.at[c]))

    def whitened(self, r: np.ndarray, c: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Residuals of one piece in the metric, with their weights; C ∂r/∂u; and the roots of the weights (c, 1)."""
        D, x, w = self.C @ residual_slopes(r, self.data[c]), r @ self.C.T, self.data.weights[c]
        root = np.sqrt(w * self.loss.slope(w * (x**2).sum(-1)))[:, None]
        return root * x, D, root

    def normal(self, frames: np.ndarray) -> BlockBand:
        """JᵀJ and −Jᵀr."""
        band = BlockBand.zeros(self.count, self.order, self.periodic)
        for c, r, J in self.rows(frames):
            band.add(self.at.first[c], J, r)
        self.add_bending(band, frames)
        return band

    def add_bending(self, band: BlockBand, frames: np.ndarray) -> None:
        """The rows of the penalty."""
        if self.smoothing:
            root, (at, w) = np.sqrt(self.smoothing), self.gauss
            r, J = bending(self.controls(frames), at, w, self.C, self.penalty)
            band.add(at.first, root * J, root * r)
