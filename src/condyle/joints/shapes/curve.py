"""A smooth curve in space, whatever it was given as: points, a spline, a function, lon/lat, SVG text, font, mesh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from scipy.interpolate import BSpline

from ...errors import BadShape, BadValue, require
from ...formats.font_outlines import glyph_outlines
from ...formats.svg_path import svg_points
from ...spatial.arrays import finite_vector, real_numbers
from ...typing import ArrayLike, PathLike
from ..functions.compiled import validated_domain
from ..validate_axes import finite_number
from .point_splines import checked_points, derivatives, in_space, inner_knots, on_sphere, through_points
from .polygon import RoundedPolygon
from .smooth_curve import SmoothCurve
from .triangle_meshes.mesh import Mesh
from .triangle_meshes.mesh_levels import level_points, smooth_through
from .written_curve import written_curve
from .written_function import written_function


@dataclass(frozen=True, eq=False, repr=False)
class Curve(SmoothCurve):
    """A smooth curve in space [m], closed or open, with its own length as coordinate.

    Made by `Curve.from_points`, `from_spline`, `from_function`, `from_lonlat`, `from_svg`, `from_font`, `from_mesh`;
    `joints.along` takes it, and makes one of points, splines and SVG text itself.

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
    analytic : bool
        Whether `at` takes complex parameters too, beside the real ones: derivatives of joints are then the most exact.
    """

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
        rounding = finite_number(rounding, "curve: the rounding")
        require(rounding >= 0.0, "curve: rounding is a width [m], 0 or more", BadValue, rounding=rounding)
        if rounding > 0.0:
            polygon = RoundedPolygon(points, closed, rounding)
            words = f"curve: rounding is less than a quarter of the polygon, which is {polygon.total:.4g} m long"
            require(rounding < 0.25 * polygon.total, words, BadValue, rounding=rounding)
            return cls(in_space(polygon), polygon.breaks, closed, title="rounded polygon")
        spline, error = through_points(points, closed, "curve through points")
        return cls(in_space(derivatives(spline)), inner_knots(spline), closed, error, title="curve through points")

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
        at, breaks = in_space(derivatives(spline)), inner_knots(spline)
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
        """A function of a parameter, taken as it is if it takes complex numbers, else as pieces to 1e-13 of its size.

        Functions that take complex numbers, as NumPy's do and those of `math` do not, have exact derivatives; so has
        the joint then, to 1e-11, where they are smooth all over the domain.

        Parameters
        ----------
        f : callable
            Takes parameters (N,) and gives points (N, 2) or (N, 3) [m]; one that takes numbers only is called for each.
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
        BadValue
            If the function raises an error, with the parameter, or gives complex numbers.
        """
        box = validated_domain(domain, 1)[0]
        written, width = written_function(f, (box,), ((2,), (3,)), "(N,) and gives (N, 2) or (N, 3)", title)
        at, breaks, analytic = written_curve(written, width[0], box, closed)
        return cls(in_space(at), breaks, closed, title=title, analytic=analytic)

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
        spline, error = through_points(points, closed, "curve on a sphere")
        at = on_sphere(spline, radius)
        return cls(at, inner_knots(spline), closed, radius * error, lambda p: p, "curve on a sphere")

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
        require(isinstance(text, str), "SVG path: the text of a path's d", BadValue, got=type(text).__name__)
        parts = svg_points(text)
        good = isinstance(part, Integral) and 0 <= part < len(parts)
        require(good, f"SVG path: it has {len(parts)} subpaths, from 0", BadValue, part=part)
        points = np.array(parts[part].points) * (1.0, -1.0)
        keep = np.r_[True, np.linalg.norm(np.diff(points, axis=0), axis=1) > 0.0]
        closed = parts[part].closed or None
        return cls.from_points(points[keep], closed=closed, rounding=rounding, scale=scale)

    @classmethod
    def from_font(cls, path: PathLike, character: str, *, height: float, rounding: float = 0.0, part: int = 0) -> Curve:
        """An outline of a character of a TrueType or OpenType font, in the xy plane, y up, ink to its left.

        Needs `fonttools` (the extra `fonts`).

        Parameters
        ----------
        path : path
            A .ttf or .otf file.
        character : str
            One character that the font has.
        height : float
            Of the font's em square [m]; capital letters are about 0.7 of it.
        rounding : float
            Width [m] of the Gaussian that rounds corners; 0 if the outline has none.
        part : int
            Which outline, from 0, the longest first: "O" has two.

        Returns
        -------
        Curve

        Raises
        ------
        NotSupported
            Without fonttools.
        BadFile, BadValue
            If the file is no font, the font has no such character or outline; for corners without rounding.
        """
        height = finite_number(height, "font: the height")
        require(height > 0.0, "font: the height is above zero [m]", BadValue, height=height)
        outlines = glyph_outlines(path, character)
        expected = f"font: {character!r} has {len(outlines)} outlines, from 0"
        require(isinstance(part, Integral) and 0 <= part < len(outlines), expected, BadValue, part=part)
        return cls.from_points(outlines[part], closed=True, rounding=rounding, scale=height)

    @classmethod
    def from_mesh(cls, mesh: Mesh, values: ArrayLike, *, near: ArrayLike | None = None) -> Curve:
        """The level curve of a mesh on which a function is zero: a cut, a contour; smooth, by least squares.

        Parameters
        ----------
        mesh : Mesh
        values : array_like, shape (n,)
            The function at the vertices; `mesh.distances(point, normal)` cuts by a plane. Larger ones are on the
            curve's left, seen from outside.
        near : array_like, shape (3,), optional
            Chooses the part that comes nearest to this point [m], where there are several.

        Returns
        -------
        Curve
            `error` is the largest distance of a cut edge from it [m]; as smooth as generalised cross-validation says.

        Raises
        ------
        BadShape, BadValue
            If there is no such curve, or more than one; for edges of three triangles and other damage, with the place.

        Examples
        --------
        >>> import condyle as cd
        >>> x, y = np.meshgrid(*2 * [np.linspace(-0.02, 0.02, 31)], indexing="ij")
        >>> cap = cd.joints.Mesh.from_grid(np.stack([x, y, np.sqrt(0.03**2 - x**2 - y**2)], axis=-1))
        >>> ring = cd.joints.Curve.from_mesh(cap, cap.distances((0, 0, 0.025), (0, 0, 1)))
        >>> ring.closed, round(ring.length, 3)  # 2π √(0.03² - 0.025²)
        (True, 0.104)
        """
        values = real_numbers(values, "curve of a mesh: the values")
        good = values.shape == (len(mesh.vertices),) and bool(np.isfinite(values).all())
        require(good, f"{mesh.title}: one finite value for each of {len(mesh.vertices)} vertices", BadShape)
        place = None if near is None else finite_vector(near, 3, "curve of a mesh: near")
        points, closed = level_points(mesh, values, place)
        spline, error = smooth_through(points, closed, mesh.title)
        at = in_space(derivatives(spline))
        return cls(at, inner_knots(spline), closed, error, title=f"level curve of {mesh.title}")
