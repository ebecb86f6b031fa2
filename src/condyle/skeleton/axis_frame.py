"""A frame for an axis."""

from __future__ import annotations

import numpy as np


def axis_frame(axis) -> np.ndarray:
    """A rotation whose third column is the unit vector `axis`; the identity for a zero axis."""
    z = np.asarray(axis, float)
    if not z.any():
        return np.eye(3)
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])
