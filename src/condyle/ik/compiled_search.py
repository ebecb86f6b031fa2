"""Compiled first phase: damped Gauss-Newton steps accepted without a descent test."""

from __future__ import annotations

import numpy as np

from ..numeric import one_by_one
from .problem import Problem
from .search_result import Found

__all__ = ["bold"]


def bold(problem: Problem, found: Found, tolerance: float, most: int, steps: int, damping: float) -> np.ndarray:
    """Search from found.q and note the best places; which members (indices) are to be searched on with arrays.

    At most `steps` steps are taken, or `most` while they converge to a stationary point.
    """
    from .kernels.search import FLAT, GOING, REACHED, bold_steps

    limits, ends = np.concatenate([problem.low, problem.high]), np.empty((len(found.q), 4))
    how, arrays = (tolerance, most, steps, damping), (problem.asked.goals, found.q, ends)
    given = (problem.model.tables, limits, problem.asked.tables, how, arrays)
    one_by_one(lambda z, start, stop: bold_steps(z, *given, start, stop), len(ends))
    found.residual, found.largest, found.iterations = ends[:, 0].copy(), ends[:, 1].copy(), ends[:, 2].astype(int)
    found.stationary = (ends[:, 3] == REACHED) | (ends[:, 3] == FLAT)
    return np.flatnonzero(ends[:, 3] == GOING)
