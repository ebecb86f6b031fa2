"""Coordinates of a surface found from the poses alone: every pose slides on the surface to where it fits best.

The start are the principal components of log(middle⁻¹ G) in the metric. Then control points and coordinates are
improved together: the coordinates are eliminated pose by pose (only the part of a residual normal to the surface moves
the control points), and each pose is projected onto the new surface. Other coordinates would describe the same surface;
these are chosen: the coordinates of a pose are the principal components of the nearest pose of the surface. They are in
the metric's radians with mean zero, near the middle |dG| = |dq|, and a surface that is a graph over its principal
directions keeps full rank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadCoordinates, require
from ..progress import Report, silent
from ..spatial import log_se3
from ..spatial.twists import pose_inverse
from .pose_data import PoseData
from .problem.pose_problem import Rows
from .problem.surface_chart import middle_pose
from .problem.surface_problem import SurfaceProblem, coordinate_wise, surface_knots, surface_problem
from .solve.levenberg_marquardt import SLIDING, sliding_step
from .solve.loss import Loss

FLOOR = 1e-3  # of the misfit: the trace of smoothing
MARGIN = 0.05  # of the range of a coordinate: how far poses may slide beyond it in one round
ROUNDS, STEPS = 3, 40
SETTLED = 1e-7  # relative fall of the cost at which a round ends
THINNEST = 1e-6  # of the first principal component: a further one as small as this is no motion


def estimated_coordinates(
    data: PoseData, shape: tuple[int, ...], order: int, C: np.ndarray, loss: Loss, watch: Report = silent
) -> np.ndarray:
    """Coordinates (N, n) of whole poses on the surface of given shape that fits them best."""
    principal = Principal.of(data, C, len(shape))
    q = principal.components(data.poses)
    for k in range(ROUNDS):
        watch("estimating coordinates", k, ROUNDS)
        problem = surface_problem(data, q, surface_knots(widened(q), shape, order), order, shape, C)
        q = principal.components(improved(problem, loss))
    watch("estimating coordinates", ROUNDS, ROUNDS)
    return q


@dataclass(frozen=True)
class Principal:
    """The directions (n, 6) in which log(middle⁻¹ G), measured by C, varies most, and its mean."""

    middle: np.ndarray
    C: np.ndarray
    mean: np.ndarray
    directions: np.ndarray

    @classmethod
    def of(cls, data: PoseData, C: np.ndarray, n: int) -> Principal:
        """Of whole poses; each direction has its largest component positive. BadCoordinates if fewer than n move."""
        require(data.whole, "fit_surface: poses with missing parts need coordinates", BadCoordinates)
        middle = middle_pose(data)
        x = log_se3(pose_inverse(middle) @ data.poses) @ C.T
        mean = np.average(x, axis=0, weights=data.weights)
        _, sizes, V = np.linalg.svd(np.sqrt(data.weights)[:, None] * (x - mean), full_matrices=False)
        moving = int((sizes > THINNEST * sizes[0]).sum())
        expected = f"fit_surface: {n} coordinates cannot be found; the poses move in {moving} direction(s) only"
        require(moving >= n, expected + " (one: fit_curve)" * (moving == 1), BadCoordinates)
        signs = np.sign(V[np.arange(n), np.argmax(np.abs(V[:n]), axis=1)])
        return cls(middle, C, mean, signs[:, None] * V[:n])

    def components(self, poses: np.ndarray) -> np.ndarray:
        """The principal components (N, n) of poses."""
        return (log_se3(pose_inverse(self.middle) @ poses) @ self.C.T - self.mean) @ self.directions.T


def widened(q: np.ndarray) -> list[tuple[float, float]]:
    """The range of each coordinate with a margin."""
    low, high = q.min(axis=0), q.max(axis=0)
    return list(zip(low - MARGIN * (high - low), high + MARGIN * (high - low), strict=True))


def improved(problem: SurfaceProblem, loss: Loss) -> np.ndarray:
    """The nearest poses of the surface, control points and coordinates improved together until the cost settles."""
    x = coordinate_wise(problem)
    weight = FLOOR * problem.misfit(x) / max(problem.bending(x), 1e-14)
    sizes = np.sqrt(problem.squares(problem.residuals(x)))
    loss = loss if type(loss) is Loss or np.isfinite(loss.scale) else loss.rescaled(sizes)
    problem = problem.changed(smoothing=weight, loss=loss)
    cost, damping = problem.cost(x), SLIDING
    for _ in range(STEPS):
        new, moved, damping = one_step(problem, x, damping, cost)
        if new is None:
            break
        problem, x, before = new, moved, cost
        cost = problem.cost(x)
        if before - cost < SETTLED * before:
            break
    return np.concatenate([problem.poses(x, c)[0] for c in problem.chunks()])


def one_step(problem: SurfaceProblem, x: np.ndarray, damping: float, cost: float):
    """A problem with better coordinates and better control points, or None; and the damping for the next step."""
    system = problem.assembled(x, normal_parts(problem, x))
    return sliding_step(problem, x, system, projected, damping, cost)


def normal_parts(problem: SurfaceProblem, x: np.ndarray) -> Rows:
    """Residuals and Jacobians of `slopes` without their parts along the surface."""
    for c, r, J, t in problem.tangents(x):
        inverse = np.linalg.pinv(t, rcond=1e-9)
        yield c, r - (t @ (inverse @ r[..., None]))[..., 0], J - t @ (inverse @ J)


def projected(problem: SurfaceProblem, x: np.ndarray, rounds: int = 2) -> SurfaceProblem:
    """The problem with its coordinates moved to the nearest places of the surface, inside its knots."""
    low, high = (np.array([k[i] for k in problem.knots]) for i in (0, -1))
    longest = 0.25 * np.array([np.diff(b.breaks).max() for b in problem.bases])
    for _ in range(rounds):
        q = problem.q.copy()
        for c, r, _, t in problem.tangents(x):
            q[c] -= np.clip((np.linalg.pinv(t, rcond=1e-9) @ r[..., None])[..., 0], -longest, longest)
        problem = problem.at(np.clip(q, low, high))
    return problem
