"""From elevation and abduction to a place in the surface's domain, and back.

Frame of the clavicle (right arm): x lateral, y forward, z up. A direction is (sin el cos ab, sin el sin ab, −cos el):
elevation 0 is the arm hanging, abduction 0 sideways, π/2 forward. Directions map to a disc around the lateral axis
by the equal-area projection, radius √2 sin(θ/2) for the polar angle θ from x, and the disc to the hexagon by scaling
rays. [TolaniBadlerGallier2000, section 4.1, corrected]
"""

from __future__ import annotations

import numpy as np

SIXTH, TWELFTH = np.pi / 3, np.pi / 6


def direction_from_angles(elevation, abduction) -> np.ndarray:
    """Unit vectors (..., 3) for elevation and abduction [rad]."""
    elevation, abduction = np.asarray(elevation, float), np.asarray(abduction, float)
    lateral = np.sin(elevation) * np.cos(abduction)
    out = np.empty((*lateral.shape, 3))
    out[..., 0], out[..., 1], out[..., 2] = lateral, np.sin(elevation) * np.sin(abduction), -np.cos(elevation)
    return out


def angles_from_direction(direction) -> tuple[np.ndarray, np.ndarray]:
    """Elevation in [0, π] and abduction in (−π, π] of vectors (..., 3); abduction 0 where the arm hangs straight."""
    x, y, z = np.moveaxis(np.asarray(direction, float), -1, 0)
    return np.arctan2(np.hypot(x, y), -z), np.arctan2(y, x)


def disc_from_direction(direction) -> np.ndarray:
    """Equal-area disc points (..., 2) = (forward, up); the unit circle is the sagittal plane."""
    unit = _unit(direction)
    return unit[..., 1:] / np.sqrt(np.maximum(1 + unit[..., :1], 1e-300))


def direction_from_disc(disc) -> np.ndarray:
    """Unit vectors (..., 3) of disc points (..., 2) of radius up to √2, the whole sphere; NaN beyond."""
    disc = np.asarray(disc, float)
    square = (disc**2).sum(axis=-1, keepdims=True)
    square = np.where(square > 2, np.nan, square)
    return np.concatenate([1 - square, disc * np.sqrt(2 - square)], axis=-1)


def hexagon_from_disc(disc) -> np.ndarray:
    """The unit disc pressed into the unit hexagon along rays (continuous, with kinks on the spokes)."""
    return np.asarray(disc, float) * _squeeze(disc)


def disc_from_hexagon(place) -> np.ndarray:
    """The inverse of `hexagon_from_disc`."""
    return np.asarray(place, float) / _squeeze(place)


def _squeeze(place) -> np.ndarray:
    """cos 30° / cos((ψ mod 60°) − 30°): the hexagon's rim at polar angle ψ."""
    x, y = np.moveaxis(np.asarray(place, float), -1, 0)
    return (np.cos(TWELFTH) / np.cos(np.mod(np.arctan2(y, x), SIXTH) - TWELFTH))[..., None]


def _unit(vectors) -> np.ndarray:
    vectors = np.asarray(vectors, float)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
