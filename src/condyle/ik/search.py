"""Levenberg-Marquardt for many members at once, each with its own damping and its own end.

Targets out of reach end with Newton's method: there the residuals' own curvature decides the rate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..dynamics import integrate
from ..numeric import over_lanes
from ..spatial.kernels.decompositions import pseudoinverse, symmetric_eigen
from .bounded_steps import RANK, along, damped_step, downhill, quadratic_step
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
from .problem import Problem, gaps

DAMPING = 0.1  # μ at the start
BOLD = 16  # steps taken whether they help or not
SHAKE = 0.01  # [rad or m] off a stationary point, to see whether the search comes back
ESCAPES = 3  # from saddles, one after the other
SAME = 1e-9  # relative difference of residuals that are one
STEP = 1e-5  # [rad or m] of differences for the curvature: their error is about 1e-10 of it
ROUNDS = 30  # of Newton's method
ROUND_OFF = 1e-9  # of |r|²: small residuals are differences of large places
NUDGE = 0.1  # [rad or m] off a saddle


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
    """The projected gradient of the members, as `_projected` has it."""
    _, g, scale = _gradient(live.r, live.J)
    return _projected(live.problem, live.q, g, scale)


def _gradient(r: np.ndarray, J: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """½|r|², its gradient Jᵀr, and |J| |r|."""
    squares = _squares(r)
    return 0.5 * squares, np.einsum("nij,ni->nj", J, r), np.sqrt(np.einsum("nij,nij->n", J, J) * squares)


def _projected(problem: Problem, q: np.ndarray, g: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """The steepest way down that limits and constraints leave open, over |J| |r|."""
    fall = downhill(g, *problem.room(q), problem.constraints(q))
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


def polished(problem: Problem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(q, whether the gradient is zero there) of members that came near a stationary point of |r|².

    Newton steps inside the limits; where one does not help, the next is shorter.
    """
    q, live, mu = q.copy(), np.arange(len(q)), np.zeros(len(q))
    cost, g, slope = _fall(problem, q)
    for _ in range(ROUNDS):
        live = live[~(slope[live] <= STATIONARY)]
        if not len(live):
            break
        here = problem.subset(live)
        trial = here.moved(q[live], _newton_step(here, q[live], g[live], mu[live]))
        cost1, g1, slope1 = _fall(here, trial)
        better = _is_better(cost[live], cost1, slope[live], slope1)
        mu[live] = np.where(better, 0.1 * mu[live], np.maximum(10.0 * mu[live], 1e-3))
        good = live[better]
        q[good], cost[good], g[good], slope[good] = trial[better], cost1[better], g1[better], slope1[better]
    return q, slope <= 100 * STATIONARY


def _fall(problem: Problem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """½|r|² at q, its gradient, and its projected gradient over |J| |r|."""
    cost, g, scale = _gradient(*problem.linear(q))
    return cost, g, _projected(problem, q, g, scale)


def _newton_step(problem: Problem, q: np.ndarray, g: np.ndarray, mu: np.ndarray) -> np.ndarray:
    """Down the gradient with the residuals' own curvature, damped by mu of its trace, inside limits and constraints."""
    H = _convex(_curvature(problem, q))
    if mu.any():
        np.einsum("nii->ni", H)[:] += (mu * np.einsum("nii->n", H))[:, None]
    return quadratic_step(H, g, *problem.room(q), problem.constraints(q))


def _is_better(cost: np.ndarray, cost1: np.ndarray, slope: np.ndarray, slope1: np.ndarray) -> np.ndarray:
    """Where a step went down; the last ones change the cost by less than its round-off, and there the slope tells."""
    even = np.abs(cost1 - cost) <= ROUND_OFF * cost
    return np.isfinite(cost1) & ((cost1 < cost) | (even & (slope1 < 0.5 * slope)))


def off_saddles(problem: Problem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(q, which moved): members at a saddle, such as a straight limb pulled inwards, pushed down its steepest fall."""
    if not problem.model.nv:
        return q, np.zeros(len(q), bool)
    values, vectors = symmetric_eigen(_curvature(problem, q))
    saddle = values[:, 0] < -1e-6 * np.abs(values).max(axis=1)
    low, high = problem.room(q)
    sides = [problem.moved(q, np.clip(s * NUDGE * vectors[:, :, 0], low, high)) for s in (1, -1)]
    costs = [_gradient(*problem.linear(x))[0] for x in sides]
    better = np.where((costs[0] <= costs[1])[:, None], *sides)
    moved = saddle & (np.minimum(*costs) < _gradient(*problem.linear(q))[0] * (1 - 1e-9))
    return np.where(moved[:, None], better, q), moved


def _curvature(problem: Problem, q: np.ndarray) -> np.ndarray:
    """The Hessian (count, nv, nv) by central differences of the gradient, all in one batch.

    With constraints it is that of the Lagrangian ½|r|² + μ·c, its multipliers those of q, along the constraints.
    """
    count, nv = len(q), problem.model.nv
    moves, members = _moves(nv), np.repeat(np.arange(count), 2 * nv)
    around = integrate(problem.model, q[members], np.tile(moves, (count, 1)))
    g, C = _gradient(*problem.subset(members).linear(around))[1], problem.constraints(q)
    inverse = None if C is None else pseudoinverse(C, RANK)
    if inverse is not None:
        mu = -np.einsum("nji,nj->ni", inverse, _gradient(*problem.linear(q))[1])
        g = g + np.einsum("nij,ni->nj", gaps(problem.model, around)[1], mu[members])
    g = g.reshape(count, 2, nv, nv)
    H = (g[:, 0] - g[:, 1]) / (2 * STEP)
    H = 0.5 * (H + np.swapaxes(H, 1, 2))
    return H if inverse is None else along(H, np.eye(nv) - inverse @ C)


@lru_cache(maxsize=16)
def _moves(nv: int) -> np.ndarray:
    """Small steps (2 nv, nv) forward and back along each direction."""
    return np.concatenate([np.eye(nv), -np.eye(nv)]) * STEP


def _convex(H: np.ndarray) -> np.ndarray:
    """With negative and vanishing curvatures made positive, so that the step goes down and not far."""
    values, vectors = symmetric_eigen(H)
    floor = 1e-9 * np.abs(values).max(axis=1, keepdims=True) + 1e-300
    return np.einsum("nij,nj,nkj->nik", vectors, np.maximum(np.abs(values), floor), vectors)
