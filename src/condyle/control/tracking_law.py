"""The law of a directed motion: which velocity, at a pose and a time, takes every coordinate to its goal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..dynamics import integrate
from ..dynamics.arguments import States
from ..dynamics.coordinate_differences import coordinate_rates
from ..errors import BadShape, BadValue, NotFinite, unknown_name
from .animation_space import AnimationSpace
from .coordinates.coordinate import Coordinate
from .coordinates.perfect_powers import held
from .coordinates.pose_jet import Posture
from .goals import Keyframes, derivatives_of
from .motion_request import Request, first_rows, resolved
from .resolution import Resolution, consistent_acceleration

NEAR = 2e-4  # [s] of the differences
CENTRAL = {-2: 1.0, -1: -8.0, 1: 8.0, 2: -1.0}  # weights by step, over 12 steps: order 4
FORWARD = {0: -25.0, 1: 48.0, 2: -36.0, 3: 16.0, 4: -3.0}  # the same where nothing is known before
REACTS = 0.04  # over the gain: the time in which a motion answers near the border of its reach
REACHED = 1e-4  # [m, rad or what a coordinate is in]: a goal that is nearer counts as reached
FARTHEST = 1e12  # [m, rad or what a coordinate is in]: beyond it steps of a millionth are lost in rounding


def held_by_goals(space: AnimationSpace, goals: Mapping[str, Any]) -> AnimationSpace:
    """The space with the bases of powers that have no goal, or the goal zero: they stay as they are, or go to zero."""
    moved = [space.rows(name) for name in space.powers if name in goals and not _always_zero(goals[name])]
    still = np.ones(space.size, dtype=bool)
    still[np.concatenate([np.zeros(0, dtype=int), *moved])] = False
    return held(space, still)


def _always_zero(goal: Any) -> bool:
    return isinstance(goal, (int, float, list, tuple, np.ndarray)) and not np.any(goal)


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


class Missed(NamedTuple):
    """A goal that a motion did not reach.

    Attributes
    ----------
    name : str
        Of the coordinate.
    by : float
        How far it was off at most, over all its rows [m, rad].
    t : float
        When [s].
    since, until : float
        The first and the last moment at which it was off [s].
    """

    name: str
    by: float
    t: float
    since: float
    until: float

    def __str__(self) -> str:
        span = f" ({self.since:g} to {self.until:g} s)" if self.since < self.until else ""
        return f"{self.name} off by {self.by:.3g} at {self.t:g} s{span}"


def asked_of(space: AnimationSpace, how: Resolution, goals: Mapping[str, Any]) -> tuple[str, ...]:
    """Coordinates that count as goals: those with one, and those that stay and yield to none of these.

    A posture that fills what the goals leave open, by a lower level or by a lighter weight, does not count.
    """
    level, weight = np.zeros(space.size, dtype=int), how.row_roots(space)
    for k, rows in enumerate(how.levels(space)):
        level[rows] = k
    led = space.rows([c.name for c in space.coordinates if c.name in goals]) if goals else np.zeros(0, dtype=int)
    lowest, lightest = level[led].max(initial=0), weight[led].min(initial=weight.max(initial=1.0))
    counts = (level <= lowest) & (weight >= lightest)
    counts[led] = True
    valued = [c.name for c in space.coordinates if c.has_value]
    return tuple(name for name in valued if counts[space.rows(name)].all())


def distances(space: AnimationSpace, names: tuple[str, ...], error: np.ndarray) -> np.ndarray:
    """How far each of these coordinates is off (..., T, names), over its rows."""
    if not names:
        return np.zeros((*error.shape[:-1], 0))
    return np.stack([np.linalg.norm(error[..., space.rows(name)], axis=-1) for name in names], axis=-1)


def missed_goals(
    space: AnimationSpace, names: tuple[str, ...], t: np.ndarray, target: np.ndarray, error: np.ndarray, gain: float
) -> tuple[Missed, ...]:
    """What was not reached; what starts off a goal that stands still has until the end, else its pull allows for it."""
    pull = gain * (t - t[0])
    out = []
    for name, far in zip(names, np.moveaxis(distances(space, names, error), -1, 0), strict=True):
        far = far.reshape(-1, len(t))
        goal = target[..., space.rows(name)].reshape(len(far), len(t), -1)
        late = (np.ptp(goal, axis=1).max(axis=-1) == 0.0) & (far[:, 0] > REACHED)
        allowed = REACHED + 1.05 * far[:, :1] * (1.0 + pull) * np.exp(-pull)
        allowed[late, :-1] = np.inf
        off = far > allowed
        if off.any():
            member, moment = np.unravel_index(int(np.argmax(np.where(off, far, 0.0))), far.shape)
            when = t[off[member]]
            out.append(Missed(name, float(far[member, moment]), float(t[moment]), float(when[0]), float(when[-1])))
    return tuple(out)


class Law:
    """v(t, q) with u̇ = ġ + gain (g − u), resolved as `how` says, as fast as a `step` [s] can follow.

    Near the border of what can be reached the time is REACTS / gain, or a quarter of a step if that is longer: with
    short steps the motion does not depend on them.
    """

    def __init__(
        self, space: AnimationSpace, how: Resolution, goals: Goals, gain: float, s: States, step: float = 0.0
    ) -> None:
        self.space, self.how, self.goals, self.gain, self.s = space, how, goals, gain, s
        self.step = max(0.25 * step, REACTS / gain if gain else 0.0)
        self.limits = how.limits(space.model)
        self.conflicts: set[str] = set()
        self.limited: set[str] = set()
        self.plain = True  # every velocity so far had the closed form whose derivative is known
        self._under_way = False
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
        found = resolved(
            self.space, self.how, Request(u.slope[..., :-1], want, *first, rows, self.step, self._under_way), s, times
        )
        self._under_way = True
        self.conflicts |= set(found.conflicts)
        self.limited |= set(found.limited)
        self.plain &= found.plain
        return found.motion

    def rate(self, t: float, q: np.ndarray) -> np.ndarray:
        """q̇ (count, nq)."""
        return coordinate_rates(self.space.model, q, self.velocity(t, q))

    def _miss(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.where(self.space.has_value, x - u, 0.0)

    def slopes(self, t: float, q: np.ndarray, v: np.ndarray, start: float, end: float) -> np.ndarray:
        """d/dt of the velocity along the motion (count, nv) by differences of the law itself, of order 4.

        Goals are asked for from `start` to `end` [s] only, as a table may know no other times.
        """
        near = min(NEAR, (end - start) / 8.0)
        weights, h = (FORWARD, near) if t - 2.0 * near < start else (CENTRAL, near)
        if t + 2.0 * near > end:
            weights, h = FORWARD, -near
        ahead = {x: min(max(t + x * h, start), end) for x in weights}  # of round-off, too
        law = [w * self._velocity(ahead[x], integrate(self.space.model, q, x * h * v)) for x, w in weights.items()]
        return np.sum(law, axis=0) / (12.0 * h)

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
