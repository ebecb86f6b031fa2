"""Levenberg-Marquardt for many members at once, each with its own damping and its own end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .polish import off_saddles, polished
from .problem import Problem
from .steps import downhill

__all__ = ["Found", "search"]

FLAT = 1e-12  # of |J| |r|: a projected gradient below this is zero
STUCK = 1e-8  # a gain smaller than this part of |r|² is none: Newton's method takes over


@dataclass
class Found:
    """Where each member ended, and how."""

    q: np.ndarray
    residual: np.ndarray
    largest: np.ndarray
    stationary: np.ndarray
    iterations: np.ndarray

    def put(self, members: np.ndarray, better: np.ndarray, other: Found) -> None:
        """Take over those of `members` for which the other is better."""
        for name in ("q", "residual", "largest", "stationary", "iterations"):
            getattr(self, name)[members[better]] = getattr(other, name)[better]


def search(problem: Problem, q: np.ndarray, step, tolerance: float, iterations: int, escapes: int = 3) -> Found:
    """From q (count, nq) inside the limits to the nearest stationary points of |r|².

    The damping is λ = μ |r|², which vanishes at a solution, so the end is quadratic; μ falls when a step does what
    the linear model said and grows when it does not. Saddles are left `escapes` times.
    """
    count, whole = len(q), problem
    found = Found(q.copy(), np.zeros(count), np.zeros(count), np.zeros(count, bool), np.zeros(count, int))
    r, J = problem.linear(q)
    mu, live = np.full(count, 1e-3), np.arange(count)
    for k in range(iterations + 1):
        ended = _flat(r, J, *problem.room(q), problem.constraints(q)) | (np.abs(r).max(axis=1) <= tolerance)
        found.q[live], found.iterations[live], found.stationary[live] = q, k, ended
        found.residual[live], found.largest[live] = np.linalg.norm(r, axis=1), np.abs(r).max(axis=1)
        keep = ~ended
        if k == iterations or not keep.any():
            break
        problem, live, q, r, J, mu = problem.taken(keep), live[keep], q[keep], r[keep], J[keep], mu[keep]
        q, r, J, mu, stuck = _iterate(problem, q, r, J, mu, step)
        found.q[live] = q
        problem, live, q, r, J, mu = problem.taken(~stuck), live[~stuck], q[~stuck], r[~stuck], J[~stuck], mu[~stuck]
        if not len(live):
            break
    _polish(whole, found, tolerance)
    if escapes:
        _leave_saddles(whole, found, step, tolerance, iterations, escapes - 1)
    return found


def _leave_saddles(problem: Problem, found: Found, step, tolerance: float, iterations: int, escapes: int) -> None:
    """Members that ended at a saddle go on from beside it."""
    members = np.flatnonzero(found.largest > tolerance)
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
    members = np.flatnonzero(found.largest > tolerance)
    if not len(members):
        return
    q, flat = polished(problem.taken(members), found.q[members])
    r, _ = problem.taken(members).linear(q)
    found.q[members], found.stationary[members] = q, flat
    found.residual[members], found.largest[members] = np.linalg.norm(r, axis=1), np.abs(r).max(axis=1)


def _flat(r, J, low, high, C) -> np.ndarray:
    """Whether no way that limits and constraints leave open goes down."""
    fall = downhill(np.einsum("nij,ni->nj", J, r), low, high, C)
    scale = np.linalg.norm(J, axis=(1, 2)) * np.linalg.norm(r, axis=1)
    return np.abs(fall).max(axis=1, initial=0.0) <= FLAT * scale


def _iterate(problem: Problem, q, r, J, mu, step):
    """One step for each member: taken if it helps, else the damping grows; `stuck` where nothing helps any more."""
    cost = np.einsum("ni,ni->n", r, r)
    H = np.einsum("nki,nkj->nij", J, J)
    size = np.trace(H, axis1=1, axis2=2) / H.shape[1]
    damping = np.maximum(mu * cost, 1e-14 * size) + 1e-300
    g = np.einsum("nij,ni->nj", J, r)
    dv = step(H + damping[:, None, None] * np.eye(H.shape[1]), g, *problem.room(q), problem.constraints(q))
    trial = problem.moved(q, dv)
    r1, J1 = problem.linear(trial)
    cost1 = np.einsum("ni,ni->n", r1, r1)
    expected = -2.0 * np.einsum("ni,ni->n", g, dv) - np.einsum("ni,nij,nj->n", dv, H, dv)
    ratio = (cost - cost1) / np.maximum(expected, 1e-300)
    better = np.isfinite(cost1) & (cost1 < cost)
    slow = cost - cost1 <= STUCK * cost
    stuck = slow & (better | (np.abs(dv).max(axis=1) <= 1e-12) | (mu > 1e12))
    mu = mu * np.where(ratio > 0.75, 0.1, np.where(ratio > 0.25, 1.0, np.where(better, 4.0, 10.0)))
    take = better[:, None]
    return (
        np.where(take, trial, q), np.where(take, r1, r), np.where(take[..., None], J1, J),
        np.maximum(mu, 1e-12), stuck,
    )  # fmt: skip
