"""The paper's own surface: through 7 corners and 6 patch centres, near 6 edge middles, C1, cubic.

Minimise Σ|h_i|² + α Σ|x_i|² (or the bending energy instead of the second sum) subject to C1 and to the centres, where
h_i is what is missing at edge middle i. [TolaniBadlerGallier2000, section 3.4, eqs. 1-2 with the linear term]
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space

from ...errors import BadShape, BadValue, require
from ...splines.bezier.continuity import continuity_matrix
from ...splines.bezier.domain_complex import hexagon
from ...splines.bezier.surface import BezierSurface
from .surface_least_squares import basis_rows, bending_energy

CORNERS = (0, 3, 15, 18, 21, 33, 36)
# the printed index set of eq. 2; 22 and 28 are on the rim, and without them an alternating rim mode is left free
PENALIZED = (5, 6, 7, 10, 11, 12, 13, 16, 17, 19, 20, 22, 23, 24, 25, 26, 28, 29, 30, 31)


def interpolation_places() -> np.ndarray:
    """The 19 domain points: 7 corners (in the order of CORNERS), 6 patch centres, 6 outer edge middles."""
    complex = hexagon(3)
    patches = complex.vertices[complex.triangles]
    return np.vstack([complex.points[list(CORNERS)], patches.mean(axis=1), patches[:, 1:].mean(axis=1)])


def nearest_to_places(places: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The values (19, d) of the samples nearest to the 19 interpolation places."""
    gaps = np.linalg.norm(np.asarray(places)[None] - interpolation_places()[:, None], axis=-1)
    return np.asarray(values, float)[gaps.argmin(axis=1)]


def interpolated_surface(points: np.ndarray, *, alpha: float = 1e-2, penalty: str = "control") -> BezierSurface:
    """The surface for points (19, d) at `interpolation_places`; `penalty` is "control" (the paper's) or "bending"."""
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
    return BezierSurface(complex, start + free @ moved)


def _penalty_root(complex, penalty: str) -> np.ndarray:
    """A matrix whose rows square to the penalty."""
    if penalty == "control":
        return np.eye(37)[list(PENALIZED)]
    values, vectors = np.linalg.eigh(bending_energy(complex))
    return np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
