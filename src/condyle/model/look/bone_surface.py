"""The surface of a bone: a waisted shaft between two ends, each with two knobs and a groove between them."""

from __future__ import annotations

import numpy as np

ALONG, AROUND = 29, 15  # points of the grid along the bone and around it
WAIST, KNOBS, GROOVE = 0.46, 0.28, 0.32  # parts of the radius of an end
ENDS = 2.6  # radii from an end to where its flare begins


def bone_grid(radius: float, length: float) -> np.ndarray:
    """A closed grid (ALONG, AROUND, 3) [m] along z, of which the knobs stand apart along x."""
    r = min(radius, 0.4 * length)
    s = np.linspace(-1.0, 1.0, ALONG)
    z = (0.5 * length + 0.4 * r) * np.sign(s) * (1.0 - (1.0 - np.abs(s)) ** 2.0)  # dense where it bends
    end = np.abs(z) - 0.5 * length  # [m] beyond the middle of an end
    flare = _smooth(1.0 + (end + 0.3 * r) / (ENDS * r))
    cap = np.sqrt(np.clip(1.0 - np.clip((end + 0.3 * r) / (0.7 * r), 0.0, 1.0) ** 2, 0.0, 1.0))
    waist = WAIST * (1.0 + 0.12 * (z / (0.5 * length)) ** 2)
    thick = r * (waist + (1.0 - waist) * flare) * cap
    angle = np.linspace(0.0, 2.0 * np.pi, AROUND)
    x = np.outer(thick * (1.0 + KNOBS * flare), np.cos(angle))
    y = np.outer(thick * (1.0 - 0.6 * KNOBS * flare), np.sin(angle))
    dent = GROOVE * r * _smooth(1.0 + end / r)[:, None] * np.exp(-((x / (0.5 * r)) ** 2))
    return np.stack([x, y, z[:, None] - np.sign(z)[:, None] * dent], axis=-1)


def _smooth(x: np.ndarray) -> np.ndarray:
    """From 0 to 1 as x goes from 0 to 1, level at both."""
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)
