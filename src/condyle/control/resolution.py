"""Which of the many velocities that move the coordinates as asked: least weighted velocity, least torque, priorities.

[ParkFussellBrowne1992, section 4.5.3, corrected]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..dynamics import forward_dynamics, mass_matrix
from ..dynamics.arguments import States
from ..errors import BadShape, BadValue, NotSupported, require
from ..model import Model
from ..typing import ArrayLike
from .animation_space import AnimationSpace, checked_states, require_space
from .coordinates.perfect_powers import held
from .coordinates.pose_jet import Posture
from .motion_limits import Kept, MotionLimits
from .motion_request import Found, Request, first_accelerations, first_rows, resolved, say_conflicts
from .plain_numbers import not_negative
from .weighted_pseudoinverse import factored, weight_roots

RESTS = 1e-7  # [rad/s, m/s] of what counts as standing still


@dataclass(frozen=True)
class Resolution:
    """How redundancy is resolved, and what the motion may not leave.

    The model's constraints (loops, couplers, rolling) come before everything, then the limits, then the levels of
    priority; among what is left the least weighted velocity.

    Parameters
    ----------
    weights : sequence of float, optional
        One for each velocity: a heavier joint moves less.
    damping : float, optional
        Bounded velocities near singular poses, at the price of an error, which is reported.
    secondary : callable, optional
        secondary(t, q): velocities wished for, followed where no coordinate moves.
    priorities : sequence of sequences of str, optional
        Coordinate names level by level, first the strictest; a level yields to those before it.
    row_weights : mapping of str to float, optional
        By coordinate or row: where not all of a level can be had, a heavier one is missed less.
    ranges : bool, optional
        Keep every joint inside its range (`model.limits`).
    speeds : bool, float, mapping of str to float, or sequence of float, optional
        Largest speeds [rad/s, m/s]: True for the model's ratings, one for all, by coordinate, or one per velocity.
    kept : sequence of Kept, optional
        Coordinates kept inside limits, from `cd.control.keep` and `support`.
    approach : float, optional
        How fast limits are approached at most [1/s]: a rate of `approach` times the distance that is left.
    conflicts : {"raise", "warn", "ignore"}, optional
        What to do where rows vanish or contradict each other: raise RankLost, or take the least squares of what is
        missing, with or without a warning. Left out: raise, for a space made with `redundant=True` warn.
    """

    weights: Sequence[float] | None = None
    damping: float = 0.0
    secondary: Callable | None = None
    priorities: Sequence[Sequence[str]] | None = None
    row_weights: Mapping[str, float] | None = None
    ranges: bool = True
    speeds: bool | float | Mapping[str, float] | Sequence[float] | None = None
    kept: Sequence[Kept] = ()
    approach: float = 20.0
    conflicts: str | None = None

    def __post_init__(self) -> None:
        known = self.conflicts in (None, "raise", "warn", "ignore")
        require(known, "conflicts must be 'raise', 'warn' or 'ignore'", conflicts=self.conflicts)
        require(not_negative(self.damping), "damping must not be negative", damping=self.damping)

    def limits(self, model: Model) -> MotionLimits:
        """The limits of this resolution on a model.

        Parameters
        ----------
        model : Model

        Returns
        -------
        MotionLimits
        """
        return MotionLimits(model, self.ranges, self.speeds, self.kept, self.approach)

    def row_roots(self, space: AnimationSpace) -> np.ndarray:
        """Square roots of the weights of rows (size,).

        Parameters
        ----------
        space : AnimationSpace

        Returns
        -------
        ndarray, shape (size,)

        Raises
        ------
        BadValue
            If a weight is not positive.
        """
        out = np.ones(space.size)
        for name, weight in (self.row_weights or {}).items():
            require(np.isfinite(weight) and weight > 0, f"the weight of {name!r} must be positive", weight=weight)
            out[space.rows(name)] = np.sqrt(weight)
        return out

    def levels(self, space: AnimationSpace) -> list[np.ndarray]:
        """Row numbers of each level; coordinates not named come last.

        Parameters
        ----------
        space : AnimationSpace

        Returns
        -------
        list of ndarray of int

        Raises
        ------
        BadValue
            If a coordinate stands in two levels.
        """
        if self.priorities is None:
            return [np.arange(space.size)]
        named = [space.rows(level) for level in self.priorities]
        taken = np.concatenate(named) if named else np.zeros(0, dtype=int)
        require(len(set(taken)) == len(taken), "a coordinate stands in two priority levels", priorities=self.priorities)
        rest = np.setdiff1d(np.arange(space.size), taken)
        return named + ([rest] if len(rest) else [])


class Resolved(NamedTuple):
    """Velocities or accelerations (..., nv), and what is missing of the coordinates (..., size).

    Attributes
    ----------
    motion : ndarray, shape (..., nv)
        Velocities or accelerations.
    error : ndarray, shape (..., size)
        What is missing of the coordinates.
    conflicts : tuple of str
        Rows that contradict each other or vanish, and are missed by that.
    limited : tuple of str
        Limits that hold the motion: coordinates at their range or speed, rows of what is kept.
    """

    motion: np.ndarray
    error: np.ndarray
    conflicts: tuple[str, ...] = ()
    limited: tuple[str, ...] = ()


def resolve_velocity(
    space: AnimationSpace,
    q: ArrayLike,
    rate: ArrayLike,
    t: ArrayLike = 0.0,
    how: Resolution | None = None,
    *,
    step: float = 0.0,
) -> Resolved:
    """Velocities that give the coordinates the rates u̇ (..., size).  [eq. 21, with its time term]

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    rate : array_like, shape (..., m)
        Rates u̇ of the coordinates.
    t : float, optional
        Time [s], for what depends on it.
    how : Resolution, optional
        Weights, damping, priorities.
    step : float, optional
        Near the border of its reach the model goes no faster than this many seconds can follow, as in `direct`; 0 for
        no such bound.

    Returns
    -------
    Resolved
        Velocities and what was not met.

    Raises
    ------
    BadValue
        If the step is negative or not finite.
    RankLost
        If rows vanish or depend on each other, and `how` does not say what then.
    """
    require(not_negative(step), "step must be a time [s], or 0", BadValue, step=step)
    how = checked_resolution(how)
    s, times, x = asked(space, q, t, rate)
    posture = Posture(space.model, s["q"], times, single=s.single)
    rows, limits = held(space, np.all(x == 0.0, axis=0)), how.limits(space.model)
    slope = rows.jets(posture).slope
    first, bounds = first_rows(posture, 0.0), limits.on_velocities(posture)
    found = resolved(rows, how, Request(slope[..., :-1], x - slope[..., -1], *first, bounds, step), s, times)
    slope = slope if rows is space else space.jets(posture).slope
    missing = x - slope[..., -1] - np.einsum("smn,sn->sm", slope[..., :-1], found.motion)
    return _resolved(how, s, space, found, missing)


def resolve_acceleration(
    space: AnimationSpace,
    q: ArrayLike,
    v: ArrayLike,
    acceleration: ArrayLike,
    t: ArrayLike = 0.0,
    how: Resolution | None = None,
) -> Resolved:
    """Accelerations that give ü (..., size) from the state (q, v), of least weighted size.  [eq. 23]

    For a state whose velocity is itself the answer of `resolve_velocity`, the accelerations that keep it so are those
    of `consistent_acceleration`; the two differ where no coordinate moves.

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    acceleration : array_like, shape (..., m)
        Accelerations ü of the coordinates.
    t : float, optional
        Time [s], for what depends on it.
    how : Resolution, optional
        Weights, damping, priorities.

    Returns
    -------
    Resolved
        Accelerations and what was not met.
    """
    how = checked_resolution(how)
    s, times, x = asked(space, q, t, acceleration, v=v)
    posture = Posture(space.model, s["q"], times, (s["v"], np.ones(s.count)))
    rows, limits = resting(space, s, times, x), how.limits(space.model).on_accelerations(posture, s["v"])
    _, slope, _, bias = rows.motion_at(posture, s["v"])
    ask = Request(slope[..., :-1], x - bias, *first_accelerations(posture, s["v"]), limits)
    found = resolved(rows, how, ask, s, times)
    if rows is not space:
        _, slope, _, bias = space.motion_at(posture, s["v"])
    missing = x - bias - np.einsum("smn,sn->sm", slope[..., :-1], found.motion)
    return _resolved(how, s, space, found, missing)


def resting(space: AnimationSpace, s: States, times: np.ndarray, acceleration: np.ndarray) -> AnimationSpace:
    """The space with the bases of powers that are at rest and are to stay so: only then f̈ = 0 says that ḧ = 0."""
    rows = held(space)
    if rows is space:
        return space
    slope = rows.jets(Posture(space.model, s["q"], times)).slope
    rate = np.einsum("smk,sk->sm", slope[..., :-1], s["v"]) + slope[..., -1]
    return held(space, ~acceleration.any(axis=0) & (np.abs(rate).max(axis=0, initial=0.0) < RESTS))


def consistent_acceleration(how: Resolution, G, G_rate, want, want_rate) -> np.ndarray:
    """d/dt of the velocity law along its own motion, exact; `want` is u̇ less ∂u/∂t, `want_rate` its time derivative.

    Flat arrays; for one level without secondary wishes.
    """
    inverse = factored(G, weight_roots(how.weights, G.shape[-1]), how.damping)
    return inverse.acceleration(want, want_rate, G_rate)


def resolve_torque(
    space: AnimationSpace,
    q: ArrayLike,
    v: ArrayLike,
    acceleration: ArrayLike,
    t: ArrayLike = 0.0,
    weights: ArrayLike | None = None,
) -> Resolved:
    """Accelerations that give ü (..., size) with the least weighted torque τᵀWτ.

    With τ = M a + h and A = M W M: a = a₀ + A⁻¹Gᵀ(G A⁻¹Gᵀ)⁻¹(b − G a₀), a₀ = −M⁻¹h.

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    v : array_like, shape (..., nv)
        Velocities [rad/s, m/s]; batches broadcast with `q`.
    acceleration : array_like, shape (..., m)
        Accelerations ü of the coordinates.
    t : float, optional
        Time [s], for what depends on it.
    weights : array_like, shape (nv,), optional
        Weights of the squared torques.

    Returns
    -------
    Resolved
        Accelerations and what was not met.

    Raises
    ------
    RankLost
        If coordinates depend on each other, or a joint moves nothing that has inertia.
    """
    s, times, x = asked(space, q, t, acceleration, v=v)
    _require_open(space.model)
    _, slope, _, bias = resting(space, s, times, x).motion(s["q"], s["v"], times)
    rest = forward_dynamics(space.model, s["q"], s["v"], np.zeros_like(s["v"]))  # names what has no inertia
    roots = weight_roots(weights, space.model.nv)
    C = np.linalg.inv(
        roots[:, None] * mass_matrix(space.model, s["q"])
    )  # a − a₀ = C z, and |z|² is the weighted torque
    inverse = factored(slope[..., :-1] @ C, np.ones(space.model.nv))
    inverse.check_rank(space.labels)
    want = x - bias
    missing = want - np.einsum("smn,sn->sm", slope[..., :-1], rest)
    a = rest + np.einsum("sij,sj->si", C, inverse.velocity(missing))
    return _resolved(Resolution(), s, space, Found(a), want - np.einsum("smn,sn->sm", slope[..., :-1], a))


def _require_open(model: Model) -> None:
    require(
        not (model.constraints or model.prescribed),
        "resolve_torque knows neither constraints nor prescribed coordinates; use resolve_acceleration, shared_forces",
        NotSupported,
    )


def checked_resolution(how: Resolution | None) -> Resolution:
    """What was given, or the usual one."""
    require(how is None or isinstance(how, Resolution), "how must be a cd.control.Resolution", BadValue, how=how)
    return Resolution() if how is None else how


def asked(space: AnimationSpace, q, t, x, **others) -> tuple[States, np.ndarray, np.ndarray]:
    """States that have the batch shape of what is asked, too."""
    require_space(space)
    x = np.asarray(x, dtype=float)
    require(x.ndim and x.shape[-1] == space.size, f"give {space.size} numbers: {', '.join(space.labels)}", BadShape)
    require(np.isfinite(x).all(), "what is asked of the coordinates must be finite")
    q = np.asarray(q, dtype=float)
    q = np.broadcast_to(q, (*np.broadcast_shapes(q.shape[:-1], x.shape[:-1]), q.shape[-1]))
    s, times = checked_states(space.model, q, t, **others)
    return s, times, np.broadcast_to(x, (*s.batch, space.size)).reshape(s.count, space.size)


def _resolved(how: Resolution, s: States, space: AnimationSpace, found: Found, error: np.ndarray) -> Resolved:
    motion = s.shaped(found.motion, space.model.nv)
    say_conflicts(found.conflicts, how, error, "here")
    return Resolved(motion, s.shaped(error, space.size), found.conflicts, found.limited)
