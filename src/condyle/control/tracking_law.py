"""The law of a directed motion: which velocity, at a pose and a time, takes every coordinate to its goal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..dynamics import integrate
from ..dynamics.arguments import States
from ..dynamics.coordinate_differences import coordinate_rates
from ..errors import BadShape, BadValue, NotFinite, unknown_name
from .animation_space import AnimationSpace
from .coordinates.coordinate import Coordinate
from .coordinates.pose_jet import Posture
from .goals import Keyframes, derivatives_of
from .motion_request import Request, first_rows, resolved
from .resolution import Resolution, consistent_acceleration

NEAR = 2e-4  # [s] of the differences
FARTHEST = 1e12  # [m, rad or what a coordinate is in]: beyond it steps of a millionth are lost in rounding


class Goals:
    """What is asked of each row at a time: flat arrays (count, size)."""

    def __init__(self, space: AnimationSpace, s: States, goals: Mapping[str, Any], t: float) -> None:
        names = [c.name for c in space.coordinates]
        for name in goals:
            if name not in names:
                raise unknown_name("coordinate", name, names, "this animation space")
        for c in space.coordinates:
            keys = goals.get(c.name)
            if isinstance(keys, Keyframes) and keys.pieces.shape[-1] != c.size:
                raise BadShape(
                    f"{c.name!r} has {c.size} rows; its keyframes have {keys.pieces.shape[-1]} numbers a key"
                )
        self.space, self.s, self.goals = space, s, goals
        self.start = space.jets(Posture(space.model, s["q"], np.full(s.count, t), single=s.single)).value

    def at(self, t: float) -> np.ndarray:
        """Values, rates and accelerations (3, count, size); a coordinate without a goal keeps its first value."""
        out = np.zeros((3, self.s.count, self.space.size))
        out[0] = self.start
        at = 0
        for c in self.space.coordinates:
            if c.name in self.goals:
                rows = [self._flat(x, c) for x in self._asked(c, t)]
                out[:, :, at : at + c.size] = rows if c.has_value else (np.zeros_like(rows[0]), *rows[:2])
            at += c.size
        return out

    def _asked(self, c: Coordinate, t: float) -> list[np.ndarray]:
        """Value, rate and acceleration of a coordinate's goal, checked."""
        try:
            rows = derivatives_of(self.goals[c.name], t, c.size, c.name)
        except Exception as error:
            error.add_note(f"while the goal of {c.name!r} was evaluated at t = {t:g} s")
            raise
        if not max(map(_largest, rows)) <= FARTHEST:  # NaN too
            _require_near(rows, c.name, t)
        return rows

    def _flat(self, x: np.ndarray, c) -> np.ndarray:
        expected = (*self.s.batch, c.size)
        if x.shape == expected:
            return x.reshape(self.s.count, c.size)
        try:
            return np.broadcast_to(x, expected).reshape(self.s.count, c.size)
        except ValueError:
            raise BadShape(f"the goal of {c.name!r} must have shape {expected}; got {x.shape}") from None


def _largest(x: np.ndarray) -> float:
    return float(np.abs(x).max(initial=0.0))


def _require_near(rows: list[np.ndarray], name: str, t: float) -> None:
    """Refuse a goal that is not finite or too far away; its rates may be large."""
    if not all(np.isfinite(x).all() for x in rows):
        raise NotFinite(f"the goal of {name!r} is not finite at t = {t:g} s")
    if _largest(rows[0]) > FARTHEST:
        raise BadValue(
            f"the goal of {name!r} is {_largest(rows[0]):.3g} at t = {t:g} s, which nothing reaches: a goal is at most "
            f"{FARTHEST:g}; give metres and radians"
        )


class Law:
    """v(t, q) with u̇ = ġ + gain (g − u), resolved as `how` says; lower levels as fast as a `step` [s] can follow."""

    def __init__(
        self, space: AnimationSpace, how: Resolution, goals: Goals, gain: float, s: States, step: float = 0.0
    ) -> None:
        self.space, self.how, self.goals, self.gain, self.s, self.step = space, how, goals, gain, s, step
        self.limits = how.limits(space.model)
        self.conflicts: set[str] = set()
        self.limited: set[str] = set()
        self.plain = True  # every velocity so far had the closed form whose derivative is known
        self._last: tuple[float, np.ndarray, np.ndarray] | None = None  # a step begins where the last one was recorded

    def velocity(self, t: float, q: np.ndarray) -> np.ndarray:
        """Velocities (count, nv) at poses q (count, nq)."""
        if self._last is None or self._last[0] != t or self._last[1] is not q:
            self._last = (t, q, self._velocity(t, q))
        return self._last[2]

    def _velocity(self, t: float, q: np.ndarray) -> np.ndarray:
        times = np.full(len(q), t)
        posture = Posture(self.space.model, q, times, single=self.s.single)
        u = self.space.jets(posture)
        x, rate, _ = self.goals.at(t)
        want = rate + self.gain * self._miss(x, u.value) - u.slope[..., -1]
        s = States(self.s.batch, len(q), {"q": q})
        first, rows = first_rows(posture, self.gain), self.limits.on_velocities(posture)
        found = resolved(self.space, self.how, Request(u.slope[..., :-1], want, *first, rows, self.step), s, times)
        self.conflicts |= set(found.conflicts)
        self.limited |= set(found.limited)
        self.plain &= found.plain
        return found.motion

    def rate(self, t: float, q: np.ndarray) -> np.ndarray:
        """q̇ (count, nq)."""
        return coordinate_rates(self.space.model, q, self.velocity(t, q))

    def _miss(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.where(self.space.has_value, x - u, 0.0)

    def slopes(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """d/dt of the velocity along the motion (count, nv) by differences of the law itself, of order 4."""
        ahead = [self._velocity(t + x * NEAR, integrate(self.space.model, q, x * NEAR * v)) for x in (-2, -1, 1, 2)]
        return (ahead[0] - 8.0 * ahead[1] + 8.0 * ahead[2] - ahead[3]) / (12.0 * NEAR)

    def acceleration(self, times: np.ndarray, goals: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """d/dt of the velocity along the motion, of flat states at their times, with goals (3, states, size)."""
        u, slope, rates, bias = self.space.motion(q, v, times)
        x, rate, acceleration = goals
        G, u_time = slope[..., :-1], slope[..., -1]
        u_rate = np.einsum("smk,sk->sm", G, v) + u_time
        want = rate + self.gain * self._miss(x, u) - u_time
        drift = bias - np.einsum("smk,sk->sm", rates, v)  # d/dt of ∂u/∂t
        want_rate = acceleration + self.gain * self._miss(rate, u_rate) - drift
        return consistent_acceleration(self.how, G, rates, want, want_rate)
