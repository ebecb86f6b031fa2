"""A smooth curve in space, whatever it was given as: points, a spline, a function, a path on a sphere, SVG text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.interpolate import BSpline, make_interp_spline

from ...errors import BadShape, BadValue, NotFinite, require, warn
from ...formats.svg_path import svg_points
from ...spatial.arrays import real_numbers
from ...typing import ArrayLike
from ..functions.compiled import validated_domain
from .antiderivative import Antiderivative
from .polygon import RoundedPolygon
from .stored_pieces import evaluated, stored_pieces

if TYPE_CHECKING:
    from .crossings import Crossing

CORNER = np.radians(60.0)  # points that turn by more than this are a polygon, not a smooth curve
GAINED = 16.0  # how much nearer than with every second point a curve through points is, carefully (smooth data: 64)
LARGE = 20.0  # [m] beyond this a shape may be in millimetres
SAME = 1e-9  # of the size: points nearer than this are one


@dataclass(frozen=True, eq=False)
class Curve:
    """A smooth curve in space [m], closed or open, with its own length as coordinate.

    Made by `Curve.from_points`, `from_spline`, `from_function`, `from_lonlat`, `from_svg`; `joints.along` takes it, and
    makes one of points, splines and SVG text itself.

    Attributes
    ----------
    at : callable
        `at(t, k)`: the k-th derivative by the parameter at parameters (N,), shape (N, 3).
    breaks : ndarray
        Rising parameters, from the first to the last; the curve is smooth between them.
    closed : bool
        Whether it ends where it begins, going the same way.
    error : float
        How far the curve may be from what was given [m], an estimate; 0 for splines and functions.
    normal : callable, optional
        Normals (N, 3) at points (N, 3) of a surface that it runs on.
    title : str
        For messages.
    """

    at: Callable[[np.ndarray, int], np.ndarray]
    breaks: np.ndarray
    closed: bool
    error: float = 0.0
    normal: Callable[[np.ndarray], np.ndarray] | None = None
    title: str = "curve"

    def __post_init__(self) -> None:
        size = self.size
        require(size > 0.0, f"{self.title}: all its points are one", BadValue)
        if size > LARGE:
            warn(f"{self.title}: it is {size:.3g} m large. Are these millimetres? Give scale=0.001, or divide by 1000.")

    @classmethod
    def of(cls, source: Curve | BSpline | ArrayLike | str) -> Curve:
        """The curve that something means: a curve, a scipy spline, SVG path text, or points.

        Parameters
        ----------
        source : Curve, BSpline, str or array_like

        Returns
        -------
        Curve

        Raises
        ------
        BadValue
            For a function, which needs its domain: `from_function`; and as `from_points`, `from_spline`, `from_svg`.
        """
        if isinstance(source, Curve):
            return source
        if isinstance(source, BSpline):
            return cls.from_spline(source)
        if isinstance(source, str):
            return cls.from_svg(source)
        require(
            not callable(source), "along: a function needs its domain: Curve.from_function(f, (low, high))", BadValue
        )
        return cls.from_points(source)

    @classmethod
    def from_points(
        cls, points: ArrayLike, *, closed: bool | None = None, rounding: float = 0.0, scale: float = 1.0
    ) -> Curve:
        """Through points of a smooth curve, or around a polygon with rounded corners.

        Parameters
        ----------
        points : array_like, shape (n, 2) or (n, 3)
            [m]; two numbers are x and y.
        closed : bool, optional
            By default, whether the last point is the first one again.
        rounding : float
            0: a spline of order 6 through the points. Else the points are corners of a polygon, which a Gaussian of
            this width [m] along its length makes round; the curve then depends on the polygon alone, not on where its
            sides are divided.
        scale : float
            Metres per unit of the points.

        Returns
        -------
        Curve

        Raises
        ------
        BadShape, BadValue, NotFinite
            For too few or repeated points, corners without rounding (named with their place), and NaN.

        Examples
        --------
        >>> import condyle as cd
        >>> square = cd.joints.Curve.from_points([(0, 0), (1, 0), (1, 1), (0, 1)], closed=True, rounding=0.05)
        >>> round(square.length, 3)
        3.874
        """
        points, closed = checked_points(points, closed, scale, "curve through points")
        rounding = float(rounding)
        require(0.0 <= rounding < np.inf, "curve: rounding is a width [m], 0 or more", BadValue, rounding=rounding)
        if rounding > 0.0:
            polygon = RoundedPolygon(points, closed, rounding)
            return cls(_in_space(polygon), polygon.breaks, closed, title="rounded polygon")
        require_smooth(points, closed, "curve through points")
        spline = interpolating_spline(points, closed)
        halved = interpolating_spline(points[::2], closed) if len(points) >= 12 else None
        error = 0.0 if halved is None else distance_between(spline, halved, closed) / GAINED
        return cls(
            _in_space(_derivatives(spline)), np.unique(spline.t[5:-5]), closed, error, title="curve through points"
        )

    @classmethod
    def from_spline(cls, spline: BSpline, *, closed: bool | None = None) -> Curve:
        """A scipy B-spline of 2 or 3 numbers [m], taken as it is.

        Parameters
        ----------
        spline : BSpline
            Of degree 3 or more, its derivatives continuous to the second.
        closed : bool, optional
            By default, whether value and first two derivatives agree at both ends.

        Returns
        -------
        Curve

        Raises
        ------
        BadShape, BadValue
            For splines of other sizes, of lower degree, or that do not close though they should.
        """
        width = np.shape(spline.c)[1:]
        require(width in ((2,), (3,)), "curve: the spline must have 2 or 3 numbers", BadShape, shape=width)
        require(
            spline.k >= 3, "curve: a spline of degree 3 or more, else accelerations jump", BadValue, degree=spline.k
        )
        at, breaks = _in_space(_derivatives(spline)), np.unique(spline.t[spline.k : len(spline.t) - spline.k])
        ends = [np.stack([at(breaks[[i]], k)[0] for k in range(3)]) for i in (0, -1)]
        meets = bool(np.abs(ends[0] - ends[1]).max() < 1e-9 * (1.0 + np.abs(ends).max()))
        require(
            meets or not closed, "curve: the spline does not close: its ends differ", BadValue, ends=ends[0] - ends[1]
        )
        return cls(at, breaks, meets if closed is None else closed, title="B-spline")

    @classmethod
    def from_function(
        cls, f: Callable[[np.ndarray], ArrayLike], domain: ArrayLike, *, closed: bool = False, title: str = "curve"
    ) -> Curve:
        """A function of a parameter, stored as polynomial pieces to 1e-13 of its size.

        Parameters
        ----------
        f : callable
            Takes parameters (N,) and gives points (N, 2) or (N, 3) [m].
        domain : array_like
            (low, high), or more numbers where it is less smooth between.
        closed : bool
            Whether it is periodic over the domain.
        title : str
            For messages.

        Returns
        -------
        Curve

        Raises
        ------
        BadShape, NotFinite, NotConverged
            For other shapes, NaN, and kinks, with their places.
        """
        low = np.atleast_1d(np.asarray(domain, float))[:1]
        width = np.asarray(f(low), float).shape
        require(width in ((1, 2), (1, 3)), f"{title}: the function takes (N,) and gives (N, 2) or (N, 3)", BadShape)
        box = validated_domain(domain, 1)[0]
        components = [lambda t, i=i: np.asarray(f(t), float)[:, i] for i in range(width[1])]
        parts = [stored_pieces(component, box, closed, 5e-13) for component in components]
        quick = [evaluated(p) for p in parts]

        def derivatives(t: np.ndarray, k: int) -> np.ndarray:
            return np.stack([p(t, k) for p in quick], axis=-1)

        breaks = np.unique(np.concatenate([p.grid.breaks[0] for p in parts]))
        return cls(_in_space(derivatives), breaks, closed, title=title)

    @classmethod
    def from_lonlat(cls, lonlat: ArrayLike, radius: float, *, closed: bool | None = None) -> Curve:
        """Through places on a sphere about the origin; its normals are the sphere's.

        Parameters
        ----------
        lonlat : array_like, shape (n, 2)
            Longitude and latitude [rad].
        radius : float
            [m]
        closed : bool, optional
            By default, whether the last place is the first one again.

        Returns
        -------
        Curve

        Raises
        ------
        BadShape, BadValue, NotFinite
            As `from_points`, and for latitudes beyond ±π/2 (degrees?).
        """
        lonlat, radius = real_numbers(lonlat, "curve: the places"), float(radius)
        require(lonlat.ndim == 2 and lonlat.shape[1] == 2, "curve: (n, 2) longitudes and latitudes", BadShape)
        require(radius > 0.0, "curve: the radius must be positive", BadValue, radius=radius)
        far = np.flatnonzero(np.abs(lonlat[:, 1]) > np.pi / 2 + 1e-9)
        expected = "curve: latitudes are within ±π/2 rad. Are these degrees? Use numpy.radians"
        require(len(far) == 0, expected, BadValue, rows=far[:5].tolist())
        (a, b) = lonlat.T
        points = np.stack([np.cos(b) * np.cos(a), np.cos(b) * np.sin(a), np.sin(b)], axis=-1)
        points, closed = checked_points(points, closed, 1.0, "curve on a sphere")
        require_smooth(points, closed, "curve on a sphere")
        spline = interpolating_spline(points, closed)
        halved = interpolating_spline(points[::2], closed) if len(points) >= 12 else None
        error = 0.0 if halved is None else radius * distance_between(spline, halved, closed) / GAINED

        at = _on_sphere(spline, radius)
        return cls(at, np.unique(spline.t[5:-5]), closed, error, lambda p: p, "curve on a sphere")

    @classmethod
    def from_svg(cls, text: str, *, scale: float = 1.0, rounding: float = 0.0, part: int = 0) -> Curve:
        """A path of an SVG drawing, in the xy plane; y is turned to point up.

        Parameters
        ----------
        text : str
            The path's `d`: M L H V C S Q T A Z.
        scale : float
            Metres per unit of the drawing.
        rounding : float
            Width [m] of the Gaussian that rounds corners; 0 if the path has none.
        part : int
            Which subpath, from 0.

        Returns
        -------
        Curve

        Raises
        ------
        BadValue
            For text that is no path, with its place; for a part that is not there; for corners without rounding.

        Examples
        --------
        >>> import condyle as cd
        >>> wire = cd.joints.Curve.from_svg("M 0 0 H 100 V 50 H 0 Z", scale=0.001, rounding=0.004)
        >>> wire.closed, round(wire.length, 4)
        (True, 0.29)
        """
        parts = svg_points(text)
        require(0 <= part < len(parts), f"SVG path: it has {len(parts)} subpaths, from 0", BadValue, part=part)
        points = np.array(parts[part].points) * (1.0, -1.0)
        keep = np.r_[True, np.linalg.norm(np.diff(points, axis=0), axis=1) > 0.0]
        closed = parts[part].closed or None
        return cls.from_points(points[keep], closed=closed, rounding=rounding, scale=scale)

    @cached_property
    def arc(self) -> Antiderivative:
        """Arc length as a function of the parameter."""
        return Antiderivative(self._speed, self.breaks, self.title)

    def _speed(self, t: np.ndarray) -> np.ndarray:
        return np.linalg.norm(self.at(t, 1), axis=-1)

    @property
    def length(self) -> float:
        """[m]"""
        return self.arc.total

    @cached_property
    def size(self) -> float:
        """The largest extent along x, y or z [m]."""
        t = np.linspace(self.breaks[0], self.breaks[-1], 257)
        return float(np.ptp(self.at(t, 0), axis=0).max())

    def parameter(self, s: ArrayLike) -> np.ndarray:
        """The parameter at lengths along the curve.

        Parameters
        ----------
        s : array_like, shape (N,)
            [m]; a closed curve goes on around.

        Returns
        -------
        ndarray, shape (N,)
        """
        s = np.atleast_1d(np.asarray(s, float))
        return self.arc.inverse(s % self.length if self.closed else s)

    def position(self, s: ArrayLike) -> np.ndarray:
        """Points [m] at lengths along the curve.

        Parameters
        ----------
        s : array_like, shape (N,)
            [m]

        Returns
        -------
        ndarray, shape (N, 3)
        """
        return self.at(self.parameter(s), 0)

    def tangent(self, s: ArrayLike) -> np.ndarray:
        """Unit tangents at lengths along the curve.

        Parameters
        ----------
        s : array_like, shape (N,)
            [m]

        Returns
        -------
        ndarray, shape (N, 3)
        """
        d = self.at(self.parameter(s), 1)
        return d / np.linalg.norm(d, axis=-1, keepdims=True)

    def curvature(self, s: ArrayLike) -> np.ndarray:
        """Curvature [1/m], never negative.

        Parameters
        ----------
        s : array_like, shape (N,)
            [m]

        Returns
        -------
        ndarray, shape (N,)
        """
        t = self.parameter(s)
        d, dd = self.at(t, 1), self.at(t, 2)
        return np.linalg.norm(np.cross(d, dd), axis=-1) / np.linalg.norm(d, axis=-1) ** 3

    def crossings(self) -> list[Crossing]:
        """Places where the curve meets itself.

        Returns
        -------
        list of Crossing
            The two lengths along the curve [m] and the point; empty if there are none.
        """
        from .crossings import found_crossings

        return found_crossings(self)

    def __repr__(self) -> str:
        kind, error = "closed" if self.closed else "open", f", within {self.error:.2g} m" if self.error else ""
        return f"<{self.title}: {kind}, {self.length:.4g} m{error}>"


def _in_space(f: Callable[[np.ndarray, int], np.ndarray]) -> Callable[[np.ndarray, int], np.ndarray]:
    """The same with z = 0 added if there are two numbers."""

    def at(t: np.ndarray, k: int) -> np.ndarray:
        p = f(np.atleast_1d(np.asarray(t, float)), k)
        return p if p.shape[-1] == 3 else np.concatenate([p, np.zeros((*p.shape[:-1], 1))], axis=-1)

    return at


def _on_sphere(spline: BSpline, radius: float) -> Callable[[np.ndarray, int], np.ndarray]:
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


def _derivatives(spline: BSpline) -> Callable[[np.ndarray, int], np.ndarray]:
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
