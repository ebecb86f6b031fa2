"""Gauss-Newton that cannot run away: full steps while they help, Levenberg's damping when they do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ...errors import HalfTurn
from ...formats.journal import Journal, journal
from ..problem.pose_problem import NormalEquations, PoseProblem
from .block_band import NotPositive

ROUND_OFF = 1e-13  # relative change of the cost that means nothing
GIVE_UP = 1e8  # damping, relative to the diagonal, at which no step is left
SLIDING = 1e-4  # damping that always stays: sliding along the curve or surface itself changes next to nothing
AnyProblem = TypeVar("AnyProblem", bound=PoseProblem)


@dataclass(frozen=True)
class Descent:
    """Where an iteration ended: `x` are control frames or points, `costs` begin at the start, `step` is the last."""

    x: np.ndarray
    costs: list[float]
    step: float
    converged: bool


def minimize(problem: PoseProblem, x: np.ndarray, tolerance: float = 1e-10, most: int = 100) -> Descent:
    """Minimise a problem's cost from `x`, until the largest step is below `tolerance` [rad, m]."""
    notes = journal()
    return descended(notes.once(lambda known: vars(_minimized(problem, x, tolerance, most, notes, known))))


def descended(kept: dict[str, np.ndarray]) -> Descent:
    """A descent that a journal kept."""
    return Descent(kept["x"], kept["costs"].tolist(), float(kept["step"]), bool(kept["converged"]))


def _minimized(problem: PoseProblem, x: np.ndarray, tolerance: float, most: int, notes: Journal, known) -> Descent:
    """From `x`, or from the last iterate that is known."""
    costs, size, damping = [cost_or_infinity(problem, x)], np.inf, 0.0
    if known is not None:
        x, costs, size, damping = known["x"], known["costs"].tolist(), float(known["step"]), float(known["damping"])
    for iteration in range(len(costs) - 1, most):
        problem.watch("iteration", iteration, most)
        notes.keep(x=x, costs=costs, step=size, damping=damping)
        u, damping, cost = accepted_step(problem, x, problem.normal(x), damping, costs[-1])
        if u is None:
            return Descent(x, costs, size, False)
        x, size = problem.moved(x, u), float(np.abs(u).max())
        costs.append(cost)
        if size < tolerance:
            return Descent(x, costs, size, True)
    return Descent(x, costs, size, False)


def accepted_step(problem: PoseProblem, x: np.ndarray, system: NormalEquations, damping: float, cost: float):
    """The step that lowers the cost (None if there is none), the damping for the next one, and the new cost."""
    diagonal = system.diagonal()
    scale = np.maximum(diagonal, 1e-9 * diagonal.max())
    while damping < GIVE_UP:
        try:
            u = system.solve(damping * scale)
        except NotPositive:
            damping = max(10.0 * damping, 1e-9)
            continue
        new = cost_or_infinity(problem, problem.moved(x, u)) if np.isfinite(u).all() else np.inf
        foreseen = float((u * (system.right + damping * scale * u)).sum())
        if new <= cost * (1.0 + ROUND_OFF) and (cost - new >= 1e-3 * foreseen or foreseen < 1e-9 * cost + 1e-28):
            return u, relaxed(damping, (cost - new) / max(foreseen, 1e-300)), new
        damping = max(8.0 * damping, 1e-5)
    return None, damping, cost


def sliding_step(
    problem: AnyProblem,
    x: np.ndarray,
    system: NormalEquations,
    projected: Callable[[AnyProblem, np.ndarray], AnyProblem],
    damping: float,
    cost: float,
) -> tuple[AnyProblem | None, np.ndarray, float]:
    """A problem with better coordinates and a better x, or None; and the damping for the next step.

    `system` are the normal equations of x without the coordinates, `projected(problem, x)` gives the problem whose
    coordinates are those nearest to the poses.
    """
    scale = np.maximum(system.diagonal(), 1e-9 * system.diagonal().max())
    while damping < GIVE_UP:
        try:
            moved = problem.moved(x, system.solve(damping * scale))
        except NotPositive:
            damping *= 10.0
            continue
        if np.isfinite(cost_or_infinity(problem, moved)):
            new = projected(problem, moved)
            if cost_or_infinity(new, moved) < cost:
                return new, moved, max(0.2 * damping, SLIDING)
        damping *= 10.0
    return None, x, damping


def relaxed(damping: float, ratio: float) -> float:
    """Less damping after a step that did what was foreseen; none at all below a millionth."""
    damping *= 0.125 if ratio > 0.75 else 0.5 if ratio > 0.25 else 2.0
    return damping if damping > 1e-6 else 0.0


def cost_or_infinity(problem: PoseProblem, x: np.ndarray) -> float:
    """The cost, or infinity where neighbouring frames are half a turn apart."""
    try:
        return problem.cost(x)
    except HalfTurn:
        return np.inf
