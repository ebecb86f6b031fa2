"""How uneven control points are: squared second divided differences along and across the coordinates, as rows.

Differences are divided by the Greville steps, so that the control points of a linear function have no roughness, also
at clamped ends.
"""

from __future__ import annotations

from functools import reduce
from itertools import combinations

import numpy as np

__all__ = ["roughness_rows"]


def roughness_rows(abscissae) -> np.ndarray:
    """D (rows, count) with |Dc|² = Σ (Δ_a² c)² + 2 Σ (Δ_a Δ_b c)², the mean Greville step along each axis as unit."""
    axes = [np.asarray(x) / np.diff(x).mean() for x in abscissae]
    along = [differences(axes, {a: second_difference}) for a in range(len(axes))]
    pairs = combinations(range(len(axes)), 2)
    across = [np.sqrt(2.0) * differences(axes, {a: first_difference, b: first_difference}) for a, b in pairs]
    return np.concatenate([*along, *across])


def differences(axes, kinds: dict) -> np.ndarray:
    """The matrix that takes differences along some axes."""
    return reduce(np.kron, [kinds[a](x) if a in kinds else np.eye(len(x)) for a, x in enumerate(axes)])


def first_difference(x: np.ndarray) -> np.ndarray:
    """Slopes between neighbours."""
    return np.diff(np.eye(len(x)), axis=0) / np.diff(x)[:, None]


def second_difference(x: np.ndarray) -> np.ndarray:
    """Changes of slope for a unit step."""
    return np.diff(first_difference(x), axis=0) / (0.5 * (x[2:] - x[:-2]))[:, None]
