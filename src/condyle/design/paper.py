"""The iteration as printed: body velocities weighted by the B-spline basis, residuals taken for velocities.

[LeeTerzopoulos2008, eqs. 33-36]. It converges linearly to a point near, not at, the least-squares answer; kept for
comparison and teaching.
"""

from __future__ import annotations

import numpy as np

from ..spatial import adjoint, exp_se3
from .band import BlockBand, NotPositive
from .levenberg import Descent, cost_or_infinity
from .problem import CurveProblem
from .residual import pose_residuals
from .variation import Controls, Places

__all__ = ["iterate_as_printed"]


def iterate_as_printed(problem: CurveProblem, frames: np.ndarray, tolerance: float = 1e-10, most: int = 100) -> Descent:
    """Solve M u = log(G⁻¹ G_d) for the control frames' velocities and move them, without any safeguard."""
    costs, size = [problem.cost(frames)], np.inf
    for _ in range(most):
        try:
            u = printed_normal(problem, frames).solve()
        except NotPositive:
            break
        new = problem.moved(frames, u)
        cost, size = cost_or_infinity(problem, new), float(np.abs(u).max())
        if not np.isfinite(cost):
            break
        frames = new
        costs.append(cost)
        if size < tolerance:
            return Descent(frames, costs, size, True)
    return Descent(frames, costs, size, False)


def printed_normal(problem: CurveProblem, frames: np.ndarray) -> BlockBand:
    """MᵀM and Mᵀu_d of equation (35)."""
    controls, band = problem.controls(frames), BlockBand.zeros(problem.count, problem.order, problem.periodic)
    for c in problem.chunks():
        G, M = printed_variation(controls, problem.at[c])
        root = np.sqrt(problem.data.weights[c])[:, None]
        u = pose_residuals(G, problem.data[c])
        band.add(problem.at.first[c], -root[..., None] * (problem.C @ M), root * (u @ problem.C.T))
    return band


def printed_variation(controls: Controls, at: Places) -> tuple[np.ndarray, np.ndarray]:
    """G and M ≈ Σ B_j Ad(later factors)⁻¹ of equation (34)."""
    cumulative = at.weights[0]
    ends = np.zeros((len(at), 1))
    basis = np.diff(np.concatenate([ends + 1.0, cumulative, ends], axis=1)) * -1.0  # B_j = B̃_j − B̃_{j+1}
    G, M = controls.frames[at.first], [basis[:, :1, None] * np.eye(6)]
    for l, b in enumerate(cumulative.T):
        step = b[:, None] * controls.z[at.first + l]
        G, E = G @ exp_se3(step), adjoint(exp_se3(-step))
        M = [E @ m for m in M] + [basis[:, l + 1, None, None] * np.eye(6)]
    return G, np.concatenate(M, axis=-1)
