"""Smooth surfaces through scattered samples: least squares on all of them, C1 exact, bending energy, reprojection.

The unknowns are coordinates in the space of C1 surfaces, so no fit can break the continuity. The bending energy
∫ f_xx² + 2 f_xy² + f_yy² over the domain is invariant under moving the data, unlike a penalty on the control points.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...errors import unknown_name
from ...formats.journal import journal
from ...splines.bezier.bezier_surface import BezierSurface, second_basis, value_basis
from ...splines.bezier.closest_point import closest_points, into_domain
from ...splines.bezier.continuity import smooth_basis
from ...splines.bezier.domain_complex import DomainComplex
from ...splines.bezier.triangle import bernstein, mass_matrix, multi_indices

SMOOTHINGS = 10.0 ** np.arange(-7.0, -1.5, 0.5)
LOSSES = ("squares", "huber", "tukey")


class FittedSurface(NamedTuple):
    """A surface, the domain point (n, 2) of every sample, the weights of the samples and the bending weight."""

    surface: BezierSurface
    at: np.ndarray
    weights: np.ndarray
    smoothing: float


@lru_cache(maxsize=16)
def _space(complex: DomainComplex) -> tuple[np.ndarray, np.ndarray]:
    """The basis (P, dimension) of C1 surfaces and the square root of the bending energy in it."""
    basis = smooth_basis(complex)
    values, vectors = np.linalg.eigh(basis.T @ bending_energy(complex) @ basis)
    return basis, np.sqrt(np.maximum(values, 0))[:, None] * vectors.T


@lru_cache(maxsize=16)
def bending_energy(complex: DomainComplex) -> np.ndarray:
    """The matrix E (P, P) with xᵀEx = ∫ f_xx² + 2 f_xy² + f_yy² for control values x, exactly."""
    lower = complex.degree - 2
    corners = complex.vertices[complex.triangles]
    nodes = _interior_nodes(lower)
    fit = np.linalg.inv(bernstein(lower, nodes))  # from values at the nodes to the net of the second derivative
    total = np.zeros((len(complex.points),) * 2)
    for net, triangle, area in zip(complex.nets, corners, complex.areas, strict=True):
        _, values = second_basis(complex, nodes @ triangle)
        nets = np.einsum("mk,knxy->mnxy", fit, values)
        block = area * np.einsum("anxy,ab,bmxy->nm", nets, mass_matrix(lower), nets)
        total[np.ix_(net, net)] += block
    return total


def _interior_nodes(degree: int) -> np.ndarray:
    """As many points strictly inside a triangle as a net of this degree has, in general position."""
    return (multi_indices(degree) + 0.5) / (degree + 1.5)


def basis_rows(complex: DomainComplex, at: np.ndarray) -> np.ndarray:
    """Weights (n, P) of all control points at domain points (n, 2)."""
    nets, values = value_basis(complex, at)
    out = np.zeros((len(at), len(complex.points)))
    out[np.arange(len(at))[:, None], nets] = values
    return out


def smooth_fit(complex: DomainComplex, at, values, smoothing: float, weights=None) -> BezierSurface:
    """The C1 surface that minimises Σ w|f(at) − value|²/Σ w + smoothing · bending energy."""
    basis, bend = _space(complex)
    values = np.asarray(values, float)
    weights = np.ones(len(values)) if weights is None else np.asarray(weights, float)
    root = np.sqrt(weights / weights.sum())[:, None]
    middle = values.mean(axis=0)
    rows = np.vstack([root * (basis_rows(complex, at) @ basis), np.sqrt(smoothing) * bend])
    wanted = np.vstack([root * (values - middle), np.zeros((len(bend), values.shape[1]))])
    inside = np.linalg.lstsq(rows, wanted, rcond=1e-13)[0]
    return BezierSurface(complex, basis @ inside + middle)


def loss_name(loss: str) -> str:
    """A loss of `LOSSES`; "squared", the former word for "squares", is taken with a warning."""
    if loss == "squared":
        warnings.warn('the loss "squared" is called "squares" now', DeprecationWarning, stacklevel=3)
        return "squares"
    if loss not in LOSSES:
        raise unknown_name("loss", loss, LOSSES, "the fit")
    return loss


def robust_weights(residuals: np.ndarray, loss: str) -> np.ndarray:
    """Weights of iteratively reweighted least squares for residual lengths, scaled by their median."""
    loss = loss_name(loss)
    scale = np.median(residuals) * 1.4826 + 1e-12
    if loss == "huber":
        return 1 / np.maximum(residuals / (1.5 * scale), 1)
    if loss == "tukey":
        return np.maximum(1 - (residuals / (4.685 * scale)) ** 2, 1e-6) ** 2
    return np.ones_like(residuals)


def cross_validated(complex: DomainComplex, at, values, folds: int = 5, seed: int = 0) -> float:
    """The bending weight with the smallest error on samples left out."""
    return float(journal().once(lambda _: {"weight": _cross_validated(complex, at, values, folds, seed)})["weight"])


def _cross_validated(complex: DomainComplex, at, values, folds: int, seed: int) -> float:
    order = np.random.default_rng(seed).permutation(len(values)) % folds
    errors = [sum(_left_out(complex, at, values, order == f, s) for f in range(folds)) for s in SMOOTHINGS]
    return float(SMOOTHINGS[int(np.argmin(errors))])


def _left_out(complex, at, values, out, smoothing):
    guess = smooth_fit(complex, at[~out], values[~out], smoothing).evaluate(at[out])
    return np.linalg.norm(guess - values[out], axis=1).sum()


def fit_surface(
    complex: DomainComplex,
    places: np.ndarray,
    values: np.ndarray,
    *,
    project: slice = slice(None),
    smoothing: float | None = None,
    loss: str = "huber",
    reprojections: int = 3,
) -> FittedSurface:
    """Fit values (n, d) first met at `places` (n, 2); each round moves the places to the feet of channels `project`."""
    at = into_domain(complex, np.asarray(places, float))[0]
    smoothing = cross_validated(complex, at, values) if smoothing is None else smoothing
    weights = np.ones(len(values))
    surface = smooth_fit(complex, at, values, smoothing, weights)
    for _ in range(reprojections):
        moved = journal().once(lambda _, now=surface: _nearest(now.channels(project), values[:, project], loss))
        at, weights = moved["at"], moved["weights"]
        surface = smooth_fit(complex, at, values, smoothing, weights)
    return FittedSurface(surface, at, weights, smoothing)


def _nearest(surface: BezierSurface, points: np.ndarray, loss: str) -> dict[str, np.ndarray]:
    """The places of the feet of points on a surface, and the weights of these samples."""
    feet = closest_points(surface, points)
    # the rim must be pulled out to its samples: they are far from the surface without being outliers
    return {"at": feet.at, "weights": np.where(feet.on_rim, 1.0, robust_weights(feet.distance, loss))}
