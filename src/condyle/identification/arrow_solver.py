"""Least squares with unknowns of every frame and some that all frames share: each frame's own are eliminated first.

The normal equations have the shape of an arrow: blocks H_t of the frames along the diagonal, a border C_t for the
shared numbers. The Schur complement S = Σ (BᵀB − CᵀH⁻¹C) + prior is all that is left of T frames; its inverse is the
covariance of the shared numbers, whatever the motion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..dynamics import integrate
from ..errors import CondyleError
from .marker_problem import MarkerProblem
from .robust_loss import robust_cost, robust_weights

FLAT = 1e-9  # of the largest eigenvalue: below this the data say nothing
RIDGE = 1e-15  # of a frame's largest curvature, for coordinates that its markers do not see
SMALL = 1e-9  # relative decrease of the cost at which steps end


@dataclass
class Solution:
    """Where the steps ended: shared numbers, motion, cost, Schur complement, rounds and evaluations."""

    y: np.ndarray
    q: np.ndarray
    cost: float
    schur: np.ndarray
    rounds: int
    converged: bool
    evaluations: int


def cost_of(r: np.ndarray, loss: str, y: np.ndarray, prior: np.ndarray) -> float:
    """What is minimised."""
    return robust_cost(r, loss) + float(0.5 * (prior * y**2).sum())


@dataclass
class Normal:
    """Normal equations at a point: Schur complement and gradient of the shared numbers, and how frames follow them."""

    schur: np.ndarray
    gradient: np.ndarray
    own: np.ndarray  # (F, nv): steps of the frames if the shared numbers stay
    follow: np.ndarray  # (F, nv, p): how they change with them


def normal_equations(problem: MarkerProblem, q: np.ndarray, y: np.ndarray, loss: str, damping: float) -> Normal:
    """The arrow, with each frame eliminated."""
    model = problem.model_at(y)
    r, T, x = problem.residuals(model, q, y)
    w = np.sqrt(robust_weights(r, loss))[..., None]
    F = len(q)
    A = (problem.by_motion(model, q, y, T) * w[..., None]).reshape(F, -1, model.nv)
    B = (problem.by_shared(model, q, y, T, x) * w[..., None]).reshape(F, A.shape[1], -1)
    r = (r * w).reshape(F, -1)
    At, prior = np.swapaxes(A, 1, 2), problem.prior_weights()
    H = At @ A
    curvature = np.einsum("fii->fi", H)
    np.einsum("fii->fi", H)[:] += damping * curvature + RIDGE * curvature.max(axis=1, keepdims=True) + 1e-300
    C, g = At @ B, (At @ r[:, :, None])
    solved = np.linalg.solve(H, np.concatenate([g, C], axis=2))
    own, follow = solved[:, :, 0], solved[:, :, 1:]
    flat, n = B.reshape(-1, B.shape[2]), C.shape[0] * C.shape[1]
    S = flat.T @ flat - C.reshape(n, -1).T @ follow.reshape(n, -1) + np.diag(prior)
    gradient = flat.T @ r.ravel() - C.reshape(n, -1).T @ own.ravel() + prior * y
    return Normal(0.5 * (S + S.T), gradient, own, follow)


def null_and_range(S: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eigenvalues and eigenvectors of what the data determine, and the directions that they do not."""
    values, vectors = np.linalg.eigh(S)
    flat = values <= FLAT * max(float(values[-1]), 0.0) if len(values) else np.zeros(0, bool)
    return values[~flat], vectors[:, ~flat], vectors[:, flat]


def solve_arrow(
    problem: MarkerProblem,
    q: np.ndarray,
    loss: str,
    most: int,
    progress: Callable[[str, int, int], object] | None = None,
) -> Solution:
    """Levenberg-Marquardt steps on motion and shared numbers together, from the start of both."""
    y, damping, prior, tried = np.zeros(problem.size), 0.0, problem.prior_weights(), 1
    cost = cost_of(problem.residuals(problem.model_at(y), q, y)[0], loss, y, prior)
    for rounds in range(most):
        normal = normal_equations(problem, q, y, loss, damping)
        tried += 1
        values, vectors, _ = null_and_range(normal.schur)
        dy = -vectors @ ((vectors.T @ normal.gradient) / (values * (1.0 + damping)))
        dq = -normal.own - normal.follow @ dy
        new_y, new_q = y + dy, integrate(problem.model, q, dq)
        new = _tried(problem, new_q, new_y, loss)
        tried += 1
        if new <= cost:
            done = cost - new <= SMALL * max(cost, 1.0)
            y, q, cost, damping = new_y, new_q, new, 0.1 * damping if damping > 1e-9 else 0.0
            if progress is not None:
                progress("identify", rounds + 1, most)
            if done:
                return _ended(problem, (y, q, cost), loss, (rounds + 1, True, tried))
        else:
            damping = max(10.0 * damping, 1e-4)
            if damping > 1e8:
                return _ended(problem, (y, q, cost), loss, (rounds + 1, True, tried))
    return _ended(problem, (y, q, cost), loss, (most, False, tried))


def _tried(problem: MarkerProblem, q: np.ndarray, y: np.ndarray, loss: str) -> float:
    """The cost after a step; without bounds where the step leads to a model that cannot be."""
    try:
        r, _, _ = problem.residuals(problem.model_at(y), q, y)
    except CondyleError:
        return np.inf
    return cost_of(r, loss, y, problem.prior_weights())


def _ended(problem: MarkerProblem, at: tuple, loss: str, how: tuple[int, bool, int]) -> Solution:
    y, q, cost = at
    return Solution(y, q, cost, normal_equations(problem, q, y, loss, 0.0).schur, *how)
