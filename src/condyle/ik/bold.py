"""The bold part of a search, which runs in compiled code."""

from __future__ import annotations

import numpy as np

from ..numeric import one_by_one
from .found import Found
from .problem import Problem

__all__ = ["bold"]


def bold(problem: Problem, found: Found, tolerance: float, steps: int, damping: float) -> np.ndarray:
    """Take at most `steps` steps for each member, noting the best places; which members have not ended."""
    from .kernels.search import GOING, REACHED, bold_steps

    limits, ends = np.concatenate([problem.low, problem.high]), np.empty((len(found.q), 4))
    how, arrays = (tolerance, steps, damping), (problem.asked.goals, found.q, ends)
    given = (problem.model.tables, limits, problem.asked.tables, how, arrays)
    one_by_one(lambda z, start, stop: bold_steps(z, *given, start, stop), len(ends))
    found.residual, found.largest, found.iterations = ends[:, 0].copy(), ends[:, 1].copy(), ends[:, 2].astype(int)
    found.stationary = ends[:, 3] == REACHED
    return np.flatnonzero(ends[:, 3] == GOING)
