"""Outlines of the letters of SIGGRAPH: own simple polygons, one closed outline each, and their holes as drawn."""

from __future__ import annotations

import numpy as np

from ...spatial import Inertia
from ..outlines import evenly_spaced, smoothed

WORD = "SIGGRAPH"

# Counterclockwise corners, height 1.
CORNERS = {
    "S": (
        "0.68 0.84, 0.55 0.97, 0.36 1, 0.14 0.96, 0.02 0.76, 0.08 0.58, 0.3 0.46, 0.48 0.34, 0.46 0.22, 0.34 0.18, "
        "0.2 0.2, 0.1 0.32, 0 0.16, 0.14 0.03, 0.34 0, 0.58 0.05, 0.7 0.26, 0.62 0.46, 0.4 0.57, 0.23 0.68, "
        "0.25 0.79, 0.36 0.83, 0.5 0.8, 0.58 0.7"
    ),
    "I": "0 0, 0.22 0, 0.22 1, 0 1",
    "G": (
        "0.72 0.82, 0.58 0.96, 0.4 1, 0.18 0.94, 0.04 0.76, 0 0.5, 0.04 0.24, 0.18 0.06, 0.4 0, 0.6 0.04, 0.76 0.16, "
        "0.76 0.52, 0.42 0.52, 0.42 0.36, 0.56 0.36, 0.56 0.24, 0.4 0.18, 0.26 0.26, 0.2 0.5, 0.26 0.74, 0.4 0.82, "
        "0.5 0.8, 0.58 0.7"
    ),
    "R": "0 0, 0.2 0, 0.2 0.38, 0.3 0.38, 0.5 0, 0.74 0, 0.52 0.42, 0.66 0.53, 0.7 0.72, 0.63 0.91, 0.44 1, 0 1",
    "A": "0 0, 0.2 0, 0.27 0.22, 0.55 0.22, 0.62 0, 0.82 0, 0.52 1, 0.3 1",
    "P": "0 0, 0.2 0, 0.2 0.38, 0.44 0.38, 0.63 0.48, 0.7 0.69, 0.63 0.91, 0.44 1, 0 1",
    "H": "0 0, 0.2 0, 0.2 0.4, 0.54 0.4, 0.54 0, 0.74 0, 0.74 1, 0.54 1, 0.54 0.58, 0.2 0.58, 0.2 1, 0 1",
}

# Holes, clockwise or not: they are cut out of what is drawn; the plate that moves is whole.
HOLES = {
    "R": "0.2 0.55, 0.4 0.55, 0.48 0.6, 0.51 0.7, 0.48 0.8, 0.4 0.85, 0.2 0.85",
    "A": "0.32 0.4, 0.5 0.4, 0.41 0.72",
    "P": "0.2 0.54, 0.41 0.54, 0.49 0.6, 0.51 0.69, 0.48 0.8, 0.41 0.85, 0.2 0.85",
}


def hole(letter: str, height: float = 0.3) -> list[np.ndarray]:
    """The outline (points, 2) [m] of a letter's hole, in a list that is empty for letters without one."""
    if letter not in HOLES:
        return []
    inner, outer = (np.array([pair.split() for pair in of[letter].split(",")], float) for of in (HOLES, CORNERS))
    middle = 0.5 * (outer.min(axis=0) + outer.max(axis=0))
    return [height * smoothed(evenly_spaced(inner - middle, 120), 2.0)]


def glyph(letter: str, height: float = 0.3, points: int = 720, rounding: float = 0.05) -> np.ndarray:
    """The outline (points, 2) [m] of a letter about the middle of its box, corners rounded by a share of its height."""
    corners = np.array([pair.split() for pair in CORNERS[letter].split(",")], float)
    corners -= 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    around = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).sum()
    return height * smoothed(evenly_spaced(corners, points), rounding * points / around)


def plate(outline: np.ndarray, density: float = 8.0) -> Inertia:
    """The inertia of a thin plate [kg/m²] cut along an outline, by sums over its triangles with the origin."""
    a, b = outline, np.roll(outline, -1, axis=0)
    area = 0.5 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    center = (area[:, None] * (a + b) / 3.0).sum(axis=0) / area.sum()
    a, b = a - center, b - center
    xx, yy = (area[:, None] * (a * a + a * b + b * b) / 6.0).sum(axis=0)
    ab = 2.0 * a[:, 0] * a[:, 1] + 2.0 * b[:, 0] * b[:, 1] + a[:, 0] * b[:, 1] + b[:, 0] * a[:, 1]
    xy = (area * ab).sum() / 12.0
    moment = density * np.array([[yy, -xy, 0.0], [-xy, xx, 0.0], [0.0, 0.0, xx + yy]])
    return Inertia(density * area.sum(), (*center, 0.0), moment)
