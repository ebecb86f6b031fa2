"""Functions of shapes as polynomial pieces for kernels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import PPoly
from scipy.special import comb

from ..functions.function import Function, compiled

TOLERANCE = 1e-12  # of the largest value: how exactly shapes and their frames are stored
ORDER = 12


def stored_pieces(
    f: Callable[[np.ndarray], np.ndarray],
    breaks: np.ndarray,
    periodic: bool,
    tolerance: float = TOLERANCE,
    unit: float = 0.0,
    analytic: Callable[[np.ndarray], np.ndarray] | None = None,
) -> Function:
    """A function of one coordinate, which takes and gives (N,), as pieces, to `tolerance` of its size or `unit`.

    `analytic` is the same function of complex numbers.
    """
    breaks = np.asarray(breaks, float)
    share = by_unit(tolerance, f(np.r_[breaks, 0.5 * (breaks[1:] + breaks[:-1])]), unit)
    around = None if analytic is None else lambda z: analytic(z[:, 0])
    return compiled(
        lambda q: f(q[:, 0]), (0,), (breaks,), None if analytic else ORDER, share, (periodic,), "shape", around
    )


def by_unit(tolerance: float, values: np.ndarray, unit: float) -> float:
    """A tolerance by the largest value that is one by a unit, where the values are smaller: metres, radians."""
    return tolerance * max(1.0, unit / max(float(np.abs(values).max()), 1e-300))


def evaluated(function: Function) -> PPoly:
    """The pieces of a function of one coordinate for quick evaluation, with derivatives; not continued outside."""
    breaks, table = function.grid.breaks[0], function.term.constants[1:-1]
    half, k = 0.5 * np.diff(breaks), np.arange(table.shape[1])
    shift = comb(k[:, None], k[None, :]) * (-half[:, None, None]) ** np.maximum(k[:, None] - k[None, :], 0)
    return PPoly(np.einsum("rk,rkj->jr", function.weight * table, shift)[::-1], breaks)
