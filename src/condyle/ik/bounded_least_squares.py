"""One step towards targets: minimise ½ dvᵀH dv + gᵀdv over low ≤ dv ≤ high, along constraints C dv = 0 if there are."""

from __future__ import annotations

import numpy as np

from .decompositions import null_space, pseudoinverse

__all__ = ["METHODS", "along", "damped_step", "downhill", "least_step", "quadratic_step"]

RANK = 1e-9  # of the largest singular value: rows of constraints below it say nothing new


def damped_step(H: np.ndarray, g: np.ndarray, low, high, C: np.ndarray | None = None) -> np.ndarray:
    """Damped least squares (count, nv): coordinates that would leave their limits are set there, the others re-solved.

    H = JᵀJ + λI and g = Jᵀr. Each round fixes at least one more coordinate, so there are at most nv + 1.
    """
    if C is None and _inside(dv := -np.linalg.solve(H, g[..., None])[..., 0], low, high):
        return dv
    fixed, dv = np.zeros(g.shape, dtype=bool), np.zeros(g.shape)
    solved = _solved if C is None else lambda *x: _solved_along(C, *x)
    for _ in range(g.shape[1] + 1):
        dv = solved(H, g, fixed, dv)
        past = ~fixed & ((dv < low) | (dv > high))
        if not past.any():
            break
        dv, fixed = np.where(past, np.clip(dv, low, high), dv), fixed | past
    return np.clip(dv, low, high)


def _inside(dv, low, high) -> bool:
    return bool((dv >= low).all() and (dv <= high).all())


def _solved(H, g, fixed, dv) -> np.ndarray:
    """The lowest point with some coordinates fixed at dv."""
    free = ~fixed
    rhs = np.where(free, -(g + np.einsum("nij,nj->ni", H, np.where(fixed, dv, 0.0))), 0.0)
    A = np.where(free[:, :, None] & free[:, None, :], H, np.eye(g.shape[1]))
    return np.where(fixed, dv, np.linalg.solve(A, rhs[..., None])[..., 0])


def _solved_along(C, H, g, fixed, dv) -> np.ndarray:
    """The same with C dv = 0: what is fixed is further rows; redundant rows do no harm."""
    rows = np.concatenate([C, fixed[:, :, None] * np.eye(g.shape[1])], axis=1)
    inverse = pseudoinverse(rows, RANK)
    base = np.einsum("nij,nj->ni", inverse[:, :, C.shape[1] :], np.where(fixed, dv, 0.0))
    N = np.eye(g.shape[1]) - inverse @ rows
    rhs = -np.einsum("nij,nj->ni", N, g + np.einsum("nij,nj->ni", H, base))
    return base + np.einsum("nij,nj->ni", N, np.linalg.solve(along(H, N), rhs[..., None])[..., 0])


def along(H: np.ndarray, N: np.ndarray) -> np.ndarray:
    """N H N, and across N as steep as H is anywhere: H as the directions N see it."""
    steep = np.abs(H).max(axis=(1, 2), keepdims=True) + 1e-300
    return N @ H @ N + steep * (np.eye(H.shape[1]) - N)


def quadratic_step(H: np.ndarray, g: np.ndarray, low, high, C: np.ndarray | None = None) -> np.ndarray:
    """The same problem solved exactly, one member at a time, by the dual active-set solver daqp."""
    import daqp

    low, high = np.broadcast_to(np.maximum(low, -1e30), g.shape), np.broadcast_to(np.minimum(high, 1e30), g.shape)
    dv = np.zeros(g.shape)
    for i in range(len(g)):
        Z = np.eye(g.shape[1]) if C is None else null_space(C[i], RANK)
        if not Z.size:
            continue
        general = np.zeros((0, g.shape[1])) if C is None else Z  # limits are simple bounds, or rows of Z
        ends = high[i].copy(), low[i].copy()
        x, _, flag, _ = daqp.solve(Z.T @ H[i] @ Z, Z.T @ g[i], general, *ends, primal_tol=1e-12)
        one = slice(i, i + 1)
        dv[i] = Z @ x if flag > 0 else damped_step(H[one], g[one], low[i], high[i], None if C is None else C[one])[0]
    return np.clip(dv, low, high)


def downhill(g: np.ndarray, low, high, C: np.ndarray | None = None) -> np.ndarray:
    """The steepest way down from gradients g (count, nv) that limits and constraints leave open; zero at an end."""
    low, high = np.where(low < 0, -np.inf, 0.0), np.where(high > 0, np.inf, 0.0)
    if C is None:
        return np.clip(-g, low, high)
    size = np.linalg.norm(g, axis=1, keepdims=True) + 1e-300
    return size * quadratic_step(np.broadcast_to(np.eye(g.shape[1]), (*g.shape, g.shape[1])), g / size, low, high, C)


def least_step(C: np.ndarray, gap: np.ndarray, low, high) -> np.ndarray:
    """The shortest dv inside limits with C dv = gap, as far as they let it: what is at its limit is left out."""
    free = low < high
    dv = np.zeros(low.shape)
    for _ in range(low.shape[1]):
        dv = np.einsum("nij,nj->ni", pseudoinverse(C * free[:, None, :], RANK), gap)
        past = free & (((dv < 0) & (low >= 0)) | ((dv > 0) & (high <= 0)))
        if not past.any():
            break
        free = free & ~past
    return np.clip(dv, low, high)


METHODS = {"damped": damped_step, "qp": quadratic_step}
