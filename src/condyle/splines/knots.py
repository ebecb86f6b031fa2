"""Knot vectors: made, checked, and the Greville abscissae of their control points.

A spline of order k (degree k − 1) with n control points has n + k knots t_0 … t_{n+k−1} and the domain
[t_{k−1}, t_n]. (The paper writes n = m + 1.)  [LeeTerzopoulos2008, section 5.1]
"""

from __future__ import annotations

import numpy as np

from ..errors import BadKnots, require

# Distinct knots nearer than this part of the domain act as one multiple knot and overflow the pieces.
NEAREST = 1e-12


def uniform_knots(count: int, order: int, start: float = 0.0, spacing: float = 1.0) -> np.ndarray:
    """Equidistant knots for `count` control points, with the domain [start, start + (count − order + 1)·spacing]."""
    return start + spacing * (np.arange(count + order) - (order - 1.0))


def clamped_knots(breaks, order: int) -> np.ndarray:
    """Knots at `breaks` with `order`-fold ends: the spline starts at its first control point and ends at its last."""
    breaks = validated_breaks(breaks, "clamped knots")
    return np.concatenate([np.repeat(breaks[0], order - 1), breaks, np.repeat(breaks[-1], order - 1)])


def even_knots(low: float, high: float, count: int, order: int) -> np.ndarray:
    """Clamped knots with equal spans over [low, high] for `count` control points."""
    return clamped_knots(np.linspace(low, high, count - order + 2), order)


def periodic_knots(breaks, order: int) -> np.ndarray:
    """One period of breakpoints, continued by `order` − 1 knots at each side. N + 1 breakpoints serve N controls."""
    breaks = validated_breaks(breaks, "periodic knots")
    spans, period = len(breaks) - 1, breaks[-1] - breaks[0]
    turns, index = np.divmod(np.arange(1 - order, spans + order), spans)
    return breaks[index] + period * turns


def greville(knots, order: int) -> np.ndarray:
    """Where each control point acts: the mean of its order − 1 inner knots."""
    knots = np.asarray(knots, float)
    return np.lib.stride_tricks.sliding_window_view(knots[1:-1], order - 1).mean(axis=1)


def validated_breaks(breaks, what: str) -> np.ndarray:
    """A sorted array of at least two finite breakpoints."""
    breaks = np.asarray(breaks, float)
    require(
        breaks.ndim == 1 and len(breaks) >= 2, f"{what} need a list of two or more breakpoints", BadKnots, breaks=breaks
    )
    check_finite_and_sorted(breaks, what)
    return breaks


def validated_knots(knots, count: int, order: int, what: str = "spline", smooth: bool = True) -> np.ndarray:
    """The knots as an array, or BadKnots: finite, sorted, count + order of them, and the spline at least C1.

    A spline that need not be `smooth` may have kinks, but no jumps.
    """
    require(order >= 2, f"{what}: the order must be at least 2", BadKnots, order=order)
    require(count >= order, f"{what}: order {order} needs at least {order} control points", BadKnots, count=count)
    knots = np.array(knots, float)
    expected = f"{what}: {count} control points of order {order} need {count + order} knots in one list"
    require(knots.shape == (count + order,), expected, BadKnots, shape=knots.shape)
    check_finite_and_sorted(knots, what)
    check_multiplicity(knots, count, order, what, smooth)
    return knots


def spline_knots(
    knots, count: int, order: int, periodic: bool, what: str = "spline", smooth: bool = True
) -> np.ndarray:
    """The full knots of a spline with `count` control points, as given or by default.

    Not periodic: `knots` are all count + order of them; None means clamped with unit spans on [0, count − order + 1].
    Periodic: `knots` are the count + 1 breakpoints of one period (None: 0, 1, …, count); the result serves the control
    points followed by the first order − 1 of them again. A spline that need not be `smooth` may have kinks.
    """
    require(order >= 2, f"{what}: the order must be at least 2", BadKnots, order=order)
    if periodic:
        return periodic_knots(validated_period(np.arange(count + 1.0) if knots is None else knots, count, what), order)
    if knots is None and count >= order:
        knots = clamped_knots(np.arange(count - order + 2.0), order)
    return validated_knots(knots, count, order, what, smooth)


def validated_period(breaks, count: int, what: str) -> np.ndarray:
    """The rising breakpoints of one period, one more than there are control points."""
    breaks = np.array(breaks, float)
    require(count >= 3, f"{what}: a periodic spline needs at least 3 control points", BadKnots, count=count)
    expected = f"{what}: {count} control points on a period need {count + 1} breakpoints in one list"
    require(breaks.shape == (count + 1,), expected, BadKnots, shape=breaks.shape)
    check_finite_and_sorted(breaks, what)
    same = np.flatnonzero(np.diff(breaks) <= NEAREST * (breaks[-1] - breaks[0]))
    require(len(same) == 0, f"{what}: the breakpoints of a period must rise", BadKnots, equal=breaks[same].tolist())
    return breaks


def check_finite_and_sorted(knots: np.ndarray, what: str) -> None:
    """NaN, infinity or a falling step is refused, with its place."""
    bad = np.flatnonzero(~np.isfinite(knots))
    if len(bad):
        raise BadKnots(f"{what}: knot {bad[0]} is {knots[bad[0]]}; knots must be finite numbers.")
    falls = np.flatnonzero(np.diff(knots) < 0)
    if len(falls):
        i = falls[0]
        raise BadKnots(
            f"{what}: knots must not fall, but knot {i} is {knots[i]:g} and knot {i + 1} is {knots[i + 1]:g}."
        )


def check_multiplicity(knots: np.ndarray, count: int, order: int, what: str, smooth: bool = True) -> None:
    """An empty domain, or inner knots that make the spline less than C1 (not `smooth`: less than C0), are refused."""
    low, high = knots[order - 1], knots[count]
    require(
        high > low, f"{what}: the domain between knots {order - 1} and {count} is empty", BadKnots, low=low, high=high
    )
    values, times = np.unique(knots, return_counts=True)
    near = np.flatnonzero(np.diff(values) < NEAREST * (high - low))
    if len(near):
        raise BadKnots(
            f"{what}: knots {values[near[0]]!r} and {values[near[0] + 1]!r} are nearer than {NEAREST:g} of the domain; "
            "make them equal or move them apart."
        )
    allowed = np.where((values > low) & (values < high), order - 1 - smooth, order)
    over = np.flatnonzero(times > allowed)
    if len(over):
        raise BadKnots(refused_multiplicity(values[over[0]], times[over[0]], allowed[over[0]], order, what, smooth))


def refused_multiplicity(value, times, allowed, order: int, what: str, smooth: bool = True) -> str:
    """Why a multiple knot is refused."""
    reason = (
        f"the spline would be less than C{int(smooth)} there"
        if allowed < order
        else "control points would have no effect"
    )
    return (
        f"{what}: the knot {value:g} occurs {times} times, at most {allowed} are allowed for order {order}: {reason}. "
        "Spread the knots or raise the order."
    )
