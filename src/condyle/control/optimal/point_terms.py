"""Functions of the points of a motion, with exact derivatives: torques, held points, places and their rates.

Each takes X (count, m), what the points read, and gives rows (count, k) and slopes (count, k, m). Coordinates are
ordinary ones, so second derivatives are symmetric: ∂(G v)/∂q = Ġ.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ...dynamics import inverse_dynamics
from ...dynamics.derivatives import inverse_dynamics_derivatives, inverse_dynamics_vjp
from ...model import Model
from ..animation_space import AnimationSpace

ALONG = 1e-5  # step of central differences of exact slopes, relative to what is changed; they are good to about 1e-9


class Term(Protocol):
    """Rows of points and their slopes."""

    def value(self, X: np.ndarray) -> np.ndarray:
        """Rows (count, k)."""
        ...

    def slope(self, X: np.ndarray) -> np.ndarray:
        """∂ rows / ∂x (count, k, m)."""
        ...

    def curvature(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """∂²(y · rows)/∂x² (count, m, m)."""
        ...


class Torques:
    """τ = ID(q, v, a) − Gᵀ E s of x = (q, v, a, s): what motors give beside contact forces E s (3 points, sides)."""

    def __init__(self, model: Model, space: AnimationSpace | None, edges: np.ndarray) -> None:
        self.model, self.space, self.edges = model.without_muscles(), space, edges

    def split(self, X: np.ndarray) -> tuple[np.ndarray, ...]:
        """q, v, a and s."""
        n = self.model.nv
        return X[:, :n], X[:, n : 2 * n], X[:, 2 * n : 3 * n], X[:, 3 * n :]

    def value(self, X: np.ndarray) -> np.ndarray:
        """Torques (count, n)."""
        q, v, a, s = self.split(X)
        tau = inverse_dynamics(self.model, q, v, a)
        if self.space is None:
            return tau
        return tau - np.einsum("pij,pi->pj", self.space.gradient(q), s @ self.edges.T)

    def slope(self, X: np.ndarray) -> np.ndarray:
        """∂τ/∂x."""
        q, v, a, s = self.split(X)
        d = inverse_dynamics_derivatives(self.model, q, v, a)
        if self.space is None:
            return np.concatenate([d.dq, d.dv, d.da], axis=2)
        bent = weighed(self.space, q, s @ self.edges.T)
        pushed = np.einsum("pij,is->pjs", self.space.gradient(q), self.edges)
        return np.concatenate([d.dq - bent, d.dv, d.da, -pushed], axis=2)

    def curvature(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """∂²(y · τ)/∂x²: differences of the exact adjoint along q and v, in one batch; τ is affine in a and s."""
        q, _, _, s = self.split(X)
        n, (count, m) = self.model.nv, X.shape
        H = np.zeros((count, m, m))
        h = ALONG * (1.0 + np.abs(X[:, : 2 * n]).max(axis=0))
        steps = np.zeros((2 * n, 1, 3 * n))
        steps[np.arange(2 * n), 0, np.arange(2 * n)] = h
        both = (X[:, : 3 * n] + np.stack([steps, -steps])).reshape(-1, 3 * n)
        found = inverse_dynamics_vjp(self.model, *np.split(both, 3, axis=1), cotangent=np.tile(y, (4 * n, 1)))
        ends = np.concatenate([found.q, found.v, found.a], axis=1).reshape(2, 2 * n, count, 3 * n)
        half = np.moveaxis(ends[0] - ends[1], 0, 1) / (2.0 * h[:, None])
        H[:, : 2 * n, : 3 * n], H[:, 2 * n : 3 * n, : 2 * n] = half, np.swapaxes(half[..., 2 * n :], 1, 2)
        if self.space is not None:
            H[:, :n, :n] -= along(self.space, q, y, s @ self.edges.T)
            H[:, :n, 3 * n :] = -np.swapaxes(np.einsum("pij,is->psj", self.space.gradient_rate(q, y), self.edges), 1, 2)
            H[:, 3 * n :, :n] = np.swapaxes(H[:, :n, 3 * n :], 1, 2)
        return 0.5 * (H + np.swapaxes(H, 1, 2))


class Held:
    """Uᵀ ü of x = (q, v, a): accelerations of points that stay where they are, along independent rows U."""

    def __init__(self, space: AnimationSpace, rows: np.ndarray) -> None:
        self.space, self.rows = space, rows

    def value(self, X: np.ndarray) -> np.ndarray:
        """Accelerations (count, rows)."""
        q, v, a = np.split(X, 3, axis=1)
        return (np.einsum("pij,pj->pi", self.space.gradient(q), a) + self.space.bias(q, v)) @ self.rows

    def slope(self, X: np.ndarray) -> np.ndarray:
        """The bias is v'Hv, and its slope along q is d/ds Ġ(q + s v)."""
        q, v, a = np.split(X, 3, axis=1)
        h = ALONG / (1.0 + np.abs(v).max(initial=0.0))
        ahead, behind = (self.space.gradient_rate(q + sign * h * v, v) for sign in (1, -1))
        by_q = self.space.gradient_rate(q, a) + (ahead - behind) / (2 * h)
        parts = by_q, 2.0 * self.space.gradient_rate(q, v), self.space.gradient(q)
        return np.einsum("pij,ik->pkj", np.concatenate(parts, axis=2), self.rows)

    def curvature(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Second derivatives of y · Uᵀ (G a + v'Hv)."""
        q, v, a = np.split(X, 3, axis=1)
        n, w = q.shape[1], y @ self.rows.T
        far = 1e-3 / (1.0 + np.abs(v).max(initial=0.0))
        here, ahead, behind = (weighed(self.space, q + k * far * v, w) for k in (0, 1, -1))
        H = np.zeros((len(X), 3 * n, 3 * n))
        H[:, :n, :n] = along(self.space, q, a, w) + (ahead - 2.0 * here + behind) / far**2
        H[:, :n, n : 2 * n] = (ahead - behind) / far
        H[:, n : 2 * n, :n] = np.swapaxes(H[:, :n, n : 2 * n], 1, 2)
        H[:, n : 2 * n, n : 2 * n] = 2.0 * here
        H[:, :n, 2 * n :], H[:, 2 * n :, :n] = here, here
        return H


class Place:
    """Uᵀ u of x = q: where coordinates are."""

    def __init__(self, space: AnimationSpace, rows: np.ndarray | None = None) -> None:
        self.space, self.rows = space, np.eye(space.size) if rows is None else rows

    def value(self, X: np.ndarray) -> np.ndarray:
        """Values (count, rows)."""
        return self.space.value(X) @ self.rows

    def slope(self, X: np.ndarray) -> np.ndarray:
        """Uᵀ G."""
        return np.einsum("pij,ik->pkj", self.space.gradient(X), self.rows)

    def curvature(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Second derivatives of y · Uᵀ u."""
        return weighed(self.space, X, y @ self.rows.T)


class Rate:
    """Uᵀ u̇ of x = (q, v)."""

    def __init__(self, space: AnimationSpace, rows: np.ndarray) -> None:
        self.space, self.rows = space, rows

    def value(self, X: np.ndarray) -> np.ndarray:
        """Rates (count, rows)."""
        q, v = np.split(X, 2, axis=1)
        return self.space.rate(q, v) @ self.rows

    def slope(self, X: np.ndarray) -> np.ndarray:
        """Uᵀ [Ġ, G]."""
        q, v = np.split(X, 2, axis=1)
        parts = self.space.gradient_rate(q, v), self.space.gradient(q)
        return np.einsum("pij,ik->pkj", np.concatenate(parts, axis=2), self.rows)

    def curvature(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Second derivatives of y · Uᵀ G v."""
        q, v = np.split(X, 2, axis=1)
        w, n = y @ self.rows.T, q.shape[1]
        H = np.zeros((len(X), 2 * n, 2 * n))
        H[:, :n, :n] = along(self.space, q, v, w)
        H[:, :n, n:] = H[:, n:, :n] = weighed(self.space, q, w)
        return H


class Linear:
    """Zᵀ x."""

    def __init__(self, directions: np.ndarray) -> None:
        self.directions = directions

    def value(self, X: np.ndarray) -> np.ndarray:
        """Rows (count, k)."""
        return X @ self.directions

    def slope(self, X: np.ndarray) -> np.ndarray:
        """Zᵀ."""
        return np.repeat(self.directions.T[None], len(X), axis=0)

    def curvature(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """None."""
        return np.zeros((len(X), X.shape[1], X.shape[1]))


def weighed(space: AnimationSpace, q: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Σ_i w_i ∂²u_i/∂q² (count, n, n)."""
    return np.einsum("pijk,pi->pjk", space.hessian(q), w)


def along(space: AnimationSpace, q: np.ndarray, x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """d/ds Σ_i w_i ∂²u_i/∂q² at q + s x: a central difference of exact second derivatives."""
    h = ALONG / np.maximum(np.abs(x).max(axis=1), 1e-12)[:, None]
    return (weighed(space, q + h * x, w) - weighed(space, q - h * x, w)) / (2.0 * h[..., None])
