"""Least squares level by level inside limits: what a level leaves open the next one decides, and nothing more.

min |A₁x − b₁|, then |A₂x − b₂| among those, …, with low ≤ C x ≤ high throughout and least |x| at the end. Each level is
a quadratic program in the directions that the levels before it leave open. The dual active-set solver daqp finds which
limits hold; the answer on them is computed by orthogonal factors, to round-off. Limits that exclude each other are
widened by the least squares of what is needed, and said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .weighted_pseudoinverse import paced

RANK = 1e-9  # singular values below this share of the largest row count as zero
BLUR = 1e-5  # share of the largest row by which the solver sees directions that a level leaves open
SLACK = 1e-11  # by how much a limit may be missed by round-off
FAR = 1e30  # no limit, for the solver


class Level(NamedTuple):
    """Rows A (m, n) that should give b (m,), their damping, and how fast the answer may be near a singular pose.

    With a `pace` (m,) of the rows the square of a singular value counts as no less than the pace times what is asked
    along it: what is out of reach is asked for less and less, and there x goes to `rest` (n,) instead (to zero if left
    out, and nowhere where it is NaN).
    """

    A: np.ndarray
    b: np.ndarray
    damping: float = 0.0
    pace: np.ndarray | None = None
    rest: np.ndarray | None = None

    def paced(self, E: np.ndarray, f: np.ndarray, x: np.ndarray, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """E z = f for steps z from x along Z, with the pace."""
        if self.pace is None:
            return E, f
        U, S, Vt = np.linalg.svd(E, full_matrices=False)
        y = U.T @ f
        more = paced(U, y, self.pace) - S**2 - self.damping**2
        more[RANK * _size(self.A) >= S] = 0.0  # nothing moves these, least of all their directions of round-off
        if more.max(initial=0.0) <= 0.0:
            return E, f
        more = np.maximum(more, 0.0)
        rest = np.zeros_like(x) if self.rest is None else np.where(np.isnan(self.rest), x, self.rest)
        root = np.sqrt(S**2 + more)
        rows = (S * y + more * (Vt @ (Z.T @ (rest - x)))) / np.maximum(root, 1e-300)
        return root[:, None] * Vt, rows


class Bounds(NamedTuple):
    """low ≤ C x ≤ high."""

    C: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def missed(self, x: np.ndarray) -> np.ndarray:
        """How far each row is outside (k,), zero inside."""
        y = self.C @ x
        return np.maximum(np.maximum(self.low - y, y - self.high), 0.0)

    def moved(self, by: np.ndarray) -> Bounds:
        """The same for x + by."""
        at = self.C @ by
        return Bounds(self.C, self.low + at, self.high + at)

    def along(self, x: np.ndarray, Z: np.ndarray) -> Bounds:
        """The same for z in x + Z z."""
        at = self.C @ x
        return Bounds(self.C @ Z, self.low - at, self.high - at)


class Answer(NamedTuple):
    """x (n,), which limits hold it (k,), and by how much they had to be widened (k,)."""

    x: np.ndarray
    held: np.ndarray
    widened: np.ndarray


def no_bounds(n: int) -> Bounds:
    """No limits at all."""
    return Bounds(np.zeros((0, n)), np.zeros(0), np.zeros(0))


def by_levels(levels: Sequence[Level], bounds: Bounds, *, first: int = 0) -> Answer:
    """The answer; the first `first` levels are stricter than the limits."""
    n = bounds.C.shape[1]
    x, Z, held = np.zeros(n), np.eye(n), np.zeros(len(bounds.low), dtype=bool)
    widened = np.zeros(len(bounds.low))
    settled = bool(levels) and levels[-1].damping > 0  # then the last level has the least |x| already
    for k, level in enumerate([*levels] if settled else [*levels, Level(np.eye(n), np.zeros(n))]):
        if k == first:
            x, bounds, widened = _let_in(x, Z, bounds)
        if not Z.shape[1]:
            break
        limits = bounds.along(x, Z) if k >= first else no_bounds(Z.shape[1])
        E, f = level.A @ Z, level.b - level.A @ x
        F, g = level.paced(E, f, x, Z)
        if level.damping:  # of x + Z z, least where z = −Zᵀx
            shift = Z.T @ x
            z, here = _nearest(F, g + F @ shift, level.damping, limits.moved(shift), _size(level.A))
            z = z - shift
        else:
            z, here = _nearest(F, g, 0.0, limits, _size(level.A))
        if k >= first:
            held |= here
        x, Z = x + Z @ z, Z @ _open(E, _size(level.A))
    return Answer(x, held, widened)


def _size(A: np.ndarray) -> float:
    """The length of the longest row."""
    return float(np.sqrt(np.einsum("ij,ij->i", A, A).max(initial=0.0)))


def _open(E: np.ndarray, size: float) -> np.ndarray:
    """An orthonormal basis (n, k) of the directions that move no row."""
    _, S, Vt = np.linalg.svd(E)
    return Vt[int(np.sum(RANK * size < S)) :].T


def _least(E: np.ndarray, f: np.ndarray, damping: float, size: float) -> np.ndarray:
    """The z of least |E z − f|² + damping² |z|², and of least size among those."""
    U, S, Vt = np.linalg.svd(E, full_matrices=False)
    gains = np.where(RANK * size < S, S / np.where(S > 0, S * S + damping**2, 1.0), 0.0)
    return Vt.T @ (gains * (U.T @ f))


def _nearest(
    E: np.ndarray, f: np.ndarray, damping: float, limits: Bounds, size: float
) -> tuple[np.ndarray, np.ndarray]:
    """The z of a level inside its limits, and which of these hold it."""
    z = _least(E, f, damping, size)
    if limits.missed(z).max(initial=0.0) <= _tolerance(limits, z):
        return z, np.zeros(len(limits.low), dtype=bool)
    for blur in (BLUR, 1e-2 * BLUR, 1e2 * BLUR):
        guess, at, side = _solved(E, f, max(damping, blur * size), limits)
        if guess is None:
            continue
        z = _on_limits(E, f, damping, limits, at, side, size)
        if limits.missed(z).max() <= _tolerance(limits, z) and _no_worse(E, f, damping, z, guess):
            return z, at
    if guess is None:  # the limits touch in one point, to round-off, and z = 0 is in it
        return np.zeros(E.shape[1]), np.zeros(len(limits.low), dtype=bool)
    return guess, at


def _tolerance(limits: Bounds, z: np.ndarray) -> float:
    return SLACK * (1.0 + np.abs(z).max(initial=0.0) * (1.0 + np.abs(limits.C).max(initial=0.0)))


def _no_worse(E: np.ndarray, f: np.ndarray, damping: float, z: np.ndarray, other: np.ndarray) -> bool:
    costs = [np.sum((E @ x - f) ** 2) + damping**2 * (x @ x) for x in (z, other)]
    return costs[0] <= costs[1] + 1e-9 * (1.0 + f @ f)


def _solved(
    E: np.ndarray, f: np.ndarray, damping: float, limits: Bounds
) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
    """The z of a strictly convex program, which limits hold it, and at which end: z is None where none is inside."""
    import daqp

    H, g = E.T @ E + damping**2 * np.eye(E.shape[1]), -E.T @ f
    scale = np.abs(H).max()
    high, low = np.minimum(limits.high, FAR), np.maximum(limits.low, -FAR)
    rows = np.ascontiguousarray(limits.C)
    x, _, flag, info = daqp.solve(H / scale, g / scale, rows, high, low, np.zeros(len(low), np.int32), primal_tol=1e-12)
    pull = np.asarray(info["lam"])
    return (x if flag > 0 else None), pull != 0.0, pull > 0.0


def _on_limits(E, f, damping: float, limits: Bounds, at: np.ndarray, side: np.ndarray, size: float) -> np.ndarray:
    """The z of a level with the limits `at` met exactly."""
    C, d = limits.C[at], np.where(side, limits.high, limits.low)[at]
    z = _least(C, d, 0.0, _size(C))
    N = _open(C, _size(C))
    return z + N @ _least(E @ N, f - E @ z, damping, size) if N.shape[1] else z


def _let_in(x: np.ndarray, Z: np.ndarray, bounds: Bounds) -> tuple[np.ndarray, Bounds, np.ndarray]:
    """A point inside the limits; where they exclude each other they are widened, by least squares."""
    limits, none = bounds.along(x, Z), np.zeros(len(bounds.low))
    if limits.missed(np.zeros(Z.shape[1])).max(initial=0.0) == 0.0:
        return x, bounds, none
    n = Z.shape[1]
    if n:
        z, _, _ = _solved(np.eye(n), np.zeros(n), 0.0, limits)
        if z is not None:
            return x + Z @ z, bounds, none
    slack = _slack(limits)
    z = slack[:n]
    by = limits.missed(z) + SLACK * (1.0 + np.abs(bounds.C @ x))
    wide = np.where(limits.missed(z) > 0.0, by, 0.0)
    return x + Z @ z, Bounds(bounds.C, bounds.low - wide, bounds.high + wide), limits.missed(z)


def _slack(limits: Bounds) -> np.ndarray:
    """(z, s) of least |s| with low ≤ C z + s ≤ high."""
    k, n = limits.C.shape
    both = Bounds(np.hstack([limits.C, np.eye(k)]), limits.low, limits.high)
    only = np.hstack([np.zeros((k, n)), np.eye(k)])
    return _nearest(only, np.zeros(k), 0.0, both, 1.0)[0]
