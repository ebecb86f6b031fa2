"""Steps inside limits and along constraints: the least of a quadratic, the way down, and the shortest step."""

from __future__ import annotations

import numpy as np

from ..numeric import one_by_one
from ..spatial.arrays import for_kernels
from ..spatial.kernels.decompositions import null_space, pseudoinverse
from .kernels.search import bounded_steps

RANK = 1e-9  # of the largest singular value: rows of constraints below it say nothing new


def quadratic_step(H: np.ndarray, g: np.ndarray, low, high, C: np.ndarray | None = None) -> np.ndarray:
    """The dv (count, nv) that minimise ½ dvᵀH dv + gᵀdv over low ≤ dv ≤ high, along constraints C dv = 0 if there are.

    Where the limits are not met by Cholesky's factor, else exactly by the dual active-set solver daqp.
    """
    low, high = np.maximum(low, -1e30), np.minimum(high, 1e30)
    if np.shape(low) != g.shape:
        low, high = np.broadcast_to(low, g.shape), np.broadcast_to(high, g.shape)
    if C is None:
        dv = lowest_points(H, g)
    else:
        N = np.eye(g.shape[1]) - pseudoinverse(C, RANK) @ C
        dv = np.einsum("nij,nj->ni", N, lowest_points(along(H, N), np.einsum("nij,nj->ni", N, g)))
    for i in np.flatnonzero(~((dv >= low) & (dv <= high)).all(axis=1)):
        dv[i] = _bounded_step(H[i], g[i], low[i], high[i], None if C is None else C[i])
    return np.clip(dv, low, high)


def damped_step(H: np.ndarray, g: np.ndarray, low: np.ndarray, high: np.ndarray, C: np.ndarray | None = None):
    """Damped least squares (count, nv): coordinates that would leave their limits are set there, the others re-solved.

    H = JᵀJ + λI and g = Jᵀr. Along constraints C dv = 0 the step is solved exactly, as the method "qp" does.
    """
    return lowest_points(H, g, low, high) if C is None else quadratic_step(H, g, low, high, C)


def lowest_points(
    H: np.ndarray, g: np.ndarray, low: np.ndarray | float = -np.inf, high: np.ndarray | float = np.inf
) -> np.ndarray:
    """The dv (count, nv) that minimise ½ dvᵀH dv + gᵀdv, compiled.

    Coordinates that would leave their limits are set there, and the others solved for again.
    """
    low, high = (for_kernels(np.asarray(x)) if np.shape(x) == g.shape else np.full(g.shape, x) for x in (low, high))
    dv = np.empty(g.shape)
    arrays = for_kernels(H).reshape(len(g), g.shape[1] ** 2), for_kernels(g), low, high, dv
    one_by_one(lambda z, start, stop: bounded_steps(z, arrays, start, stop), len(g))
    return dv


def _bounded_step(H: np.ndarray, g: np.ndarray, low: np.ndarray, high: np.ndarray, C: np.ndarray | None) -> np.ndarray:
    """The step of one member at its limits."""
    import daqp

    Z = np.eye(len(g)) if C is None else null_space(C, RANK)
    if not Z.size:
        return np.zeros(len(g))
    general = np.zeros((0, len(g))) if C is None else Z  # limits are simple bounds, or rows of Z
    H_along, g_along = Z.T @ H @ Z, Z.T @ g
    x, _, flag, _ = daqp.solve(H_along, g_along, general, high.copy(), low.copy(), primal_tol=1e-12)
    return Z @ x if flag > 0 else _shortened(-Z @ np.linalg.solve(H_along, g_along), low, high)


def _shortened(dv: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """A step made so short that it stays inside the limits, where the solver gave up."""
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(dv > 0, high / dv, np.where(dv < 0, low / dv, np.inf))
    return dv * np.clip(parts.min(initial=1.0), 0.0, 1.0)


def along(H: np.ndarray, N: np.ndarray) -> np.ndarray:
    """N H N, and across N as steep as H is anywhere: H as the directions N see it."""
    steep = np.abs(H).max(axis=(1, 2), keepdims=True) + 1e-300
    return N @ H @ N + steep * (np.eye(H.shape[1]) - N)


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
