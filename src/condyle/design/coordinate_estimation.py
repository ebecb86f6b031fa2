"""Frames and coordinates together: every pose slides along the curve to where it fits best, in order.

The coordinates are eliminated pose by pose: only the part of a residual normal to ∂r/∂q moves the frames, which keeps
the normal equations banded. Then the coordinates are projected onto the new curve and made monotone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression

from ..formats.journal import Journal, Kept, journal
from .problem.curve_problem import CurveProblem
from .solve.block_band import BlockBand
from .solve.levenberg_marquardt import SLIDING, Descent, descended, sliding_step


def minimize_with_coordinates(
    problem: CurveProblem, frames: np.ndarray, tolerance: float = 1e-9, most: int = 60
) -> tuple[CurveProblem, Descent]:
    """Alternate between the two until the cost falls by less than `tolerance` of itself."""
    notes = journal()

    def alternated(known: Kept | None) -> dict[str, Any]:
        begun = problem if known is None else problem.changed(q=known["q"])
        ended, found = _alternated(begun, frames, tolerance, most, notes, known)
        return {**vars(found), "q": ended.q}

    kept = notes.once(alternated)
    return problem.changed(q=kept["q"]), descended(kept)


def _alternated(
    problem: CurveProblem, frames: np.ndarray, tolerance: float, most: int, notes: Journal, known
) -> tuple[CurveProblem, Descent]:
    """From `frames`, or from the last iterate that is known."""
    costs, damping = [problem.cost(frames)], SLIDING
    if known is not None:
        frames, costs, damping = known["x"], known["costs"].tolist(), float(known["damping"])
    for _ in range(len(costs) - 1, most):
        notes.keep(x=frames, costs=costs, damping=damping, q=problem.q)
        new, moved, damping = one_step(problem, frames, damping, costs[-1])
        if new is None:
            return problem, Descent(frames, costs, np.inf, damping < 1e8 or costs[-1] < 1e-20)
        problem, frames = new, moved
        costs.append(problem.cost(frames))
        if costs[-2] - costs[-1] < tolerance * costs[-1] + 1e-26:
            return problem, Descent(frames, costs, 0.0, True)
    return problem, Descent(frames, costs, np.inf, False)


def one_step(problem: CurveProblem, frames: np.ndarray, damping: float, cost: float):
    """A problem with better coordinates and better frames, or None; and the damping for the next step."""
    return sliding_step(problem, frames, reduced_normal(problem, frames), projected, damping, cost)


def reduced_normal(problem: CurveProblem, frames: np.ndarray) -> BlockBand:
    """The normal equations of the frames with the coordinates between the ends eliminated."""
    band = BlockBand.zeros(problem.count, problem.order, problem.periodic)
    free = np.ones(len(problem.data))
    free[[0, -1]] = 0.0
    for (c, r, J), (_, _, t) in zip(problem.rows(frames), problem.tangents(frames), strict=True):
        n = t * (free[c] / np.maximum((t * t).sum(-1), 1e-300))[:, None]
        J = J - t[:, :, None] * np.einsum("ni,nij->nj", n, J)[:, None, :]
        r = r - t * (n * r).sum(-1, keepdims=True)
        band.add(problem.at.first[c], J, r)
    problem.add_bending(band, frames)
    return band


def projected(problem: CurveProblem, frames: np.ndarray, rounds: int = 3) -> CurveProblem:
    """The problem with its coordinates moved to the nearest places of the curve, still in order, the ends fixed."""
    low, high = problem.q[0], problem.q[-1]
    for _ in range(rounds):
        q = problem.q.copy()
        for c, r, t in problem.tangents(frames):
            step = -(t * r).sum(-1) / np.maximum((t * t).sum(-1), 1e-300)
            limit = 0.25 * np.diff(problem.basis.breaks).max()
            q[c] += np.clip(step, -limit, limit)
        q = np.clip(isotonic_regression(q).x, low, high)
        q[0], q[-1] = low, high
        problem = problem.changed(q=q)
    return problem
