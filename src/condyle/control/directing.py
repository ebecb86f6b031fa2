"""Directed motion: coordinates follow their goals; joints, velocities, accelerations and torques result.

[ParkFussellBrowne1992, section 5, steps a-f]
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import make_interp_spline

from ..dynamics import inverse_dynamics, project
from ..dynamics.arguments import States, states
from ..dynamics.constraints.constraint_gaps import constraint_gaps
from ..dynamics.muscle_calls import TOGETHER, warn_once_of_idle_muscles
from ..errors import BadValue, CondyleWarning, InconsistentLoop, require, unknown_name
from ..model import Model
from ..simulation import Trajectory
from ..simulation.control_at_stages import unit
from ..typing import ArrayLike
from .animation_space import AnimationSpace, require_free, require_space
from .coordinates.pose_jet import Posture
from .motion_request import say_conflicts
from .ode_steppers import METHODS
from .plain_numbers import not_negative, positive
from .resolution import Resolution, checked_resolution
from .tracking_law import Goals, Law, Missed, asked_of, distances, held_by_goals, missed_goals

JUMP = 1.0  # [rad or m] of one step that says that a motion is not followed any more
OPEN = 1e-6  # [m or rad] how far loops may be open at the start
CHUNK = 2048  # states whose accelerations are computed at once


@dataclass(frozen=True, repr=False)
class Directed:
    """A directed motion and the forces that cause it.

    Attributes
    ----------
    space : AnimationSpace
    t : ndarray, shape (T,)
        [s]
    q, v, a : ndarray, shape (..., T, n)
        States and accelerations.
    tau : ndarray, shape (..., T, nv)
        Forces.
    u : ndarray, shape (..., T, size)
        The coordinates.
    target : ndarray, shape (..., T, size)
        Where they should be; NaN for those without a value.
    conflicts : tuple of str
        Rows that contradicted each other somewhere on the way, and were missed by that.
    limited : tuple of str
        Limits that held the motion somewhere on the way: coordinates at their range or speed, rows of what is kept.
    goals : tuple of str
        Coordinates that count as goals: those with one, and those that stay and yield to none of these.
    missed : tuple of Missed
        Goals that were not reached: `name`, `by` how much at most, at which `t`, `since` and `until` when.
    """

    space: AnimationSpace
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    u: np.ndarray
    target: np.ndarray
    conflicts: tuple[str, ...] = ()
    limited: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    missed: tuple[Missed, ...] = ()

    def __repr__(self) -> str:
        members = f"{int(np.prod(self.q.shape[:-2]))} motions, each " if self.q.ndim > 2 else ""
        off = distances(self.space, self.goals, self.error).max(initial=0.0)
        missed = f"; not reached: {', '.join(map(str, self.missed))}" if self.missed else ""
        limits = f", limited by {', '.join(self.limited)}" if self.limited else ""
        span = f"{self.t[-1] - self.t[0]:g} s in {len(self.t)} moments"
        return f"<Directed: {members}{span}, at most {off:.1e} off goals{limits}{missed}>"

    @property
    def trajectory(self) -> Trajectory:
        """The states alone, to look at, export or save."""
        return Trajectory(self.space.model, self.t, self.q, self.v)

    @property
    def error(self) -> np.ndarray:
        """Target less value (..., T, size)."""
        return self.target - self.u


def direct(
    space: AnimationSpace,
    q: ArrayLike,
    goals: Mapping[str, Any] | None = None,
    *,
    duration: float,
    step: float = 1e-3,
    how: Resolution | None = None,
    gain: float = 10.0,
    record: float | None = None,
    integrator: str = "rk4",
    tolerance: float = 1e-9,
    t0: float = 0.0,
) -> Directed:
    """Move from q (one pose or a batch) so that each coordinate follows its goal for `duration` seconds.

    `goals`: for a coordinate by name, keyframes, a constant, or f(t); those not named stay where they are, and a rate
    without a value takes the rate as its goal. What is off target is pulled back at `gain` [1/s]: u̇ = ġ + gain (g − u).
    Recorded every `record` seconds (every step). `integrator`: "rk4"; "adams", which looks at a pose once per step, for
    speed; "adaptive" or "bulirsch-stoer", which choose their steps so that each has an error below `tolerance`.
    A goal out of reach is followed as far as it can be, at bounded speeds; the motion's `missed` and its repr say by
    how much it was missed, and when.

    Parameters
    ----------
    space : AnimationSpace
        The coordinates.
    q : array_like, shape (..., nq)
        The pose or poses to start from.
    goals : mapping of str, optional
        By coordinate: keyframes, a constant, or f(t).
    duration : float
        [s]
    step : float, optional
        [s]
    how : Resolution, optional
        Which of the many motions: weights, damping, priorities.
    gain : float, optional
        Pull back to the goals [1/s].
    record : float, optional
        Seconds between records; every step if left out.
    integrator : {"rk4", "adams", "adaptive", "bulirsch-stoer"}
    tolerance : float, optional
        Error per step of the adaptive ones.
    t0 : float, optional
        Time at the start [s].

    Returns
    -------
    Directed
        `q`, `v`, `a`, `tau`, `error` over time, and `trajectory`.

    Raises
    ------
    UnknownName
        If a goal names no coordinate, or there is no such integrator.
    BadValue
        If duration, step, record or tolerance is not positive, or the gain is negative.

    Warns
    -----
    IdleMuscles
        The model has muscles, ligaments or springs along paths; once for each model.

    Examples
    --------
    The bob of a pendulum moves 0.5 m to the side within a second:

    >>> import condyle as cd
    >>> bob = cd.Inertia.point(1.0, (0, 0, -1))
    >>> model = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob).build()
    >>> space = cd.control.AnimationSpace(model, cd.control.point("bob", (0, 0, -1), axes="x", name="side"))
    >>> goal = cd.control.keyframes([0.0, 1.0], [0.0, -0.5])
    >>> motion = cd.control.direct(space, [0.0], {"side": goal}, duration=1.0, step=0.01)
    >>> motion.q[-1].round(4)  # arcsin 0.5
    array([0.5236])
    """
    require_space(space)
    warn_once_of_idle_muscles("direct", space.model, TOGETHER)
    how = checked_resolution(how)
    if len(space.model.prescribed) == space.model.nv:
        require_free(space.model, "direct")
    given = goals is None or isinstance(goals, Mapping)
    require(given, "goals must be a dict from names of coordinates to goals", goals=type(goals).__name__)
    times = [duration, step, step if record is None else record]
    require(all(map(positive, times)), "duration, step and record must be positive", times=times)
    require(positive(tolerance), "tolerance must be positive", BadValue, tolerance=tolerance)
    require(np.isfinite(t0), "t0 must be a time [s]", BadValue, t0=t0)
    require(not_negative(gain), "gain must not be negative", BadValue, gain=gain)
    if integrator not in METHODS:
        raise unknown_name("integrator", integrator, METHODS, "direct")
    s = states(space.model, q)
    s = States(s.batch, s.count, {"q": _started(space.model, s["q"], t0)})
    whole = Goals(space, s, goals or {}, t0)
    rows = held_by_goals(space, whole.goals)
    followed = whole if rows is space else Goals(rows, s, whole.goals, t0)
    law = Law(rows, how, followed, gain, s, step if integrator in ("rk4", "adams") else 0.0)
    times = t0 + np.linspace(0.0, duration, max(1, round(duration / (step if record is None else record))) + 1)
    return _recorded(law, whole, times, *_marched(law, integrator, times, step, tolerance))


def _marched(law: Law, integrator: str, times: np.ndarray, step: float, tolerance: float):
    """Poses and velocities (T, count, n)."""
    model, q = law.space.model, law.s["q"]
    closed = lambda q, v: project(model, q, v)[1] if model.constraints else v  # noqa: E731
    qs, vs = [q], [closed(q, law.velocity(times[0], q))]
    tidied = lambda x, t: _on_constraints(model, law.limits.clamped(unit(model, x)), t)  # noqa: E731
    nodes = METHODS[integrator](law.rate, q, times, step, tolerance, tidied)
    for t, q in zip(times[1:], nodes, strict=True):
        qs.append(q)
        vs.append(closed(q, law.velocity(t, q)))
    _say_jumps(model, times, np.array(vs), min(step, times[1] - times[0]))
    return np.array(qs), np.array(vs)


def _say_jumps(model: Model, times: np.ndarray, v: np.ndarray, step: float) -> None:
    """Warn of a motion that is faster than its steps resolve, as near a singular pose."""
    fastest = np.abs(v).max(axis=1)  # (T, nv)
    moment, column = np.unravel_index(int(np.argmax(fastest)), fastest.shape)
    if fastest[moment, column] * step > JUMP:
        name = next((n for n in model.coordinates if model.v_index(n) == column), f"velocity {column}")
        far = fastest[moment, column] * step
        warnings.warn(
            f"direct: {name!r} moves {far:.3g} rad or m per step at t = {times[moment]:g} s, more than a step can "
            "follow: goals out of reach, or a singular pose? Give damping, speeds or smaller steps",
            CondyleWarning,
            stacklevel=4,
        )


def _on_constraints(model: Model, q: np.ndarray, t: float) -> np.ndarray:
    """Prescribed coordinates where they are prescribed to be, and loops closed, after a step that nearly did so."""
    for column, motion in model.prescribed.items():
        at = next(model.q_index(name) for name in model.coordinates if model.v_index(name) == column)
        q[:, at] = motion.at(t)[0]
    return project(model, q)[0] if model.constraints else q


def _started(model: Model, q: np.ndarray, t: float) -> np.ndarray:
    """The start on the model's constraints; one that is far from them is refused."""
    if not (model.constraints or model.prescribed):
        return q
    if model.constraints:
        gap = float(np.abs(constraint_gaps(model, q)[0]).max(initial=0.0))
        require(
            gap < OPEN,
            "direct: the start does not fulfil the model's constraints; begin at cd.project(model, q)[0]",
            InconsistentLoop,
            gap=gap,
        )
    return _on_constraints(model, q.copy(), t)


def _recorded(law: Law, asked: Goals, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> Directed:
    """The motion, told in the coordinates as they were asked for."""
    space, s, model = asked.space, law.s, law.space.model
    goals, targets = (np.stack([x.at(time) for time in t], axis=1) for x in (law.goals, asked))  # (3, T, count, size)
    a = _accelerations(law, t, goals, q, v) if law.plain else _law_slopes(law, t, q, v)
    u = space.jets(Posture(model, q.reshape(-1, model.nq), np.repeat(t, s.count))).value.reshape(len(t), s.count, -1)
    q, v, a, u, target = (np.moveaxis(x, 0, 1) for x in (q, v, a, u, targets[0]))
    tau = inverse_dynamics(model.without_muscles(), q, v, a)
    target, u = (np.where(space.has_value, x, np.nan) for x in (target, u))
    q, v, a, tau, shaped_u, goal = (x.reshape(*s.batch, *x.shape[1:]) for x in (q, v, a, tau, u, target))
    conflicts = tuple(sorted(law.conflicts))
    names = asked_of(space, law.how, law.goals.goals)
    missed = missed_goals(space, names, t, target, target - u, law.gain)
    if missed or law.how.conflicts or space.redundant:
        say_conflicts(conflicts, law.how, distances(space, names, target - u), "somewhere on the way")
    said: dict[str, Any] = {"conflicts": conflicts, "limited": tuple(sorted(law.limited)), "goals": names}
    said["missed"] = missed
    return Directed(space, t, q, v, a, tau, shaped_u, goal, **said)


def _law_slopes(law: Law, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Accelerations of a law without a closed derivative: of its velocities over time, or of the law where it bends."""
    model = law.space.model
    if not (law.limited or law.conflicts or model.constraints or model.prescribed):
        return _differentiated(t, v)
    return np.array([law.slopes(time, x, y, t[0], t[-1]) for time, x, y in zip(t, q, v, strict=True)])


def _accelerations(law: Law, t: np.ndarray, goals: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The exact time derivative of the velocities, all moments of all members together, some thousand at a time."""
    shape, times = v.shape, np.repeat(t, v.shape[1])
    goals, q, v = goals.reshape(3, len(times), -1), q.reshape(len(times), -1), v.reshape(len(times), -1)
    parts = [slice(i, i + CHUNK) for i in range(0, len(times), CHUNK)]
    return np.concatenate([law.acceleration(times[x], goals[:, x], q[x], v[x]) for x in parts]).reshape(shape)


def _differentiated(t: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Accelerations from recorded velocities, by a spline of order 6 (the law has no closed derivative)."""
    steps = len(t) - 1
    return make_interp_spline(t, v, k=min(5, steps - 1 + steps % 2)).derivative()(t)
