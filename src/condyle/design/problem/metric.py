"""How far apart two poses are: a quadratic form on twists, as a factor C with |x|² = |C x|².

Rotation [rad] and translation [m] do not compare by themselves. A `length` [m] says how many metres count like one
radian; an `Inertia` measures twists by their kinetic energy per kilogram; a symmetric 6x6 matrix is taken as it is.
[LeeTerzopoulos2008, section 6.1, footnote 2]
"""

from __future__ import annotations

import numpy as np

from ...errors import BadShape, BadValue, require
from ...spatial import Inertia
from ...typing import ArrayLike

NOISE = "noise"  # the metric that weighs residuals of rotation and position alike
SUPPOSED_LENGTH = 0.1  # [m] where the noise is not known yet
MET = 1e-10  # [rad, m] of median residual: less is no noise


def metric_factor(metric: float | Inertia | ArrayLike = 1.0) -> np.ndarray:
    """The upper factor C (6, 6) of a metric: a length [m], an `Inertia` of some mass, or a positive 6x6 matrix.

    Parameters
    ----------
    metric : float, Inertia or array_like, shape (6, 6), optional
        How metres compare with radians: a length [m], an inertia, or a positive matrix on twists.

    Returns
    -------
    ndarray, shape (6, 6)

    Raises
    ------
    BadValue
        If a length is not positive, an inertia has no mass, or a matrix is not positive.
    BadShape
        If it is neither a number nor 6x6.
    """
    if isinstance(metric, Inertia):
        require(metric.mass > 0, "metric: an inertia needs mass to measure twists", mass=metric.mass)
        return cholesky(metric.spatial() / metric.mass)
    words = "metric: a length [m], an Inertia or a 6x6 matrix (fit_curve takes 'noise' too)"
    require(not isinstance(metric, str), words, BadValue, metric=metric)
    array = np.asarray(metric, float)
    if array.ndim == 0:
        require(np.isfinite(array) and array > 0, "metric: the length must be positive [m]", BadValue, length=metric)
        return np.diag(np.repeat([1.0, 1.0 / float(array)], 3))
    require(array.shape == (6, 6), "metric: a length, an Inertia or a 6x6 matrix", BadShape, shape=array.shape)
    return cholesky(array)


def noise_length(rotations: np.ndarray, positions: np.ndarray) -> float:
    """The length [m] at which residuals of rotation (n, 3) and of position (m, 3) weigh alike, by their medians.

    Raises
    ------
    BadValue
        If there are none of a kind, or one kind is met exactly.
    """
    sizes = [float(np.median(np.linalg.norm(r, axis=1))) if len(r) else 0.0 for r in (rotations, positions)]
    words = "metric='noise': the fit leaves no residuals of one kind to compare; give a length [m]"
    require(min(sizes) > MET, words, BadValue, rotation_rad=sizes[0], position_m=sizes[1])
    return sizes[1] / sizes[0]


def cholesky(W: np.ndarray) -> np.ndarray:
    """C with W = CᵀC; W must be symmetric and positive."""
    require(np.allclose(W, W.T), "metric: the 6x6 matrix must be symmetric")
    try:
        return np.linalg.cholesky(W).T
    except np.linalg.LinAlgError:
        least = float(np.linalg.eigvalsh(W)[0])
        raise BadValue(f"metric: the 6x6 matrix must be positive; its least eigenvalue is {least:.3g}") from None


def twist_norms(twists: np.ndarray, C: np.ndarray) -> np.ndarray:
    """|C x| of twists (..., 6)."""
    return np.linalg.norm(twists @ C.T, axis=-1)
