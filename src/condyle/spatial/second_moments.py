"""Second moments ∫ x xᵀ dm of a body about its centre of mass: what decides whether a moment of inertia is one.

They are ½ tr(I) 1 − I, and a moment of inertia I belongs to a body if and only if none of their principal values is
negative: then no principal moment is, and any two sum to at least the third.
"""

from __future__ import annotations

import numpy as np

LAST_BITS = 8 * np.finfo(float).eps  # relative; what the eigenvalues of a 3x3 matrix are known to


def second_moments(moment: np.ndarray) -> np.ndarray:
    """∫ x xᵀ dm [kg m²] (..., 3, 3) of moments of inertia; the way back is tr(S) 1 − S."""
    return 0.5 * np.trace(moment, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - moment


def shortfall(moment: np.ndarray) -> np.ndarray:
    """How far the least second moments (...) are below zero, as a share of the largest; 0 for a body."""
    values = np.linalg.eigvalsh(second_moments(moment))
    least = values[..., 0]
    return np.where(least < 0.0, -least / np.where(least < 0.0, np.abs(values).max(axis=-1), 1.0), 0.0)


def nearest_moment(moment: np.ndarray) -> np.ndarray:
    """The moment of the body whose second moments are nearest: negative principal values become zero."""
    values, axes = np.linalg.eigh(second_moments(moment))
    S = (axes * np.maximum(values, 0.0)) @ axes.T
    nearest = np.trace(S) * np.eye(3) - S
    return 0.5 * (nearest + nearest.T)


def principal_moments(moment: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal values (..., 3), ascending, zero where only round-off is left, and right-handed axes in columns."""
    values, axes = np.linalg.eigh(moment)
    axes[..., 0] *= np.where(np.linalg.det(axes) < 0.0, -1.0, 1.0)[..., None]
    return np.where(np.abs(values) <= LAST_BITS * np.abs(values).max(axis=-1, keepdims=True), 0.0, values), axes
