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
NUDGE = 0.1  # [rad or m] off a saddle


def polished(problem: Problem, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(q, whether the gradient is zero there) of members that came near a stationary point of |r|².

    Newton steps inside the limits; where one does not help, the next is shorter.
    """
    q, flat, live = q.copy(), np.zeros(len(q), bool), np.arange(len(q))
    cost, g, scale = _gradient(problem, q)
    mu = np.zeros(len(q))
    for _ in range(ROUNDS):
        flat[live] = _fall(problem, q[live], g[live]) <= STATIONARY * scale[live]
        live = live[~flat[live]]
        if not len(live):
            break
        here = problem.subset(live)
        H, room, C = _convex(_curvature(here, q[live])), here.room(q[live]), here.constraints(q[live])
        if mu[live].any():
            np.einsum("nii->ni", H)[:] += (mu[live] * np.einsum("nii->n", H))[:, None]
        dv = quadratic_step(H, g[live], *room, C)
        trial = here.moved(q[live], dv)
        cost1, g1, scale1 = _gradient(here, trial)
        better = np.isfinite(cost1) & (cost1 <= cost[live] * (1 + 1e-14))
        mu[live] = np.where(better, 0.1 * mu[live], np.maximum(10.0 * mu[live], 1e-3))
        good = live[better]
        q[good], cost[good], g[good], scale[good] = trial[better], cost1[better], g1[better], scale1[better]
    return q, flat | (_fall(problem, q, g) <= 100 * STATIONARY * scale)


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


def _fall(problem: Problem, q: np.ndarray, g: np.ndarray) -> np.ndarray:
    """How steep the way down is that limits and constraints leave open."""
    return np.abs(downhill(g, *problem.room(q), problem.constraints(q))).max(axis=1, initial=0.0)


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
