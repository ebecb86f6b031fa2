"""What the shoulder looks like: ribs on an ellipsoid, a spine, a breast bone and a blade, for drawing only."""

from __future__ import annotations

import numpy as np

from ..model.shapes import BONE, Shape
from ..view.geometry import limb
from ..view.overlays import Sheet

__all__ = ["blade", "blade_edges", "ribs"]

# The blade's corners in its frame [m]: lower angle, root of the spine, upper corner, socket.
ANGLE, ROOT, CORNER, SOCKET = np.array(
    [(0.0, -0.09, -0.01), (0.0, 0.03, -0.035), (0.0, 0.06, -0.03), (-0.005, 0.03, 0.055)]
)


def ribs(axes: np.ndarray, count: int = 9) -> tuple[Sheet, ...]:
    """Ribs within an ellipsoid with semi-axes [m], lower in front, with spine and breast bone."""
    u = np.linspace(0.0, 2.0 * np.pi, 49)
    rings = []
    for polar in np.linspace(0.55, 2.2, count):
        w = polar + 0.14 * np.cos(u)
        rings.append(0.955 * axes * np.stack([np.cos(u) * np.sin(w), np.sin(u) * np.sin(w), np.cos(w)], axis=1))
    back, front = np.linspace(0.35, 2.5, 15), np.linspace(0.75, 1.75, 9)
    spine, breast = (s * axes * np.stack([c * np.sin(w), 0.0 * w, np.cos(w)], axis=1)
                     for s, c, w in ((0.93, -1.0, back), (0.96, 1.0, front)))  # fmt: skip
    return (*(_tube(ring, 0.0045) for ring in rings), _tube(spine, 0.013), _tube(breast, 0.010))


def _tube(points: np.ndarray, radius: float, around: int = 7) -> Sheet:
    """A tube about a row of points; the cross-section is right where these do not run along the sum of all axes."""
    along = np.gradient(points, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    side = np.cross(along, (0.577, 0.577, 0.577))
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    a = np.linspace(0.0, 2.0 * np.pi, around)[:, None]
    circle = np.cos(a) * side[:, None] + np.sin(a) * np.cross(along, side)[:, None]
    return Sheet(None, points[:, None] + radius * circle, BONE, opacity=1.0)


def blade(acromion: np.ndarray) -> tuple[Sheet, ...]:
    """The plate of the blade, two-sided, and its spine as a fin."""
    plate = np.stack([np.linspace(ANGLE, ANGLE + 0.001, 5), np.linspace(ROOT, SOCKET, 5)], axis=1)
    above = np.stack([np.linspace(ROOT, SOCKET, 5), np.linspace(CORNER, SOCKET, 5)], axis=1)
    fin = np.stack([np.linspace(ROOT, SOCKET, 5), np.linspace(ROOT, acromion, 5)], axis=1)
    return tuple(Sheet("scapula", part, BONE, opacity=1.0) for part in (plate, above, fin))


def blade_edges(acromion: np.ndarray) -> tuple[Shape, ...]:
    """Its borders, its spine and the way to the acromion as thin rods."""
    edges = ((ANGLE, ROOT), (ROOT, CORNER), (CORNER, SOCKET), (SOCKET, ANGLE), (ROOT, acromion), (SOCKET, acromion))
    return tuple(limb(a, b, 0.0035) for a, b in edges)
