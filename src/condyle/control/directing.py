"""Directed motion: coordinates follow their goals; joints, velocities, accelerations and torques result.

[ParkFussellBrowne1992, section 5, steps a-f]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.interpolate import make_interp_spline

from ..dynamics import inverse_dynamics
from ..dynamics.coordinates import coordinate_rates
from ..dynamics.states import States, states
from ..errors import BadShape, BadValue, require, unknown_name
from ..simulation.stages import unit
from .goals import derivatives_of
from .marching import rk4_step
from .posture import Posture
from .resolution import Resolution, consistent_acceleration, velocities
from .space import AnimationSpace

__all__ = ["Directed", "direct"]


@dataclass(frozen=True)
class Directed:
    """A directed motion at times t (T,): states q, v, a (..., T, n) and the forces tau that cause it.

    `u` are the coordinates and `target` where they should be (..., T, size; NaN for those without a value).
    """

    space: AnimationSpace
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray = field(repr=False)
    u: np.ndarray = field(repr=False)
    target: np.ndarray = field(repr=False)

    @property
    def error(self) -> np.ndarray:
        """Target less value (..., T, size)."""
        return self.target - self.u


class _Goals:
    """What is asked of each row at a time: flat arrays (count, size)."""

    def __init__(self, space: AnimationSpace, s: States, goals: Mapping[str, Any], t: float) -> None:
        names = [c.name for c in space.coordinates]
        for name in goals:
            if name not in names:
                raise unknown_name("coordinate", name, names, "this animation space")
        self.space, self.s, self.goals = space, s, goals
        self.start = space.jets(Posture(space.model, s["q"], np.full(s.count, t))).value

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values, rates and accelerations; a coordinate without a goal keeps its first value."""
        out = np.zeros((3, self.s.count, self.space.size))
        out[0] = self.start
        at = 0
        for c in self.space.coordinates:
            if c.name in self.goals:
                given = derivatives_of(self.goals[c.name], t, c.size)
                rows = [self._flat(x, c) for x in given]
                out[:, :, at : at + c.size] = rows if c.has_value else (np.zeros_like(rows[0]), *rows[:2])
            at += c.size
        return out[0], out[1], out[2]

    def _flat(self, x: np.ndarray, c) -> np.ndarray:
        expected = (*self.s.batch, c.size)
        try:
            return np.broadcast_to(x, expected).reshape(self.s.count, c.size)
        except ValueError:
            raise BadShape(f"the goal of {c.name!r} must have shape {expected}; got {x.shape}") from None


def direct(
    space: AnimationSpace,
    q,
    goals: Mapping[str, Any] | None = None,
    *,
    duration: float,
    step: float = 1e-3,
    how: Resolution | None = None,
    gain: float = 10.0,
    record: float | None = None,
    t0: float = 0.0,
) -> Directed:
    """Move from q (one pose or a batch) so that each coordinate follows its goal for `duration` seconds.

    `goals`: for a coordinate by name, keyframes, a constant, or f(t); those not named stay where they are, and a rate
    without a value takes the rate as its goal. What is off target is pulled back at `gain` [1/s]: u̇ = ġ + gain (g − u).
    Recorded every `record` seconds (every step).
    """
    how = Resolution() if how is None else how
    require(duration > 0 and step > 0 and np.isfinite([duration, step]).all(), "duration and step must be positive")
    require(np.isfinite(gain) and gain >= 0, "gain must not be negative", BadValue, gain=gain)
    s = states(space.model, q)
    law = _Law(space, how, _Goals(space, s, goals or {}, t0), gain, s)
    steps = max(1, round(duration / step))
    every = 1 if record is None else max(1, round(record / step))
    return _recorded(law, *_marched(law, t0, duration / steps, steps, every))


class _Law:
    """v(t, q) of the directed motion."""

    def __init__(self, space: AnimationSpace, how: Resolution, goals: _Goals, gain: float, s: States) -> None:
        self.space, self.how, self.goals, self.gain, self.s = space, how, goals, gain, s

    def velocity(self, t: float, q: np.ndarray) -> np.ndarray:
        """Velocities (count, nv) at poses q (count, nq)."""
        times = np.full(len(q), t)
        u = self.space.jets(Posture(self.space.model, q, times))
        x, rate, _ = self.goals.at(t)
        want = rate + self.gain * self._miss(x, u.value) - u.slope[..., -1]
        s = States(self.s.batch, len(q), {"q": q})
        return velocities(self.space, self.how, s, times, u.slope[..., :-1], want)

    def _miss(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.where(self.space.has_value, x - u, 0.0)

    def acceleration(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """d/dt of the velocity along the motion."""
        times = np.full(len(q), t)
        u, slope, rates, bias = self.space.motion(q, v, times)
        x, rate, acceleration = self.goals.at(t)
        u_rate = np.einsum("smk,sk->sm", slope[..., :-1], v) + slope[..., -1]
        want = rate + self.gain * self._miss(x, u) - slope[..., -1]
        drift = bias - np.einsum("smk,sk->sm", rates, v)  # d/dt of ∂u/∂t
        want_rate = acceleration + self.gain * self._miss(rate, u_rate) - drift
        s = States(self.s.batch, len(q), {"q": q, "v": v})
        return consistent_acceleration(self.space, s, times, want, want_rate, self.how)


def _marched(law: _Law, t0: float, h: float, steps: int, every: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, poses and velocities (T, count, n)."""
    model, q = law.space.model, law.s["q"]
    t, qs, vs = [t0], [q], [law.velocity(t0, q)]
    for k in range(steps):
        q = unit(model, rk4_step(lambda s, x: coordinate_rates(model, x, law.velocity(s, x)), t0 + k * h, q, h))
        if (k + 1) % every == 0:
            t.append(t0 + (k + 1) * h)
            qs.append(q)
            vs.append(law.velocity(t[-1], q))
    return np.array(t), np.array(qs), np.array(vs)


def _recorded(law: _Law, t: np.ndarray, q: np.ndarray, v: np.ndarray) -> Directed:
    space, s, model = law.space, law.s, law.space.model
    if law.how.secondary is None and law.how.priorities is None:
        a = np.array([law.acceleration(x, *state) for x, *state in zip(t, q, v, strict=True)])
    else:
        a = _differentiated(t, v)
    q, v, a = (np.moveaxis(x, 0, 1) for x in (q, v, a))
    tau = inverse_dynamics(model, q, v, a)
    u = space.jets(Posture(model, q.reshape(-1, model.nq), np.tile(t, s.count))).value.reshape(s.count, len(t), -1)
    target = np.stack([law.goals.at(x)[0] for x in t], axis=1)
    target, u = (np.where(space.has_value, x, np.nan) for x in (target, u))
    return Directed(space, t, *(x.reshape(*s.batch, *x.shape[1:]) for x in (q, v, a, tau, u, target)))


def _differentiated(t: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Accelerations from recorded velocities, by a spline of order 6 (the law has no closed derivative)."""
    steps = len(t) - 1
    return make_interp_spline(t, v, k=min(5, steps - 1 + steps % 2)).derivative()(t)
