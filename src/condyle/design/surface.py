"""`fit_surface`: a joint of several freedoms from scattered poses, in the SE(3) metric.

The paper leaves this for future work. Six spline functions φ_k drive six basis twists; the start fits each φ_k by
itself to the poses' translations and angles, then Gauss-Newton minimises Σ ρ(w |C log(G(q_i)⁻¹ G_i)|²).
"""

from __future__ import annotations

from math import prod

import numpy as np

from ..errors import BadCoordinates, BadShape, NotSupported, require
from ..splines import Basis, basis_pieces, clamped_knots, greville, locate_rows, row_centers
from .data import PoseData, pose_data, require_enough, require_motion, warn_if_millimetres
from .euler import euler_coordinates, middle_pose
from .loss import loss_named
from .metric import metric_factor
from .options import check_smoothing
from .robust import minimise_robustly
from .roughness import roughness_rows
from .surface_problem import SurfaceProblem
from .surface_result import SurfaceFit
from .tensor import TensorSystem
from .validation import best_smoothed
from .variation import polynomial
from .watch import Watch, silent

__all__ = ["fit_surface"]

MOST_COORDINATES = 4  # what a joint's functions can read
MOST_POINTS = 2000  # control points; the normal equations of so many take 1.2 GB


def fit_surface(
    poses,
    coordinates,
    shape=(8, 8),
    order: int = 4,
    smoothing: float | str = 0.0,
    *,
    metric=1.0,
    weights=None,
    loss: str = "squares",
    loss_scale: float | None = None,
    domain=None,
    tolerance: float = 1e-9,
    iterations: int = 50,
    names=None,
    watch: Watch = silent,
) -> SurfaceFit:
    """The spline surface joint nearest to poses (N, 4, 4) at scattered `coordinates` (N, n), n ≥ 2.

    `shape`: control points along each coordinate. `smoothing`: weight of the squared second differences of the control
    points (measured by the metric), "auto" chooses it by cross-validation; a trace of it always stays, so that places
    without data continue their neighbours. `domain`: (low, high) for each coordinate (default: that of the data).
    `metric`, `weights`, `loss`, `watch` and NaN for what was not measured as in `fit_curve`.
    """
    data, shape = pose_data(poses, weights, "fit_surface"), surface_shape(shape, order)
    q = surface_coordinates(coordinates, data, len(shape))
    require_motion(data, "fit_surface")
    warn_if_millimetres(data, metric_factor(metric), "fit_surface")
    check_smoothing(smoothing, "fit_surface")
    knots = surface_knots(surface_domain(domain, q), shape, order)
    names = surface_names(names, len(shape))
    problem = posed(data, q, knots, order, shape, metric_factor(metric)).changed(watch=watch)
    by_name = loss_named(loss, loss_scale)

    def fit(weight: float, near: SurfaceFit | None = None) -> SurfaceFit:
        asked = problem.changed(smoothing=weight)
        start = near.x if near else coordinate_wise(asked)
        solved, found = minimise_robustly(asked, start, by_name, tolerance, iterations, near is not None)
        return SurfaceFit(found.x, order, found.costs, found.converged, solved, shape, knots, names)

    return best_smoothed(fit, problem.stiffest, watch) if isinstance(smoothing, str) else fit(float(smoothing))


def surface_shape(shape, order: int) -> tuple[int, ...]:
    """Control points along each of two or more coordinates, enough for the order."""
    shape = tuple(int(n) for n in np.atleast_1d(shape))
    expected = "fit_surface: 2 to 4 coordinates, each with its number of control points (one coordinate: fit_curve)"
    require(2 <= len(shape) <= MOST_COORDINATES, expected, BadShape, shape=shape)
    expected = f"fit_surface: at most {MOST_POINTS} control points in all; ask for fewer along each coordinate"
    require(0 < prod(shape) <= MOST_POINTS, expected, NotSupported, shape=shape, points=prod(shape))
    require(order >= 4, "fit_surface: order 4 or more, else accelerations would jump", order=order)
    require(min(shape) >= order, f"fit_surface: order {order} needs {order} control points each way", shape=shape)
    return shape


def surface_names(names, n: int) -> tuple[str, ...]:
    """One for each coordinate."""
    names = tuple(f"q{c}" for c in range(n)) if names is None else tuple(names)
    require(len(names) == n, f"fit_surface: {n} coordinates need as many names", BadShape, names=names)
    return names


def surface_coordinates(q, data: PoseData, n: int) -> np.ndarray:
    """Finite coordinates of the usable poses, (N, n)."""
    q = np.asarray(q, float)
    expected = f"fit_surface: coordinates need shape ({data.count}, {n}), one column for each entry of `shape`"
    require(q.shape == (data.count, n), expected, BadShape, shape=q.shape)
    q = q[data.rows]
    bad = data.rows[~np.isfinite(q).all(axis=1)]
    require(len(bad) == 0, "fit_surface: a pose needs finite coordinates", BadCoordinates, rows=bad[:5].tolist())
    require_enough(data, 4, "fit_surface")
    return q


def surface_domain(domain, q: np.ndarray) -> list[tuple[float, float]]:
    """(low, high) for each coordinate, holding all data."""
    box = list(zip(q.min(axis=0), q.max(axis=0), strict=True)) if domain is None else [tuple(b) for b in domain]
    n = q.shape[1]
    require(len(box) == n, f"fit_surface: {n} coordinates need as many domains (low, high)", BadShape, domain=domain)
    for c, (low, high) in enumerate(box):
        require(high > low, f"fit_surface: coordinate {c} does not vary", BadCoordinates, low=low, high=high)
        good = q[:, c].min() >= low and q[:, c].max() <= high
        require(good, f"fit_surface: coordinate {c} has data outside its domain", BadCoordinates, domain=(low, high))
    return box


def surface_knots(box, shape: tuple[int, ...], order: int) -> tuple[np.ndarray, ...]:
    """Clamped knots with equal spans along each coordinate."""
    spans = zip(box, shape, strict=True)
    return tuple(clamped_knots(np.linspace(low, high, n - order + 2), order) for (low, high), n in spans)


def posed(data: PoseData, q: np.ndarray, knots, order: int, shape: tuple[int, ...], C: np.ndarray) -> SurfaceProblem:
    """The problem without smoothing."""
    return SurfaceProblem(
        data=data,
        q=q,
        C=C,
        count=prod(shape),
        system=tensor_system(q, knots, order, shape),
        differences=roughness_rows([greville(k, order) for k in knots]),
        pose=middle_pose(data),
        narrowest=min(shape),
    )


def tensor_system(q: np.ndarray, knots, order: int, shape: tuple[int, ...]) -> TensorSystem:
    """Products of the basis functions at the data."""
    bases = [basis_pieces(k, order) for k in knots]
    return TensorSystem.of([basis_values(b, q[:, c]) for c, b in enumerate(bases)], shape)


def basis_values(basis: Basis, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first basis function that acts at each q, and the values of those that do, (N, order)."""
    rows = locate_rows(basis.breaks, q)
    return basis.first[rows], polynomial(basis.table[rows], q - row_centers(basis.breaks)[rows])


def coordinate_wise(problem: SurfaceProblem) -> np.ndarray:
    """Each φ_k fitted by itself to the poses that measured it: the start."""
    data, phi = problem.data, euler_coordinates(problem.pose, problem.data.poses)
    parts = [
        (phi[:, columns], data.weights * seen)
        for columns, seen in ((slice(0, 3), data.placed), (slice(3, 6), data.turned))
    ]
    return np.concatenate([fitted_functions(problem, *part) for part in parts], axis=1)


def fitted_functions(problem: SurfaceProblem, values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Control points of spline functions nearest to values (N, k), with the problem's stiffness."""
    A, b = problem.system.scalar_normal(values, weights)
    return np.linalg.lstsq(A + problem.stiffness * problem.rough, b, rcond=1e-13)[0]
