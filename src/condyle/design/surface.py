"""`fit_surface`: a joint of several freedoms from scattered poses, in the SE(3) metric.

The paper leaves this for future work. Six spline functions φ_k drive six basis twists; the start fits each φ_k by
itself to the poses' translations and angles, then Gauss-Newton minimises Σ w |C log(G(q_i)⁻¹ G_i)|².
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import BadCoordinates, BadShape, NotConverged, TooFewPoses, require
from ..joints import Joint, RankReport, check, spline_surface
from ..joints.spline_surface import BASIS_TWISTS
from ..spatial import adjoint, exp_se3
from ..splines import Basis, basis_pieces, clamped_knots, greville, locate_rows, row_centers
from .data import PoseData, pose_data
from .metric import metric_factor
from .residual import inverse_poses, pose_residuals, residual_slopes
from .roughness import roughness_matrix
from .tensor import TensorSystem
from .variation import polynomial

__all__ = ["SurfaceFit", "fit_surface"]

THIN = 1e-6  # of the data's own weight: the least regularisation, so that cells without data have an answer


@dataclass(frozen=True, eq=False)
class SurfaceFit:
    """A fitted surface and how well it fits; rows follow the input, missing poses are NaN.

    `controls` (n_1, …, n_n, 6) and `knots` are as `spline_surface` takes them, `pose` is the frame they start from.
    `thin` are the control points that no pose touches: there the surface only continues its neighbours.
    """

    controls: np.ndarray
    knots: tuple[np.ndarray, ...]
    order: int
    pose: np.ndarray
    names: tuple[str, ...]
    costs: list[float]
    converged: bool
    data: PoseData
    q: np.ndarray
    thin: np.ndarray

    @property
    def cost(self) -> float:
        return self.costs[-1]

    @property
    def iterations(self) -> int:
        return len(self.costs) - 1

    @cached_property
    def joint(self) -> Joint:
        """The joint, ready for a model."""
        return spline_surface(self.controls, self.knots, self.order, pose=self.pose, names=self.names)

    @cached_property
    def residuals(self) -> np.ndarray:
        """log(G⁻¹ G_d) [rad, m]."""
        return self.data.spread(pose_residuals(self.joint.pose(self.q), self.data))

    @property
    def angle_errors(self) -> np.ndarray:
        """Angle to each pose [deg]."""
        return np.degrees(np.linalg.norm(self.residuals[:, :3], axis=1))

    @property
    def distance_errors(self) -> np.ndarray:
        """Distance to each pose's origin [mm]."""
        gap = self.joint.pose(self.q)[:, :3, 3] - self.data.poses[:, :3, 3]
        return self.data.spread(1e3 * np.linalg.norm(gap, axis=1))

    @cached_property
    def rank(self) -> RankReport:
        """Whether the Jacobian keeps its rank on the domain."""
        return check(self.joint, name="surface")

    @cached_property
    def singularity_margin(self) -> float:
        """The least |cos| of the second angle over the control points: 0 is the Euler singularity."""
        return float(np.cos(self.controls[..., 4]).min())

    def summary(self) -> str:
        """A few lines for a person."""
        a, d = self.angle_errors, self.distance_errors
        shape = " × ".join(map(str, self.controls.shape[:-1]))
        state = "converged" if self.converged else "NOT converged"
        return "\n".join(
            [
                f"{len(self.data)} poses, {shape} control points, order {self.order}; {state} in {self.iterations} "
                f"iterations, {len(self.thin)} control points without data",
                f"rotation {np.sqrt(np.nanmean(a**2)):.3g}, {np.nanmax(a):.3g} deg, position "
                f"{np.sqrt(np.nanmean(d**2)):.3g}, {np.nanmax(d):.3g} mm (rms, largest)",
                f"Euler angles stay {np.degrees(np.arcsin(np.clip(self.singularity_margin, -1, 1))):.0f} deg away from "
                "their singularity",
                str(self.rank),
            ]
        )


def fit_surface(
    poses,
    coordinates,
    shape=(8, 8),
    order: int = 4,
    smoothing: float = 0.0,
    *,
    metric=1.0,
    weights=None,
    domain=None,
    tolerance: float = 1e-9,
    iterations: int = 50,
    names=None,
) -> SurfaceFit:
    """The spline surface joint nearest to poses (N, 4, 4) at scattered `coordinates` (N, n), n ≥ 2.

    `shape`: control points along each coordinate. `smoothing`: weight of the squared second differences of the control
    points; a trace of it always stays, so that places without data continue their neighbours. `domain`: (low, high)
    for each coordinate (default: that of the data). `metric`, `weights` and NaN poses as in `fit_curve`.
    """
    data = pose_data(poses, weights, "fit_surface")
    require(data.whole, "fit_surface: a pose needs both its rotation and its position, or neither")
    q = surface_coordinates(coordinates, data, len(shape))
    require(min(shape) >= order, f"fit_surface: order {order} needs {order} control points each way", shape=shape)
    require(smoothing >= 0, "fit_surface: smoothing must not be negative", smoothing=smoothing)
    box = surface_domain(domain, q)
    knots = tuple(clamped_knots(np.linspace(*b, n - order + 2), order) for b, n in zip(box, shape, strict=True))
    system = tensor_system(q, knots, order, shape)
    pose = middle_pose(data.poses)
    rough = roughness_matrix([greville(k, order) for k in knots])
    C = metric_factor(metric)
    controls = coordinate_wise(system, euler_coordinates(inverse_poses(pose) @ data.poses), rough, smoothing)
    controls, costs, done = descend(system, controls, data, pose, C, rough, smoothing, tolerance, iterations)
    names = tuple(f"q{c}" for c in range(len(shape))) if names is None else tuple(names)
    thin = np.argwhere(system.touched.reshape(shape) < 1e-9)
    return SurfaceFit(controls.reshape(*shape, 6), knots, order, pose, names, costs, done, data, q, thin)


def surface_coordinates(q, data: PoseData, n: int) -> np.ndarray:
    """Finite coordinates of the usable poses, (N, n)."""
    q = np.asarray(q, float)
    expected = f"fit_surface: coordinates need shape ({data.count}, {n}), one column for each entry of `shape`"
    require(q.shape == (data.count, n) and n >= 2, expected, BadShape, shape=q.shape)
    q = q[data.rows]
    bad = data.rows[~np.isfinite(q).all(axis=1)]
    require(len(bad) == 0, "fit_surface: a pose needs finite coordinates", BadCoordinates, rows=bad[:5].tolist())
    if len(q) < 4:
        raise TooFewPoses(f"fit_surface: at least 4 poses are needed; got {len(q)}. Measure more.")
    return q


def surface_domain(domain, q: np.ndarray) -> list[tuple[float, float]]:
    """(low, high) for each coordinate, holding all data."""
    box = list(zip(q.min(axis=0), q.max(axis=0), strict=True)) if domain is None else [tuple(b) for b in domain]
    for c, (low, high) in enumerate(box):
        require(high > low, f"fit_surface: coordinate {c} does not vary", BadCoordinates, low=low, high=high)
        good = q[:, c].min() >= low and q[:, c].max() <= high
        require(good, f"fit_surface: coordinate {c} has data outside its domain", BadCoordinates, domain=(low, high))
    return box


def tensor_system(q: np.ndarray, knots, order: int, shape) -> TensorSystem:
    """Products of the basis functions at the data."""
    bases = [basis_pieces(k, order) for k in knots]
    return TensorSystem.of([basis_values(b, q[:, c]) for c, b in enumerate(bases)], tuple(shape))


def basis_values(basis: Basis, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first basis function that acts at each q, and the values of those that do, (N, order)."""
    rows = locate_rows(basis.breaks, q)
    return basis.first[rows], polynomial(basis.table[rows], q - row_centers(basis.breaks)[rows])


def middle_pose(poses: np.ndarray) -> np.ndarray:
    """A pose amid the others, so that the angles from it stay far from their singularity."""
    T = np.eye(4)
    U, _, Vt = np.linalg.svd(poses[:, :3, :3].mean(axis=0))
    T[:3, :3] = U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt
    T[:3, 3] = poses[:, :3, 3].mean(axis=0)
    return T


def euler_coordinates(X: np.ndarray) -> np.ndarray:
    """φ of exp(x)exp(y)exp(z) · R_x R_y R_z = X, (N, 6)."""
    R = X[:, :3, :3]
    angles = (np.arctan2(-R[:, 1, 2], R[:, 2, 2]), np.arcsin(np.clip(R[:, 0, 2], -1, 1)))
    return np.column_stack([X[:, :3, 3], *angles, np.arctan2(-R[:, 0, 1], R[:, 0, 0])])


def coordinate_wise(system: TensorSystem, phi: np.ndarray, rough: np.ndarray, smoothing: float) -> np.ndarray:
    """Each φ_k fitted by itself: the start."""
    A, b = system.scalar_normal(phi)
    A = A + (smoothing + THIN * np.trace(A) / len(A)) * rough
    return np.linalg.lstsq(A, b, rcond=1e-13)[0]


def surface_poses(phi: np.ndarray, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """G = pose · Π exp(e_k φ_k) and the columns Ad(later factors)⁻¹ e_k, (N, 6, 6)."""
    G, S = np.broadcast_to(pose, (len(phi), 4, 4)), np.zeros((len(phi), 6, 6))
    for k, g in enumerate(BASIS_TWISTS):
        X = exp_se3(phi[:, k, None] * g)
        G = G @ X
        S[..., :k] = adjoint(inverse_poses(X)) @ S[..., :k]
        S[..., k] = g
    return G, S


def descend(system: TensorSystem, c, data: PoseData, pose, C, rough, smoothing, tolerance, most):
    """Damped Gauss-Newton over the control points; the regularisation is part of the cost."""
    W = data.weights[:, None]
    weight = smoothing + THIN * float(data.weights.sum()) / len(rough)

    def cost_of(x: np.ndarray) -> float:
        r = pose_residuals(surface_poses(system.values(x), pose)[0], data) @ C.T
        return float((W * r * r).sum() + weight * np.einsum("ik,ij,jk->", x, rough, x))

    costs, damping = [cost_of(c)], 0.0
    for _ in range(most):
        G, S = surface_poses(system.values(c), pose)
        r = pose_residuals(G, data)
        J = np.sqrt(W)[..., None] * (C @ residual_slopes(r, data) @ S)
        A, b = system.normal(J, np.sqrt(W) * (r @ C.T))
        A += weight * np.kron(rough, np.eye(6))
        b -= weight * (rough @ c).ravel()
        step, damping, cost = surface_step(A, b, c, cost_of, damping, costs[-1])
        if step is None:
            return c, costs, False
        c = c + step
        costs.append(cost)
        if np.abs(system.values(step)).max() < tolerance:
            return c, costs, True
    return c, costs, False


def surface_step(A, b, c, cost_of, damping: float, cost: float):
    """A step that does not raise the cost, or None."""
    diagonal = np.diag(A)
    while damping < 1e8:
        step = solved_dense(A + np.diag(damping * diagonal), b).reshape(c.shape)
        new = cost_of(c + step)
        if new <= cost * (1 + 1e-13) or float(step.ravel() @ b) < 1e-12 * cost + 1e-26:  # or all but round-off is done
            return step, 0.0 if damping < 1e-4 else 0.1 * damping, new
        damping = max(10 * damping, 1e-4)
    return None, damping, cost


def solved_dense(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """By Cholesky, or NotConverged."""
    from scipy.linalg import LinAlgError, solve

    try:
        return solve(A, b, assume_a="pos", check_finite=False)
    except LinAlgError:
        raise NotConverged(
            "fit_surface: the data and the regularisation do not determine the surface. Raise `smoothing`, or ask for "
            "fewer control points."
        ) from None
