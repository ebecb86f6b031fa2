"""The point of a surface nearest to a given one: a grid of starts, then damped Newton that slides along the rim."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree

from ...typing import ArrayLike
from .bezier_surface import BezierSurface
from .domain_complex import DomainComplex
from .triangle import multi_indices

STARTS = 12  # lattice per patch side
NEAR = 3  # starts tried for each point


class ClosestPoints(NamedTuple):
    """Points of a surface nearest to given ones.

    Attributes
    ----------
    at : ndarray, shape (n, 2)
        Domain points.
    distance : ndarray, shape (n,)
    on_rim : ndarray of bool, shape (n,)
    """

    at: np.ndarray
    distance: np.ndarray
    on_rim: np.ndarray


@lru_cache(maxsize=8)
def domain_grid(complex: DomainComplex, side: int) -> np.ndarray:
    """Domain points of a lattice with `side` steps along each triangle edge, each once."""
    where = np.einsum("nc,tcx->tnx", multi_indices(side) / side, complex.vertices[complex.triangles]).reshape(-1, 2)
    _, first = np.unique(np.round(where / 1e-9).astype(np.int64), axis=0, return_index=True)
    return where[np.sort(first)]


def rim_edges(complex: DomainComplex) -> np.ndarray:
    """Ends (edges, 2, 2) of the edges that only one triangle has."""
    places = complex.vertices[complex.triangles]
    t, c = np.nonzero(complex.neighbors < 0)
    return np.stack([places[t, (c + 1) % 3], places[t, (c + 2) % 3]], axis=1)


def _feet(complex: DomainComplex, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nearest rim point of each point (n, 2), and the unit direction of the rim there."""
    ends = rim_edges(complex)
    a, along = ends[:, 0], ends[:, 1] - ends[:, 0]
    share = np.einsum("nex,ex->ne", at[:, None] - a, along) / (along**2).sum(axis=1)
    feet = a + np.clip(share, 0, 1)[..., None] * along
    best = np.linalg.norm(feet - at[:, None], axis=-1).argmin(axis=1)
    return feet[np.arange(len(at)), best], along[best] / np.linalg.norm(along[best], axis=1, keepdims=True)


def rim_distance(complex: DomainComplex, at: np.ndarray) -> np.ndarray:
    """How far each domain point (n, 2) is from the rim of the domain."""
    return np.linalg.norm(_feet(complex, at)[0] - at, axis=1)


def into_domain(complex: DomainComplex, at: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each point (n, 2) moved to the nearest point of the domain; whether it was moved; the rim direction there."""
    outside = complex.locate(at)[1].min(axis=-1) < -1e-12
    feet, along = _feet(complex, at)
    return np.where(outside[:, None], feet, at), outside, along


def closest_points(surface: BezierSurface, targets: ArrayLike, iterations: int = 40) -> ClosestPoints:
    """The nearest surface point for each target.

    Parameters
    ----------
    surface : BezierSurface
    targets : array_like, shape (n, d)
    iterations : int, optional
        Of damped Newton, at most.

    Returns
    -------
    ClosestPoints
    """
    targets = np.atleast_2d(np.asarray(targets, float))
    grid = domain_grid(surface.complex, STARTS)
    _, index = KDTree(surface.evaluate(grid)).query(targets, k=NEAR)
    repeated = np.repeat(targets, NEAR, axis=0)
    at = _descend(surface, repeated, grid[index.ravel()].copy(), iterations)
    distance = np.linalg.norm(surface.evaluate(at) - repeated, axis=1).reshape(-1, NEAR)
    best = distance.argmin(axis=1)
    rows = np.arange(len(targets))
    chosen = at.reshape(-1, NEAR, 2)[rows, best]
    return ClosestPoints(chosen, distance[rows, best], rim_distance(surface.complex, chosen) < 1e-9)


def _descend(surface: BezierSurface, targets: np.ndarray, at: np.ndarray, iterations: int) -> np.ndarray:
    """Levenberg-damped Newton on half the squared distance; a step out of the domain is tried along the rim too."""
    at, _, _ = into_domain(surface.complex, at)
    value, damping = _half_square(surface, targets, at), np.full(len(at), 1e-3)
    for _ in range(iterations):
        gradient, hessian = _derivatives(surface, targets, at)
        scale = np.abs(hessian).max(axis=(1, 2)) + 1e-300
        move = -np.linalg.solve(_definite(hessian, damping * scale), gradient[..., None])[..., 0]
        free, left, along = into_domain(surface.complex, at + move)
        slid = _slide(surface.complex, at, gradient, hessian, along, damping * scale)
        options = np.stack([free, np.where(left[:, None], slid, free)])
        values = np.stack([_half_square(surface, targets, option) for option in options])
        pick = values.argmin(axis=0)
        rows = np.arange(len(at))
        better = values[pick, rows] < value
        moved = np.where(better[:, None], options[pick, rows] - at, 0.0)
        at, value = at + moved, np.where(better, values[pick, rows], value)
        damping = np.where(better, damping / 10, damping * 4)
        if not np.any(np.abs(move[~left]) > 1e-14) and not np.any(better):
            break
    return at


def _half_square(surface: BezierSurface, targets: np.ndarray, at: np.ndarray) -> np.ndarray:
    return ((surface.evaluate(at) - targets) ** 2).sum(axis=1) / 2


def _derivatives(surface: BezierSurface, targets: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    offset, J, H = surface.evaluate(at) - targets, surface.jacobian(at), surface.hessian(at)
    gradient = np.einsum("nd,ndx->nx", offset, J)
    return gradient, np.einsum("ndx,ndy->nxy", J, J) + np.einsum("nd,ndxy->nxy", offset, H)


def _definite(hessian: np.ndarray, damping: np.ndarray) -> np.ndarray:
    """The matrix with its eigenvalues made positive and raised by the damping."""
    values, vectors = np.linalg.eigh(hessian)
    floor = 1e-12 * np.abs(values).max(axis=1, keepdims=True) + 1e-300
    raised = np.maximum(np.abs(values), floor) + damping[:, None]
    return np.einsum("nik,nk,njk->nij", vectors, raised, vectors)


def _slide(
    complex: DomainComplex,
    at: np.ndarray,
    gradient: np.ndarray,
    hessian: np.ndarray,
    along: np.ndarray,
    damping: np.ndarray,
) -> np.ndarray:
    """A Newton step along the rim direction, from the rim point nearest to `at`."""
    slope = np.einsum("nx,nx->n", gradient, along)
    curve = np.abs(np.einsum("nx,nxy,ny->n", along, hessian, along)) + damping
    return into_domain(complex, at - (slope / curve)[:, None] * along)[0]
