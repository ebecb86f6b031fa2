"""The least effort Σ xᵢᵖ of actuators that give wanted moments, in all frames at once.

minimise Σ xᵢᵖ + |s|²/(2ε) subject to A x + s = b, low ≤ x ≤ high: the slack s is far below the moments' size unless
no x gives them, and then as small as can be. For multipliers λ each x is known, xᵢ = clip((|yᵢ|/p)^(1/(p−1)) sign yᵢ)
with y = Aᵀλ, so what is left is to solve A x(λ) + ελ = b: the gradient of a concave function of as many unknowns as
there are moments, by Newton's method with a line search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

ROUNDS, HALVINGS = 200, 30
SLACK = 1e-10  # ε relative to the size of A Aᵀ, or to the weakest actuator without bounds
FLAT = 1e-9  # |y| below which the slope of x is taken there, for powers above 2
DONE = 1e-10  # gradient relative to the moments' size


class Effort(NamedTuple):
    """x (count, n), the moments that are missing (count, m), and whether the search ended (count)."""

    x: np.ndarray
    missing: np.ndarray
    converged: np.ndarray


class Problem(NamedTuple):
    """A (count, m, n), b (count, m), low and high (n), the power, and ε (count, 1)."""

    A: np.ndarray
    b: np.ndarray
    low: np.ndarray
    high: np.ndarray
    power: float
    slack: np.ndarray

    def subset(self, rows: np.ndarray) -> Problem:
        """The problems of some frames."""
        return self._replace(A=self.A[rows], b=self.b[rows], slack=self.slack[rows])


def least_effort(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray, power: float) -> Effort:
    """The x of least effort in every frame."""
    size = np.einsum("smn,smn->s", A, A) / max(1, A.shape[1])
    weakest = np.minimum(size, np.einsum("smn,smn->sn", A, A)[:, ~np.isfinite(high)].min(axis=1, initial=np.inf))
    whole = Problem(A, b, low, high, power, (SLACK * np.maximum(weakest, 1e-30))[:, None])
    free = 0.5 * np.einsum("smn,skn->smk", A, A) + whole.slack[:, :, None] * np.eye(b.shape[1])
    multipliers, open_ = np.linalg.solve(free, b[..., None])[..., 0], np.arange(len(b))
    scale = np.abs(b).max(axis=1) + np.sqrt(size)
    firmness, converged = np.full(len(b), 1e-3), np.zeros(len(b), dtype=bool)
    for _ in range(ROUNDS):
        p, at = whole.subset(open_), multipliers[open_]
        x, slope = _strategy(p, at)
        g = _gradient(p, x, at)
        done = np.abs(g).max(axis=1) <= DONE * scale[open_]
        converged[open_[done]] = True
        if done.all():
            break
        open_, p, at, x, slope, g = open_[~done], p.subset(~done), at[~done], x[~done], slope[~done], g[~done]
        step = _newton_step(p, np.maximum(slope, 0.5 * firmness[open_, None]), g)
        multipliers[open_], share = _searched(p, at, x, step, g)
        factor = np.where(share == 1.0, 0.1, np.where(share < 0.3, 10.0, 1.0))
        firmness[open_] = np.clip(firmness[open_] * factor, 1e-14, 1.0)
    x, _ = _strategy(whole, multipliers)
    return Effort(x, b - np.einsum("smn,sn->sm", A, x), converged)


def _newton_step(p: Problem, slope: np.ndarray, g: np.ndarray) -> np.ndarray:
    """The step of Newton's method; an x at its bound counts with a small slope, which bounds the step."""
    H = np.einsum("smn,sn,skn->smk", p.A, slope, p.A) + p.slack[:, :, None] * np.eye(p.b.shape[1])
    return np.linalg.solve(H, g[..., None])[..., 0]


def _strategy(p: Problem, multipliers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x of given multipliers, and its slope by y."""
    y = np.einsum("smn,sm->sn", p.A, multipliers)
    away = np.maximum(np.abs(y), 0.0 if p.power == 2 else FLAT)
    x = np.sign(y) * (np.abs(y) / p.power) ** (1.0 / (p.power - 1.0))
    slope = (
        np.full_like(y, 0.5) if p.power == 2 else (away / p.power) ** (1.0 / (p.power - 1.0)) / ((p.power - 1.0) * away)
    )
    inside = (x > p.low) & (x < p.high)
    return np.clip(x, p.low, p.high), np.where(inside, slope, 0.0)


def _gradient(p: Problem, x: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
    return p.b - np.einsum("smn,sn->sm", p.A, x) - p.slack * multipliers


def _height(p: Problem, x: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
    """The concave function that the multipliers make largest."""
    y = np.einsum("smn,sm->sn", p.A, multipliers)
    inner = (np.abs(x) ** p.power - y * x).sum(axis=1)
    return inner + (multipliers * p.b - 0.5 * p.slack * multipliers**2).sum(axis=1)


def _searched(
    p: Problem, at: np.ndarray, x: np.ndarray, step: np.ndarray, g: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The multipliers after a step that is halved until the function rises enough, and its share."""
    here, rise = _height(p, x, at), (g * step).sum(axis=1)
    share, done = np.ones(len(at)), np.zeros(len(at), dtype=bool)
    for _ in range(HALVINGS):
        trial = at + share[:, None] * step
        there = _height(p, _strategy(p, trial)[0], trial)
        done |= there >= here + 1e-4 * share * rise - 1e-14 * np.abs(here)
        if done.all():
            break
        share = np.where(done, share, 0.5 * share)
    share = np.where(done, share, 0.0)
    return at + share[:, None] * step, share
