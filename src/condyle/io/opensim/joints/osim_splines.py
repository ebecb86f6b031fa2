"""The natural splines of OpenSim as polynomial pieces."""

from __future__ import annotations

import numpy as np

from ....joints.functions import Function
from ....joints.functions.simm_spline import pieces_function


def natural_spline(x: np.ndarray, y: np.ndarray, half_order: int) -> Function:
    """GCVSpline without smoothing: the natural spline of degree 2h − 1.

    Its derivatives of orders h … 2h − 2 vanish at the ends; beyond them it goes on as its Taylor polynomial of degree
    h − 1.
    """
    from scipy.interpolate import PPoly, make_interp_spline  # slow to load

    zero = [(order, 0.0) for order in range(half_order, 2 * half_order - 1)]
    spline = make_interp_spline(x, y, 2 * half_order - 1, bc_type=(zero, zero) if zero else None)
    pieces = PPoly.from_spline(spline)
    inside = (pieces.x[:-1] >= x[0]) & (pieces.x[:-1] < x[-1]) & (np.diff(pieces.x) > 0)
    local = pieces.c[::-1, inside].T  # lowest power first
    breaks = np.append(pieces.x[:-1][inside], x[-1])
    ends = [_taylor(spline, end, max(half_order, 2)) for end in (x[0], x[-1])]
    return pieces_function(breaks, local, ends[0], ends[1], "GCVSpline")


def _taylor(spline, x: float, terms: int) -> list[float]:
    factorials = np.cumprod([1.0, *range(1, terms)])
    return [float(spline(x, nu=k)) / factorials[k] for k in range(terms)]
