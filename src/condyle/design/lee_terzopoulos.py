"""The iteration as printed: body velocities weighted by the B-spline basis, residuals taken for velocities.

[LeeTerzopoulos2008, eqs. 33-42, misprints corrected]. It converges linearly to a point near, not at, the least-squares
answer; kept for comparison and teaching. The paper's weight w and shrinkage c are the weight λ = wc/(1 − w) here, since
c < 1 only lowers the weight.
"""

from __future__ import annotations

import numpy as np

from ..formats.journal import Journal, journal
from ..spatial import ad, adjoint, exp_se3
from .problem.curve_derivatives import Controls, Places, applied, basis_weights
from .problem.curve_problem import CurveProblem
from .problem.pose_residual import pose_residuals
from .solve.block_band import BlockBand, NotPositive
from .solve.levenberg_marquardt import Descent, cost_or_infinity, descended


def iterate_as_printed(problem: CurveProblem, frames: np.ndarray, tolerance: float = 1e-10, most: int = 100) -> Descent:
    """Solve M u = log(G⁻¹ G_d) for the control frames' velocities and move them, without any safeguard."""
    notes = journal()
    return descended(notes.once(lambda known: vars(_iterated(problem, frames, tolerance, most, notes, known))))


def _iterated(problem: CurveProblem, frames: np.ndarray, tolerance: float, most: int, notes: Journal, known) -> Descent:
    """From `frames`, or from the last iterate that is known."""
    costs, size = [problem.cost(frames)], np.inf
    if known is not None:
        frames, costs, size = known["x"], known["costs"].tolist(), float(known["step"])
    for _ in range(len(costs) - 1, most):
        notes.keep(x=frames, costs=costs, step=size)
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
    """MᵀM + λNᵀN and Mᵀu_d − λNᵀh of equations (35) and (42)."""
    controls, band = problem.controls(frames), BlockBand.zeros(problem.count, problem.order, problem.periodic)
    for c in problem.chunks():
        G, M = printed_variation(controls, problem.at[c])
        root = np.sqrt(problem.data.weights[c])[:, None]
        u = pose_residuals(G, problem.data[c])
        band.add(problem.at.first[c], -root[..., None] * (problem.C @ M), root * (u @ problem.C.T))
    if problem.smoothing:
        at, w = problem.gauss
        h, N = printed_hessians(controls, at)
        root = np.sqrt(problem.smoothing * w)[:, None]
        band.add(at.first, root[..., None] * (problem.C @ N), root * (h @ problem.C.T))
    return band


def printed_variation(controls: Controls, at: Places) -> tuple[np.ndarray, np.ndarray]:
    """G and M ≈ Σ B_j Ad(later factors)⁻¹ of equation (34)."""
    cumulative = at.weights[0]
    basis = basis_weights(cumulative)
    G, M = controls.frames[at.first], [basis[:, :1, None] * np.eye(6)]
    for l, b in enumerate(cumulative.T):
        step = b[:, None] * controls.z[at.first + l]
        G, E = G @ exp_se3(step), adjoint(exp_se3(-step))
        M = [E @ m for m in M] + [basis[:, l + 1, None, None] * np.eye(6)]
    return G, np.concatenate(M, axis=-1)


def printed_hessians(controls: Controls, at: Places) -> tuple[np.ndarray, np.ndarray]:
    """h = S' (points, 6) and its rate by the control frames ≈ Σ N'_l (u_l − Ad(e^{−z_l}) u_{l−1}), (points, 6, 6k).

    N_l = Ad(later factors)⁻¹ (B̃'_l + B̃_l Ad(e^{−α_l}) ad_S), S of the factors before, as in equations (38)-(41); the
    derivatives by q are analytic.
    """
    S, h, N, N1 = *np.zeros((2, len(at), 6)), [], []
    for l in range(at.weights.shape[-1]):
        b, db, ddb = at.weights[:, :, l, None, None]
        z = controls.z[at.first + l]
        E = adjoint(exp_se3(-b[..., 0] * z))
        E1 = -db * (ad(z) @ E)
        N1 = [E1 @ n + E @ n1 for n, n1 in zip(N, N1, strict=True)]
        N1.append(ddb * np.eye(6) + (db * E + b * E1) @ ad(S) + b * E @ ad(h))
        N = [*(E @ n for n in N), db * np.eye(6) + b * E @ ad(S)]
        S, h = applied(E, S) + db[..., 0] * z, applied(E1, S) + applied(E, h) + ddb[..., 0] * z
    return h, by_frames(N1, controls, at)


def by_frames(N1: list[np.ndarray], controls: Controls, at: Places) -> np.ndarray:
    """Σ N'_l (u_l − Ad(e^{−z_l}) u_{l−1}) as a matrix on the k control frames, (points, 6, 6k)."""
    J = np.zeros((len(at), 6, 6 * len(N1) + 6))
    for l, n in enumerate(N1):
        J[..., 6 * l : 6 * l + 6] -= n @ adjoint(exp_se3(-controls.z[at.first + l]))
        J[..., 6 * l + 6 : 6 * l + 12] += n
    return J
