"""Curves through poses: the piecewise geodesic, where a fit begins, and a spline exactly through them.

Surplus frames make the spline the least bent of all such curves.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import block_array, coo_array, csc_array
from scipy.sparse.linalg import splu

from ..errors import HalfTurn, NeedsMoreFrames
from ..spatial import exp_se3, log_se3
from ..spatial.twists import pose_inverse
from .problem.curve_problem import CurveProblem
from .solve.block_band import BlockBand
from .solve.levenberg_marquardt import Descent, minimize

WIDEST = 2.5  # [rad] between neighbouring control frames; at π the way between them is lost
EXACT = 1e-18  # sum of squares [rad², m²] below which poses count as met
STAGES = (1e-2, 1e-4, 1e-6, 1e-8)  # a stiff curve first, then ever softer: continuation for poses far apart


def surplus_counts(poses: int, order: int, widest_step: float) -> list[int]:
    """Numbers of frames worth trying, fewest first; one for each pose only where the poses are near."""
    least = max(poses, order)
    counts = [least, least + (poses + 1) // 2, *(least + k * poses for k in (1, 2, 3, 5))]
    return counts if widest_step < 0.55 else counts[1:]


def interpolated(problem: CurveProblem, frames: np.ndarray) -> Descent:
    """From a stiff curve to one through all poses; NeedsMoreFrames if the frames get too far apart."""
    costs: list[float] = []
    try:
        for weight in STAGES:
            part = minimize(problem.changed(smoothing=weight), frames, 1e-3, 30)
            frames, costs = part.x, [*costs, *part.costs[:-1]]
        last = closed(problem, frames) if problem.count > len(problem.data) else minimize(problem, frames)
    except HalfTurn:
        raise too_wide(problem, np.pi) from None
    require_near_frames(problem, last.x)
    if last.costs[-1] > EXACT * len(problem.data):
        raise too_wide(problem, widest_step(problem, last.x))
    return Descent(last.x, [*costs, *last.costs], last.step, True)


def closed(problem: CurveProblem, frames: np.ndarray, most: int = 30) -> Descent:
    """Least bending subject to r = 0: Newton steps on the multiplier equations with the Gauss-Newton matrix."""
    costs, size = [problem.cost(frames)], np.inf
    for _ in range(most):
        u = multiplier_step(problem, frames)
        size = float(np.abs(u).max())
        frames = problem.moved(frames, u * min(1.0, 0.5 / size))
        costs.append(problem.cost(frames))
        if size < 1e-9:
            break
    return Descent(frames, costs, size, True)


def multiplier_step(problem: CurveProblem, frames: np.ndarray) -> np.ndarray:
    """[[B, Jᵀ], [J, 0]] (u, μ) = (−b, −r), with B and b of the bending."""
    band = BlockBand.zeros(problem.count, problem.order, problem.periodic)
    problem.changed(smoothing=1.0).add_bending(band, frames)
    B = dense_bending(band)
    rows = [(problem.at.first[c], J, r) for c, r, J in problem.rows(frames)]
    J, r = jacobian_matrix(problem, rows)
    K = block_array([[B, J.T], [J, None]], format="csc")
    solved = splu(K).solve(np.concatenate([band.right.ravel(), -r]))
    return solved[: 6 * problem.count].reshape(-1, 6)


def dense_bending(band: BlockBand) -> csc_array:
    """The bending matrix, a little stiffened so that frames that bend nothing stay where they are."""
    n, k = band.blocks.shape[:2]
    full = np.zeros((n, 6, n, 6))
    for d in range(k):
        for j in range(n if band.periodic else n - d):
            full[j, :, (j + d) % n] += band.blocks[j, d]
            if d:
                full[(j + d) % n, :, j] += band.blocks[j, d].T
    matrix = full.reshape(6 * n, 6 * n)
    return csc_array(matrix + 1e-10 * np.trace(matrix) / len(matrix) * np.eye(len(matrix)))


def jacobian_matrix(problem: CurveProblem, rows) -> tuple[csc_array, np.ndarray]:
    """J (6N, 6n) and r (6N,)."""
    first, J, r = (np.concatenate(part) for part in zip(*rows, strict=True))
    frame = (first[:, None] + np.arange(problem.order)) % problem.count
    columns = (6 * frame[:, :, None] + np.arange(6)).reshape(len(first), 1, -1)
    row = np.arange(6 * len(first)).reshape(-1, 6, 1)
    i, j = np.broadcast_arrays(row, columns)
    matrix = coo_array((J.ravel(), (i.ravel(), j.ravel())), shape=(r.size, 6 * problem.count))
    return matrix.tocsc(), r.ravel()


def widest_step(problem: CurveProblem, frames: np.ndarray) -> float:
    """The largest turn between neighbouring control frames [rad]."""
    return float(np.linalg.norm(problem.controls(frames).z[:, :3], axis=1).max())


def require_near_frames(problem: CurveProblem, frames: np.ndarray) -> None:
    """Frames further apart than `WIDEST` are refused."""
    try:
        widest = widest_step(problem, frames)
    except HalfTurn:
        widest = np.pi
    if widest > WIDEST:
        refusal = too_wide(problem, widest)
        refusal.misfit = problem.counted_misfit(frames)
        raise refusal


def too_wide(problem: CurveProblem, widest: float) -> NeedsMoreFrames:
    """What to do about it."""
    return NeedsMoreFrames(
        f"fit_curve: {problem.count} control frames for {len(problem.data)} poses would have to turn {widest:.2f} rad "
        f"from one to the next; at most {WIDEST} rad keeps the way between them certain. Ask for more frames "
        "(frames='interpolate' finds how many), measure poses nearer to each other, or use a robust loss if some are "
        "outliers."
    )


def geodesic_frames(q: np.ndarray, poses: np.ndarray, at: np.ndarray, turned: np.ndarray, placed: np.ndarray):
    """Poses at the coordinates `at`, moved along screws between the nearest measured ones; the end poses outside."""
    X = between(q[turned], poses[turned], at)
    if not placed.all():
        X = X.copy() if turned.any() else X
        for axis in range(3):
            X[:, axis, 3] = np.interp(at, q[placed], poses[placed, axis, 3])
    elif not turned.all():
        for axis in range(3):
            X[:, axis, 3] = np.interp(at, q, poses[:, axis, 3])
    return X


def between(q: np.ndarray, poses: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The piecewise geodesic at `at`."""
    if len(q) == 0:
        return np.broadcast_to(np.eye(4), (len(at), 4, 4)).copy()
    if len(q) == 1:
        return np.repeat(poses, len(at), axis=0)
    i = np.clip(np.searchsorted(q, at, side="right") - 1, 0, len(q) - 2)
    share = np.clip((at - q[i]) / np.maximum(q[i + 1] - q[i], 1e-300), 0.0, 1.0)
    z = log_se3(pose_inverse(poses[i]) @ poses[i + 1])
    return poses[i] @ exp_se3(share[:, None] * z)
