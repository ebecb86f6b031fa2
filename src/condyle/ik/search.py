"""Levenberg-Marquardt for many members at once, each with its own damping and its own end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numeric import over_lanes
from .constraint_projection import downhill, lowest_points, quadratic_step
from .kernels.search import (
    CONTRACTION,
    FLAT,
    GOING,
    REACHED,
    SLOW,
    SLOWEST,
    STATIONARY,
    search_members,
)
from .problem import Problem
from .refinement import off_saddles, polished

DAMPING = 0.1  # μ at the start
BOLD = 16  # steps taken whether they help or not
SHAKE = 0.01  # [rad or m] off a stationary point, to see whether the search comes back
ESCAPES = 3  # from saddles, one after the other
SAME = 1e-9  # relative difference of residuals that are one


@dataclass
class SearchResult:
    """Result of a search for each batch member: best q, residual norm, largest component, stationarity, iterations."""

    q: np.ndarray
    residual: np.ndarray
    largest: np.ndarray
    stationary: np.ndarray
    iterations: np.ndarray

    @staticmethod
    def at_start(q: np.ndarray) -> SearchResult:
        """Members that have not begun."""
        n = len(q)
        return SearchResult(q.copy(), np.full(n, np.inf), np.full(n, np.inf), np.zeros(n, bool), np.zeros(n, int))

    def improvable(self, tolerance: float) -> np.ndarray:
        """Indices of members that did not reach their targets; not those whose residuals overflow (no gradient)."""
        return np.flatnonzero((self.largest > tolerance) & np.isfinite(self.residual))

    def at(self, members: np.ndarray) -> SearchResult:
        """The results of some members."""
        return SearchResult(*(getattr(self, name)[members] for name in SearchResult.__dataclass_fields__))

    def update_where(self, members: np.ndarray, better: np.ndarray, other: SearchResult) -> None:
        """Update those of `members` for which the other result is better."""
        for name in SearchResult.__dataclass_fields__:
            getattr(self, name)[members[better]] = getattr(other, name)[better]


@dataclass
class Live:
    """The members that still search: where they are, their residuals and Jacobians, their damping.

    `slow` counts slow steps in a row; `slope` is the projected gradient over |J| |r| after a slow step, else ∞.
    """

    problem: Problem
    members: np.ndarray
    q: np.ndarray
    r: np.ndarray
    J: np.ndarray
    mu: np.ndarray
    slow: np.ndarray
    slope: np.ndarray

    @staticmethod
    def of(problem: Problem, members: np.ndarray, q: np.ndarray) -> Live:
        """Some members of a problem, at their rows of q."""
        here, n = problem.subset(members), len(members)
        start = np.full(n, DAMPING), np.zeros(n, int), np.full(n, np.inf)
        return Live(here, members, q[members], *here.linear(q[members]), *start)

    def only(self, which: np.ndarray) -> Live:
        """Some of them."""
        if which.all():
            return self
        rest = (x[which] for x in (self.members, self.q, self.r, self.J, self.mu, self.slow, self.slope))
        return Live(self.problem.subset(which), *rest)

    def at(self, q: np.ndarray) -> Live:
        """The same members elsewhere."""
        return Live(self.problem, self.members, q, *self.problem.linear(q), self.mu, self.slow, self.slope)


def damped_step(H: np.ndarray, g: np.ndarray, low: np.ndarray, high: np.ndarray, C: np.ndarray | None = None):
    """Damped least squares (count, nv): coordinates that would leave their limits are set there, the others re-solved.

    H = JᵀJ + λI and g = Jᵀr. Along constraints C dv = 0 the step is solved exactly, as the method "qp" does.
    """
    return lowest_points(H, g, low, high) if C is None else quadratic_step(H, g, low, high, C)


METHODS = {"damped": damped_step, "qp": quadratic_step}


def search(
    problem: Problem, q: np.ndarray, step, tolerance: float, iterations: int, escapes: int = ESCAPES
) -> SearchResult:
    """From q (count, nq) inside the limits to stationary points of |r|².

    The damping is λ = μ |r|², which vanishes at a solution, so the end is quadratic. The first steps are taken whether
    they help or not: that leaves poor valleys, and most targets are reached. The others go on from the best place seen;
    there μ falls when a step does what the linear model said and grows when it does not. Members that cannot meet their
    targets end where Gauss-Newton makes the projected gradient vanish; where it contracts too slowly for that, Newton's
    method brings them there. Saddles are left `escapes` times.
    """
    iterations = iterations if problem.model.nv else 0  # without freedoms there is no step to take
    found = _descent(problem, q, step, tolerance, iterations)
    refined = _polish(problem, found, tolerance)
    if escapes and problem.model.nv:
        doubtful = _doubtful(problem, found, refined, step, tolerance, iterations)
        _leave_saddles(problem, found, doubtful, step, tolerance, iterations, escapes - 1)
    return found


def _descent(problem: Problem, q: np.ndarray, step, tolerance: float, iterations: int) -> SearchResult:
    """Gauss-Newton from q; members that are neither reached nor stationary need more than that."""
    found, members, begun = SearchResult.at_start(q), np.arange(len(q)), 0
    if is_compiled(problem, step):
        begun = min(iterations, BOLD)
        members = _compiled_search(problem, found, tolerance, iterations, begun)
    if len(members):
        _search_on(problem, found, members, step, tolerance, range(begun, iterations + 1))
    return found


def is_compiled(problem: Problem, step) -> bool:
    """Whether the first steps are taken in compiled code."""
    return step is damped_step and not problem.is_held


def first_steps(problem: Problem, q: np.ndarray, tolerance: float, iterations: int) -> SearchResult:
    """The compiled part of `search` alone: it reaches most targets, and leaves the others where they are."""
    found = SearchResult.at_start(q)
    _compiled_search(problem, found, tolerance, iterations, min(iterations, BOLD))
    return found


def _compiled_search(problem: Problem, found: SearchResult, tolerance: float, most: int, steps: int) -> np.ndarray:
    """Search from found.q in compiled code and note the best places; which members (indices) are to search on.

    At most `steps` steps are taken, or `most` while they converge to a stationary point.
    """
    limits, ends = np.concatenate([problem.low, problem.high]), np.empty((len(found.q), 4))
    how, arrays = (tolerance, most, steps, DAMPING), (problem.targets.goals, found.q, ends)
    given = (problem.model.tables, limits, problem.targets.tables, how, arrays)
    over_lanes(lambda z, start, stop: search_members(z, *given, start, stop), len(ends), problem.is_single)
    found.residual, found.largest, found.iterations = ends[:, 0].copy(), ends[:, 1].copy(), ends[:, 2].astype(int)
    found.stationary = (ends[:, 3] == REACHED) | (ends[:, 3] == FLAT)
    return np.flatnonzero(ends[:, 3] == GOING)


def _search_on(
    problem: Problem, found: SearchResult, members: np.ndarray, step, tolerance: float, rounds: range
) -> None:
    """The search of some members from where they were found, with arrays for all of them at once."""
    live = Live.of(problem, members, found.q)
    for k in rounds:
        live = live.only(~_note_best(found, live, k, tolerance))
        if k == rounds[-1] or not len(live.members):
            break
        if k == BOLD:
            live = live.at(found.q[live.members])
        live, stuck = _advanced(live, step, k < BOLD)
        if stuck.any():
            _note_best(found, live.only(stuck), k + 1, tolerance)
            live = live.only(~stuck)


def _note_best(found: SearchResult, live: Live, k: int, tolerance: float) -> np.ndarray:
    """Keep the best place of each member; which of them are at their end."""
    if not len(live.members):
        return np.zeros(0, bool)
    size, largest, m = np.sqrt(_squares(live.r)), np.abs(live.r).max(axis=1), live.members
    known = k < BOLD or np.isfinite(live.slope).all()  # after a slow step it is
    flat = (live.slope if known else _slope(live)) <= STATIONARY
    ended = (largest <= tolerance) | flat
    better = (size < found.residual[m]) | ended
    found.iterations[m] = k
    m = m[better]
    found.q[m], found.residual[m], found.largest[m] = live.q[better], size[better], largest[better]
    found.stationary[m] = ended[better]
    return ended


def _advanced(live: Live, step, bold: bool) -> tuple[Live, np.ndarray]:
    """One step for each member: taken if it helps or if bold, else the damping grows; where nothing helps any more."""
    problem, q, r, J, mu = live.problem, live.q, live.r, live.J, live.mu
    cost, H, g = _squares(r), np.einsum("nki,nkj->nij", J, J), np.einsum("nij,ni->nj", J, r)
    size, floor = np.einsum("nii->n", H) / H.shape[1], np.where(live.slow > 0, SLOWEST, 1e-14)
    damping = np.maximum(mu * 0.1**live.slow * cost, floor * size) + 1e-300
    damped = H.copy()
    np.einsum("nii->ni", damped)[:] += damping[:, None]
    dv = step(damped, g, *problem.room(q), problem.constraints(q))
    there = live.at(problem.moved(q, dv))
    cost1 = _squares(there.r)
    better = np.isfinite(cost1) & (cost1 < cost)
    slow = np.abs(cost - cost1) <= SLOW * cost
    if bold:
        after = _contracting(there, slow)
        return after, _poor(after, live) | ~np.isfinite(cost1)
    expected = -2.0 * np.einsum("ni,ni->n", g, dv) - np.einsum("ni,nij,nj->n", dv, H, dv)
    ratio = (cost - cost1) / np.maximum(expected, 1e-300)
    factor = np.where(ratio > 0.75, 0.1, np.where(ratio > 0.25, 1.0, np.where(better, 4.0, 10.0)))
    q, r, J = (np.where(better.reshape(-1, *[1] * (x.ndim - 1)), x1, x) for x, x1 in
               ((q, there.q), (r, there.r), (J, there.J)))  # fmt: skip
    mu = np.maximum(mu * factor, 1e-12)
    after = _contracting(Live(problem, live.members, q, r, J, mu, live.slow, live.slope), slow & better)
    refused = ~better & (live.slow > 0)  # a slow step, and with less damping there is none: it does not contract
    return after, _poor(after, live) | refused | (slow & ((np.abs(dv).max(axis=1) <= 1e-12) | (mu > 1e12)))


def _contracting(live: Live, slow: np.ndarray) -> Live:
    """The members with their slow steps counted and the projected gradients after those."""
    slope = np.full(len(slow), np.inf)
    if slow.any():
        slope[slow] = _slope(live.only(slow))
    rest = (live.members, live.q, live.r, live.J, live.mu)
    return Live(live.problem, *rest, np.where(slow, live.slow + 1, 0), slope)


def _poor(after: Live, before: Live) -> np.ndarray:
    """Where slow steps follow each other and the gradient hardly falls."""
    return (after.slow > 1) & ~(after.slope < CONTRACTION * before.slope)


def _squares(r: np.ndarray) -> np.ndarray:
    return np.einsum("ni,ni->n", r, r)


def _slope(live: Live) -> np.ndarray:
    """The steepest way down that limits and constraints leave open, over |J| |r|."""
    g = np.einsum("nij,ni->nj", live.J, live.r)
    fall = downhill(g, *live.problem.room(live.q), live.problem.constraints(live.q))
    scale = np.sqrt(np.einsum("nij,nij->n", live.J, live.J) * _squares(live.r))
    return np.abs(fall).max(axis=1, initial=0.0) / np.maximum(scale, 1e-300)


def _leave_saddles(
    problem: Problem, found: SearchResult, members: np.ndarray, step, tolerance: float, iterations: int, escapes: int
) -> None:
    """Those of some members that ended at a saddle go on from beside it."""
    if not len(members):
        return
    q, moved = off_saddles(problem.subset(members), found.q[members])
    members = members[moved]
    if len(members):
        other = search(problem.subset(members), q[moved], step, tolerance, iterations, escapes)
        other.iterations += found.iterations[members]
        found.update_where(members, other.residual < found.residual[members], other)


def _doubtful(
    problem: Problem, found: SearchResult, refined: np.ndarray, step, tolerance: float, iterations: int
) -> np.ndarray:
    """Stationary members that Gauss-Newton does not come back to from beside them; lower places found are kept.

    Gauss-Newton is repelled by a saddle: where it contracts in all directions, the curvature is positive in all. It
    does not come back to `refined` members, which Newton's method had to bring to their ends, and they are doubtful.
    """
    members = np.setdiff1d(found.improvable(tolerance), refined, assume_unique=True)
    if not len(members):
        return refined
    some, before = problem.subset(members), found.residual[members]
    shake = SHAKE * np.random.default_rng(0).normal(size=problem.model.nv)  # the same for every member
    q = some.moved(found.q[members], np.clip(shake, *some.room(found.q[members])))
    other = _descent(some, q, step, tolerance, iterations)
    lower = other.stationary & (other.residual < before * (1.0 - SAME))
    back = other.stationary & (np.abs(other.residual - before) <= SAME * before)
    other.iterations += found.iterations[members]
    found.update_where(members, lower, other)
    return np.sort(np.concatenate([members[~(lower | back)], refined]))


def _polish(problem: Problem, found: SearchResult, tolerance: float) -> np.ndarray:
    """Members that are not stationary yet, brought to the bottom of where they ended by Newton's method; which."""
    members = found.improvable(tolerance)
    members = members[~found.stationary[members]]
    if not len(members):
        return members
    q, flat = polished(problem.subset(members), found.q[members])
    r, _ = problem.subset(members).linear(q)
    found.q[members], found.stationary[members] = q, flat
    found.residual[members], found.largest[members] = np.linalg.norm(r, axis=1), np.abs(r).max(axis=1)
    return members[found.largest[members] > tolerance]
