"""The stand of a desk globe, and the lines of longitude and latitude on it."""

from __future__ import annotations

import numpy as np

from ...model.look.overlays import Line, Sheet
from ..scene import wire_sheet
from .coasts import directions

BRASS, WOOD, GRATICULE = (0.80, 0.64, 0.33), (0.45, 0.29, 0.18), (0.74, 0.84, 0.91)
BOW, TABLE = 1.13, 1.45  # radii of the globe: from its centre to the bow, and down to the table
FOOT = ((0.0, 0.16), (0.06, 0.16), (0.08, 0.12), (0.2, 0.09), (0.5, 0.06), (0.56, 0.03), (0.56, 0.0), (0.0, 0.0))
EVERY = 30  # [degrees] between the lines


def stand(radius: float, tilt: float) -> tuple[Sheet, ...]:
    """A bow around a globe [m] whose axis leans by an angle [rad] from z to −y, its pins at the poles, and a foot."""
    angle = np.linspace(-tilt, np.pi, 81)  # from the north pole to the lowest place
    bow = BOW * np.stack([0.0 * angle, np.sin(angle), np.cos(angle)], axis=1)
    axis = np.array([0.0, -np.sin(tilt), np.cos(tilt)])
    pins = [np.outer(sign * np.array([0.97, BOW + 0.05]), axis) for sign in (1.0, -1.0)]
    column = np.array([(0.0, 0.0, -BOW), (0.0, 0.0, 0.1 - TABLE)])
    rods = [(bow, 0.032), *((pin, 0.022) for pin in pins), (column, 0.045)]
    wires = [wire_sheet(None, radius * points, (1.0, 0.0, 0.0), radius * r, BRASS) for points, r in rods]
    around, (r, z) = np.linspace(0.0, 2.0 * np.pi, 49)[:, None], np.array(FOOT).T
    foot = np.stack(np.broadcast_arrays(r * np.cos(around), r * np.sin(around), z - TABLE), axis=-1)
    return (*wires, Sheet(None, radius * foot, WOOD, 1.0, False))


def graticule(body: str, radius: float) -> tuple[Line, ...]:
    """Meridians and parallels on a sphere [m] about the origin of a body."""
    full, half = (np.linspace(-a, a, 121) * np.pi for a in (1.0, 0.5))
    meridians = [np.stack([0.0 * half + np.radians(a), half], axis=-1) for a in range(-180, 180, EVERY)]
    parallels = [np.stack([full, 0.0 * full + np.radians(b)], axis=-1) for b in range(EVERY - 90, 90, EVERY)]
    return tuple(Line(body, radius * directions(x), GRATICULE) for x in (*meridians, *parallels))
