"""Directed motion: coordinates follow their goals; joints, velocities, accelerations and torques result.

[ParkFussellBrowne1992, section 5, steps a-f]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import make_interp_spline

from ..dynamics import inverse_dynamics
from ..dynamics.arguments import states
from ..errors import BadValue, require, unknown_name
from ..simulation import Trajectory
from ..simulation.control_at_stages import unit
from ..typing import ArrayLike
from .animation_space import AnimationSpace, require_free
from .coordinates.pose_jet import Posture
from .ode_steppers import METHODS
from .resolution import Resolution
from .tracking_law import Goals, Law

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
    """

    space: AnimationSpace
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    u: np.ndarray
    target: np.ndarray

    def __repr__(self) -> str:
        members = f"{int(np.prod(self.q.shape[:-2]))} motions, each " if self.q.ndim > 2 else ""
        off = np.nanmax(np.abs(self.error), initial=0.0)
        return (
            f"<Directed: {members}{self.t[-1] - self.t[0]:g} s in {len(self.t)} moments, at most {off:.1e} off goals>"
        )

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
        If duration, step or record is not positive, or the gain is negative.

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
    how = Resolution() if how is None else how
    require_free(space.model, "direct")
    require(isinstance(how, Resolution), "how must be a cd.control.Resolution", how=how)
    given = goals is None or isinstance(goals, Mapping)
    require(given, "goals must be a dict from names of coordinates to goals", goals=type(goals).__name__)
    times = [duration, step, step if record is None else record]
    require(np.isfinite(times).all() and min(times) > 0, "duration, step and record must be positive", times=times)
    require(np.isfinite(gain) and gain >= 0, "gain must not be negative", BadValue, gain=gain)
    if integrator not in METHODS:
        raise unknown_name("integrator", integrator, METHODS, "direct")
    s = states(space.model, q)
    law = Law(space, how, Goals(space, s, goals or {}, t0), gain, s)
    times = t0 + np.linspace(0.0, duration, max(1, round(duration / (step if record is None else record))) + 1)
    return _recorded(law, times, *_marched(law, integrator, times, step, tolerance))


def _marched(law: Law, integrator: str, times: np.ndarray, step: float, tolerance: float):
    """Poses and velocities (T, count, n)."""
    model, q = law.space.model, law.s["q"]
    qs, vs = [q], [law.velocity(times[0], q)]
    nodes = METHODS[integrator](law.rate, q, times, step, tolerance, lambda x, _: unit(model, x))
    for t, q in zip(times[1:], nodes, strict=True):
        qs.append(q)
        vs.append(law.velocity(t, q))
    return np.array(qs), np.array(vs)


def _recorded(law: Law, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> Directed:
    space, s, model = law.space, law.s, law.space.model
    goals = np.stack([law.goals.at(x) for x in t], axis=1)  # (3, T, count, size)
    exact = law.how.secondary is None and law.how.priorities is None
    a = _accelerations(law, t, goals, q, v) if exact else _differentiated(t, v)
    u = space.jets(Posture(model, q.reshape(-1, model.nq), np.repeat(t, s.count))).value.reshape(len(t), s.count, -1)
    q, v, a, u, target = (np.moveaxis(x, 0, 1) for x in (q, v, a, u, goals[0]))
    tau = inverse_dynamics(model, q, v, a)
    target, u = (np.where(space.has_value, x, np.nan) for x in (target, u))
    return Directed(space, t, *(x.reshape(*s.batch, *x.shape[1:]) for x in (q, v, a, tau, u, target)))


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
