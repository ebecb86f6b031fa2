"""What is asked of velocities (or accelerations) at flat states, and the answer: constraints, limits, levels.

All states together where no limit holds; those whose limits do are solved one by one (`priority_program`).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..dynamics.arguments import States
from ..dynamics.constraints.constraint_gaps import constraint_gaps
from ..dynamics.kinematics import STEP
from ..errors import BadShape, CondyleWarning, RankLost
from .coordinates.pose_jet import Posture
from .motion_limits import Rows
from .priority_program import Bounds, Level, by_levels
from .weighted_pseudoinverse import Inverse, factored, pace_of, weight_roots

if TYPE_CHECKING:
    from .animation_space import AnimationSpace
    from .resolution import Resolution

VANISHED = 1e-10  # share of its usual length below which the gradient of a row counts as zero
MISSED = 1e-7  # share of what is asked that says that rows contradict each other


class Known(NamedTuple):
    """Velocities that are given: their columns, and values (count, columns)."""

    columns: np.ndarray
    values: np.ndarray


class Request(NamedTuple):
    """Rows G v = want, after the model's own L v = closed, with known velocities and inside limits.

    With a `step` [s] no level asks for more than such a step can follow. `under_way` is for a motion whose first rows
    were independent: it comes to singular poses where its goals are out of reach.
    """

    G: np.ndarray
    want: np.ndarray
    L: np.ndarray
    closed: np.ndarray
    known: Known
    limits: Rows
    step: float = 0.0
    under_way: bool = False


class Found(NamedTuple):
    """The motion (count, nv), names of rows in conflict and of limits that hold, and whether the law was plain."""

    motion: np.ndarray
    conflicts: tuple[str, ...] = ()
    limited: tuple[str, ...] = ()
    plain: bool = False


def first_rows(posture: Posture, pull: float) -> tuple[np.ndarray, np.ndarray, Known]:
    """Constraints as rows of velocities, drawn closed at `pull` [1/s], and prescribed velocities."""
    model, q = posture.model, posture.real_q
    known = Known(np.array(sorted(model.prescribed_columns), dtype=int), _given(posture, pull))
    if not model.constraints:
        return np.zeros((len(q), 0, model.nv)), np.zeros((len(q), 0)), known
    gap, L = constraint_gaps(model, q)
    return L, -pull * gap, known


def _given(posture: Posture, pull: float) -> np.ndarray:
    """Prescribed velocities (count, columns), with a pull back to where the motion is prescribed to be."""
    model = posture.model
    out = np.zeros((len(posture), len(model.prescribed)))
    if not model.prescribed:
        return out
    places = {model.v_index(name): model.q_index(name) for name in model.coordinates}
    for k, column in enumerate(sorted(model.prescribed_columns)):
        at = np.array([model.prescribed[column].at(float(t)) for t in posture.time])
        out[:, k] = at[:, 1] + pull * (at[:, 0] - posture.real_q[:, places[column]])
    return out


def first_accelerations(posture: Posture, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, Known]:
    """Constraints as rows of accelerations, and prescribed ones; the posture is a step ahead along v."""
    model = posture.model
    columns = sorted(model.prescribed_columns)
    given = columns and [[model.prescribed[c].at(float(t))[2] for c in columns] for t in posture.time]
    known = Known(np.array(columns, dtype=int), np.array(given).reshape(len(posture), len(columns)))
    if not model.constraints:
        return np.zeros((len(v), 0, model.nv)), np.zeros((len(v), 0)), known
    _, L = constraint_gaps(model, posture.q.value)
    return np.real(L), -np.einsum("smk,sk->sm", np.imag(L) / STEP, v), known


def resolved(space: AnimationSpace, how: Resolution, ask: Request, s: States, times: np.ndarray) -> Found:
    """The motion. Dependent rows raise where `how` has it; other conflicts are for the caller to say."""
    nv, given, free = space.model.nv, len(ask.known.columns) > 0, slice(None)
    out = np.zeros((s.count, nv))
    if given:
        free = np.setdiff1d(np.arange(nv), ask.known.columns)
        out[:, ask.known.columns] = ask.known.values
    roots, rows = weight_roots(how.weights, nv)[free], how.row_roots(space)
    ask = _lasting(space, ask)
    want, closed = ask.want * rows, ask.closed
    if given:
        want = want - np.einsum("smn,sn->sm", ask.G, out) * rows
        closed = closed - np.einsum("smn,sn->sm", ask.L, out)
    G, L = ask.G[..., free] * rows[:, None], ask.L[..., free]
    wish = None if how.secondary is None else _wished(how, s, times, nv)[:, free]
    plain, slowed = not L.shape[1] and len(how.levels(space)) == 1, False
    pace = rows * pace_of(ask.step, space.row_sizes) if ask.step else None
    if plain:
        inverse = factored(G, roots, how.damping)
        if _policy(space, how, ask.under_way) == "raise":
            inverse.check_rank(space.labels)
        v, slowed = _followed(inverse, want, pace)
    else:
        v, inverse = _in_levels(_ordered(how, space, L.shape[1], pace), G, want, L, closed, roots)
    v = v if wish is None else v + inverse.null_space_part(wish)
    limits = _left(ask.limits, free, out)
    held = np.zeros(limits.low.shape, dtype=bool)
    if limits.labels:
        _limit(v, _ordered(how, space, 0, pace), G, want, L, closed, roots, wish, limits, held)
    out[:, free] = v
    plain = plain and not slowed
    independent, conflicts = plain and not inverse.dependent.any(), ()
    if limits.labels or not independent:  # independent rows are all met
        conflicts = _conflicts(space, how, want - np.einsum("smn,sn->sm", G, v), want, held)
    limited = _named(limits.labels, held)
    usual = independent and wish is None and not limited and not given
    return Found(out, conflicts, limited, bool(usual or (plain and how.damping and not limited and wish is None)))


def _lasting(space: AnimationSpace, ask: Request) -> Request:
    """Rows whose gradient is round-off are made zero."""
    gone = np.einsum("smn,smn->sm", ask.G, ask.G) <= (VANISHED * space.row_sizes) ** 2
    return ask._replace(G=np.where(gone[..., None], 0.0, ask.G)) if gone.any() else ask


def _left(limits: Rows, free: np.ndarray | slice, known: np.ndarray) -> Rows:
    """Limits on the columns that are free, less what known velocities use of them."""
    if not limits.labels:
        return limits
    moved = np.einsum("skn,sn->sk", limits.C, known)
    return Rows(limits.C[..., free], limits.low - moved, limits.high - moved, limits.labels)


def _policy(space: AnimationSpace, how: Resolution, under_way: bool) -> str:
    return how.conflicts or ("warn" if space.redundant or under_way else "raise")


def _followed(inverse: Inverse, want: np.ndarray, pace: np.ndarray | None) -> tuple[np.ndarray, bool]:
    """Velocities of one level, as fast as its pace allows, and whether that slowed any."""
    v = inverse.velocity(want)
    fast = np.zeros(0, dtype=int) if pace is None else np.flatnonzero(inverse.outrun(v, pace))
    if not len(fast):
        return v, False
    exact, slow = v[fast], factored(inverse.G[fast], inverse.roots, inverse.damping, scaled=False)
    v[fast] = slow.velocity(want[fast], pace)
    return v, not np.allclose(v[fast], exact, rtol=1e-9, atol=1e-12)


def _wished(how: Resolution, s: States, times: np.ndarray, nv: int) -> np.ndarray:
    t = times.reshape(s.batch) if s.batch else float(times[0])
    z = np.asarray(how.secondary(t, s.shaped(s["q"], s["q"].shape[-1])), dtype=float)  # type: ignore[misc]
    try:
        return np.broadcast_to(z, (*s.batch, nv)).reshape(s.count, nv)
    except ValueError:
        raise BadShape(f"secondary must return velocities (..., {nv}); got {z.shape}") from None


class _Order(NamedTuple):
    """Rows of a level, its damping, and the pace of its rows if it has one."""

    rows: np.ndarray
    damping: float
    pace: np.ndarray | None


def _ordered(how: Resolution, space: AnimationSpace, constraints: int, pace: np.ndarray | None) -> list[_Order]:
    """The levels one after the other; the model's constraints come first, undamped."""
    first = [_Order(np.arange(constraints), 0.0, None)] if constraints else []
    levels = how.levels(space)
    return first + [_Order(rows + constraints, how.damping, None if pace is None else pace[rows]) for rows in levels]


def _in_levels(order: Sequence[_Order], G, want, L, closed, roots) -> tuple[np.ndarray, Inverse]:
    """Each level moves only what leaves the levels above it alone."""
    A, b = np.concatenate([L, G], axis=1), np.concatenate([closed, want], axis=1)
    v, left, done = np.zeros((len(A), A.shape[-1])), A, np.zeros(0, dtype=int)
    for level in order:
        rows = level.rows
        missing = b[:, rows] - np.einsum("smn,sn->sm", A[:, rows], v)
        v = v + _level(left[:, rows], A[:, rows], roots, level).velocity(missing, level.pace)
        done = np.concatenate([done, rows])
        left = factored(A[:, done], roots).idle_rows(A)
    return v, factored(A, roots)


def _level(left: np.ndarray, whole: np.ndarray, roots: np.ndarray, level: _Order) -> Inverse:
    """The inverse of projected rows; rows that have almost nothing left are dropped, not blown up."""
    gone = np.linalg.norm(left, axis=-1) <= 1e-8 * np.linalg.norm(whole, axis=-1)
    return factored(np.where(gone[..., None], 0.0, left), roots, level.damping, scaled=level.pace is None)


def _limit(v, levels: Sequence[_Order], G, want, L, closed, roots, wish, limits: Rows, held: np.ndarray) -> None:
    """Bring states that leave their limits back, in place, and mark which limits hold (count, k)."""
    y = np.einsum("skn,sn->sk", limits.C, v)
    for i in np.flatnonzero(((y < limits.low) | (y > limits.high)).any(axis=1)):
        order = [Level(L[i] / roots, closed[i])] if L.shape[1] else []
        order += [Level(G[i, x.rows] / roots, want[i, x.rows], x.damping, x.pace) for x in levels]
        order += [Level(np.eye(len(roots)), roots * wish[i])] if wish is not None else []
        bounds = Bounds(limits.C[i] / roots, limits.low[i], limits.high[i])
        answer = by_levels(order, bounds, first=int(L.shape[1] > 0))
        v[i], held[i] = answer.x / roots, answer.held


def _conflicts(space, how: Resolution, missing: np.ndarray, want: np.ndarray, held: np.ndarray) -> tuple[str, ...]:
    """Rows that cannot be had together, unless they yield by priority, damping or a limit."""
    if how.damping or how.priorities is not None:
        return ()
    off = np.abs(missing) > MISSED * (1.0 + np.abs(want).max(axis=1, keepdims=True))
    if held.any():
        off &= ~held.any(axis=1, keepdims=True)
    return _named(space.labels, off)


def _named(labels: Sequence[str], flags: np.ndarray) -> tuple[str, ...]:
    """The labels of columns (count, labels) that any state flags."""
    if not flags.any():
        return ()
    return tuple(name for name, x in zip(labels, np.atleast_1d(flags.any(axis=0)), strict=True) if x)


def say_conflicts(names: Sequence[str], how: Resolution, error: np.ndarray, where: str) -> None:
    """Raise or warn of rows that cannot be had together."""
    if not names or how.conflicts == "ignore":
        return
    words = (
        f"coordinates {', '.join(map(repr, names))} cannot all move as asked {where}: they vanish, contradict each "
        "other or the model's constraints. Give them priorities or row_weights, or drop one"
    )
    if how.conflicts == "raise":
        raise RankLost(words)
    worst = float(np.nanmax(np.abs(error), initial=0.0))
    warnings.warn(f"{words}; the least squares was taken, which misses up to {worst:.3g}", CondyleWarning, stacklevel=4)
