"""Least squares with a motion that is splines in time and numbers that all frames share: the motion goes first.

A frame reads six coefficients of every coordinate, so the normal equations of the motion are a band, with a border for
the shared numbers. The Schur complement that is left is the inverse of their covariance, whatever the motion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve_banded, cholesky_banded

from ..errors import CondyleError
from .force_problem import ForceProblem, Part
from .motion_spline import ORDER, Motion, TimeBasis, moved
from .robust_loss import robust_cost, robust_weights

UNKNOWN = 1.0  # standard deviations in logarithms, metres or radians: what is known worse than this counts as open
ROUND_OFF = 1e-14  # of the largest eigenvalue
RIDGE = 1e-14  # of the largest curvature of the motion
SMALL = 1e-9  # relative decrease of the cost at which steps end
TINY = 1e-6  # the same in squares of standard deviations: steps of a thousandth of one
LONGEST = 1.0  # of a step of a shared number: a factor e, a metre, a radian


@dataclass
class Banded:
    """Normal equations at a point: Schur complement and gradient of shared numbers, and how the motion follows."""

    schur: np.ndarray
    gradient: np.ndarray
    own: np.ndarray  # (coefficients,): the motion's step if the shared numbers stay
    follow: np.ndarray  # (coefficients, p): how it changes with theirs


@dataclass
class Settled:
    """Where the steps ended."""

    y: np.ndarray
    motion: Motion
    cost: float
    schur: np.ndarray
    rounds: int
    converged: bool
    evaluations: int


def cost_of(parts: list[Part], loss: str, y: np.ndarray, prior: np.ndarray) -> float:
    """What is minimised."""
    return 0.5 * float((prior * y**2).sum()) + sum(robust_cost(part.residuals, loss) for part in parts)


def _rows(part: Part, loss: str) -> tuple[np.ndarray, tuple[np.ndarray, ...], np.ndarray]:
    """Weighted residuals (F, rows), slopes (F, rows, nv) and derivatives by shared numbers (F, rows, p)."""
    assert part.shared is not None
    w, F = np.sqrt(robust_weights(part.residuals, loss))[..., None], len(part.residuals)
    rows = part.residuals.shape[1] * part.residuals.shape[2]
    flat = [(x * w[..., None]).reshape(F, rows, x.shape[-1]) for x in (*part.slopes, part.shared)]
    return (part.residuals * w).reshape(F, rows), tuple(flat[:-1]), flat[-1]


class Band:
    """The part of the normal equations that is the motion's: a band, its border and its gradient."""

    def __init__(self, basis: TimeBasis, nv: int, shared: int) -> None:
        self.basis, self.width, n = basis, ORDER * nv, basis.count * nv
        self.bands, self.border = np.zeros((self.width, n)), np.zeros((n, 1 + shared))
        self.lower = np.tril_indices(self.width)
        self.ends = np.append(np.flatnonzero(np.diff(basis.first, prepend=-1)), len(basis.first))

    def add(self, r: np.ndarray, slopes: tuple[np.ndarray, ...], B: np.ndarray) -> None:
        """Add the rows of all frames, span after span."""
        nv = slopes[0].shape[2]
        i, j = self.lower
        for begin, end in zip(self.ends[:-1], self.ends[1:], strict=True):
            here = slice(begin, end)
            jac = sum(np.einsum("frn,fl->frln", x[here], self.basis.values[k, here]) for k, x in enumerate(slopes))
            jac = np.asarray(jac).reshape(-1, self.width)
            at = nv * int(self.basis.first[begin])
            H = jac.T @ jac
            self.bands[i - j, at + j] += H[i, j]
            right = np.concatenate([r[here].reshape(-1, 1), B[here].reshape(len(jac), -1)], axis=1)
            self.border[at : at + self.width] += jac.T @ right

    def solved(self, damping: float) -> np.ndarray:
        """The motion's curvature, damped, divided into the border."""
        bands = self.bands.copy()
        bands[0] += damping * bands[0] + RIDGE * bands[0].max() + 1e-300
        return cho_solve_banded((cholesky_banded(bands, lower=True), True), self.border)


def banded_equations(problem: ForceProblem, motion: Motion, y: np.ndarray, loss: str, damping: float) -> Banded:
    """The normal equations, with the motion eliminated if it is unknown."""
    p, prior = problem.size, problem.markers.prior_weights()
    S, gradient, nv = np.diag(prior), prior * y, problem.markers.model.nv
    band = None if problem.basis is None else Band(problem.basis, nv, p)
    for part in problem.linearized(motion, y):
        r, slopes, B = _rows(part, loss)
        flat = B.reshape(-1, p)
        S, gradient = S + flat.T @ flat, gradient + flat.T @ r.ravel()
        if band is not None and r.size:
            band.add(r, slopes, B)
    if band is None:
        return Banded(S, gradient, np.zeros(0), np.zeros((0, p)))
    solved, C = band.solved(damping), band.border[:, 1:]
    S, gradient = S - C.T @ solved[:, 1:], gradient - C.T @ solved[:, 0]
    return Banded(0.5 * (S + S.T), gradient, solved[:, 0], solved[:, 1:])


class Determined(NamedTuple):
    """Directions that the data determine to better than `UNKNOWN`, and those that they leave open, with eigenvalues."""

    values: np.ndarray
    vectors: np.ndarray
    open_values: np.ndarray
    open_vectors: np.ndarray

    @property
    def covariance(self) -> np.ndarray:
        """Of the shared numbers, open directions left out."""
        return (self.vectors / self.values) @ self.vectors.T

    @property
    def left_out(self) -> np.ndarray:
        """The covariance of the open directions: without bounds, but for round-off, where the data say nothing."""
        return (self.open_vectors / self.open_values) @ self.open_vectors.T


def determined(S: np.ndarray) -> Determined:
    """What a Schur complement says."""
    values, vectors = np.linalg.eigh(S)
    least = ROUND_OFF * float(values[-1]) if len(values) else 0.0
    known = values > max(UNKNOWN**-2, least)
    values = np.maximum(values, max(least, 1e-300))
    return Determined(values[known], vectors[:, known], values[~known], vectors[:, ~known])


def _step(normal: Banded, damping: float) -> np.ndarray:
    """A step of the shared numbers along what is determined, not longer than `LONGEST`."""
    found = determined(normal.schur)
    dy = -found.vectors @ ((found.vectors.T @ normal.gradient) / (found.values * (1.0 + damping)))
    return dy * min(1.0, LONGEST / max(float(np.abs(dy).max(initial=0.0)), 1e-300))


def solve_band(
    problem: ForceProblem, motion: Motion, loss: str, most: int,
    progress: Callable[[str, int, int], object] | None = None,
) -> Settled:  # fmt: skip
    """Levenberg-Marquardt steps on motion and shared numbers together."""
    y, damping, prior, tried = np.zeros(problem.size), 0.0, problem.markers.prior_weights(), 1
    cost = cost_of(problem.residuals(motion, y), loss, y, prior)
    for rounds in range(1, most + 1):
        normal = banded_equations(problem, motion, y, loss, damping)
        dy = _step(normal, damping)
        new_y, new_motion = y + dy, _followed(problem, motion, normal, dy)
        new = _tried(problem, new_motion, new_y, loss)
        tried += 2
        if new <= cost:
            done = cost - new <= max(SMALL * cost, TINY)
            y, motion, cost, damping = new_y, new_motion, new, 0.1 * damping if damping > 1e-9 else 0.0
            if progress is not None:
                progress("identify", rounds, most)
        else:
            damping = max(10.0 * damping, 1e-4)
            done = damping > 1e8
        if done:
            return _ended(problem, (y, motion, cost), loss, (rounds, True, tried))
    return _ended(problem, (y, motion, cost), loss, (most, False, tried))


def _tried(problem: ForceProblem, motion: Motion, y: np.ndarray, loss: str) -> float:
    """The cost after a step; without bounds where the step leads to a model or a motion that cannot be."""
    try:
        parts = problem.residuals(motion, y)
    except CondyleError:
        return np.inf
    return cost_of(parts, loss, y, problem.markers.prior_weights())


def _followed(problem: ForceProblem, motion: Motion, normal: Banded, dy: np.ndarray) -> Motion:
    """The motion after a step of the shared numbers."""
    if problem.basis is None:
        return motion
    dz = (-normal.own - normal.follow @ dy).reshape(problem.basis.count, -1)
    return moved(problem.markers.model, motion, problem.basis.jets(dz))


def _ended(problem: ForceProblem, at: tuple, loss: str, how: tuple[int, bool, int]) -> Settled:
    y, motion, cost = at
    return Settled(y, motion, cost, banded_equations(problem, motion, y, loss, 0.0).schur, *how)
