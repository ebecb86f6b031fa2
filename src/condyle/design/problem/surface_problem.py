"""The least-squares problem of a surface: six spline functions of the coordinates drive six basis twists.

How uneven control points are: squared second differences along and across the coordinates, divided by the Greville
steps, so that the control points of a linear function have no roughness, also at clamped ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import combinations
from math import prod
from typing import Self

import numpy as np
from scipy.sparse import csr_array

from ...spatial.twists import pose_inverse
from ...splines import Basis, basis_pieces, even_knots, greville, locate_rows, row_centers
from ..pose_data import PoseData
from ..solve.dense_normal import DenseSystem, solve_positive
from .curve_derivatives import polynomial
from .pose_problem import PoseProblem, Rows
from .pose_residual import pose_residuals
from .surface_chart import euler_coordinates, middle_pose, surface_poses
from .surface_form import SurfaceForm
from .tensor_product import TensorSystem

PAPER = SurfaceForm()
THIN = 1e-6  # of the data's own weight: the least regularisation, so that cells without data have an answer


@dataclass(frozen=True, kw_only=True)
class SurfaceProblem(PoseProblem):
    """Poses on a surface of control points x (count, 6), in C order; `pose` is where they start from.

    Bending is the roughness of the control points, measured by the metric in the middle pose. `chart` takes (pose, φ,
    order of the turns) to poses and the columns of their velocity by φ; `base` are the poses that it moves with.
    """

    system: TensorSystem
    knots: tuple[np.ndarray, ...]
    order: int
    shape: tuple[int, ...]
    differences: csr_array  # (rows, count): what is rough about the control points
    pose: np.ndarray
    narrowest: int  # control points along the coordinate with the fewest
    form: SurfaceForm
    base: np.ndarray  # (N, 4, 4), of the form at the data
    chart: Callable[[np.ndarray, np.ndarray, str], tuple[np.ndarray, np.ndarray]] = surface_poses

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
    def bases(self) -> list[Basis]:
        return [basis_pieces(k, self.order) for k in self.knots]

    @cached_property
    def middle_factor(self) -> np.ndarray:
        """CS at φ = 0: what the six functions count for there."""
        return self.C @ self.chart(self.pose, np.zeros((1, 6)), self.form.turns)[1][0]

    @cached_property
    def rough(self) -> np.ndarray:
        """DᵀD of the differences, (count, count)."""
        return (self.differences.T @ self.differences).toarray()

    def moved(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        return x + u

    def poses(self, x: np.ndarray, c: slice) -> tuple[np.ndarray, np.ndarray]:
        """Poses of one piece of the data and the columns of their velocity by φ."""
        G, S = self.chart(self.pose, self.system[c].values(x), self.form.turns)
        return (self.base[c] @ G if self.form.base else G), S

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

    def leverages(self, x: np.ndarray, inverse: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for c, r, J in self.slopes(x):
            yield r, J @ self.system[c].between(inverse) @ J.swapaxes(1, 2)

    @cached_property
    def along(self) -> list[TensorSystem]:
        """The derivatives of the basis functions at the data by each coordinate."""
        axes = [basis_values(b, self.q[:, c]) for c, b in enumerate(self.bases)]
        slopes = [basis_values(b, self.q[:, c], 1) for c, b in enumerate(self.bases)]
        mixed = ([*axes[:c], slopes[c], *axes[c + 1 :]] for c in range(len(axes)))
        return [TensorSystem.of(each, self.shape) for each in mixed]

    def tangents(self, x: np.ndarray) -> Iterator[tuple[slice, np.ndarray, np.ndarray, np.ndarray]]:
        """As `slopes`, and ∂r/∂q of the whitened residuals (c, 6, n)."""
        for c, r, J in self.slopes(x):
            yield c, r, J, J @ np.stack([system[c].values(x) for system in self.along], axis=-1)

    def at(self, q: np.ndarray) -> Self:
        """The same problem with the poses at other coordinates inside the knots."""
        system, base = tensor_system(q, self.knots, self.order, self.shape), self.form.base_poses(q)
        return self.changed(q=q, system=system, base=base)

    def normal(self, x: np.ndarray) -> DenseSystem:
        return self.assembled(x, self.slopes(x))

    def assembled(self, x: np.ndarray, slopes: Rows) -> DenseSystem:
        """The normal equations of residuals and Jacobians as `slopes` gives them, with the bending."""
        metric = self.middle_factor.T @ self.middle_factor
        A, b = self.stiffness * np.kron(self.rough, metric), np.zeros((self.count, 6))
        for c, r, J in slopes:
            self.system[c].add_normal(A, b, J, r)
        return DenseSystem(A, b - self.stiffness * (self.differences.T @ (self.differences @ x) @ metric))


def surface_knots(box, shape: tuple[int, ...], order: int) -> tuple[np.ndarray, ...]:
    """Clamped knots with equal spans along each coordinate."""
    spans = zip(box, shape, strict=True)
    return tuple(even_knots(low, high, n, order) for (low, high), n in spans)


def surface_problem(
    data: PoseData,
    q: np.ndarray,
    knots,
    order: int,
    shape: tuple[int, ...],
    C: np.ndarray,
    form: SurfaceForm = PAPER,
) -> SurfaceProblem:
    """The problem without smoothing."""
    base = form.base_poses(q)
    return SurfaceProblem(
        data=data,
        q=q,
        C=C,
        count=prod(shape),
        system=tensor_system(q, knots, order, shape),
        knots=knots,
        order=order,
        shape=shape,
        differences=csr_array(roughness_rows([greville(k, order) for k in knots])),
        pose=middle_pose(replace(data, poses=pose_inverse(base) @ data.poses)),
        form=form,
        base=base,
        narrowest=min(shape),
    )


def tensor_system(q: np.ndarray, knots, order: int, shape: tuple[int, ...]) -> TensorSystem:
    """Products of the basis functions at the data."""
    bases = [basis_pieces(k, order) for k in knots]
    return TensorSystem.of([basis_values(b, q[:, c]) for c, b in enumerate(bases)], shape)


def basis_values(basis: Basis, q: np.ndarray, derivative: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The first basis function that acts at each q, and the values of those that do or of a derivative, (N, order)."""
    rows, table = locate_rows(basis.breaks, q), basis.table
    for _ in range(derivative):
        table = table[..., 1:] * np.arange(1, table.shape[-1])
    return basis.first[rows], polynomial(table[rows], q - row_centers(basis.breaks)[rows])


def coordinate_wise(problem: SurfaceProblem) -> np.ndarray:
    """Each φ_k fitted by itself to the poses that measured it: the start."""
    data, left = problem.data, pose_inverse(problem.base) @ problem.data.poses
    phi = euler_coordinates(problem.pose, left, problem.form.turns)
    parts = [
        (phi[:, columns], data.weights * seen)
        for columns, seen in ((slice(0, 3), data.placed), (slice(3, 6), data.turned))
    ]
    return np.concatenate([fitted_functions(problem, *part) for part in parts], axis=1)


def fitted_functions(problem: SurfaceProblem, values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Control points of spline functions nearest to values (N, k), with the problem's stiffness."""
    A, b = problem.system.scalar_normal(values, weights)
    A += problem.stiffness * problem.rough
    return solve_positive(A + 1e-12 * np.trace(A) / len(A) * np.eye(len(A)), b)


def roughness_rows(abscissae) -> np.ndarray:
    """D (rows, count) with |Dc|² = Σ (Δ_a² c)² + 2 Σ (Δ_a Δ_b c)², the mean Greville step along each axis as unit."""
    axes = [np.asarray(x) / np.diff(x).mean() for x in abscissae]
    along = [differences(axes, {a: second_difference}) for a in range(len(axes))]
    pairs = combinations(range(len(axes)), 2)
    across = [np.sqrt(2.0) * differences(axes, {a: first_difference, b: first_difference}) for a, b in pairs]
    return np.concatenate([*along, *across])


def differences(axes, kinds: dict) -> np.ndarray:
    """The matrix that takes differences along some axes."""
    return reduce(np.kron, [kinds[a](x) if a in kinds else np.eye(len(x)) for a, x in enumerate(axes)])


def first_difference(x: np.ndarray) -> np.ndarray:
    """Slopes between neighbours."""
    return np.diff(np.eye(len(x)), axis=0) / np.diff(x)[:, None]


def second_difference(x: np.ndarray) -> np.ndarray:
    """Changes of slope for a unit step."""
    return np.diff(first_difference(x), axis=0) / (0.5 * (x[2:] - x[:-2]))[:, None]
