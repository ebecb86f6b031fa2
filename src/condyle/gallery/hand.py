"""What the wrist and the thumb look like: simple bones of round numbers, for drawing only.

z leads away from the joint towards the fingers, x is across the palm, y out of its back.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..model.shapes import BONE, Shape, sphere
from ..spatial import SE3
from ..view.geometry import limb
from ..view.overlays import Sheet

__all__ = ["forearm", "hand_bones", "thumb_bones", "trapezium"]

DARK = (0.80, 0.74, 0.62)
# x and z [m] of each finger's knuckles: base and head of the metacarpal, then the phalanges' ends
FINGERS = (
    ((-0.018, 0.034), (-0.030, 0.088), (-0.037, 0.124), (-0.041, 0.146), (-0.043, 0.162)),
    ((-0.006, 0.036), (-0.010, 0.093), (-0.012, 0.136), (-0.013, 0.162), (-0.014, 0.180)),
    ((0.006, 0.035), (0.010, 0.088), (0.013, 0.128), (0.015, 0.153), (0.016, 0.170)),
    ((0.016, 0.032), (0.028, 0.080), (0.035, 0.110), (0.039, 0.128), (0.042, 0.142)),
)
THUMB = ((-0.020, 0.028), (-0.042, 0.058), (-0.056, 0.084), (-0.066, 0.103))
CARPALS = ((-0.016, 0.007), (0.0, 0.010), (0.016, 0.007), (-0.017, 0.022), (-0.004, 0.024), (0.010, 0.022))  # x, z [m]


def hand_bones() -> tuple[Shape, ...]:
    """Carpus, metacarpals and fingers, with a thumb at rest."""
    carpus = [sphere(0.0095, SE3.from_translation((x, 0.0, z)), DARK) for x, z in CARPALS]
    fingers = [part for finger in (*FINGERS, THUMB) for part in _chain([(x, 0.0, z) for x, z in finger], 0.0052)]
    return (*carpus, *fingers)


def thumb_bones() -> tuple[Shape, ...]:
    """A metacarpal and two phalanges, bent a little."""
    return _chain([(0.0, 0.0, 0.006), (0.0, 0.0, 0.046), (0.0, -0.006, 0.077), (0.0, -0.016, 0.099)], 0.0055)


def _chain(points, radius: float) -> tuple[Shape, ...]:
    """Rods between points with thicker ends, the next ones thinner."""
    rods = []
    for k, (a, b) in enumerate(pairwise(points)):
        size = radius * (1.0 - 0.08 * k)
        rods += [limb(a, b, 0.8 * size, BONE), sphere(1.15 * size, SE3.from_translation(a), BONE)]
    return (*rods, sphere(0.8 * radius, SE3.from_translation(points[-1]), BONE))


def forearm(length: float = 0.16) -> tuple[Sheet, ...]:
    """Radius and ulna as tubes that widen towards the wrist, before a joint whose z axis is along them."""
    return (_tube(-0.009, 0.006, 0.017, length), _tube(0.018, 0.008, 0.009, length))


def trapezium() -> tuple[Sheet, ...]:
    """The bone before the thumb's saddle."""
    return (_tube(0.0, 0.0095, 0.0085, 0.022, near=0.006),)


def _tube(across: float, far: float, wide: float, length: float, near: float = 0.004) -> Sheet:
    """A closed tube along −z at x = across, of radius `far` at its end and `wide` at the joint [m]."""
    along = np.array([0.0, 0.0, 0.25, 0.6, 0.85, 1.0, 1.0])  # from the far end
    radius = np.array([0.0, far, far, far + 0.15 * (wide - far), far + 0.7 * (wide - far), wide, 0.0])
    u, k = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 25), np.arange(len(along)), indexing="ij")
    x, y = across + radius[k] * np.sin(u), 0.62 * radius[k] * np.cos(u)
    return Sheet(None, np.stack([x, y, -length + (length - near) * along[k]], axis=-1), DARK, opacity=1.0)
