"""Volume or area, and mean squares, of MJCF's geometric shapes: full of mass, or a shell of it."""

from __future__ import annotations

import numpy as np

THOMSEN = 1.6075  # exponent of Knud Thomsen's formula for the area of an ellipsoid, as MuJoCo has it
THIN = 1e-6  # [m] of a shell of an ellipsoid, as MuJoCo has it


def sphere(size, shell: bool) -> tuple[float, np.ndarray]:
    """Measure and mean x², y², z² of a ball of radius size[0] [m]."""
    r = size[0]
    if shell:
        return 4.0 * np.pi * r * r, np.full(3, r * r / 3.0)
    return 4.0 / 3.0 * np.pi * r**3, np.full(3, r * r / 5.0)


def box(size, shell: bool) -> tuple[float, np.ndarray]:
    """Of a box of half edges size [m]."""
    half = np.array(size[:3])
    if not shell:
        return 8.0 * float(np.prod(half)), half**2 / 3.0
    faces = 8.0 * np.array([half[1] * half[2], half[0] * half[2], half[0] * half[1]])  # pairs across x, y, z
    area = float(faces.sum())
    return area, half**2 * (faces + (area - faces) / 3.0) / area


def cylinder(size, shell: bool) -> tuple[float, np.ndarray]:
    """Of a cylinder of radius size[0] and half length size[1] [m] along z."""
    r, length = size[0], 2.0 * size[1]
    if not shell:
        return np.pi * r * r * length, np.array([r * r / 4.0, r * r / 4.0, length**2 / 12.0])
    wall, ends = 2.0 * np.pi * r * length, 2.0 * np.pi * r * r
    across = (wall * r * r / 2.0 + ends * r * r / 4.0) / (wall + ends)
    along = (wall * length**2 / 12.0 + ends * length**2 / 4.0) / (wall + ends)
    return wall + ends, np.array([across, across, along])


def capsule(size, shell: bool) -> tuple[float, np.ndarray]:
    """Of a cylinder of radius size[0] and half length size[1] [m] along z with half balls at its ends."""
    r, h = size[0], size[1]
    if shell:
        wall, ends = 4.0 * np.pi * r * h, 4.0 * np.pi * r * r
        squares = np.array([[r * r / 2.0, h * h / 3.0], [r * r / 3.0, h * h + h * r + r * r / 3.0]])
    else:
        wall, ends = 2.0 * np.pi * r * r * h, 4.0 / 3.0 * np.pi * r**3
        squares = np.array([[r * r / 4.0, h * h / 3.0], [r * r / 5.0, h * h + 0.75 * h * r + r * r / 5.0]])
    across, along = (wall * squares[0] + ends * squares[1]) / (wall + ends)
    return wall + ends, np.array([across, across, along])


def ellipsoid(size, shell: bool) -> tuple[float, np.ndarray]:
    """Of an ellipsoid of half axes size [m]; a shell has the same thickness along all axes, as in MuJoCo."""
    half = np.array(size[:3])
    if not shell:
        return 4.0 / 3.0 * np.pi * float(np.prod(half)), half**2 / 5.0
    powers = half**THOMSEN
    pairs = powers[0] * powers[1] + powers[1] * powers[2] + powers[2] * powers[0]
    area = 4.0 * np.pi * float(pairs / 3.0) ** (1.0 / THOMSEN)
    thick = half + THIN
    inner, outer = float(np.prod(half)), float(np.prod(thick))
    return area, (outer * thick**2 - inner * half**2) / (5.0 * (outer - inner))


SOLIDS = {"sphere": sphere, "box": box, "cylinder": cylinder, "capsule": capsule, "ellipsoid": ellipsoid}
LENGTHS = {"sphere": 1, "box": 3, "cylinder": 2, "capsule": 2, "ellipsoid": 3}  # how many sizes each needs
