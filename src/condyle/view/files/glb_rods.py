"""Lines between bodies in a .glb file: thin rods, nodes that are moved, turned and stretched from record to record.

A rod is seen in every program, where lines of glTF are one pixel wide or not drawn at all.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...model.look import shapes
from ...spatial import SE3
from ...spatial.quaternions import multiply
from ..geometry import Mesh, body_meshes
from ..render_scene import Stage

THIN = 0.0025  # radius of a rod, as a part of the radius of all that is seen
SHORTEST = 1e-6  # [m]: a stretch of zero cannot be undone, which readers warn of


def line_rods(stage: Stage) -> Iterator[tuple[np.ndarray, tuple[float, float, float]]]:
    """Ends (T, k, 2, 3) [m] in the world of all lines that belong to no single body, for each of their colours."""
    found: dict[tuple[float, float, float], list[np.ndarray]] = {}
    for tie in stage.ties:
        ends = [tie.placed(SE3(w, x)) for w, x in zip(stage.wxyz, stage.xyz, strict=True)]
        found.setdefault(tie.color, []).append(np.stack(ends))
    for lines in stage.changing:
        found.setdefault(lines.color, []).append(lines.segments)
    for color, ends in found.items():
        yield np.concatenate(ends, axis=1), color


def rod_mesh(stage: Stage, color: tuple[float, float, float]) -> list[Mesh]:
    """A rod of unit length along z about the origin."""
    _, radius = stage.bounds()
    return body_meshes((shapes.cylinder(THIN * radius, 1.0, color=color),))


def stretches(ends: np.ndarray) -> np.ndarray:
    """Scales (T, k, 3) that make rods of unit length reach from end to end."""
    length = np.linalg.norm(ends[:, :, 1] - ends[:, :, 0], axis=2)
    return np.stack([np.ones_like(length), np.ones_like(length), np.maximum(length, SHORTEST)], axis=2)


def turns(ends: np.ndarray) -> np.ndarray:
    """Quaternions wxyz (T, k, 4) that turn z to where rods point, each from the one before by the least turn."""
    along = ends[:, :, 1] - ends[:, :, 0]
    length = np.linalg.norm(along, axis=2, keepdims=True)
    now = np.broadcast_to([0.0, 0.0, 1.0], along.shape[1:])
    q, found = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (along.shape[1], 4)), []
    for d, size in zip(along, length, strict=True):
        d = np.where(size > SHORTEST, d / np.maximum(size, SHORTEST), now)  # one without length stays as it was
        q, now = multiply(_least_turn(now, d), q), d
        found.append(q)
    return np.array(found)


def _least_turn(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quaternions that turn unit vectors a to b (k, 3); about any axis across where they are opposite."""
    w = 1.0 + np.einsum("ki,ki->k", a, b)
    across = np.cross(a, np.eye(3)[np.argmin(np.abs(a), axis=1)])
    opposite = w < 1e-9
    q = np.concatenate([np.where(opposite, 0.0, w)[:, None], np.where(opposite[:, None], across, np.cross(a, b))], 1)
    return q / np.linalg.norm(q, axis=1, keepdims=True)
