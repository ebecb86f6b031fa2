"""A body that glides on an elastic sheet: one system of the sheet's control points and the body's place on it.

The body moves by V = S_q (u̇, v̇) + S_p ṗ. With w the wrench that the sheet holds it with, J V̇ + p = w (`carried`),
S_qᵀ w = 0 (no friction), and M p̈ = −K (p − p₀) − D ṗ + M g − S_pᵀ w: the mass matrix of all coordinates,
diag(0, M) + Sᵀ J S, solved as eight equations for w and the place, since M is inverted once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import BadShape, BadValue, NotConverged, require
from ...model import Model
from ...spatial import SE3, Inertia
from ...spatial.arrays import finite_vector, real_numbers
from ...spatial.twists import pose_matrix
from ...typing import ArrayLike
from .carried import Carried
from .gliding_frame import Glide, glide_at

if TYPE_CHECKING:
    from .elastic_sheet import ElasticSheet


class SheetEnergy(NamedTuple):
    """Energies over time [J], each of shape (T,).

    Attributes
    ----------
    sheet, body : ndarray
        Kinetic.
    elastic, gravity : ndarray
        Potential: of the sheet, and of weights (with the springs of a model that is carried).
    total : ndarray
    """

    sheet: np.ndarray
    body: np.ndarray
    elastic: np.ndarray
    gravity: np.ndarray
    total: np.ndarray


@dataclass(frozen=True, eq=False)
class SheetMotion:
    """A motion of a sheet and of what glides on it.

    Attributes
    ----------
    sheet : ElasticSheet
    t : ndarray, shape (T,)
        [s]
    controls, control_rates : ndarray, shape (T, *shape, 3)
        Control points [m] and their velocities [m/s].
    place, rate : ndarray, shape (T, 2)
        Where the body is on the sheet, (u, v) [m], and its velocity there; (T, 0) without a body.
    dissipated : ndarray, shape (T,)
        Energy that damping took since the start [J].
    normal_force : ndarray, shape (T,)
        With which the sheet presses the body along its normal [N]: the body is held both ways, and would lift off where
        this is negative.
    ended : float or None
        When the body came to the rim of the sheet [s].
    body : Inertia, Model or None
    radius : float
        How far the body's origin is above the sheet [m].
    gravity : ndarray, shape (3,)
    weight : bool
        Whether the sheet has weight of its own.
    q, v : ndarray, shape (T, nv)
        Coordinates and velocities of a model that is carried; (T, 0) without.
    """

    sheet: ElasticSheet
    t: np.ndarray
    controls: np.ndarray
    control_rates: np.ndarray
    place: np.ndarray
    rate: np.ndarray
    dissipated: np.ndarray
    normal_force: np.ndarray
    ended: float | None
    body: Inertia | Model | None
    radius: float
    gravity: np.ndarray
    weight: bool
    q: np.ndarray
    v: np.ndarray

    @cached_property
    def _carried(self) -> Carried:
        return Carried(self.body, self.gravity)

    @cached_property
    def _glides(self) -> list[Glide]:
        if self.body is None:
            return []
        p, pd = (x.reshape(len(self.t), -1, 3) for x in (self.controls, self.control_rates))
        moments = zip(self.place, self.rate, p, pd, strict=True)
        return [glide_at(self.sheet, at, rate, x, xd, self.radius)[0] for at, rate, x, xd in moments]

    def poses(self) -> SE3:
        """Of the body, or the world of the model, over time, shape (T,): x along the first parameter, z the normal.

        Raises
        ------
        BadValue
            If there is no body.
        """
        require(self.body is not None, "poses: nothing glides on this sheet", BadValue)
        R, c = (np.array([getattr(g, name) for g in self._glides]) for name in ("R", "c"))
        return SE3.from_matrix(pose_matrix(R, c))

    def body_poses(self) -> SE3:
        """Of the bodies of a model that is carried, over time, shape (T, bodies).

        Raises
        ------
        BadValue
            If no model is carried.
        """
        require(isinstance(self.body, Model), "body_poses: no model is on this sheet; see poses", BadValue)
        return SE3.from_matrix([self._carried.body_poses(g, q) for g, q in zip(self._glides, self.q, strict=True)])

    def twists(self) -> np.ndarray:
        """Of the body over time, (T, 6) [rad/s, m/s], angular part first, in its axes.

        Raises
        ------
        BadValue
            If there is no body.
        """
        require(self.body is not None, "twists: nothing glides on this sheet", BadValue)
        return np.array([g.V for g in self._glides])

    def energy(self) -> SheetEnergy:
        """Energies over time [J]; the total changes by what was dissipated."""
        s, d = self.sheet, (self.controls - self.sheet.rest).reshape(len(self.t), -1, 3)
        pd = self.control_rates.reshape(len(self.t), -1, 3)
        sheet = 0.5 * np.einsum("tai,ab,tbi->t", pd, s.mass_matrix, pd)
        elastic = 0.5 * np.einsum("tai,ab,tbi->t", d, s.stiffness_matrix, d)
        weight = s.mass_matrix.sum(axis=1) * self.weight
        gravity = -np.einsum("a,tai,i->t", weight, self.controls.reshape(len(self.t), -1, 3), self.gravity)
        carried = [self._carried.energy(*x) for x in zip(self._glides, self.q, self.v, strict=bool(self._glides))]
        body, potential = np.array(carried).T if carried else (np.zeros(len(self.t)), 0.0)
        gravity = gravity + potential
        return SheetEnergy(sheet, body, elastic, gravity, sheet + body + elastic + gravity)

    def momentum(self) -> np.ndarray:
        """Linear momentum of sheet and body, (T, 3) [N s]."""
        weight = self.sheet.mass_matrix.sum(axis=1)
        out = np.einsum("a,tai->ti", weight, self.control_rates.reshape(len(self.t), -1, 3))
        if self.body is not None:
            out += [self._carried.momentum(*x) for x in zip(self._glides, self.q, self.v, strict=True)]
        return out


def simulate(
    sheet: ElasticSheet,
    body: Inertia | Model | None = None,
    place: ArrayLike | None = None,
    rate: ArrayLike = (0.0, 0.0),
    *,
    duration: float,
    record: float | None = None,
    radius: float = 0.0,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    controls: ArrayLike | None = None,
    control_rates: ArrayLike | None = None,
    gravity: ArrayLike = (0.0, 0.0, -9.81),
    weight: bool = True,
    tolerance: float = 1e-9,
) -> SheetMotion:
    """Let the sheet move, with a body that glides on it without friction, or alone.

    The body's frame follows the sheet: x along its first parameter, z along its normal, its origin `radius` above it.
    It is held both ways. Steps are those of scipy's DOP853, in Python.

    Parameters
    ----------
    body : Inertia or Model, optional
        In the gliding frame; nothing by default. A model stands on that frame as on its world: what it has on the world
        glides with the frame, and both push each other.
    place, rate : array_like, shape (2,), optional
        Where the body starts, (u, v) [m], by default the middle, and its velocity there [m/s].
    duration : float
        How long [s].
    record : float, optional
        Seconds between records; by default a hundredth of the duration.
    radius : float
        [m]
    q, v : array_like, shape (nv,), optional
        Coordinates and velocities of a model at the start, zero by default.
    controls, control_rates : array_like, shape (*shape, 3), optional
        Control points at the start [m], by default at rest, and their velocities, by default zero; those that the edges
        hold must be where they are at rest.
    gravity : array_like, shape (3,)
        [m/s²]
    weight : bool
        Whether the sheet has weight of its own (`ElasticSheet.settled` finds how it hangs); if not, its shape at rest
        is the one that it has under it.
    tolerance : float
        Of the error of a step, relative and absolute.

    Returns
    -------
    SheetMotion
        It ends early where the body comes to the rim.

    Raises
    ------
    BadShape, BadValue, NotFinite
        For starts that do not fit the sheet, and for numbers that make no sense.
    NotConverged
        If the integrator cannot go on.
    RankLost
        If the sheet is folded to a line where the body comes.
    NotSupported
        If a model has constraints, prescribed coordinates, followers, muscles, corners, armature, ball or free joints.

    Examples
    --------
    A ball of 50 g on a membrane, let go off its middle: all energy is kept.

    >>> import condyle as cd
    >>> sheet = cd.simulation.ElasticSheet((1.0, 1.0), (7, 7), density=0.5, tension=20.0)
    >>> ball = cd.Inertia.sphere(0.05, 0.03)
    >>> run = sheet.simulate(ball, (0.4, 0.5), duration=0.1, radius=0.03)
    >>> bool(np.ptp(run.energy().total) < 1e-7), run.poses().shape
    (True, (101,))
    """
    from scipy.integrate import solve_ivp  # slow to load

    system = System(sheet, body, radius, finite_vector(gravity, 3, "sheet: gravity"), weight)
    for name, x in (("duration", duration), ("tolerance", tolerance), ("record", 1.0 if record is None else record)):
        require(bool(np.isfinite(x) and x > 0), f"sheet: {name} is a number above zero", BadValue, **{name: x})
    require(bool(np.isfinite(radius) and radius >= 0), "sheet: the radius is 0 or more [m]", BadValue, radius=radius)
    times = np.linspace(0.0, duration, max(1, int(np.ceil(duration / (record or 0.01 * duration) - 1e-9))) + 1)
    y = system.start(sheet, place, rate, (controls, control_rates), (q, v))
    off = partial(_margin, sheet.size)
    off.terminal, off.direction = True, -1.0  # pyright: ignore[reportAttributeAccessIssue]
    options: Any = {
        "method": "DOP853",
        "rtol": max(tolerance, 1e-13),
        "atol": tolerance,
        "events": None if body is None else [off],
    }
    found = solve_ivp(system.rates, (0.0, duration), y, t_eval=times, **options)
    require(found.status >= 0, f"sheet: the motion cannot be followed: {found.message}", NotConverged)
    ended = float(found.t_events[0][0]) if body is not None and len(found.t_events[0]) else None
    return system.motion(found.t, found.y.T, ended)


def _margin(size: np.ndarray, t: float, y: np.ndarray) -> float:
    """How far the body is from the rim, falling through 0 there [m]."""
    return float(min(y[:2].min(), (size - y[:2]).min()))


class System:
    """The coupled equations; y is place, control points that move, a model's q, all their rates, what damping took."""

    def __init__(
        self, sheet: ElasticSheet, body: Inertia | Model | None, radius: float, gravity: np.ndarray, weight: bool = True
    ) -> None:
        self.sheet, self.body, self.radius, self.gravity = sheet, body, float(radius), gravity
        self.carried = Carried(body, gravity)
        self.n, self.k = int(sheet.moving.sum()), 0 if body is None else 2
        self.size = self.k + 3 * self.n + self.carried.n
        free = np.ix_(sheet.moving, sheet.moving)
        self.inverse = np.zeros_like(sheet.mass_matrix)
        self.inverse[free] = np.linalg.inv(sheet.mass_matrix[free])
        self.weighs, masses = bool(weight), sheet.mass_matrix.sum(axis=1)
        self.weight = masses[:, None] * gravity * self.weighs

    def start(self, sheet: ElasticSheet, place, rate, given, own=(None, None)) -> np.ndarray:
        """The numbers at the start, checked."""
        at = sheet.checked_place(0.5 * sheet.size if place is None else place)
        speed = finite_vector(rate, 2, "sheet: rate (u̇, v̇)")
        whole = [r if x is None else real_numbers(x, f"sheet: {name}") for x, r, name in zip(
            given, (sheet.rest, np.zeros_like(sheet.rest)), ("controls", "control_rates"), strict=True)]  # fmt: skip
        for x, name in zip(whole, ("controls", "control_rates"), strict=True):
            good = x.shape == sheet.rest.shape and bool(np.isfinite(x).all())
            require(good, f"sheet: {name} must be finite, of shape {sheet.rest.shape}", BadShape, shape=x.shape)
        still = ~sheet.moving
        apart = max(np.abs((x - r).reshape(-1, 3)[still]).max(initial=0.0)
                    for x, r in zip(whole, (sheet.rest, 0.0), strict=True))  # fmt: skip
        require(apart < 1e-9, "sheet: control points that the edges hold must be at rest", BadValue, apart=apart)
        p, pd = (x.reshape(-1, 3)[sheet.moving].ravel() for x in whole)
        q, v = self.carried.start(*own)
        return np.concatenate([at[: self.k], p, q, speed[: self.k], pd, v, [0.0]])

    def split(self, y: np.ndarray) -> tuple[np.ndarray, ...]:
        """Place, rate, all control points (N, 3) and their velocities, and q and v of a model."""
        k, m, size, moving = self.k, self.k + 3 * self.n, self.size, self.sheet.moving
        p, pd = self.sheet.rest.reshape(-1, 3).copy(), np.zeros((len(moving), 3))
        p[moving], pd[moving] = y[k:m].reshape(-1, 3), y[size + k : size + m].reshape(-1, 3)
        return y[:k], y[size : size + k], p, pd, y[m:size], y[size + m : 2 * size]

    def accelerations(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Of the place (2,) or (0,), of all control points (N, 3), the wrench w on the body, and a model's q̈."""
        s = self.sheet
        place, rate, p, pd, q, v = self.split(y)
        f = self.weight - s.stiffness_matrix @ (p - s.rest.reshape(-1, 3)) - s.damping_matrix @ pd
        free = self.inverse @ f
        if self.body is None:
            return np.zeros(0), free, np.zeros(6), np.zeros(0)
        g, near, B = glide_at(s, place, rate, p, pd, self.radius)
        felt = self.carried.felt(g, q, v)
        Sp = np.einsum("gdc,ad->gac", g.L.reshape(6, 3, 3), B)  # (6, near, 3)
        carried = np.einsum("gac,ac->g", Sp, free[near])
        yields = np.einsum("gac,ab,hbc->gh", Sp, self.inverse[np.ix_(near, near)], Sp)
        K, right = np.zeros((8, 8)), np.zeros(8)
        K[:6, :6], K[:6, 6:], K[6:, :6] = np.eye(6) + felt.J @ yields, -felt.J @ g.Sq, g.Sq.T
        right[:6] = felt.J @ (carried + g.bias) + felt.p
        x = np.linalg.solve(K, right)
        pushed = np.einsum("gac,g->ac", Sp, x[:6])
        gained = g.Sq @ x[6:] + carried - yields @ x[:6] + g.bias  # V̇
        return x[6:], free - self.inverse[:, near] @ pushed, x[:6], felt.start + felt.slope @ gained

    def rates(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt."""
        a, b, _, own = self.accelerations(y)
        _, rate, _, pd, _, v = self.split(y)
        moving = self.sheet.moving
        lost = np.einsum("ai,ab,bi->", pd, self.sheet.damping_matrix, pd)
        return np.concatenate([rate, pd[moving].ravel(), v, a, b[moving].ravel(), own, [lost]])

    def motion(self, t: np.ndarray, y: np.ndarray, ended: float | None) -> SheetMotion:
        """What solve_ivp found, as records."""
        parts = [self.split(row) for row in y]
        shape = (len(t), *self.sheet.rest.shape)
        controls, rates = (np.array([x[k] for x in parts]).reshape(shape) for k in (2, 3))
        place, rate = (np.array([x[k] for x in parts]).reshape(len(t), self.k) for k in (0, 1))
        q, v = (np.array([x[k] for x in parts]).reshape(len(t), -1) for k in (4, 5))
        force = np.array([self.accelerations(row)[2][5] for row in y])
        last = self.body, self.radius, self.gravity, self.weighs, q, v
        return SheetMotion(self.sheet, t, controls, rates, place, rate, y[:, -1], force, ended, *last)
