"""The curves of Millard's muscle as corners between points with slopes.  [Millard2013]

A corner from (x0, y0, d0) to (x1, y1, d1) is a Bézier curve of degree 5 with control points P0, A, A, B, B, P1, where
A and B lie on the tangents of its ends, a share 0.1 + 0.8 · curviness of the way to where these meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

Knot = tuple[float, float, float]  # x, y, slope


def corner(start: Knot, end: Knot, curviness: float) -> list[float]:
    """x of the four different control points of a corner, then y."""
    (x0, y0, d0), (x1, y1, d1) = start, end
    if abs(d0 - d1) > 1e-12:
        x = (y1 - y0 - x1 * d1 + x0 * d0) / (d0 - d1)
        y = y0 + d0 * (x - x0)
    else:
        x, y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    c = 0.1 + 0.8 * curviness
    return [x0, x0 + c * (x - x0), x1 + c * (x - x1), x1, y0, y0 + c * (y - y0), y1 + c * (y - y1), y1]


def packed(knots: Sequence[Knot], curviness: Sequence[float]) -> list[float]:
    """First and last knot, then the corners between all knots."""
    corners = [corner(a, b, c) for (a, b), c in zip(pairwise(knots), curviness, strict=True)]
    return [*knots[0], *knots[-1], *(x for row in corners for x in row)]


def active_curve(c: dict[str, Any], damped: bool) -> list[float]:
    """Active force over fibre length; with damping it ends at zero."""
    x0, x1, x3 = (c[f"active_{name}"] for name in (
        "min_norm_active_fiber_length", "transition_norm_fiber_length", "max_norm_active_fiber_length"
    ))  # fmt: skip
    d, floor = c["active_shallow_ascending_slope"], 0.0 if damped else max(0.1, c["active_minimum_value"])
    rise, shoulder = 0.05, 0.95
    y1 = 1.0 - d * (shoulder - x1)
    steep = 1.25 * y1 / (x1 - x0)
    knots = [
        (x0, floor, 0.0), (0.5 * (x0 + x1), 0.5 * y1, steep), (0.5 * (x1 + shoulder), 0.5 * (1.0 + y1), d),
        (1.0, 1.0, 0.0), (0.5 * (1.0 + rise + x3), 0.5, -1.0 / (x3 - 1.0 - 2.0 * rise)), (x3, floor, 0.0),
    ]  # fmt: skip
    return packed(knots, [1.0] * 5)


def passive_curve(c: dict[str, Any], damped: bool) -> list[float]:
    """Passive force over fibre length."""
    e0, e1 = c["passive_strain_at_zero_force"], c["passive_strain_at_one_norm_force"]
    stiff = c["passive_stiffness_at_one_norm_force"]
    stiff, soft = 2.0 / (e1 - e0) if stiff is None else stiff, c["passive_stiffness_at_low_force"]
    foot = min(0.1 / stiff, 0.1 * (e1 - e0))
    knots = [(1.0 + e0, 0.0, 0.0), (1.0 + e0 + foot, 0.5 * soft * foot, soft), (1.0 + e1, 1.0, stiff)]
    return packed(knots, [c["passive_curviness"]] * 2)


def tendon_curve(c: dict[str, Any], damped: bool) -> list[float]:
    """Tendon force over tendon length."""
    e, toe = c["tendon_strain_at_one_norm_force"], c["tendon_norm_force_at_toe_end"]
    stiff = c["tendon_stiffness_at_one_norm_force"]
    stiff = 1.375 / e if stiff is None else stiff
    xt = 1.0 + e + (toe - 1.0) / stiff
    xf, xm = 1.0 + (xt - 1.0) / 10.0, 1.0 + e + (0.5 * toe - 1.0) / stiff
    slope = 0.5 * toe / (xm - xf)
    knots = [(1.0, 0.0, 0.0), (0.5 * (xf + xm), 0.25 * toe, slope), (xt, toe, stiff)]
    return packed(knots, [c["tendon_curviness"]] * 2)


def velocity_curve(c: dict[str, Any], damped: bool) -> list[float]:
    """Force over speed; with damping it ends flat."""
    near, far = c["velocity_concentric_slope_near_vmax"], c["velocity_eccentric_slope_near_vmax"]
    first, last = c["velocity_concentric_slope_at_vmax"], c["velocity_eccentric_slope_at_vmax"]
    first, last = (0.0, 0.0) if damped else (max(first, 0.5 * near), max(last, 0.5 * far))
    top = c["velocity_max_eccentric_velocity_force_multiplier"]
    knots = [
        (-1.0, 0.0, first), (-0.9, 0.05 * (near + first), near), (0.0, 1.0, c["velocity_isometric_slope"]),
        (0.9, top - 0.05 * (far + last), far), (1.0, top, last),
    ]  # fmt: skip
    shortening, lengthening = c["velocity_concentric_curviness"], c["velocity_eccentric_curviness"]
    return packed(knots, [shortening, shortening, lengthening, lengthening])
