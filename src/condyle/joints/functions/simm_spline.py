"""Functions of polynomial pieces from their coefficients, and the cubic spline of SIMM and OpenSim through points."""

from __future__ import annotations

import numpy as np

from ..segments import POLYNOMIAL, Grid, Term
from .function import Function
from .values import recentered


def simm_spline(x: np.ndarray, y: np.ndarray) -> Function:
    """SimmSpline: cubic pieces through the points, C2, straight lines beyond them.

    The third derivative in the first interval is six times the divided difference of the first four points, in the last
    one that of the last four. Three points are joined by a parabola, two by a line.
    """
    second = _second_derivatives(x, y)
    h, slope = np.diff(x), np.diff(y) / np.diff(x)
    first = slope - h * (2.0 * second[:-1] + second[1:]) / 6.0
    local = np.stack([y[:-1], first, 0.5 * second[:-1], np.diff(second) / (6.0 * h)], axis=1)  # powers of x − x_i
    end = slope[-1] + h[-1] * (second[-2] + 2.0 * second[-1]) / 6.0
    return pieces_function(x, local, [y[0], first[0]], [y[-1], end], "SimmSpline")


def _second_derivatives(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """f″ at the points, from continuity of f′ inside and the third derivatives of the two ends."""
    n = len(x)
    if n < 3:
        return np.zeros(n)
    if n == 3:
        return np.full(3, 2.0 * _divided(x, y))
    from scipy.linalg import solve_banded  # slow to load, and only needed here

    h, slope = np.diff(x), np.diff(y) / np.diff(x)
    band, right = np.zeros((3, n)), np.zeros(n)
    band[1, 1:-1], band[0, 2:], band[2, :-2] = 2.0 * (h[:-1] + h[1:]), h[1:], h[:-1]
    right[1:-1] = 6.0 * np.diff(slope)
    band[1, 0], band[0, 1], right[0] = -1.0, 1.0, 6.0 * h[0] * _divided(x[:4], y[:4])
    band[2, -2], band[1, -1], right[-1] = -1.0, 1.0, 6.0 * h[-1] * _divided(x[-4:], y[-4:])
    return solve_banded((1, 1), band, right)


def _divided(x: np.ndarray, y: np.ndarray) -> float:
    """The divided difference over all points given."""
    table = y.astype(float)
    for k in range(1, len(x)):
        table = np.diff(table) / (x[k:] - x[:-k])
    return float(table[0])


def pieces_function(
    breaks: np.ndarray, local: np.ndarray, below, above, kind: str, kinked: bool = False
) -> Function:  # fmt: skip
    """A function of coordinate 0 from pieces in powers of x − (left break), and what holds beyond the ends."""
    order = max(local.shape[1], len(below), len(above), 2)
    rows = np.zeros((len(breaks) + 1, order))
    rows[1:-1] = recentered(np.pad(local, [(0, 0), (0, order - local.shape[1])]), 0.5 * np.diff(breaks))
    rows[0, : len(below)], rows[-1, : len(above)] = below, above
    grid = Grid((0,), (np.asarray(breaks, dtype=float),), (False,))
    return Function(grid, Term(POLYNOMIAL, (0,), rows), f"{kind} of {len(breaks)} points", kinked=kinked)
