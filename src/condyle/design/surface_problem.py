"""The least-squares problem of a surface: six spline functions of the coordinates drive six basis twists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .dense import DenseSystem
from .euler import surface_poses
from .pose_problem import PoseProblem, Rows
from .residual import pose_residuals
from .tensor import TensorSystem

__all__ = ["SurfaceProblem"]

THIN = 1e-6  # of the data's own weight: the least regularisation, so that cells without data have an answer


@dataclass(frozen=True, kw_only=True)
class SurfaceProblem(PoseProblem):
    """Poses on a surface of control points x (count, 6), in C order; `pose` is where they start from.

    Bending is the roughness of the control points, measured by the metric in the middle pose. `chart` takes (pose, φ)
    to poses and the columns of their velocity by φ.
    """

    system: TensorSystem
    differences: np.ndarray  # (rows, count): what is rough about the control points
    pose: np.ndarray
    narrowest: int  # control points along the coordinate with the fewest
    chart: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]] = surface_poses

    @property
    def stiffness(self) -> float:
        return self.smoothing + THIN * float(self.data.weights.sum()) / self.count

    @property
    def stiffest(self) -> float:
        return self.data.weights.sum() * self.narrowest**4 / (1000.0 * self.count)

    @property
    def touched(self) -> np.ndarray:
        return self.system.touched

    @cached_property
    def middle_factor(self) -> np.ndarray:
        """CS at φ = 0: what the six functions count for there."""
        return self.C @ self.chart(self.pose, np.zeros((1, 6)))[1][0]

    @cached_property
    def rough(self) -> np.ndarray:
        """DᵀD of the differences, (count, count)."""
        return self.differences.T @ self.differences

    def moved(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        return x + u

    def poses(self, x: np.ndarray, c: slice) -> tuple[np.ndarray, np.ndarray]:
        """Poses of one piece of the data and the columns of their velocity by φ."""
        return self.chart(self.pose, self.system[c].values(x))

    def residuals(self, x: np.ndarray) -> np.ndarray:
        return np.concatenate([pose_residuals(self.poses(x, c)[0], self.data[c]) for c in self.chunks()])

    def bending(self, x: np.ndarray) -> float:
        return float(((self.differences @ x @ self.middle_factor.T) ** 2).sum())

    def slopes(self, x: np.ndarray) -> Rows:
        """As `rows`, but the Jacobian is by the six functions, (c, 6, 6)."""
        for c in self.chunks():
            G, S = self.poses(x, c)
            r, D, root = self.whitened(pose_residuals(G, self.data[c]), c)
            yield c, r, root[..., None] * (D @ S)

    def rows(self, x: np.ndarray) -> Rows:
        for c, r, J in self.slopes(x):
            yield c, r, np.einsum("nm,nik->nimk", self.system.value[c], J).reshape(len(r), 6, -1)

    def acting(self, c: slice) -> np.ndarray:
        return self.system.index[c]

    def normal(self, x: np.ndarray) -> DenseSystem:
        metric = self.middle_factor.T @ self.middle_factor
        A, b = self.stiffness * np.kron(self.rough, metric), np.zeros((self.count, 6))
        for c, r, J in self.slopes(x):
            self.system[c].add_normal(A, b, J, r)
        return DenseSystem(A, b - self.stiffness * (self.differences.T @ (self.differences @ x) @ metric))
