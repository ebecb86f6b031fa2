"""A smooth surface in space, whatever it was given as: heights over a grid, a tensor B-spline, a function, a mesh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.interpolate import NdBSpline, make_interp_spline

from ...errors import BadShape, BadValue, FoldedSurface, NotFinite, require, warn
from ...spatial.arrays import finite_vector, real_numbers
from ...typing import ArrayLike
from .triangle_meshes.mesh import Mesh
from .written_surface import written_surface

if TYPE_CHECKING:
    from .surface_crossings import SurfaceCrossing

LARGE = 20.0  # [m] beyond this a shape may be in millimetres
GAINED = 16.0  # how much nearer than with every second row a spline through heights is, carefully
FOLDED = 1e-6  # of the largest |∂p/∂u × ∂p/∂v|: below this a surface is folded
DEGREE = 5
LOOKED = 33  # places each way


@dataclass(frozen=True, eq=False)
class Surface:
    """A smooth surface in space [m] over a rectangle of two parameters; its normal is ∂p/∂u × ∂p/∂v.

    Made by `Surface.from_heights`, `from_spline`, `from_function` and `from_mesh`; `joints.on` takes it.

    Attributes
    ----------
    at : callable
        `at(q, (i, j))`: the derivative of this order at parameters (N, 2), shape (N, 3), or (N,) for a graph.
    breaks : tuple of two ndarrays
        Rising parameters; the surface is smooth between them.
    graph : bool
        Whether the parameters are x and y, and `at` gives heights z.
    periodic : tuple of two bools
        Which parameters go around.
    error : float
        How far the surface may be from what was given [m], an estimate; 0 for splines and functions.
    rms : float
        Root mean square of these distances [m], where a mesh was fitted.
    spline : NdBSpline, optional
        The heights of a graph, where they are a spline.
    exact : bool
        Whether slopes are exact, not those of polynomial pieces of a function that takes no complex numbers.
    analytic : bool
        Whether `at` takes complex parameters too, beside the real ones: derivatives of joints are then the most exact.
    title : str
        For messages.
    """

    at: Callable[[np.ndarray, tuple[int, int]], np.ndarray]
    breaks: tuple[np.ndarray, np.ndarray]
    graph: bool
    periodic: tuple[bool, bool] = (False, False)
    error: float = 0.0
    rms: float = 0.0
    spline: NdBSpline | None = None
    exact: bool = True
    analytic: bool = False
    title: str = "surface"

    def __post_init__(self) -> None:
        q, p = self.samples, self.points(self.samples)
        bad = np.flatnonzero(~np.isfinite(p).all(axis=1))
        require(len(bad) == 0, f"{self.title}: points must be finite", NotFinite, at=q[bad[:1]].tolist())
        if self.size > LARGE:
            warn(f"{self.title}: it is {self.size:.3g} m large. Are these millimetres? Divide by 1000.")
        self._require_unfolded()

    def _require_unfolded(self) -> None:
        """The normal must not vanish, nor turn over from place to place."""
        n = self._across(self.samples)
        sizes = np.linalg.norm(n, axis=1)
        k = int(np.argmin(sizes))
        where = "({:.4g}, {:.4g})".format(*self.samples[k])
        expected = f"{self.title}: it is folded or comes to a point at parameters {where}, so it has no normal there"
        require(bool(sizes[k] > FOLDED * sizes.max()), expected, FoldedSurface)
        grid = (n / sizes[:, None]).reshape(LOOKED, LOOKED, 3)
        for axis in (0, 1):
            turned = (np.diff(grid, axis=axis) ** 2).sum(axis=-1) > 2.0
            expected = f"{self.title}: its normal turns by more than 90° between neighbouring places: it is folded"
            at = np.argwhere(turned)
            place = [] if not len(at) else self.samples.reshape(LOOKED, LOOKED, 2)[tuple(at[0])].tolist()
            require(not len(at), expected, FoldedSurface, parameters=place)

    @classmethod
    def of(cls, source: Surface | NdBSpline) -> Surface:
        """The surface that something means: a surface, or a scipy spline.

        Parameters
        ----------
        source : Surface or NdBSpline

        Returns
        -------
        Surface

        Raises
        ------
        BadValue
            For anything else.
        """
        if isinstance(source, Surface):
            return source
        expected = "on: a Surface or a scipy NdBSpline; make one with Surface.from_heights or Surface.from_function"
        require(isinstance(source, NdBSpline), expected, BadValue, got=type(source).__name__)
        return cls.from_spline(source)

    @classmethod
    def from_heights(cls, x: ArrayLike, y: ArrayLike, z: ArrayLike) -> Surface:
        """A smooth surface through heights over a grid, by a tensor spline of order 6.

        Parameters
        ----------
        x, y : array_like, shapes (n,), (m,)
            Rising [m], 6 or more each.
        z : array_like, shape (n, m)
            Heights [m].

        Returns
        -------
        Surface
            `error` is the largest distance from the surface through every second row and column, divided by 16.

        Raises
        ------
        BadShape, BadValue, NotFinite
            For heights that are no grid, or fall, with the place.

        Examples
        --------
        >>> import condyle as cd
        >>> side = np.linspace(-0.5, 0.5, 11)
        >>> dish = cd.joints.Surface.from_heights(side, side, side[:, None] ** 2 + side**2)
        >>> cd.joints.on(dish).pose([0.2, 0.1]).xyz.round(9)
        array([0.2 , 0.1 , 0.05])
        """
        x, y, z = (real_numbers(a, f"surface: the {n}") for a, n in ((x, "x"), (y, "y"), (z, "heights")))
        good = x.ndim == y.ndim == 1 and z.shape == (len(x), len(y)) and min(z.shape) > DEGREE
        require(good, "surface: heights need shape (len(x), len(y)), 6 or more each way", BadShape, shape=z.shape)
        require((np.diff(x) > 0).all() and (np.diff(y) > 0).all(), "surface: x and y must rise", BadValue)
        bad = np.argwhere(~np.isfinite(z))
        require(len(bad) == 0, "surface: heights must be finite", NotFinite, places=bad[:3].tolist())
        spline, error = interpolating_spline(x, y, z), 0.0
        if min(z.shape) >= 2 * DEGREE + 3:
            coarse = interpolating_spline(x[::2], y[::2], z[::2, ::2])
            inside = np.ix_(x <= x[::2][-1], y <= y[::2][-1])
            points = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
            error = float(np.abs(coarse(points[inside]) - z[inside]).max()) / GAINED
        return cls.from_spline(spline, error=error)

    @classmethod
    def from_spline(cls, spline: NdBSpline, *, error: float = 0.0) -> Surface:
        """A scipy tensor B-spline of two parameters: of one number, a height over x and y, or of three, a point.

        Parameters
        ----------
        spline : NdBSpline
            Of degree 3 or more both ways [m].
        error : float
            How far it may be from what it was made of [m].

        Returns
        -------
        Surface

        Raises
        ------
        BadShape, BadValue
            For splines of other sizes or of lower degree.
        """
        degrees = np.broadcast_to(spline.k, len(spline.t))
        expected = "surface: a spline of two parameters with one number (a height) or three (a point)"
        require(len(spline.t) == 2 and spline.c.shape[2:] in ((), (3,)), expected, BadShape, shape=spline.c.shape)
        smooth = "surface: splines of degree 3 or more, else accelerations jump"
        require(int(degrees.min()) >= 3, smooth, BadValue, degrees=tuple(spline.k))
        breaks: Any = tuple(np.unique(t[k : len(t) - k]) for t, k in zip(spline.t, degrees.tolist(), strict=True))
        graph = spline.c.ndim == 2
        kept = spline if graph else None
        return cls(lambda q, nu: spline(q, nu=nu), breaks, graph, error=error, spline=kept, title="spline")

    @classmethod
    def from_function(
        cls,
        f: Callable[[np.ndarray, np.ndarray], ArrayLike],
        domain: Sequence[ArrayLike],
        *,
        periodic: tuple[bool, bool] = (False, False),
        title: str = "surface",
    ) -> Surface:
        """A function of two parameters, stored as polynomial pieces to 5e-13 of its size.

        Parameters
        ----------
        f : callable
            Takes parameters (N,), (N,) and gives points (N, 3) [m], or heights (N,) over x and y; one that takes
            numbers only is called for each place.
        domain : two pairs of floats
            (low, high) of both parameters.
        periodic : tuple of two bools
            Which parameters go around.
        title : str
            For messages.

        Returns
        -------
        Surface

        Raises
        ------
        BadShape, NotFinite, NotConverged, FoldedSurface
            For other shapes, NaN, kinks and folds, with their places.
        BadValue
            If the function raises an error, with the parameters, or gives complex numbers.
        """
        box: Any = tuple(
            real_numbers(b, f"{title}: the domain") for b in (domain if hasattr(domain, "__iter__") else ())
        )
        good = len(box) == 2 and all(b.ndim == 1 and len(b) >= 2 for b in box)
        good = good and all(np.isfinite(b).all() and (np.diff(b) > 0).all() for b in box)
        words = f"{title}: periodic is two of True and False"
        require(np.shape(periodic) == (2,) and not isinstance(periodic, str), words, BadValue, got=periodic)
        require(good, f"{title}: the domain is ((low, high), (low, high))", BadShape, domain=domain)
        made = written_surface(f, box, periodic, title)
        return cls(made.at, made.breaks, made.graph, periodic, exact=made.exact, analytic=made.analytic, title=title)

    @classmethod
    def from_mesh(
        cls,
        mesh: Mesh,
        *,
        up: ArrayLike | None = None,
        axis: tuple[ArrayLike, ArrayLike] | None = None,
        bounds: Sequence[ArrayLike] | None = None,
        spacing: float | None = None,
    ) -> Surface:
        """A smooth surface fitted to a patch of a mesh, by a tensor spline of order 6 in least squares.

        A patch that is seen whole from one side is heights over a plane, with both parameters in metres; one that bends
        around further, as a condyle does, is radii around an axis, with an angle [rad] and a length [m] (exchanged
        where its outside faces the axis, so that the normal is the mesh's).

        Parameters
        ----------
        mesh : Mesh
            The patch: `mesh.near(point, radius)` and `mesh.facing(direction)` take it from a bone.
        up : array_like, shape (3,), optional
            From where it is seen; by default along its mean normal.
        axis : pair of array_like, optional
            A point [m] and a direction of the axis that it is seen from; by default that which its normals turn about.
        bounds : pair of pairs of float, optional
            The rectangle of parameters; by default the largest that the mesh covers.
        spacing : float, optional
            From knot to knot [m]; by default as generalised cross-validation says.

        Returns
        -------
        Surface
            `error` is the largest distance of a vertex over the rectangle from the surface, `rms` their root mean
            square [m].

        Raises
        ------
        BadValue, BadShape
            For triangles without area, edges of three triangles, turned triangles, holes, too few vertices, with the
            place.
        FoldedSurface
            For patches that fold, cross themselves or turn away, with the place.

        Examples
        --------
        >>> import condyle as cd
        >>> x, y = np.meshgrid(*2 * [np.linspace(-0.02, 0.02, 31)], indexing="ij")
        >>> cap = cd.joints.Mesh.from_grid(np.stack([x, y, np.sqrt(0.03**2 - x**2 - y**2)], axis=-1))
        >>> patch = cd.joints.Surface.from_mesh(cap)
        >>> patch.error < 1e-5, float(np.linalg.norm(patch.points([0.0, 0.0]))) - 0.03 < 1e-6  # [m]
        (True, True)
        """
        from .triangle_meshes.mesh_fit import fitted_patch  # scipy's sparse matrices are slow to load

        up = None if up is None else finite_vector(up, 3, "surface: up")
        line: Any = None if axis is None else tuple(finite_vector(x, 3, "surface: the axis") for x in axis)
        patch = fitted_patch(mesh, up, line, bounds, spacing)
        off = patch.distances
        error, rms = float(off.max(initial=0.0)), float(np.sqrt(np.mean(off**2))) if len(off) else 0.0
        return cls(patch.at, patch.breaks, False, error=error, rms=rms, title=f"patch of {mesh.title}")

    @cached_property
    def samples(self) -> np.ndarray:
        """Places (N, 2) all over the rectangle."""
        axes = [np.linspace(b[0], b[-1], LOOKED) for b in self.breaks]
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)

    @cached_property
    def size(self) -> float:
        """The largest extent along x, y or z [m]."""
        return float(np.ptp(self.points(self.samples), axis=0).max())

    def points(self, q: ArrayLike) -> np.ndarray:
        """Points [m] at parameters.

        Parameters
        ----------
        q : array_like, shape (N, 2)

        Returns
        -------
        ndarray, shape (N, 3)
        """
        q = _numbers(q)
        p = self.at(q, (0, 0))
        return np.column_stack([q, p]) if self.graph else p

    def slopes(self, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """∂p/∂u and ∂p/∂v at parameters.

        Parameters
        ----------
        q : array_like, shape (N, 2)

        Returns
        -------
        tuple of two ndarrays, shape (N, 3)
        """
        q = _numbers(q)
        a, b = self.at(q, (1, 0)), self.at(q, (0, 1))
        if not self.graph:
            return a, b
        one, none = np.ones(len(q)), np.zeros(len(q))
        return np.column_stack([one, none, a]), np.column_stack([none, one, b])

    def _across(self, q: np.ndarray) -> np.ndarray:
        return np.cross(*self.slopes(q))

    def normals(self, q: ArrayLike) -> np.ndarray:
        """Unit normals at parameters.

        Parameters
        ----------
        q : array_like, shape (N, 2)

        Returns
        -------
        ndarray, shape (N, 3)
        """
        n = self._across(np.atleast_2d(np.asarray(q, float)))
        return n / np.linalg.norm(n, axis=1, keepdims=True)

    def crossings(self) -> list[SurfaceCrossing]:
        """Places where the surface meets itself: passes through itself, touches itself or covers a part twice.

        Edges that meet edges (a seam, a pole) do not count, nor do the ends of a periodic parameter.

        Returns
        -------
        list of SurfaceCrossing
            Both pairs of parameters, the point [m] and the angle [rad] between the two tangent planes, at some places
            of each crossing; empty if there are none.
        """
        from .surface_crossings import found_crossings

        return found_crossings(self)

    def __repr__(self) -> str:
        kind, error = "graph" if self.graph else "surface", f", within {self.error:.2g} m" if self.error else ""
        ends = " × ".join(f"[{b[0]:.4g}, {b[-1]:.4g}]" for b in self.breaks)
        return f"<{self.title}: {kind} over {ends}{error}>"


def interpolating_spline(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> NdBSpline:
    """A tensor spline of order 6 through heights over a grid."""
    along = make_interp_spline(x, z, k=DEGREE)
    across = make_interp_spline(y, along.c.T, k=DEGREE)
    return NdBSpline((along.t, across.t), np.ascontiguousarray(across.c.T), DEGREE)


def _numbers(q: ArrayLike) -> np.ndarray:
    given = np.atleast_2d(np.asarray(q))
    return given.astype(complex if np.iscomplexobj(given) else float, copy=False)
