"""Levenberg-Marquardt for many members at once, each with its own damping and its own end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .bold import bold
from .found import Found
from .polish import off_saddles, polished
from .problem import Problem
from .steps import damped_step, downhill

__all__ = ["search"]

FLAT = 1e-12  # of |J| |r|: a projected gradient below this is zero
STUCK = 1e-3  # a change smaller than this part of |r|² is slow: Newton's method takes over
DAMPING = 0.1  # μ at the start
BOLD = 16  # steps taken whether they help or not


@dataclass
class Live:
    """The members that still search: where they are, their residuals and Jacobians, their damping."""

    problem: Problem
    members: np.ndarray
    q: np.ndarray
    r: np.ndarray
    J: np.ndarray
    mu: np.ndarray

    @staticmethod
    def of(problem: Problem, members: np.ndarray, q: np.ndarray) -> Live:
        """Some members of a problem, at their rows of q."""
        here = problem.taken(members)
        return Live(here, members, q[members], *here.linear(q[members]), np.full(len(members), DAMPING))

    def kept(self, which: np.ndarray) -> Live:
        """Some of them."""
        if which.all():
            return self
        rest = (x[which] for x in (self.members, self.q, self.r, self.J, self.mu))
        return Live(self.problem.taken(which), *rest)

    def at(self, q: np.ndarray) -> Live:
        """The same members elsewhere."""
        return Live(self.problem, self.members, q, *self.problem.linear(q), self.mu)


def search(problem: Problem, q: np.ndarray, step, tolerance: float, iterations: int, escapes: int = 3) -> Found:
    """From q (count, nq) inside the limits to stationary points of |r|².

    The damping is λ = μ |r|², which vanishes at a solution, so the end is quadratic. The first steps are taken whether
    they help or not: that leaves poor valleys, and most targets are reached. The others go on from the best place seen;
    there μ falls when a step does what the linear model said and grows when it does not. Saddles are left `escapes`
    times.
    """
    iterations = iterations if problem.model.nv else 0  # without freedoms there is no step to take
    found, members, begun = Found.nothing(q), np.arange(len(q)), 0
    if step is damped_step and not problem.is_held:
        begun = min(iterations, BOLD)
        members = bold(problem, found, tolerance, begun, DAMPING)
    if len(members):
        _search_on(problem, found, members, step, tolerance, range(begun, iterations + 1))
    _polish(problem, found, tolerance)
    if escapes:
        _leave_saddles(problem, found, step, tolerance, iterations, escapes - 1)
    return found


def _search_on(problem: Problem, found: Found, members: np.ndarray, step, tolerance: float, rounds: range) -> None:
    """The search of some members from where they were found, with arrays for all of them at once."""
    live = Live.of(problem, members, found.q)
    for k in rounds:
        live = live.kept(~_noted(found, live, k, tolerance))
        if k == rounds[-1] or not len(live.members):
            break
        if k == BOLD:
            live = live.at(found.q[live.members])
        live, stuck = _advanced(live, step, k < BOLD)
        if stuck.any():
            _noted(found, live.kept(stuck), k + 1, tolerance)
            live = live.kept(~stuck)


def _noted(found: Found, live: Live, k: int, tolerance: float) -> np.ndarray:
    """Keep the best place of each member; which of them are at their end."""
    if not len(live.members):
        return np.zeros(0, bool)
    size, largest, m = np.sqrt(_squares(live.r)), np.abs(live.r).max(axis=1), live.members
    ended = largest <= tolerance
    if k >= BOLD:
        ended |= _flat(live)
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
    size = np.trace(H, axis1=1, axis2=2) / H.shape[1]
    damping = np.maximum(mu * cost, 1e-14 * size) + 1e-300
    dv = step(H + damping[:, None, None] * np.eye(H.shape[1]), g, *problem.room(q), problem.constraints(q))
    there = live.at(problem.moved(q, dv))
    cost1 = _squares(there.r)
    better = np.isfinite(cost1) & (cost1 < cost)
    slow = np.abs(cost - cost1) <= STUCK * cost
    if bold:
        return there, slow | ~np.isfinite(cost1)
    expected = -2.0 * np.einsum("ni,ni->n", g, dv) - np.einsum("ni,nij,nj->n", dv, H, dv)
    ratio = (cost - cost1) / np.maximum(expected, 1e-300)
    factor = np.where(ratio > 0.75, 0.1, np.where(ratio > 0.25, 1.0, np.where(better, 4.0, 10.0)))
    q, r, J = (np.where(better.reshape(-1, *[1] * (x.ndim - 1)), x1, x) for x, x1 in
               ((q, there.q), (r, there.r), (J, there.J)))  # fmt: skip
    stuck = slow & (better | (np.abs(dv).max(axis=1) <= 1e-12) | (mu > 1e12))
    return Live(problem, live.members, q, r, J, np.maximum(mu * factor, 1e-12)), stuck


def _squares(r: np.ndarray) -> np.ndarray:
    return np.einsum("ni,ni->n", r, r)


def _flat(live: Live) -> np.ndarray:
    """Whether no way that limits and constraints leave open goes down."""
    g = np.einsum("nij,ni->nj", live.J, live.r)
    fall = downhill(g, *live.problem.room(live.q), live.problem.constraints(live.q))
    scale = np.linalg.norm(live.J, axis=(1, 2)) * np.linalg.norm(live.r, axis=1)
    return np.abs(fall).max(axis=1, initial=0.0) <= FLAT * scale


def _leave_saddles(problem: Problem, found: Found, step, tolerance: float, iterations: int, escapes: int) -> None:
    """Members that ended at a saddle go on from beside it."""
    members = found.improvable(tolerance)
    if not len(members):
        return
    q, moved = off_saddles(problem.taken(members), found.q[members])
    members = members[moved]
    if len(members):
        other = search(problem.taken(members), q[moved], step, tolerance, iterations, escapes)
        other.iterations += found.iterations[members]
        found.put(members, other.residual < found.residual[members], other)


def _polish(problem: Problem, found: Found, tolerance: float) -> None:
    """The members that did not reach their targets, brought to the bottom of where they ended."""
    members = found.improvable(tolerance)
    if not len(members):
        return
    q, flat = polished(problem.taken(members), found.q[members])
    r, _ = problem.taken(members).linear(q)
    found.q[members], found.stationary[members] = q, flat
    found.residual[members], found.largest[members] = np.linalg.norm(r, axis=1), np.abs(r).max(axis=1)
