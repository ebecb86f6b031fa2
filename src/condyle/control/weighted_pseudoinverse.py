"""From rates of coordinates to velocities: the weighted, damped inverse of G, its error and its time derivative.

With B = D G W^(-1/2), D a row scaling and B = U S Vᵀ: v = W^(-1/2) V S/(S² + d²) Uᵀ D u̇. Where the rows are independent
the answer does not depend on D, and rows of unit length tell best whether they are. Where they are not, and where they
are damped, D is one: the answer is then the least squares of the rows as they are, which the damped one goes to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadShape, BadValue, RankLost, require

RANK = 1e-10  # singular values of unit rows below this share of the largest count as zero
FOLLOWS = 4.0  # a time h follows v = y/s where s² is at least this many h y σ, σ the rows' usual size: s changes by σ v


def pace_of(time: float, sizes: np.ndarray) -> np.ndarray:
    """The pace (m,) of rows of usual `sizes` (m,), zero or NaN where they are not known, that a `time` can follow."""
    return FOLLOWS * time * np.where(sizes > 0.0, sizes, 1.0)


def paced(U: np.ndarray, y: np.ndarray, pace: np.ndarray) -> np.ndarray:
    """The least squares of singular values (..., k) with which rows of a `pace` (m,) ask for y (..., k) along U."""
    return np.sqrt(np.einsum("...mk,m->...k", U**2, pace**2)) * np.abs(y)


@dataclass
class Inverse:
    """The inverse of G (count, m, n) for weights W and damping d."""

    G: np.ndarray
    rows: np.ndarray  # D, (count, m)
    roots: np.ndarray  # W^(1/2), (n,)
    damping: float
    U: np.ndarray
    S: np.ndarray
    Vt: np.ndarray
    dependent: np.ndarray  # (count,): the rows are not independent

    def velocity(self, x: np.ndarray, pace: np.ndarray | None = None) -> np.ndarray:
        """The velocities (count, n) of least weighted size for rates x (count, m), as fast as a `pace` (m,) allows."""
        y = np.einsum("smk,sm->sk", self.U, self.rows * x)
        gains = self._gains()
        if pace is not None:
            square = self.S**2 + self.damping**2
            gains = gains * square / np.maximum(np.maximum(square, paced(self.U, y, pace)), 1e-300)
        return np.einsum("skn,sk->sn", self.Vt, y * gains) / self.roots

    def outrun(self, v: np.ndarray, pace: np.ndarray) -> np.ndarray:
        """States (count,) whose velocities may be above the `pace` (m,) of their rows; those of all others are not."""
        if not self.S.size:
            return np.zeros(len(v), dtype=bool)
        least = self.S[:, -1] / self.rows.max(axis=1)  # at most the least singular value of rows as they are
        fewer = self.G.shape[1] > self.G.shape[2]
        return fewer | (pace.max() * np.linalg.norm(v * self.roots, axis=1) > least)

    def _gains(self) -> np.ndarray:
        if not self.dependent.any():
            return self.S / (self.S**2 + self.damping**2)
        square = np.where(self.S > 0, self.S**2 + self.damping**2, 1.0)
        return np.where(RANK * self.S[:, :1] < self.S, self.S / square, 0.0)

    def multipliers(self, x: np.ndarray) -> np.ndarray:
        """y with v = W⁻¹ Gᵀ y, in scaled rows."""
        gains = self._gains() / np.where(self.S > 0, self.S, 1.0)
        y = np.einsum("smk,sm->sk", self.U, self.rows * x) * gains
        return np.einsum("smk,sk->sm", self.U, y)

    def acceleration(self, x: np.ndarray, x_rate: np.ndarray, G_rate: np.ndarray) -> np.ndarray:
        """The time derivative of `velocity`: A y = x, v = W⁻¹Gᵀy give ẏ = A⁻¹(ẋ − Ȧ y), v̇ = W⁻¹(Ġᵀy + Gᵀẏ)."""
        G, R = self.rows[..., None] * self.G, self.rows[..., None] * G_rate
        y = self.multipliers(x)
        v, w = (np.einsum("smn,sm->sn", M, y) / self.roots**2 for M in (G, R))
        A_rate_y = np.einsum("smn,sn->sm", R, v) + np.einsum("smn,sn->sm", G, w)
        y_rate = self.multipliers(x_rate - A_rate_y / self.rows)
        return w + np.einsum("smn,sm->sn", G, y_rate) / self.roots**2

    def null_space_part(self, v: np.ndarray) -> np.ndarray:
        """The part N v of velocities (count, n) that moves no coordinate, N = I − W^(-1/2) V Vᵀ W^(1/2), undamped."""
        kept = self._kept()
        return v - np.einsum("skn,sk->sn", kept, np.einsum("skn,sn->sk", kept, v * self.roots)) / self.roots

    def idle_rows(self, G: np.ndarray) -> np.ndarray:
        """G N of rows (count, k, n): what they feel of velocities that move no coordinate."""
        kept = self._kept()
        return G - (G / self.roots) @ np.swapaxes(kept, -1, -2) @ kept * self.roots

    def _kept(self) -> np.ndarray:
        return self.Vt * (RANK * self.S[:, :1] < self.S)[..., None]

    def check_rank(self, labels) -> None:
        """Undamped: refuse rows that vanish or depend on each other, by name."""
        if self.damping or not self.S.size:
            return
        if self.dependent.any():
            raise RankLost(_why(self, int(np.argmax(self.dependent)), labels))


def _why(inverse: Inverse, state: int, labels) -> str:
    size = np.linalg.norm(inverse.G[state], axis=1)
    still = [labels[i] for i in np.flatnonzero(size <= RANK * max(size.max(), 1e-300))]
    where = f"in state {state}" if len(inverse.G) > 1 else "here"
    if still:
        return (
            f"the gradient of {', '.join(map(repr, still))} vanishes {where}: no velocity moves it, as with the end of "
            "a stretched arm along the arm, a power such as h² at its own zero, or a distance of zero. Begin at a pose "
            "where it can move (a bent arm), use the base h of a power, or give damping"
        )
    unit = inverse.G[state] / size[:, None]
    U, S, _ = np.linalg.svd(unit / inverse.roots)
    left = U[:, np.count_nonzero(RANK * S[0] < S) :]
    who = [labels[i] for i in np.flatnonzero(np.abs(left).max(axis=1) > 1e-6)]
    return (
        f"coordinates {', '.join(map(repr, who))} depend on each other {where}: one follows from the others, "
        "as x and y of the end of a stretched arm do. Begin at another pose, drop one, give them priorities, or use "
        "damping"
    )


def weight_roots(weights, nv: int) -> np.ndarray:
    """Square roots of joint weights (nv,)."""
    if weights is None:
        return np.ones(nv)
    w = np.asarray(weights, dtype=float)
    require(w.shape == (nv,), f"weights must be {nv} numbers, one per freedom", BadShape, shape=w.shape)
    require(np.all(np.isfinite(w) & (w > 0)), "weights must be positive", BadValue, weights=w.tolist())
    return np.sqrt(w)


def factored(G: np.ndarray, roots: np.ndarray, damping: float = 0.0, *, scaled: bool = True) -> Inverse:
    """Factor G (count, m, n); rows are not `scaled` to unit length where their own length says how fast to go."""
    require(np.isfinite(damping) and damping >= 0, "damping must be a number not below zero", damping=damping)
    B = G / roots
    size = np.sqrt(np.einsum("smn,smn->sm", B, B))
    rows = np.ones_like(size) if damping or not scaled else 1.0 / np.where(size > 0, size, 1.0)
    U, S, Vt = np.linalg.svd(rows[..., None] * B, full_matrices=False)
    fewer = G.shape[1] > G.shape[2]
    dependent = (S[:, -1] <= RANK * S[:, 0]) | fewer if S.shape[1] else np.full(len(G), fewer)
    again = np.flatnonzero(dependent) if not damping else []
    if len(again):
        rows[again] = 1.0
        U[again], S[again], Vt[again] = np.linalg.svd(B[again], full_matrices=False)
    return Inverse(G, rows, roots, damping, U, S, Vt, dependent)
