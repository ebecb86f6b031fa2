"""Directing what nothing holds: a character whose base no motor drives, carried by contacts that only push."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ...dynamics.arguments import states
from ...dynamics.coordinate_differences import coordinate_rates
from ...errors import BadShape, CondyleError, CondyleWarning, NotSupported, RankLost, require
from ...model import Model
from ...simulation.control_at_stages import unit
from ...typing import ArrayLike
from ..animation_space import AnimationSpace, require_space
from ..coordinates.pose_jet import Posture
from ..directing import Directed
from ..ode_steppers import METHODS
from ..plain_numbers import positive
from ..priority_program import Level
from ..resolution import Resolution, checked_resolution
from ..tracking_law import Goals, asked_of, distances, held_by_goals, missed_goals
from ..weighted_pseudoinverse import pace_of
from .carried_program import Carried, Ground
from .contacts import Contact

REACTS = 0.1  # over the gain: the time in which a motion answers near the border of its reach
HASTE = 0.125  # of that time is enough for a motion that stays within its reach
SWINGS = 4.0  # such times, squared, in which what is out of reach swings; it is braked in as many


class CarryingForces(NamedTuple):
    """Torques and contact forces of states that are given.

    Attributes
    ----------
    tau : ndarray, shape (..., nv)
        Of the drives; zero where nothing drives.
    forces : ndarray, shape (..., points, 3)
        Of all points of all contacts in order, on the body, in the world [N].
    residual : ndarray, shape (...)
        Largest force that is missing where nothing drives [N, N m]: zero if the contacts carry the motion.
    """

    tau: np.ndarray
    forces: np.ndarray
    residual: np.ndarray


@dataclass(frozen=True, repr=False)
class CarriedMotion(Directed):
    """A directed motion that contacts carry.

    Attributes
    ----------
    forces : ndarray, shape (T, points, 3)
        Of all points of all contacts in order, on the body, in the world [N].
    residual : ndarray, shape (T,)
        Largest force on what nothing drives [N, N m]: round-off.
    contacts : tuple of Contact
    """

    forces: np.ndarray = field(kw_only=True)
    residual: np.ndarray = field(kw_only=True)
    contacts: tuple[Contact, ...] = field(kw_only=True)

    @property
    def friction_used(self) -> np.ndarray:
        """Share of the friction that each point uses (T, points): at most 1."""
        owners = [x for x in self.contacts for _ in x.points]
        n = np.array([x.push(self.space.model) for x in owners]).reshape(-1, 3)
        push = np.einsum("tpi,pi->tp", self.forces, n)
        along = np.linalg.norm(self.forces - push[..., None] * n, axis=-1)
        most = push * np.array([x.friction for x in owners])
        pushed = push > 1e-9 * np.abs(self.forces).max(initial=0.0)
        return np.divide(along, most, out=np.zeros_like(along), where=pushed)


def carrying_forces(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    contacts: Sequence[Contact],
    *,
    t: ArrayLike = 0.0,
    actuated: Sequence[str] | None = None,
    torques: bool | float | Mapping[str, float] | None = None,
) -> CarryingForces:
    """Torques and contact forces of a motion: inverse dynamics where no motor drives the base.

    Contact forces are inside their friction cones. First the force on what nothing drives is made least, zero if it can
    be, then the torques.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch, such as the moments of a motion [rad, m].
    v, a : array_like, shape (..., nv)
        Velocities and accelerations.
    contacts : sequence of Contact
        From `cd.control.contact`.
    t : float or array_like, shape (...), optional
        Times of the states [s], for contacts that come and go.
    actuated : sequence of str, optional
        Coordinates that motors drive; all but those of free bodies if left out.
    torques : bool, float or mapping of str to float, optional
        Largest torques [N m, N]: True for the model's ratings, one for all, or by coordinate.

    Returns
    -------
    CarryingForces

    Raises
    ------
    UnknownName
        If a contact names no body, or `actuated` no coordinate.

    Examples
    --------
    A block that lies on the ground is carried by its four corners alike:

    >>> import condyle as cd
    >>> block = cd.Inertia.box(2.0, (0.4, 0.4, 0.2))
    >>> model = cd.ModelBuilder().add_body("block", joint=cd.joints.free(), inertia=block).build()
    >>> corners = [(x, y, -0.1) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    >>> found = cd.control.carrying_forces(
    ...     model, model.neutral(), np.zeros(6), np.zeros(6), [cd.control.contact("block", corners)])
    >>> found.forces[:, 2].round(6)
    array([4.905, 4.905, 4.905, 4.905])
    """
    ground, s = Ground(model, contacts, actuated, torques), states(model, q, v=v, a=a)
    times = np.broadcast_to(np.asarray(t, dtype=float), s.batch).reshape(-1)
    found = [_given(ground, *x) for x in zip(s["q"], s["v"], s["a"], times, strict=True)]
    tau, forces, residual = (np.array(x) for x in zip(*((x.tau, x.forces, x.residual) for x in found), strict=True))
    return CarryingForces(s.shaped(tau, model.nv), s.shaped(forces, *forces.shape[1:]), s.shaped(residual))


def _given(ground: Ground, q: np.ndarray, v: np.ndarray, a: np.ndarray, t: float) -> Carried:
    """The forces of one state whose accelerations are known."""
    law, n = ground.law(Posture(ground.model, q[None], np.array([t]), (v[None], np.ones(1))), v), len(v)
    known = law._replace(S=np.hstack([np.zeros((n, n)), law.S[:, n:]]), h=law.h + law.S[:, :n] @ a,
                         touch=law.touch[:0], rest=law.rest[:0], L=law.L[:0], closed=law.closed[:0])  # fmt: skip
    return ground.answer(known, [], None, [])


def direct_carried(
    space: AnimationSpace,
    q: ArrayLike,
    goals: Mapping[str, Any] | None = None,
    *,
    contacts: Sequence[Contact],
    duration: float,
    v: ArrayLike | None = None,
    step: float = 5e-3,
    how: Resolution | None = None,
    gain: float = 10.0,
    record: float | None = None,
    actuated: Sequence[str] | None = None,
    torques: bool | float | Mapping[str, float] | None = None,
    t0: float = 0.0,
) -> CarriedMotion:
    """Move a character that nothing holds but contacts that push: it stands, squats, steps and sits by its own torques.

    At each moment one program finds accelerations and contact forces: what nothing drives obeys its dynamics, the
    model's loops are closed and points that touch stay, before every goal; forces stay inside friction cones, torques
    and joints inside their limits. What cannot be carried is missed, and `conflicts` names it. Goals are pulled at
    as ü = g̈ + 2 gain (ġ − u̇) + gain² (g − u). A goal out of reach is followed as far as it can be, and harms none of a
    level above it; the motion's `missed` and its repr say by how much it was missed, and when. Where a goal is missed
    the motion is computed again, slower near the border of its reach.

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (nq,)
        The pose to start from.
    goals : mapping of str, optional
        By coordinate: keyframes, a constant, or f(t); the others stay where they are.
    contacts : sequence of Contact
        From `cd.control.contact`.
    duration : float
        [s]
    v : array_like, shape (nv,), optional
        Velocities at the start; at rest if left out.
    step : float, optional
        Of Runge-Kutta's steps of order 4 [s].
    how : Resolution, optional
        Damping, priorities, ranges, speeds and what is kept; `weights` and `secondary` have no meaning here.
    gain : float, optional
        Pull to the goals [1/s].
    record : float, optional
        Seconds between records; every step if left out.
    actuated : sequence of str, optional
        Coordinates that motors drive; all but those of free bodies if left out.
    torques : bool, float or mapping of str to float, optional
        Largest torques [N m, N]: True for the model's ratings, one for all, or by coordinate.
    t0 : float, optional
        Time at the start [s].

    Returns
    -------
    CarriedMotion

    Raises
    ------
    UnknownName
        If a goal, a contact or a driven coordinate is not known.
    BadValue
        If duration, step or record is not positive, or the gain is not.
    RankLost
        If something cannot be had and `how.conflicts` is "raise".
    """
    require_space(space)
    how = checked_resolution(how)
    times = [duration, step, step if record is None else record, gain]
    require(all(map(positive, times)), "duration, step, record and gain must be positive", got=times)
    plain = how.weights is None and how.secondary is None and not space.model.prescribed
    require(plain, "direct_carried knows no weights, secondary wishes or prescribed coordinates", NotSupported)
    s = states(space.model, q, v=np.zeros(space.model.nv) if v is None else v)
    require(s.single, "direct_carried takes one pose, not a batch", BadShape, got=s.batch)
    ground, asked = Ground(space.model, contacts, actuated, torques), Goals(space, s, goals or {}, t0)
    spacing = step if record is None else record
    times = t0 + np.linspace(0.0, duration, max(1, round(duration / spacing)) + 1)
    rows, time = held_by_goals(space, asked.goals), max(step, REACTS / gain)
    followed = Goals(rows, s, asked.goals, t0)
    motion = _within_reach(_Run(rows, how, ground, followed, gain, HASTE * time), times, step, asked)
    motion = motion or _Run(rows, how, ground, followed, gain, time).motion(times, step, asked)
    _say(motion, how)
    return motion


def _within_reach(run: _Run, times: np.ndarray, step: float, asked: Goals) -> CarriedMotion | None:
    """The motion if it reaches all its goals; one that does not may have come to its border too fast to be carried."""
    try:
        with np.errstate(all="ignore"):
            motion = run.motion(times, step, asked)
    except (CondyleError, np.linalg.LinAlgError):
        return None
    return None if motion.missed or motion.conflicts else motion


def _say(motion: CarriedMotion, how: Resolution) -> None:
    if not motion.conflicts or how.conflicts == "ignore":
        return
    words = f"direct_carried: {', '.join(motion.conflicts)} could not be had somewhere on the way"
    if how.conflicts == "raise":
        raise RankLost(words)
    off = distances(motion.space, motion.goals, motion.error).max(initial=0.0)
    warnings.warn(f"{words}; goals are missed by up to {off:.3g}", CondyleWarning, stacklevel=3)


class _Run:
    """A carried motion under way, on y = (q, v) (1, nq + nv), that answers within a `time` [s] near its border."""

    def __init__(
        self, space: AnimationSpace, how: Resolution, ground: Ground, goals: Goals, gain: float, time: float
    ) -> None:
        self.space, self.how, self.ground, self.goals, self.gain, self.time = space, how, ground, goals, gain, time
        self.limits, self.levels, self.roots = how.limits(space.model), how.levels(space), how.row_roots(space)
        self.pace = self.roots * pace_of(SWINGS * self.time**2, space.row_sizes)
        self.labels = [[space.labels[k] for k in rows] for rows in self.levels]

    def split(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q and v, quaternions of unit norm."""
        return unit(self.space.model, y[:, : self.space.model.nq].copy()), y[:, self.space.model.nq :]

    def tidied(self, y: np.ndarray, t: float) -> np.ndarray:
        """Quaternions of unit norm."""
        return np.concatenate(self.split(y), axis=1)

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """(q̇, v̇)."""
        q, v = self.split(y)
        return np.concatenate([coordinate_rates(self.space.model, q, v), self.answer(t, q, v).a[None]], axis=1)

    def answer(self, t: float, q: np.ndarray, v: np.ndarray) -> Carried:
        """The program's answer at a state."""
        posture = Posture(self.space.model, q, np.array([t]), (v, np.ones(1)))
        u, slope, _, bias = self.space.motion_at(posture, v)
        x, rate, acceleration = self.goals.at(t)
        has = self.space.has_value
        velocity = slope[0, :, :-1] @ v[0] + slope[0, :, -1]
        k = np.where(has, 2.0 * self.gain, self.gain)
        want = acceleration[0] + k * (rate[0] - velocity) - bias[0]
        want = want + np.where(has, self.gain**2 * (x[0] - u[0]), 0.0)
        G, want = slope[0, :, :-1] * self.roots[:, None], want * self.roots
        brake = -v[0] / (SWINGS * self.time)
        tasks = [Level(G[rows], want[rows], self.how.damping, self.pace[rows], brake) for rows in self.levels]
        rows = self.limits.on_accelerations(posture, v) if self.limits else None
        return self.ground.answer(self.ground.law(posture, v[0], self.gain), tasks, rows, self.labels)

    def motion(self, times: np.ndarray, step: float, asked: Goals) -> CarriedMotion:
        """From the start to the last of these times."""
        y = np.concatenate([asked.s["q"], asked.s["v"]], axis=1)
        nodes = METHODS["rk4"](self.rate, y, times, step, 0.0, self.tidied)
        return self._result(times, np.concatenate([y, *nodes]), asked)

    def _result(self, times: np.ndarray, y: np.ndarray, asked: Goals) -> CarriedMotion:
        """All records, told in the coordinates as they were asked for."""
        q, v = self.split(y)
        found = [self.answer(t, *x) for t, *x in zip(times, q[:, None], v[:, None], strict=True)]
        has, goals = asked.space.has_value, np.array([asked.at(t)[0, 0] for t in times])
        u = asked.space.jets(Posture(self.space.model, q, times)).value
        target, u = (np.where(has, x, np.nan) for x in (goals, u))
        conflicts = tuple(sorted({name for x in found for name in x.conflicts}))
        names = asked_of(asked.space, self.how, asked.goals)
        missed = missed_goals(asked.space, names, times, target, target - u, self.gain)
        limited = tuple(sorted({name for x in found for name in x.limited}))
        a, tau, forces, residual = (
            np.array([getattr(x, k) for x in found]) for k in ("a", "tau", "forces", "residual")
        )
        carried = {"forces": forces, "residual": residual, "contacts": self.ground.contacts}
        return CarriedMotion(asked.space, times, q, v, a, tau, u, target, conflicts, limited, names, missed, **carried)
