"""`ModalSheet`: an elastic sheet in a `Model`, by its natural modes, with bodies that glide on it.

The height is z(u, v) = rest(u, v) + Σ η_k φ_k(u, v). In the modes φ_k all matrices of the sheet are diagonal, so that
η_k is a coordinate with an inertia of its own, a spring and a damper. A body on the sheet has a joint of full rank,
shift(u, v, height) · turn_y(−atan slope_u) · turn_x(atan(slope_v / √(1 + slope_u²))) · shift(0, 0, radius), and three
couplings hold its height and slopes to those of the sheet, which are sums over the modes of functions of (u, v, η_k).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import BadShape, BadValue, NotSupported, require, unknown_name
from ...joints import compose, functions, prismatic, revolute
from ...joints.functions.function import Function, total
from ...joints.validate_axes import finite_number
from ...model import Model, ModelBuilder
from ...model.constraints import couple
from ...model.look.overlays import GRAY, Sheet
from ...model.look.shapes import Shape
from ...spatial import SE3, Inertia, as_pose
from ...spatial.arrays import finite_vector, real_numbers
from ...splines.knots import greville
from ...typing import ArrayLike
from .gliding_joint import HELD, gliding_joint
from .natural_modes import Modes, natural_modes

if TYPE_CHECKING:
    from ..trajectory import Trajectory
    from .elastic_sheet import ElasticSheet

DRAWN = 41  # lines each way


@dataclass(frozen=True, eq=False, repr=False)
class ModalSheet:
    """An elastic sheet in a model; `ElasticSheet.add_to` makes one.

    Attributes
    ----------
    sheet : ElasticSheet
    name : str
    modes : Modes
        Shapes, frequencies, masses, stiffness and damping of the modes.
    coordinates : tuple of str
        Of the modes in the model, each a deflection [m].
    placement : SE3
        Of the sheet in the world.
    sags : ndarray, shape (modes,)
        Deflections under its own weight [m], zero without; the springs of the modes are at rest there.
    bodies : list of str
        Those that glide on it.
    """

    sheet: ElasticSheet
    name: str
    modes: Modes
    coordinates: tuple[str, ...]
    placement: SE3
    sags: np.ndarray
    _builder: ModelBuilder
    bodies: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        on = f", {', '.join(self.bodies)} on it" if self.bodies else ""
        return f"<ModalSheet {self.name!r}: {len(self.coordinates)} modes of {self.sheet!r}{on}>"

    def add_body(
        self,
        name: str,
        inertia: Inertia,
        *,
        radius: float = 0.0,
        steepest: float = 1.0,
        spin: bool = False,
        shapes: Sequence[Shape] = (),
    ) -> ModalSheet:
        """Add a body that glides on the sheet: x along its first parameter, z along its normal.

        Its joint has the coordinates u, v [m], height [m], slope_u and slope_v; the last three are held to the sheet
        by couplings. By default it is in the middle. Where it leaves the sheet, or the slope `steepest`, a simulation
        stops and says so. Other bodies may hang on it.

        Parameters
        ----------
        name : str
        inertia : Inertia
            In the gliding frame; with mass, and with moments of inertia about x and y.
        radius : float
            How far its origin is above the sheet [m].
        steepest : float
            The largest slope that it meets, along u and along v; 1 is 45°.
        spin : bool
            Whether it turns freely about the normal, by a coordinate `spin` [rad].
        shapes : sequence of Shape, optional
            For drawing.

        Returns
        -------
        ModalSheet
            Itself.

        Raises
        ------
        BadValue
            If the radius is negative, `steepest` is not above zero, or the inertia is none of a body that turns.
        """
        _check_body(name, inertia, radius, steepest)
        joint = gliding_joint(tuple(self.sheet.size), float(radius), float(steepest))
        joint = compose(joint, revolute("z", name="spin")) if spin else joint
        self._builder.add_body(name, joint=joint, inertia=inertia, placement=self.placement, shapes=shapes)
        others = (f"{name}.u", f"{name}.v", *self.coordinates)
        for held, orders in zip(HELD, ((0, 0), (1, 0), (0, 1)), strict=True):
            self._builder.add_constraint(couple(f"{name}.{held}", others, self._function(orders)))
        middle = 0.5 * self.sheet.size
        for coordinate, value in zip(
            ("u", "v", *HELD), (*middle, *self._held(self._heights(self.sags), middle)), strict=True
        ):
            self._builder.set_default(f"{name}.{coordinate}", float(value))
        self.bodies.append(name)
        return self

    def state(
        self,
        model: Model,
        places: Mapping[str, ArrayLike] | None = None,
        rates: Mapping[str, ArrayLike] | None = None,
        *,
        deflections: ArrayLike | None = None,
        deflection_rates: ArrayLike | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities of a model with its bodies on the sheet; what else it has is neutral, at rest.

        Parameters
        ----------
        model : Model
            What the builder built.
        places, rates : mapping of str to array_like of shape (2,), optional
            By body, (u, v) [m], by default the middle, and its velocity [m/s], by default zero.
        deflections, deflection_rates : array_like, shape (modes,), optional
            Of the modes [m, m/s]; by default as the sheet hangs under its own weight (`sags`), and zero.

        Returns
        -------
        q, v : ndarray, shapes (nq,) and (nv,)

        Raises
        ------
        UnknownName
            If a body is not on this sheet.
        BadShape, BadValue, NotFinite
            If a place is not on the sheet, or numbers are missing.
        """
        q, v, wanted = model.neutral(), np.zeros(model.nv), (dict(places or {}), dict(rates or {}))
        for body in (b for given in wanted for b in given):
            if body not in self.bodies:
                raise unknown_name("body", body, self.bodies, f"sheet {self.name!r}")
        eta = self._deflections(deflections, self.sags)
        etad = self._deflections(deflection_rates, np.zeros(len(self.sags)))
        for name, x, xd in zip(self.coordinates, eta, etad, strict=True):
            q[model.q_index(name)], v[model.v_index(name)] = x, xd
        for body in self.bodies:
            at = self.sheet.checked_place(wanted[0].get(body, 0.5 * self.sheet.size))
            rate = finite_vector(wanted[1].get(body, (0.0, 0.0)), 2, f"state: rate of {body!r}")
            for name, x, xd in zip(("u", "v", *HELD), *self._on_sheet(at, rate, eta, etad), strict=True):
                q[model.q_index(f"{body}.{name}")], v[model.v_index(f"{body}.{name}")] = x, xd
        return q, v

    def settled(self, loads: Sequence[tuple[ArrayLike, float]] = ()) -> np.ndarray:
        """Deflections of the modes at rest under the sheet's own weight and under forces at places.

        Parameters
        ----------
        loads : sequence of (place, force)
            (u, v) [m] and a force along the sheet's z axis [N] each.

        Returns
        -------
        ndarray, shape (modes,)
            [m]
        """
        forces = self.sags * self.modes.stiffness
        for place, force in loads:
            U, V = (
                a.full(float(x), 0)[0] for a, x in zip(self.sheet.axes, self.sheet.checked_place(place), strict=True)
            )
            forces = forces + finite_number(force, "settled: a force") * np.einsum(
                "a,b,kab->k", U, V, self.modes.shapes
            )
        return forces / self.modes.stiffness

    def controls(self, model: Model, q: ArrayLike) -> np.ndarray:
        """Control points of the sheet, for `ElasticSheet.points` and `ElasticSheet.frame`, in the sheet's frame.

        Parameters
        ----------
        model : Model
        q : array_like, shape (..., nq)

        Returns
        -------
        ndarray, shape (..., *shape, 3)
        """
        eta = real_numbers(q, "controls: q")[..., [model.q_index(name) for name in self.coordinates]]
        return self._controls(eta)

    def drawn(
        self, run: Trajectory | None = None, *, color: tuple[float, float, float] = GRAY, opacity: float = 0.8
    ) -> Sheet:
        """The surface, moving as in a run, for `drawn=` of `cd.view` and `cd.view.export`.

        Parameters
        ----------
        run : Trajectory, optional
            What `cd.simulate` returned for one start; by default the sheet as it hangs.
        color : tuple of three float
            Red, green and blue from 0 to 1.
        opacity : float
            From 0 to 1.

        Returns
        -------
        Sheet

        Raises
        ------
        BadShape
            If the run has several members; take one of them.
        """
        u, v = (np.linspace(0.0, float(a), DRAWN) for a in self.sheet.size)
        R, x = self.placement.as_matrix()[:3, :3], self.placement.xyz
        if run is None:
            return Sheet(None, self.sheet.points(u, v, self._controls(self.sags)) @ R.T + x, color, opacity)
        require(run.q.ndim == 2, "drawn: one motion is drawn; take a member, run[0]", BadShape, shape=run.q.shape)
        known = np.isfinite(run.q).all(axis=1)  # a run that stopped has none after that
        times, controls = run.t[known], self.controls(run.model, run.q[known])

        def at(t: float) -> np.ndarray:
            now = float(np.interp(t, times, np.arange(len(times))))
            k = min(int(now), max(len(times) - 2, 0))
            p = controls[k] + (now - k) * (controls[min(k + 1, len(times) - 1)] - controls[k])
            return self.sheet.points(u, v, p) @ R.T + x

        return Sheet(None, at, color, opacity)

    def _controls(self, eta: np.ndarray) -> np.ndarray:
        out = np.broadcast_to(self.sheet.rest, (*eta.shape[:-1], *self.sheet.rest.shape)).copy()
        out[..., 2] += np.tensordot(eta, self.modes.shapes, 1)
        return out

    def _function(self, orders: tuple[int, int]) -> Any:
        """Of (u, v, η_1, …): the height or a slope, each mode a piece of (u, v) times η_k."""
        parts = [self._spline(c, orders) * functions.linear(2 + k) for k, c in enumerate(self.modes.shapes)]
        rest = self.sheet.rest[..., 2]
        return total([self._spline(rest, orders), *parts] if rest.any() else parts)

    def _spline(self, controls: np.ndarray, orders: tuple[int, int]) -> Function:
        knots = tuple(a.knots for a in self.sheet.axes)
        return _derivative(functions.spline(knots, controls, order=self.sheet.order), orders)

    def _deflections(self, x: ArrayLike | None, otherwise: np.ndarray) -> np.ndarray:
        return otherwise if x is None else finite_vector(x, len(otherwise), "state: deflections of the modes")

    def _heights(self, eta: np.ndarray) -> np.ndarray:
        return self.sheet.rest[..., 2] + np.tensordot(eta, self.modes.shapes, 1)

    def _held(self, heights: np.ndarray, at: np.ndarray) -> np.ndarray:
        """Height and slopes at a place."""
        U, V = (axis.full(float(x), 1) for axis, x in zip(self.sheet.axes, at, strict=True))
        return np.array([U[0] @ heights @ V[0], U[1] @ heights @ V[0], U[0] @ heights @ V[1]])

    def _on_sheet(self, at, rate, eta, etad) -> tuple[np.ndarray, np.ndarray]:
        """(u, v, height, slope_u, slope_v) and their rates."""
        p, pd = self._heights(eta), np.tensordot(etad, self.modes.shapes, 1)
        U, V = (axis.full(float(x), 2) for axis, x in zip(self.sheet.axes, at, strict=True))
        by_place = np.array([[U[i + 1] @ p @ V[j], U[i] @ p @ V[j + 1]] for i, j in ((0, 0), (1, 0), (0, 1))])
        return np.r_[at, self._held(p, at)], np.r_[rate, by_place @ rate + self._held(pd, at)]


def add_to(
    sheet: ElasticSheet,
    builder: ModelBuilder,
    name: str = "sheet",
    *,
    modes: int | None = None,
    placement: ArrayLike | None = None,
    weight: bool = True,
) -> ModalSheet:
    """Make the sheet a part of a model, by its natural modes; `ModalSheet.add_body` then adds bodies that glide on it.

    Each mode is a coordinate name_mode_1, name_mode_2, … [m] with the mass, stiffness and damping that the sheet's
    matrices have in it. The sheet moves along its z axis only: as D-NURBS it would shift within itself too
    (`ElasticSheet.simulate`), by a part that is of second order in the slopes. All that takes models with constraints
    takes it: `cd.simulate`, `cd.forward_dynamics`, `cd.linearize`, `cd.energy`, files, the viewer.

    Parameters
    ----------
    builder : ModelBuilder
    name : str
        Of the sheet, before the names of its modes.
    modes : int, optional
        How many of the lowest; all by default, which is the sheet itself.
    placement : SE3 or array_like, shape (4, 4), optional
        Of the sheet in the world; the identity by default.
    weight : bool
        Whether the builder's gravity acts on the sheet; if not, its shape at rest is the one that it has under it.

    Returns
    -------
    ModalSheet

    Raises
    ------
    BadValue
        If there are not so many modes, if some but not all modes of one frequency would be taken, or if nothing
        holds the sheet.
    NotSupported
        If the sheet at rest is not a graph: its control points have heights z alone.

    Examples
    --------
    A ball of 50 g on a membrane, let go off its middle:

    >>> import condyle as cd
    >>> sheet = cd.simulation.ElasticSheet((1.0, 0.8), (6, 6), density=0.5, tension=20.0)
    >>> b = cd.ModelBuilder()
    >>> membrane = sheet.add_to(b, modes=4).add_body("ball", cd.Inertia.sphere(0.05, 0.03), radius=0.03)
    >>> model = b.build()
    >>> q, v = membrane.state(model, {"ball": (0.4, 0.5)})
    >>> run = cd.simulate(model, q, v, duration=0.05, step=1e-3)
    >>> bool(np.ptp(run.energy().total) < 1e-7), run.poses().shape
    (True, (51, 5))
    """
    require(isinstance(builder, ModelBuilder), "add_to: give a cd.ModelBuilder", BadValue, got=type(builder).__name__)
    require(isinstance(name, str) and name, "add_to: the name of a sheet is a string", BadValue, got=name)
    words = "add_to: a sheet in a model is a graph at rest: give `rest` as heights, or use `simulate` of the sheet"
    require(_is_graph(sheet), words, NotSupported)
    where = SE3.from_matrix(as_pose(placement, "add_to: placement"))
    found = natural_modes(sheet, modes)
    names = tuple(f"{name}_mode_{k}" for k in range(1, len(found.masses) + 1))
    down = float(builder.gravity @ where.as_matrix()[:3, 2]) * bool(weight)
    sags = down * found.weights / found.stiffness
    for k, mode in enumerate(names):
        builder.add_body(mode, joint=prismatic("z"), inertia=Inertia.massless(), placement=where)
        builder.set_armature(mode, float(found.masses[k]))
        k_spring, d = float(found.stiffness[k]), float(found.damping[k])
        builder.add_stiffness(mode, k_spring, rest=float(sags[k]), damping=d).set_default(mode, float(sags[k]))
    return ModalSheet(sheet, name, found, names, where, sags, builder)


def _derivative(f: Function, orders: tuple[int, int]) -> Function:
    """A partial derivative of polynomial pieces, exact."""
    c = f.term.constants
    for axis, times in enumerate(orders, 1):
        for _ in range(times):
            powers = np.arange(1, c.shape[axis])
            c = np.take(c, powers, axis=axis) * np.expand_dims(powers, tuple(range(1, c.ndim - axis)))
    return replace(f, term=replace(f.term, constants=c))


def _is_graph(sheet: ElasticSheet) -> bool:
    """Whether its points at rest are (u, v, z)."""
    x, y = np.meshgrid(*(greville(a.knots, a.order) for a in sheet.axes), indexing="ij")
    return bool(np.abs(sheet.rest[..., :2] - np.stack([x, y], axis=-1)).max() < 1e-9 * sheet.size.max())


def _check_body(name: str, inertia: Inertia, radius: float, steepest: float) -> None:
    what = f"body {name!r} on a sheet"
    require(
        bool(np.isfinite(radius) and radius >= 0.0), f"{what}: the radius is 0 or more [m]", BadValue, radius=radius
    )
    good = bool(np.isfinite(steepest) and steepest > 0.0)
    require(good, f"{what}: the steepest slope is a number above zero", BadValue, steepest=steepest)
    require(isinstance(inertia, Inertia), f"{what}: inertia must be a cd.Inertia", BadValue, got=type(inertia).__name__)
    turns = np.linalg.eigvalsh(inertia.spatial()[[[0], [1], [3], [4], [5]], [0, 1, 3, 4, 5]])
    words = f"{what}: it needs mass, and moments of inertia about x and y; a small ball has 2/5 m r²"
    require(bool(turns[0] > 0.0), words, BadValue, inertia=inertia)
