"""A direction that stays as far as possible from many others, as the pole that angles are measured from."""

from __future__ import annotations

import numpy as np


def farthest_pole(directions: np.ndarray, count: int = 600) -> tuple[np.ndarray, float]:
    """Axes (3, 3) whose z keeps away from unit directions (N, 3) and their opposites, and the largest |cosine| left."""
    k = np.arange(count) + 0.5
    z, turn = 1.0 - k / count, np.pi * (1.0 + np.sqrt(5.0)) * k
    around = np.sqrt(1.0 - z * z)
    candidates = np.stack([around * np.cos(turn), around * np.sin(turn), z], axis=-1)
    nearest = np.abs(candidates @ directions.T).max(axis=1)
    best = int(np.argmin(nearest))
    z = candidates[best]
    x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=-1), float(nearest[best])
