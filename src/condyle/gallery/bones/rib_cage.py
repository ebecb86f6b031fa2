"""A rib cage made by code: twelve pairs of ribs on an ellipsoid, their cartilage, breast bone and vertebrae.

It is of plausible size (about 29 cm wide, 22 cm deep, 35 cm high) and nobody's. World axes: x forward, y left, z up,
origin in the middle of the cage.
"""

from __future__ import annotations

import numpy as np

WIDE, THICK = 0.0065, 0.0035  # [m] half of a rib's height and of its thickness
BACK = 0.11  # [rad] from the middle of the back to where ribs begin
TOP, APART = 0.62, 0.118  # [rad] from the pole: the first rib at the back, and from rib to rib
FALL = 0.42  # [rad] that a rib falls from back to front
# [rad] around from the back: where bone ends, and where the cartilage of ribs 1-7 meets the breast bone
ENDS = (2.45, 2.4, 2.35, 2.32, 2.28, 2.25, 2.2, 2.12, 2.02, 1.9, 1.45, 1.05)
FRONT = 3.05
STERNUM_TOP, STERNUM_END = 0.92, 1.72  # [rad] from the pole, in front


def on_cage(axes: np.ndarray, around: np.ndarray, polar: np.ndarray, side: float, inside: float) -> np.ndarray:
    """Points (N, 3) below the ellipsoid's surface, `around` from the back towards a side (1: left)."""
    axes = axes - inside
    return axes * np.stack([-np.cos(around) * np.sin(polar), side * np.sin(around) * np.sin(polar), np.cos(polar)], 1)


def rib_polar(k: int, around: np.ndarray) -> np.ndarray:
    """How far from the pole rib k is: it falls towards the front, the lower ribs more."""
    return TOP + APART * k + (FALL + 0.012 * k) * 0.5 * (1.0 - np.cos(np.minimum(around, 2.6)))


def ribs(axes: np.ndarray) -> list[np.ndarray]:
    """Grids of the twenty-four ribs of an ellipsoid with semi-axes [m]; their outer sides are on it."""
    grids = []
    for k, end in enumerate(ENDS):
        u = np.linspace(BACK, end, 40)
        for side in (-1.0, 1.0):
            points = on_cage(axes, u, rib_polar(k, u), side, THICK)
            grids.append(flat_tube(points, points / axes**2, WIDE - 0.0002 * k, THICK))
    return grids


def cartilage(axes: np.ndarray) -> list[np.ndarray]:
    """Grids of the cartilage from ribs 1 to 7 to the breast bone, and of 8 to 10 to the one above."""
    grids = []
    for k in range(10):
        start, end = ENDS[k], FRONT if k < 7 else ENDS[k - 1] + 0.25
        u = np.linspace(start, end, 16)
        s = ((u - start) / (end - start)) ** 2
        low = rib_polar(k, u)
        target = STERNUM_TOP + 0.08 + 0.105 * k if k < 7 else float(rib_polar(k - 1, np.array([end]))[0]) - 0.03
        polar = low + s * (target - rib_polar(k, np.array([end]))[0])
        for side in (-1.0, 1.0):
            points = on_cage(axes, u, polar, side, THICK)
            grids.append(flat_tube(points, points / axes**2, 0.8 * WIDE, 0.9 * THICK))
    return grids


def breast_bone(axes: np.ndarray) -> np.ndarray:
    """A grid of the breast bone: broad above, a waist, broader, a point below."""
    w = np.linspace(STERNUM_TOP, STERNUM_END + 0.2, 41)
    s = np.linspace(0.0, 1.0, 41)
    half = np.interp(
        s, (0, 0.04, 0.15, 0.28, 0.6, 0.8, 0.93, 1), (0.012, 0.026, 0.027, 0.014, 0.018, 0.016, 0.005, 0.001)
    )
    points = on_cage(axes, np.full(41, np.pi), w, 1.0, 0.004)
    return flat_tube(points, points / axes**2, half, 0.0045)


def vertebrae(axes: np.ndarray) -> list[np.ndarray]:
    """Grids of twelve vertebrae: bodies, and processes that point back and down."""
    grids, angle = [], np.linspace(0.0, 2.0 * np.pi, 21)
    for k in range(12):
        polar = TOP + APART * (k - 0.1)
        middle = on_cage(axes, np.zeros(1), np.array([polar]), 1.0, 0.010)[0]
        down = np.array([axes[0] * -np.cos(polar), 0.0, -axes[2] * np.sin(polar)])
        down /= np.linalg.norm(down)
        out, wide = np.array([down[2], 0.0, -down[0]]), np.array([0.0, 1.0, 0.0])
        rows = [(-1.0, 0.0), (-1.0, 1.0), (-0.4, 0.86), (0.4, 0.86), (1.0, 1.0), (1.0, 0.0)]
        ring = 0.014 * np.cos(angle)[:, None] * -out + 0.017 * np.sin(angle)[:, None] * wide
        grids.append(np.stack([middle + 0.0105 * h * down + r * ring for h, r in rows]))
        spur = middle + out * np.linspace(0.008, 0.034, 8)[:, None] + down * np.linspace(0.0, 0.022, 8)[:, None]
        grids.append(flat_tube(spur, np.tile(wide, (8, 1)), np.linspace(0.007, 0.004, 8), 0.003))
    return grids


def flat_tube(points: np.ndarray, outward: np.ndarray, wide, thick, around: int = 13) -> np.ndarray:
    """A closed tube about a row of points, `wide` [m] along the surface and `thick` [m] along `outward`, half each."""
    along = np.gradient(points, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    out = outward - (outward * along).sum(axis=1, keepdims=True) * along
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    side, a = np.cross(along, out), np.linspace(0.0, 2.0 * np.pi, around)[:, None]
    wide, thick = (np.broadcast_to(x, len(points))[:, None, None] for x in (wide, thick))
    section = wide * np.cos(a) * side[:, None] + thick * np.sin(a) * out[:, None]
    grid = points[:, None] + section
    return np.concatenate([np.broadcast_to(points[[0]][:, None], grid[:1].shape), grid,
                           np.broadcast_to(points[[-1]][:, None], grid[:1].shape)])  # fmt: skip
