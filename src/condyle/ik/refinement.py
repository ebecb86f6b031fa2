"""Newton's method at the end, for targets out of reach: there the residuals' own curvature decides the rate."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..dynamics import integrate
from ..numeric.decompositions import pseudoinverse, symmetric_eigen
from .constraint_projection import RANK, along, downhill, gaps, quadratic_step
from .kernels.search import STATIONARY
from .problem import Problem

STEP = 1e-5  # [rad or m] of the differences: their error is about 1e-10 of the curvature
ROUNDS = 30
ROUND_OFF = 1e-9  # of |r|²: small residuals are differences of large places
NUDGE = 0.1  # [rad or m] off a saddle


def polished(problem: Problem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(q, whether the gradient is zero there) of members that came near a stationary point of |r|².

    Newton steps inside the limits; where one does not help, the next is shorter.
    """
    q, live, mu = q.copy(), np.arange(len(q)), np.zeros(len(q))
    cost, g, slope = _slope(problem, q)
    for _ in range(ROUNDS):
        live = live[~(slope[live] <= STATIONARY)]
        if not len(live):
            break
        here = problem.subset(live)
        trial = here.moved(q[live], _newton_step(here, q[live], g[live], mu[live]))
        cost1, g1, slope1 = _slope(here, trial)
        better = _is_better(cost[live], cost1, slope[live], slope1)
        mu[live] = np.where(better, 0.1 * mu[live], np.maximum(10.0 * mu[live], 1e-3))
        good = live[better]
        q[good], cost[good], g[good], slope[good] = trial[better], cost1[better], g1[better], slope1[better]
    return q, slope <= 100 * STATIONARY


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
    costs = [_gradient(problem, x)[0] for x in sides]
    better = np.where((costs[0] <= costs[1])[:, None], *sides)
    moved = saddle & (np.minimum(*costs) < _gradient(problem, q)[0] * (1 - 1e-9))
    return np.where(moved[:, None], better, q), moved


def _gradient(problem: Problem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """½|r|², its gradient Jᵀr, and |J| |r|."""
    r, J = problem.linear(q)
    squares = np.einsum("ni,ni->n", r, r)
    return 0.5 * squares, np.einsum("nij,ni->nj", J, r), np.sqrt(np.einsum("nij,nij->n", J, J) * squares)


def _slope(problem: Problem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """½|r|², its gradient, and the steepest way down that limits and constraints leave open, over |J| |r|."""
    cost, g, scale = _gradient(problem, q)
    fall = np.abs(downhill(g, *problem.room(q), problem.constraints(q))).max(axis=1, initial=0.0)
    return cost, g, fall / np.maximum(scale, 1e-300)


def _curvature(problem: Problem, q: np.ndarray) -> np.ndarray:
    """The Hessian (count, nv, nv) by central differences of the gradient, all in one batch.

    With constraints it is that of the Lagrangian ½|r|² + μ·c, its multipliers those of q, along the constraints.
    """
    count, nv = len(q), problem.model.nv
    moves, members = _moves(nv), np.repeat(np.arange(count), 2 * nv)
    around = integrate(problem.model, q[members], np.tile(moves, (count, 1)))
    g, C = _gradient(problem.subset(members), around)[1], problem.constraints(q)
    inverse = None if C is None else pseudoinverse(C, RANK)
    if inverse is not None:
        mu = -np.einsum("nji,nj->ni", inverse, _gradient(problem, q)[1])
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
