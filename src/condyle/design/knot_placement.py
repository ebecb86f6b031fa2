"""Where the control frames of a curve act: its knots, as asked for or as the data want them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadCoordinates, require, unknown_name
from ..splines import even_knots, periodic_knots, validated_knots
from .parameterization import data_knots, open_knots

MOST = 10  # control frames for each pose: more than any interpolation needs


@dataclass(frozen=True)
class Layout:
    """Where the control frames act: full knots, and those that `spline_curve` takes."""

    full: np.ndarray
    given: np.ndarray
    count: int
    order: int
    ends: str

    @property
    def periodic(self) -> bool:
        return self.ends == "periodic"


def choose_knots(count: int, q: np.ndarray, order: int, ends: str, period, knots) -> Layout:
    """Knots as asked for."""
    least = 3 if ends == "periodic" else order
    require(count >= least, f"fit_curve: order {order} needs at least {least} control frames", frames=count)
    most = max(MOST * len(q), 4 * order)
    require(count <= most, f"fit_curve: {len(q)} poses can use {most} control frames at most", frames=count)
    if ends == "periodic":
        low, high = valid_period(period, q)
        breaks = np.linspace(low, high, count + 1) if knots is None else np.asarray(knots, float)
        return Layout(periodic_knots(breaks, order), breaks, count, order, ends)
    full = chosen_knots(count, q, order, ends, knots)
    return Layout(full, full, count, order, ends)


def chosen_knots(count: int, q: np.ndarray, order: int, ends: str, knots) -> np.ndarray:
    """Given knots, or uniform ones where every frame gets data by them, else knots that follow the data."""
    if knots is not None and not isinstance(knots, str):
        return validated_knots(knots, count, order, "fit_curve")
    if knots not in (None, "uniform", "data"):
        raise unknown_name("rule for knots", knots, ("uniform", "data"), "fit_curve")
    if ends == "open":
        return open_knots(q, count, order)
    even = even_knots(q[0], q[-1], count, order)
    if knots == "uniform" or (knots is None and count < len(q) and every_frame_has_data(even, q, order)):
        return even
    return data_knots(q, count, order)


def every_frame_has_data(knots: np.ndarray, q: np.ndarray, order: int) -> bool:
    """Schoenberg and Whitney: distinct coordinates q_i with t_j < q_i < t_{j+k} can be found for all j (greedily)."""
    i = 0
    for j in range(len(knots) - order):
        ends = j in (0, len(knots) - order - 1)
        while i < len(q) and not (q[i] > knots[j] or (ends and q[i] >= knots[j])):
            i += 1
        if i == len(q) or not (q[i] < knots[j + order] or (ends and q[i] <= knots[j + order])):
            return False
        i += 1
    return True


def valid_period(period, q: np.ndarray) -> tuple[float, float]:
    """(low, high) with all coordinates in it."""
    low, high = (np.nan, np.nan) if period is None else period
    require(high > low, "fit_curve: say the period (low, high)", period=period)
    good = q[0] >= low and q[-1] < high
    require(good, "fit_curve: coordinates must lie in one period [low, high)", BadCoordinates, period=period)
    return float(low), float(high)
