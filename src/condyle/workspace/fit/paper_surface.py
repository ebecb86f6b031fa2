"""The paper's own surface: through 7 corners and 6 patch centres, near 6 edge middles, C1, cubic.

Minimise Σ|h_i|² + α Σ|x_i|² (or the bending energy instead of the second sum) subject to C1 and to the centres, where
h_i is what is missing at edge middle i. [TolaniBadlerGallier2000, section 3.4, eqs. 1-2 with the linear term]
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space

from ...errors import BadShape, BadValue, require
from ...splines.bezier.bezier_surface import BezierSurface
from ...splines.bezier.continuity import continuity_matrix
from ...splines.bezier.domain_complex import hexagon
from ...typing import ArrayLike
from .surface_least_squares import basis_rows, bending_energy

CORNERS = (0, 3, 15, 18, 21, 33, 36)
# the printed index set of eq. 2; 22 and 28 are on the rim, and without them an alternating rim mode is left free
PENALIZED = (5, 6, 7, 10, 11, 12, 13, 16, 17, 19, 20, 22, 23, 24, 25, 26, 28, 29, 30, 31)


def interpolation_places() -> np.ndarray:
    """The 19 domain points of the paper's surface.

    Returns
    -------
    ndarray, shape (19, 2)
        Seven corners (control points 0, 3, 15, 18, 21, 33, 36), six patch centres, six middles of outer edges.
    """
    complex = hexagon(3)
    patches = complex.vertices[complex.triangles]
    return np.vstack([complex.points[list(CORNERS)], patches.mean(axis=1), patches[:, 1:].mean(axis=1)])


def nearest_to_places(places: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The values (19, d) of the samples nearest to the 19 interpolation places."""
    gaps = np.linalg.norm(np.asarray(places)[None] - interpolation_places()[:, None], axis=-1)
    return np.asarray(values, float)[gaps.argmin(axis=1)]


def interpolated_surface(
    points: ArrayLike, *, alpha: float = 1e-2, penalty: str = "control", corner: ArrayLike | None = None
) -> BezierSurface:
    """The paper's surface: through 7 corners and 6 patch centres, near 6 edge middles, C1, cubic.

    It minimises Σ|h_i|² + α Σ|x_i|², h_i what is missing at edge middle i, x_i the control points of the paper's eq. 2.

    Parameters
    ----------
    points : array_like, shape (19, d)
        At `interpolation_places`.
    alpha : float, optional
        Weight of the second sum.
    penalty : {"control", "bending"}, optional
        The second sum: of squared control points as printed, or the bending energy, which does not depend on where the
        origin is.
    corner : array_like, shape (3, d), optional
        R₀, R₁, R₂ of a seventh patch: two thirds along its outer edges from control points 0 and 15, and its tip.

    Returns
    -------
    BezierSurface

    Raises
    ------
    BadShape
        If there are not 19 points, or not 3 of the corner.
    BadValue
        If alpha is not positive or the penalty unknown.
    """
    points = np.asarray(points, float)
    require(points.ndim == 2 and len(points) == 19, "the paper's surface takes 19 points", BadShape, shape=points.shape)
    require(alpha > 0, "alpha must be positive, or the surface is not determined", alpha=alpha)
    require(penalty in ("control", "bending"), 'penalty is "control" or "bending"', BadValue, penalty=penalty)
    complex = hexagon(3)
    rows = basis_rows(complex, interpolation_places())
    fixed = np.vstack([continuity_matrix(complex), rows[:13]])
    wanted = np.vstack([np.zeros((18, points.shape[1])), points[:13]])
    start = np.linalg.lstsq(fixed, wanted, rcond=1e-12)[0]
    free = null_space(fixed, rcond=1e-10)
    soft = np.vstack([rows[13:], np.sqrt(alpha) * _penalty_root(complex, penalty)])
    goal = np.vstack([points[13:], np.zeros((len(soft) - 6, points.shape[1]))])
    moved = np.linalg.lstsq(soft @ free, goal - soft @ start, rcond=1e-13)[0]
    surface = BezierSurface(complex, start + free @ moved)
    return surface if corner is None else with_corner(surface, corner)


def corner_places() -> np.ndarray:
    """Domain points (3, 2) of R₀, R₁ and R₂ on the seventh patch."""
    tip, first, second = _extra_triangle()
    return np.array([(2 * tip + first) / 3, (2 * tip + second) / 3, tip])


def _extra_triangle() -> np.ndarray:
    complex = hexagon(3, extra=True)
    return complex.vertices[complex.triangles[6]]


def with_corner(surface: BezierSurface, corner: ArrayLike) -> BezierSurface:
    """A cubic hexagon with the seventh patch that joins C1 and meets R₀, R₁, R₂ (3, d).  [section 3.5]"""
    corner, wide = np.asarray(corner, float), hexagon(3, extra=True)
    channels = surface.control.shape[1]
    require(corner.shape == (3, channels), f"a corner is R₀, R₁, R₂, (3, {channels})", BadShape, shape=corner.shape)
    same = np.linalg.norm(wide.points[:, None] - surface.complex.points[None], axis=-1)
    control = np.zeros((len(wide.points), channels))
    old = same.min(axis=1) < 1e-9
    control[old] = surface.control[same[old].argmin(axis=1)]
    rows = np.vstack([continuity_matrix(wide), basis_rows(wide, corner_places())])
    wanted = np.vstack([np.zeros((len(rows) - 3, channels)), corner])
    free = np.flatnonzero(~old)
    control[free] = np.linalg.lstsq(rows[:, free], wanted - rows @ control, rcond=1e-12)[0]
    return BezierSurface(wide, control)


def _penalty_root(complex, penalty: str) -> np.ndarray:
    """A matrix whose rows square to the penalty."""
    if penalty == "control":
        return np.eye(37)[list(PENALIZED)]
    values, vectors = np.linalg.eigh(bending_energy(complex))
    return np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
