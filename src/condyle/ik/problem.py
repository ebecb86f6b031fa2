"""A model, its targets, limits and constraints as a least-squares problem, for many members at once.

Rolling asks nothing here: it holds velocities, and a wheel can be brought to any place that its joint allows.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..dynamics import integrate
from ..dynamics.constraints.constraint_gaps import constraint_gaps
from ..errors import InconsistentLoop
from ..model import Model
from ..model.memo import once_per_model
from ..model.resolved_constraints import Coupling, Loop, Rolling
from ..numeric import one_by_one
from ..spatial.arrays import for_kernels
from ..spatial.twists import pose_inverse
from .bounded_steps import least_step
from .targets import CoordinateTarget, Target

AT_LIMIT = 1e-13  # [rad or m]: less room than this is round-off
CLOSED = 1e-11  # [m or rad]: an order below what is promised
ROUNDS = 30  # of closing
LONGEST = 0.5  # [rad or m] of one step: further away the Jacobian says little


@dataclass(frozen=True)
class PackedTargets:
    """Targets as `kernels/residuals.py` reads them: places and constants, and a goal for each member."""

    points: int
    turns: int
    coordinates: int
    codes: np.ndarray
    fixed: np.ndarray
    goals: np.ndarray  # (count, 3 points + 9 turns + 2 coordinates)

    @staticmethod
    def of(model: Model, targets: list[Target | CoordinateTarget], batch: tuple[int, ...]) -> PackedTargets:
        """The targets of a batch, flattened."""
        held = [t for t in targets if isinstance(t, CoordinateTarget)]
        placed = [t for t in targets if isinstance(t, Target)]
        turned = [t for t in placed if t.rotation is not None]
        ends = [pose_inverse(model.inertial_frames[model.body_index(t.body)]) for t in placed]
        at = [np.column_stack([t.at @ X[:3, :3].T + X[:3, 3], t.weight]) for t, X in zip(placed, ends, strict=True)]
        axes = [
            np.append(X[:3, :3], t.rotation_weight) for t, X in zip(placed, ends, strict=True) if t.rotation is not None
        ]
        codes = [model.body_index(t.body) + 1 for t in placed for _ in t.at]
        codes += [model.body_index(t.body) + 1 for t in turned]
        codes += [place for t in held for place in model.place_of(t.coordinate)[1:]]
        fixed = np.concatenate([np.empty(0), *(x.ravel() for x in (*at, *axes))])
        goals = np.concatenate([_goals(placed, batch), _values(held, batch)], axis=1)
        return PackedTargets(sum(map(len, at)), len(axes), len(held), np.array(codes), fixed, goals)

    @property
    def rows(self) -> int:
        """How many residuals a member has."""
        return 3 * (self.points + self.turns) + self.coordinates

    @property
    def tables(self) -> tuple[tuple[int, int, int], tuple[np.ndarray, np.ndarray]]:
        """Counts and constants, as the kernels take them."""
        return (self.points, self.turns, self.coordinates), (self.codes, self.fixed)

    def subset(self, members: np.ndarray) -> PackedTargets:
        """The packed targets of some members."""
        return replace(self, goals=self.goals[members])


def _goals(targets: list[Target], batch: tuple[int, ...]) -> np.ndarray:
    """Where each member's points and axes should be."""
    count = int(np.prod(batch, dtype=int))
    places = [np.broadcast_to(t.xyz, (*batch, *t.at.shape)).reshape(count, t.at.size) for t in targets]
    turned = [np.broadcast_to(t.rotation, (*batch, 3, 3)) for t in targets if t.rotation is not None]
    return np.concatenate([np.empty((count, 0)), *places, *(R.reshape(count, 9) for R in turned)], axis=1)


def _values(targets: list[CoordinateTarget], batch: tuple[int, ...]) -> np.ndarray:
    """What each member's coordinates should be, and how much that weighs."""
    count = int(np.prod(batch, dtype=int))
    pairs = [np.broadcast_to(x, batch).reshape(count, 1) for t in targets for x in (t.value, t.weight)]
    return np.concatenate([np.empty((count, 0)), *pairs], axis=1)


@dataclass(frozen=True)
class Problem:
    """Members share the model, the bodies and the limits; each has its own targets."""

    model: Model
    targets: PackedTargets
    low: np.ndarray  # (nq,), −∞ where there is no limit
    high: np.ndarray
    is_single: bool = False  # one member that is no batch

    @staticmethod
    def of(model: Model, targets, batch: tuple[int, ...], limits: bool | Collection[str]) -> Problem:
        """The problem of a batch, flattened."""
        return Problem(model, PackedTargets.of(model, targets, batch), *limits_of(model, limits), batch == ())

    def subset(self, members: np.ndarray) -> Problem:
        """The problem of some members."""
        if len(members) == len(self.targets.goals) == 1:
            return self
        return replace(self, targets=self.targets.subset(members))

    def linear(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals (count, rows) and Jacobian (count, rows, nv)."""
        from .kernels.residuals import target_rows

        r, J = np.empty((len(q), self.targets.rows)), np.empty((len(q), self.targets.rows * self.model.nv))
        arrays = self.targets.goals, for_kernels(q), r, J
        given = (self.model.tables, self.targets.tables, arrays)
        one_by_one(lambda z, start, stop: target_rows(z, *given, start, stop), len(q))
        return r, J.reshape(len(q), self.targets.rows, self.model.nv)

    def room(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far each velocity direction may go, (count, nv) each way."""
        at_q, at_v = self.model.plain_places
        if len(at_q) == q.shape[1] == self.model.nv:  # every coordinate has a velocity of its own, in the same order
            low, high = self.low - q, self.high - q
        else:
            low, high = np.full((2, len(q), self.model.nv), [[[-np.inf]], [[np.inf]]])
            low[:, at_v], high[:, at_v] = self.low[at_q] - q[:, at_q], self.high[at_q] - q[:, at_q]
        if stay := list(self.model.prescribed_columns):
            low[:, stay] = high[:, stay] = 0.0
        return np.where(low > -AT_LIMIT, 0.0, low), np.where(high < AT_LIMIT, 0.0, high)

    @cached_property
    def is_held(self) -> bool:
        """Whether constraints hold positions."""
        return bool(held(self.model))

    def constraints(self, q: np.ndarray) -> np.ndarray | None:
        """The Jacobian (count, rows, nv) of the constraints, if there are any."""
        return gaps(self.model, q)[1] if self.is_held else None

    def shifted(self, q: np.ndarray, dv: np.ndarray) -> np.ndarray:
        """q after a step, inside its limits to the last bit."""
        moved = integrate(self.model, q, dv) if self.model.quaternions else q + dv
        return np.minimum(np.maximum(moved, self.low), self.high)

    def moved(self, q: np.ndarray, dv: np.ndarray) -> np.ndarray:
        """`shifted`, and back onto the constraints; where they cannot be closed q stays."""
        return self.onto(self.shifted(q, dv), q)

    def onto(self, q: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
        """q brought onto the constraints; `otherwise` where they cannot be closed."""
        if not self.is_held:
            return q
        q, gap = closed(self, q)
        return np.where((gap <= CLOSED)[:, None], q, otherwise)

    def starts(self, first: int, count: int, seed: int) -> np.ndarray:
        """Coordinates (count, nq) spread evenly inside the limits (π each way where there are none).

        Numbers `first`, … of an additive sequence: fractional parts of multiples of powers of the root of
        x^(n + 1) = x + 1 (Roberts 2018), so the same for all members and in any batch.
        """
        n, width = max(self.model.nq, 1), np.pi
        powers = _least_ratio(n) ** -np.arange(1.0, n + 1)
        u = (np.random.default_rng(seed).random(n) + np.arange(first, first + count)[:, None] * powers) % 1.0
        low = np.where(np.isfinite(self.low), self.low, np.where(np.isfinite(self.high), self.high - 2 * width, -width))
        high = np.where(np.isfinite(self.high), self.high, low + 2 * width)
        q = low + (high - low) * u[:, : self.model.nq]
        for at, _, _ in self.model.quaternions:
            q[:, at : at + 4] = _even_quaternions(u[:, at : at + 3])
        return q


def _least_ratio(n: int) -> float:
    """The positive root of x^(n + 1) = x + 1."""
    x = 1.5
    for _ in range(60):
        x = (1.0 + x) ** (1.0 / (n + 1))
    return x


def _even_quaternions(u: np.ndarray) -> np.ndarray:
    """Unit quaternions (count, 4), even over all rotations where u (count, 3) is even (Shoemake 1992)."""
    a, b = np.sqrt(1.0 - u[:, 0]), np.sqrt(u[:, 0])
    x, y = 2 * np.pi * u[:, 1], 2 * np.pi * u[:, 2]
    return np.stack([a * np.sin(x), a * np.cos(x), b * np.sin(y), b * np.cos(y)], axis=1)


def limits_of(model: Model, used: bool | Collection[str]) -> tuple[np.ndarray, np.ndarray]:
    """Ranges of the coordinates, or of some by name, else the domains of their splines; none if they are not used."""
    low, high = np.full(model.nq, -np.inf), np.full(model.nq, np.inf)
    if used is True:
        return _limits(model)
    for at in [model.q_index(name) for name in used or ()]:
        low[at], high[at] = (ends[at] for ends in _limits(model))
    return low, high


@once_per_model
def _limits(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Periodic coordinates and quaternions have none, nor have prescribed ones, which stay where they were put."""
    low, high = np.full(model.nq, -np.inf), np.full(model.nq, np.inf)
    for name, place in zip(model.coordinates, model.coordinate_places, strict=True):
        joint, c, q = model.bodies[place.body].joint, place.coordinate, place.q
        free = place.widths == (1, 1) and place.v not in model.prescribed
        if free and (name in model.ranges or not joint.periodic[c]):
            low[q], high[q] = model.range_of(name)
    return low, high


def held(model: Model) -> tuple[Loop | Coupling, ...]:
    """The constraints that hold positions."""
    return tuple(c for c in model.constraints if not isinstance(c, Rolling))


def gaps(model: Model, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far these are from holding (count, rows) and the Jacobian of that (count, rows, nv)."""
    rows = sum(c.rows for c in held(model))  # these come before the rows of rolling
    gap, C = constraint_gaps(model, q)
    return gap[:, :rows], C[:, :rows]


def closed(problem: Problem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(q, largest gap) brought onto the constraints by shortest steps inside the limits."""
    q, largest, live = q.copy(), np.full(len(q), np.inf), np.arange(len(q))
    for _ in range(ROUNDS):
        gap, C = gaps(problem.model, q[live])
        largest[live] = np.abs(gap).max(axis=1)
        open_ = largest[live] > CLOSED
        if not open_.any():
            break
        live, gap, C = live[open_], gap[open_], C[open_]
        dv = least_step(C, -gap, *problem.room(q[live]))
        dv *= np.minimum(1.0, LONGEST / np.maximum(np.abs(dv).max(axis=1, keepdims=True), 1e-300))
        q[live] = problem.shifted(q[live], dv)
    return q, largest


def require_closed(problem: Problem, q: np.ndarray) -> np.ndarray:
    """q on the constraints, or the words of the first that cannot be closed."""
    q, largest = closed(problem, q)
    if (largest <= CLOSED).all():
        return q
    gap = gaps(problem.model, q)[0]
    member = int(np.argmax(largest))
    ends = np.cumsum([c.rows for c in held(problem.model)])
    worst = held(problem.model)[int(np.searchsorted(ends, np.argmax(np.abs(gap[member])), side="right"))]
    raise InconsistentLoop(
        f"inverse kinematics: the {worst.label} cannot be closed from q0 inside the ranges of the coordinates: a gap "
        f"of {largest[member]:.3g} {worst.unit} is left. Start nearer, widen the ranges, or leave them: limits=False."
    )
