"""One step towards targets inside limits: minimise |J dv + r|² + λ |dv|² over low ≤ dv ≤ high."""

from __future__ import annotations

import numpy as np

__all__ = ["METHODS", "damped_step", "quadratic_step"]


def damped_step(H: np.ndarray, g: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Damped least squares (count, nv): coordinates that would leave their limits are set there, the others re-solved.

    H = JᵀJ + λI and g = Jᵀr. Each round fixes at least one more coordinate, so there are at most nv + 1.
    """
    count, nv = g.shape
    fixed = np.zeros((count, nv), dtype=bool)
    dv = np.zeros((count, nv))
    for _ in range(nv + 1):
        free = ~fixed
        rhs = np.where(free, -(g + np.einsum("nij,nj->ni", H, np.where(fixed, dv, 0.0))), 0.0)
        both = free[:, :, None] & free[:, None, :]
        A = np.where(both, H, np.eye(nv))
        dv = np.where(fixed, dv, np.linalg.solve(A, rhs[..., None])[..., 0])
        past = free & ((dv < low) | (dv > high))
        if not past.any():
            break
        dv, fixed = np.where(past, np.clip(dv, low, high), dv), fixed | past
    return np.clip(dv, low, high)


def quadratic_step(H: np.ndarray, g: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The same problem solved exactly, one member at a time, by the dual active-set solver daqp."""
    import daqp

    none = np.zeros((0, g.shape[1]))
    dv = np.zeros_like(g)
    for i in range(len(g)):
        upper, lower = np.minimum(high[i], 1e30), np.maximum(low[i], -1e30)
        x, _, flag, _ = daqp.solve(np.ascontiguousarray(H[i]), np.ascontiguousarray(g[i]), none, upper, lower)
        dv[i] = np.clip(x, lower, upper) if flag > 0 else damped_step(H[i : i + 1], g[i : i + 1], low[i], high[i])[0]
    return dv


METHODS = {"damped": damped_step, "qp": quadratic_step}
