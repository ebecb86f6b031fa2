"""Fits that outliers do not bend: reweighting from a stiff start under Huber's loss, then ever softer."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from ..problem.pose_problem import PoseProblem
from .levenberg_marquardt import Descent, minimize
from .loss import Loss, loss_named

Problem = TypeVar("Problem", bound=PoseProblem)


def minimize_robustly(
    problem: Problem, start: np.ndarray, loss: Loss, tolerance: float, most: int, near: bool = False
) -> tuple[Problem, Descent]:
    """From a stiff answer, which no outlier bends; a scale not given follows the median residual.

    Plain least squares needs neither and goes straight down; a start that is `near` has left the outliers already.
    """
    if type(loss) is Loss:
        return problem, minimize(problem, start, tolerance, most)
    x, fixed = start if near else stiffly(problem, start, most), np.isfinite(loss.scale)
    for weight in (*([] if near else softening(problem)), *[problem.smoothing] * 5):
        loss = loss if fixed else rescaled(loss, problem, x)
        x = minimize(problem.changed(loss=loss, smoothing=weight), x, 1e-4, most).x
    problem = problem.changed(loss=loss)
    return problem, minimize(problem, x, tolerance, most)


def stiffly(problem: PoseProblem, x: np.ndarray, most: int) -> np.ndarray:
    """The stiffest answer under Huber's loss, which has one answer where redescending losses have many."""
    stiff = softening(problem)[0]
    for _ in range(3):
        loss = rescaled(loss_named("huber", None), problem, x)
        x = minimize(problem.changed(loss=loss, smoothing=stiff), x, 1e-3, most).x
    return x


def softening(problem: PoseProblem) -> list[float]:
    """Smoothing weights from one that hardly lets the answer bend down to the one asked for."""
    return [max(problem.stiffest * part, problem.smoothing) for part in (1.0, 1e-1, 1e-2, 1e-3, 1e-4)]


def rescaled(loss: Loss, problem: PoseProblem, x: np.ndarray) -> Loss:
    """The loss with its scale from the median residual."""
    return loss.rescaled(np.sqrt(problem.squares(problem.residuals(x))))
