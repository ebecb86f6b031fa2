"""`ElasticSheet`: a B-spline surface whose control points have the mass, stiffness and damping of a sheet: D-NURBS.

x(u, v) = Σ B_a(u, v) p_a over a rectangle of metres. Its energies are quadratic in the control points, with matrices
that are integrals of the basis, exact by Gauss's rule: M = ∫ ρ B Bᵀ, and of a thin plate under tension
K = ∫ T (B_u B_uᵀ + B_v B_vᵀ) + D (B_uu B_uuᵀ + 2 B_uv B_uvᵀ + B_vv B_vvᵀ), for each of x, y and z.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import BadShape, BadValue, require, unknown_name
from ...spatial import SE3
from ...spatial.arrays import finite_vector, real_numbers
from ...spatial.twists import pose_matrix
from ...splines import basis_pieces
from ...splines.knots import even_knots, greville
from ...splines.pieces import locate_rows, row_centers
from ...typing import ArrayLike
from .gliding_frame import SheetFrame, glide_at
from .modal_sheet import add_to
from .sheet_motion import simulate

EDGES = {"free": 0, "pinned": 1, "clamped": 2}  # how many rings of control points stay where they are


class Axis:
    """The B-splines of one side: values and derivatives of those that are not zero."""

    def __init__(self, length: float, count: int, order: int) -> None:
        self.length, self.count, self.order = length, count, order
        self.knots = even_knots(0.0, length, count, order)
        basis = basis_pieces(self.knots, order)
        self.breaks, self.first, self.table = basis.breaks, basis.first, basis.table
        self.centers = row_centers(self.breaks)

    def at(self, q: float, derivatives: int = 3) -> tuple[int, np.ndarray]:
        """The first B-spline at q that is not zero, and (derivatives + 1, order) of all that are not."""
        row = int(np.clip(locate_rows(self.breaks, q), 1, len(self.breaks) - 1))
        u, p = q - self.centers[row], np.arange(self.order)
        out, factor = np.zeros((derivatives + 1, self.order)), np.ones(self.order)
        for k in range(derivatives + 1):
            out[k] = self.table[row] @ (factor * np.where(p >= k, u ** np.maximum(p - k, 0), 0.0))
            factor = factor * (p - k)
        return int(self.first[row]), out

    def full(self, q: float, derivatives: int = 3) -> np.ndarray:
        """(derivatives + 1, count): all B-splines at q."""
        first, some = self.at(q, derivatives)
        out = np.zeros((derivatives + 1, self.count))
        out[:, first : first + self.order] = some
        return out

    def integrals(self) -> np.ndarray:
        """(3, count, count): of the products of values, of slopes and of second derivatives."""
        nodes, weights = np.polynomial.legendre.leggauss(self.order)
        out = np.zeros((3, self.count, self.count))
        for a, b in zip(self.breaks[:-1], self.breaks[1:], strict=True):
            for x, w in zip(0.5 * (a + b) + 0.5 * (b - a) * nodes, 0.5 * (b - a) * weights, strict=True):
                B = self.full(float(x), 2)
                out += w * B[:, :, None] * B[:, None, :]
        return out


class ElasticSheet:
    """A sheet of B-splines with mass, stiffness and damping, on which a body may glide.

    It is linear: its forces are K times the displacements of its control points, in every direction alike, so that it
    resists turning as a whole and shifts within itself as much as those across. For sheets that bend and swing by a
    part of their size that is what D-NURBS are; it is no shell of finite strain.

    Parameters
    ----------
    size : tuple of 2 floats
        Lengths of its sides at rest [m], over which the parameters u and v run from 0.
    shape : tuple of 2 ints
        Control points each way.
    density : float
        [kg/m²]
    tension : float
        T [N/m].
    bending : float
        D [N m], the stiffness of a plate against bending.
    damping : float
        Of motion [N s/m³], by its area.
    internal_damping : float
        Of deformation [s]: the damping matrix has this times K.
    rest : array_like, shape shape or (*shape, 3), optional
        Control points at rest, or their heights z [m]; a flat sheet by default.
    edges : {"pinned", "clamped", "free"}
        Which control points stay: those of the rim, those and their neighbours (so that it does not turn there), none.
    order : int
        Of the B-splines: 4 is cubic.

    Attributes
    ----------
    rest : ndarray, shape (*shape, 3)
        Control points at rest [m].
    mass_matrix, stiffness_matrix, damping_matrix : ndarray, shape (n, n)
        Of all n control points, for each of x, y and z [kg, N/m, N s/m].
    moving : ndarray of bool, shape (n,)
        Which control points move.

    Raises
    ------
    BadShape, BadValue, NotFinite, UnknownName
        For sizes, numbers and words that make no sheet.

    Examples
    --------
    The lowest frequency of a square membrane, π √(2 T / ρ) / a:

    >>> import condyle as cd
    >>> sheet = cd.simulation.ElasticSheet((1.0, 1.0), (9, 9), density=0.5, tension=8.0)
    >>> round(float(sheet.frequencies(1)[0]), 4), round(float(np.pi * np.sqrt(2 * 8.0 / 0.5)), 4)
    (17.7715, 17.7715)
    """

    simulate = simulate
    add_to = add_to

    def __init__(
        self,
        size: Sequence[float],
        shape: tuple[int, int] = (9, 9),
        *,
        density: float,
        tension: float = 0.0,
        bending: float = 0.0,
        damping: float = 0.0,
        internal_damping: float = 0.0,
        rest: ArrayLike | None = None,
        edges: str = "pinned",
        order: int = 4,
    ) -> None:
        lengths = finite_vector(size, 2, "ElasticSheet: size")
        require((lengths > 0).all(), "ElasticSheet: the sides are above zero [m]", BadValue, size=size)
        require(order in (4, 5, 6), "ElasticSheet: order is 4, 5 or 6", BadValue, order=order)
        good = len(tuple(shape)) == 2 and all(isinstance(n, (int, np.integer)) and n >= order for n in shape)
        require(good, f"ElasticSheet: shape is two numbers, {order} or more", BadShape, shape=shape)
        if edges not in EDGES:
            raise unknown_name("edges", edges, EDGES, "ElasticSheet")
        numbers = {"density": density, "tension": tension, "bending": bending, "damping": damping}
        numbers["internal_damping"] = internal_damping
        for name, x in numbers.items():
            fine = np.isfinite(x) and x >= 0
            require(bool(fine), f"ElasticSheet: {name} is a number, 0 or more", BadValue, got=x)
        require(density > 0, "ElasticSheet: the density must be above zero [kg/m²]", BadValue, density=density)
        self.size, self.shape, self.order = lengths, (int(shape[0]), int(shape[1])), order
        self.axes = tuple(Axis(float(a), n, order) for a, n in zip(lengths, self.shape, strict=True))
        self.rest = self._rest(rest)
        self._assemble(density, tension, bending, damping, internal_damping)
        self.moving = self._moving(EDGES[edges])
        require(self.moving.any(), "ElasticSheet: no control point moves; take a larger shape", BadValue, shape=shape)

    def _rest(self, rest: ArrayLike | None) -> np.ndarray:
        x, y = np.meshgrid(*(greville(a.knots, a.order) for a in self.axes), indexing="ij")
        flat = np.stack([x, y, 0.0 * x], axis=-1)
        if rest is None:
            return flat
        given = real_numbers(rest, "ElasticSheet: rest")
        fits = given.shape in (self.shape, (*self.shape, 3)) and bool(np.isfinite(given).all())
        words = f"ElasticSheet: rest has finite heights {self.shape} or control points {(*self.shape, 3)}"
        require(fits, words, BadShape, shape=given.shape)
        return given if given.ndim == 3 else np.concatenate([flat[..., :2], given[..., None]], axis=-1)

    def _assemble(self, density: float, tension: float, bending: float, damping: float, internal: float) -> None:
        """The three matrices, by products of the integrals of both sides."""
        (u0, u1, u2), (v0, v1, v2) = (a.integrals() for a in self.axes)
        values = np.kron(u0, v0)
        stretch = np.kron(u1, v0) + np.kron(u0, v1)
        bend = np.kron(u2, v0) + 2.0 * np.kron(u1, v1) + np.kron(u0, v2)
        self.mass_matrix = density * values
        self.stiffness_matrix = tension * stretch + bending * bend
        self.damping_matrix = damping * values + internal * self.stiffness_matrix

    def _moving(self, rings: int) -> np.ndarray:
        out = np.zeros(self.shape, bool)
        out[rings : self.shape[0] - rings or None, rings : self.shape[1] - rings or None] = True
        return out.ravel()

    def __repr__(self) -> str:
        n, m = self.shape
        return (
            f"<ElasticSheet: {self.size[0]:g} x {self.size[1]:g} m, {n} x {m} control points, {self.moving.sum()} move>"
        )

    def frequencies(self, count: int = 6) -> np.ndarray:
        """The lowest frequencies of its free motion, undamped [rad/s].

        Parameters
        ----------
        count : int

        Returns
        -------
        ndarray, shape (count,)

        Raises
        ------
        BadValue
            If there are not so many.
        """
        from scipy.linalg import eigh  # slow to load

        free = np.ix_(self.moving, self.moving)
        most = int(self.moving.sum())
        require(0 < count <= most, f"frequencies: 1 … {most} of them", BadValue, count=count)
        values = eigh(
            self.stiffness_matrix[free], self.mass_matrix[free], eigvals_only=True, subset_by_index=[0, count - 1]
        )
        return np.sqrt(np.maximum(values, 0.0))

    def points(self, u: ArrayLike, v: ArrayLike, controls: ArrayLike | None = None) -> np.ndarray:
        """Points of the surface on a grid.

        Parameters
        ----------
        u, v : array_like, shapes (k,) and (l,)
            Parameters [m].
        controls : array_like, shape (*shape, 3), optional
            Control points [m]; those at rest by default.

        Returns
        -------
        ndarray, shape (k, l, 3)
        """
        p = self.rest if controls is None else np.asarray(controls, float).reshape(*self.shape, 3)
        sides = [
            np.stack([a.full(float(x), 0)[0] for x in np.ravel(np.asarray(q, float))])
            for a, q in zip(self.axes, (u, v), strict=True)
        ]
        return np.einsum("ka,lb,abc->klc", *sides, p)

    def settled(
        self, gravity: ArrayLike = (0.0, 0.0, 0.0), loads: Sequence[tuple[ArrayLike, ArrayLike]] = ()
    ) -> np.ndarray:
        """Control points of the sheet at rest under its weight and under forces at places.

        Parameters
        ----------
        gravity : array_like, shape (3,)
            [m/s²]
        loads : sequence of (place, force)
            (u, v) [m] and a force (3,) [N] each.

        Returns
        -------
        ndarray, shape (*shape, 3)

        Raises
        ------
        BadValue
            If nothing holds the sheet: its edges are free, or it has neither tension nor bending.
        """
        free = np.ix_(self.moving, self.moving)
        held = not self.moving.all() and self.stiffness_matrix[free].any()
        require(bool(held), "settled: nothing holds this sheet; pin its edges and give it tension or bending", BadValue)
        f = self.mass_matrix.sum(axis=1)[:, None] * finite_vector(gravity, 3, "settled: gravity")
        for place, force in loads:
            u, v = self.checked_place(place)
            B = np.outer(self.axes[0].full(u, 0)[0], self.axes[1].full(v, 0)[0]).ravel()
            f = f + B[:, None] * finite_vector(force, 3, "settled: a force")
        out = self.rest.reshape(-1, 3).copy()
        out[self.moving] += np.linalg.solve(self.stiffness_matrix[free], f[self.moving])
        return out.reshape(self.rest.shape)

    def frame(self, place: ArrayLike, controls: ArrayLike | None = None, *, radius: float = 0.0) -> SheetFrame:
        """The frame that glides on the sheet at a place, as a joint of the place and of all control points.

        The columns of the place have full rank wherever the sheet is not folded, and its control points have mass:
        the mass matrix of all coordinates, diag(0, M) + Sᵀ J S, is positive definite.

        Parameters
        ----------
        place : array_like, shape (2,)
            (u, v) [m]
        controls : array_like, shape (*shape, 3), optional
            Control points [m]; those at rest by default.
        radius : float
            How far its origin is above the sheet [m].

        Returns
        -------
        SheetFrame

        Raises
        ------
        BadValue
            If the place is not on the sheet.
        RankLost
            If the sheet is folded to a line there.
        """
        p = real_numbers(self.rest if controls is None else controls, "ElasticSheet: controls")
        good = p.shape == self.rest.shape and bool(np.isfinite(p).all())
        require(good, f"ElasticSheet: controls are finite, of shape {self.rest.shape}", BadShape, shape=p.shape)
        at, flat = self.checked_place(place), p.reshape(-1, 3)
        g, near, B = glide_at(self, at, np.zeros(2), flat, np.zeros_like(flat), float(radius))
        columns = np.zeros((6, len(flat), 3))
        columns[:, near] = np.einsum("gdc,ad->gac", g.L.reshape(6, 3, 3), B)
        return SheetFrame(SE3.from_matrix(pose_matrix(g.R, g.c)), g.Sq, columns.reshape(6, *p.shape))

    def checked_place(self, place: ArrayLike) -> np.ndarray:
        """A place (u, v) on the sheet.

        Parameters
        ----------
        place : array_like, shape (2,)
            [m]

        Returns
        -------
        ndarray, shape (2,)

        Raises
        ------
        BadValue
            If it is not on the sheet.
        """
        at = finite_vector(place, 2, "ElasticSheet: a place (u, v)")
        on = bool(((at >= 0) & (at <= self.size)).all())
        require(on, f"ElasticSheet: u is in [0, {self.size[0]:g}], v in [0, {self.size[1]:g}]", BadValue, place=at)
        return at
