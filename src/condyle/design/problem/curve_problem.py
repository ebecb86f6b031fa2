"""The least-squares problem of a curve: what it costs, and its normal equations, in linear time and bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...spatial import exp_se3
from ...splines import Basis
from ..pose_data import distinct_coordinates
from ..solve.block_band import BlockBand
from .bending_penalty import bending, bending_value, gauss_points
from .curve_derivatives import (
    Controls,
    Places,
    applied,
    basis_weights,
    curve_poses,
    curve_twists,
    places,
    pose_variation,
)
from .pose_problem import PoseProblem, Rows
from .pose_residual import pose_residuals


@dataclass(frozen=True, kw_only=True)
class CurveProblem(PoseProblem):
    """Poses on a spline curve of control frames (count, 4, 4)."""

    basis: Basis
    periodic: bool = False
    penalty: str = "hessian"

    @property
    def order(self) -> int:
        return self.basis.table.shape[1]

    @property
    def stiffest(self) -> float:
        return stiffest_weight(self.data.weights, self.basis.breaks[-1] - self.basis.breaks[0])

    @cached_property
    def distinct(self) -> int:
        return len(distinct_coordinates(self.q))

    @property
    def touched(self) -> np.ndarray:
        return np.bincount(self.acting(slice(None)).ravel(), basis_weights(self.at.weights[0]).ravel(), self.count)

    @cached_property
    def at(self) -> Places:
        """Where the poses lie on the curve."""
        return places(self.basis, self.q, self.periodic)

    @cached_property
    def gauss(self) -> tuple[Places, np.ndarray]:
        """Where bending is measured."""
        return gauss_points(self.basis, self.order)

    def controls(self, x: np.ndarray) -> Controls:
        """Frames with their twists, the first ones again at the end of a periodic curve; or HalfTurn."""
        if self.periodic:
            x = x[np.arange(self.count + self.order - 1) % self.count]
        return Controls.of(x)

    def moved(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        return x @ exp_se3(u)

    def residuals(self, x: np.ndarray) -> np.ndarray:
        controls = self.controls(x)
        parts = [pose_residuals(curve_poses(controls, self.at[c]), self.data[c]) for c in self.chunks()]
        return np.concatenate(parts)

    def bending(self, x: np.ndarray) -> float:
        at, w = self.gauss
        return bending_value(self.controls(x), at, w, self.C, self.penalty)

    def rows(self, x: np.ndarray) -> Rows:
        controls = self.controls(x)
        for c in self.chunks():
            G, M = pose_variation(controls, self.at[c])
            r, D, root = self.whitened(pose_residuals(G, self.data[c]), c)
            yield c, r, root[..., None] * (D @ M)

    def leverages(self, x: np.ndarray, inverse: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for c, r, J in self.rows(x):
            acting, H = self.acting(c), np.empty((len(r), 6, 6))
            for first in np.unique(acting[:, 0]):  # the first control frame tells the others
                rows = np.flatnonzero(acting[:, 0] == first)
                at = (6 * acting[rows[0]][:, None] + np.arange(6)).ravel()
                H[rows] = J[rows] @ inverse[np.ix_(at, at)] @ J[rows].swapaxes(1, 2)
            yield r, H

    def acting(self, c: slice) -> np.ndarray:
        """The control frames that act on each pose of a piece, (c, order)."""
        return (self.at.first[c, None] + np.arange(self.order)) % self.count

    def tangents(self, x: np.ndarray) -> Rows:
        """For each piece: which poses, whitened residuals (c, 6) and ∂r/∂q (c, 6)."""
        controls = self.controls(x)
        for c in self.chunks():
            r, D, root = self.whitened(pose_residuals(curve_poses(controls, self.at[c]), self.data[c]), c)
            yield c, r, root * applied(D, curve_twists(controls, self.at[c])[0])

    def normal(self, x: np.ndarray) -> BlockBand:
        band = BlockBand.zeros(self.count, self.order, self.periodic)
        for c, r, J in self.rows(x):
            band.add(self.at.first[c], J, r)
        self.add_bending(band, x)
        return band

    def add_bending(self, band: BlockBand, x: np.ndarray) -> None:
        """The rows of the penalty."""
        if self.smoothing:
            root, (at, w) = np.sqrt(self.smoothing), self.gauss
            r, J = bending(self.controls(x), at, w, self.C, self.penalty)
            band.add(at.first, root * J, root * r)


def stiffest_weight(weights: np.ndarray, span: float) -> float:
    """A smoothing that lets a curve over a span of coordinates bend about once, for poses of these weights."""
    return float(weights.sum() * span**3 / 1000.0)
