"""Splines through points of a smooth curve, checked, in space and on a sphere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import BSpline, make_interp_spline

from ...errors import BadShape, BadValue, NotFinite, require
from ...spatial.arrays import real_numbers

CORNER = np.radians(60.0)  # points that turn by more than this are a polygon, not a smooth curve
GAINED = 16.0  # how much nearer than with every second point a curve through points is, carefully (smooth data: 64)
SAME = 1e-9  # of the size: points nearer than this are one


def in_space(f: Callable[[np.ndarray, int], np.ndarray]) -> Callable[[np.ndarray, int], np.ndarray]:
    """The same with z = 0 added if there are two numbers."""

    def at(t: np.ndarray, k: int) -> np.ndarray:
        p = f(np.atleast_1d(np.asarray(t, complex if np.iscomplexobj(t) else float)), k)
        return p if p.shape[-1] == 3 else np.concatenate([p, np.zeros((*p.shape[:-1], 1))], axis=-1)

    return at


def on_sphere(spline: BSpline, radius: float) -> Callable[[np.ndarray, int], np.ndarray]:
    """radius · u/|u| of a spline u with its first two derivatives: u = ρ n, u' = ρ' n + ρ n', …"""

    def at(t: np.ndarray, k: int) -> np.ndarray:
        t = np.atleast_1d(np.asarray(t, float))
        u, du, ddu = (spline(t, i) for i in range(3))
        rho = np.linalg.norm(u, axis=-1, keepdims=True)
        n = u / rho
        slope = (n * du).sum(axis=-1, keepdims=True)
        dn = (du - slope * n) / rho
        bend = (dn * du + n * ddu).sum(axis=-1, keepdims=True)
        return radius * (n, dn, (ddu - bend * n - 2.0 * slope * dn) / rho)[k]

    return at


def derivatives(spline: BSpline) -> Callable[[np.ndarray, int], np.ndarray]:
    return lambda t, k: spline(t, k)


def checked_points(points, closed: bool | None, scale: float, what: str) -> tuple[np.ndarray, bool]:
    """Finite points [m] without repetition, and whether they close; the first is not repeated at the end."""
    points, scale = real_numbers(points, f"{what}: the points"), float(scale)
    good = points.ndim == 2 and points.shape[1] in (2, 3) and len(points) >= 2
    require(good, f"{what}: points need shape (n, 2) or (n, 3)", BadShape, shape=points.shape)
    require(scale > 0.0, f"{what}: scale is metres per unit", BadValue, scale=scale)
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    require(len(bad) == 0, f"{what}: points must be finite", NotFinite, rows=bad[:5].tolist())
    points = scale * points
    size = float(np.ptp(points, axis=0).max())
    meets = len(points) > 3 and np.linalg.norm(points[0] - points[-1]) <= SAME * size
    points = points[:-1] if meets else points
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    same = np.flatnonzero(steps <= SAME * size)
    expected = f"{what}: neighbouring points must differ"
    require(len(same) == 0, expected, BadValue, rows=[(int(k), int(k) + 1) for k in same[:3]])
    return points, bool(meets if closed is None else closed)


def require_smooth(points: np.ndarray, closed: bool, what: str) -> None:
    """Enough points, and none at which the polygon turns by more than 60°."""
    require(len(points) >= 6, f"{what}: 6 points or more, or corners with rounding=", BadShape, points=len(points))
    sides = np.diff(np.vstack([points, points[:2]]) if closed else points, axis=0)
    sides /= np.linalg.norm(sides, axis=1, keepdims=True)
    angles = np.arccos(np.clip((sides[1:] * sides[:-1]).sum(axis=1), -1.0, 1.0))
    k = int(np.argmax(angles))
    place = ", ".join(f"{x:.4g}" for x in points[(k + 1) % len(points)])
    expected = f"{what}: a corner of {np.degrees(angles[k]):.0f}° at point {(k + 1) % len(points)} ({place})"
    require(angles[k] <= CORNER, f"{expected}. Give rounding= [m] for a polygon, or more points", BadValue)


def through_points(points: np.ndarray, closed: bool, what: str) -> tuple[BSpline, float]:
    """A spline of order 6 through points of a smooth curve, and how far it may be off."""
    require_smooth(points, closed, what)
    spline = interpolating_spline(points, closed)
    halved = interpolating_spline(points[::2], closed) if len(points) >= 12 else None
    return spline, 0.0 if halved is None else distance_between(spline, halved, closed) / GAINED


def inner_knots(spline: BSpline) -> np.ndarray:
    """Rising parameters from its first to its last, where its pieces meet."""
    return np.unique(spline.t[spline.k : len(spline.t) - spline.k])


def interpolating_spline(points: np.ndarray, closed: bool) -> BSpline:
    """A spline of order 6 through points, by the distances between them."""
    points = np.vstack([points, points[:1]]) if closed else points
    t = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    return make_interp_spline(t, points, k=5, bc_type="periodic" if closed else None)


def distance_between(spline: BSpline, other: BSpline, closed: bool) -> float:
    """How far places of one curve are from the other, near the same share of its length."""
    t, u = (np.linspace(0.0, s.t[-6], 8 * len(s.c)) for s in (spline, other))
    from scipy.spatial import KDTree  # slow to load

    a, b = spline(t), other(u)
    near = KDTree(b).query(a)[1]
    tangent = other(u[near], 1)
    gap = a - b[near]
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    return float(np.linalg.norm(gap - (gap * tangent).sum(axis=1, keepdims=True) * tangent, axis=1).max())
