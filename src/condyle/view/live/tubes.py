"""Lines between moving points as tubes: skinned meshes, whose bones a page moves at once with the bodies.

A line whose points are a property of the scene would lag behind the bodies, as a busy page takes properties late.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ...spatial import SE3
from ..muscle_lines import Ties
from ..render_scene import ChangingLines

CORNERS = np.concatenate([np.eye(3), -np.eye(3)])  # of an octahedron; a tube is what it sweeps, seen from any side
EDGES = np.array([(i, j) for i, j in combinations(range(6), 2) if j != i + 3])
SHADES = 16  # of a colour that changes: each new one is a property more for the page
TOGETHER = 32  # lines of one mesh that belong to no muscle
ALIKE = 1e-7  # [m]


def rgb(color) -> tuple[int, ...]:
    """Colours of viser are 0 … 255."""
    return tuple(int(255 * c) for c in color)


def tube_mesh(segments: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 2, 6, 3), six about each end, and faces of tubes along segments (n, 2, 3) [m].

    They have no caps: a line without length is not seen.
    """
    i, j = EDGES.T
    faces = np.concatenate([np.stack([i, j, j + 6], axis=1), np.stack([i, j + 6, i + 6], axis=1)])
    starts = 12 * np.arange(len(segments))[:, None, None]
    return segments[:, :, None] + radius * CORNERS, (starts + faces).reshape(-1, 3)


def add_tubes(scene, name: str, segments: np.ndarray, bones: np.ndarray, poses: SE3, **look: Any) -> Any:
    """Tubes along segments (n, 2, 3), whose ends go with the bones (n, 2) at `poses` (bones,).

    `look` is a radius [m] and a color.
    """
    vertices, faces = tube_mesh(segments, look["radius"])
    weights = np.repeat(np.eye(len(poses.xyz))[bones.reshape(-1)], 6, axis=0)
    return scene.add_mesh_skinned(
        name, vertices.reshape(-1, 3), faces, bone_wxyzs=poses.wxyz, bone_positions=poses.xyz, skin_weights=weights,
        color=rgb(look["color"]), flat_shading=True, side="double", cast_shadow=False, receive_shadow=False,
    )  # fmt: skip


class BodyTubes:
    """Lines between points fixed in bodies: the bones are the bodies."""

    def __init__(self, scene, name: str, ties: Sequence[Ties], poses: SE3, radius: float) -> None:
        ends = np.concatenate([np.tile((t.body, t.other), (len(t.segments), 1)) for t in ties])
        self.bodies, bones = np.unique(ends, return_inverse=True)
        segments = np.concatenate([t.placed(poses) for t in ties])
        first, color = self._of(poses), ties[0].color
        self.handle = add_tubes(scene, name, segments, bones.reshape(-1, 2), first, radius=radius, color=color)

    def _of(self, poses: SE3) -> SE3:
        """Poses of the bones; number −1 is the last, the world."""
        wxyz, xyz = np.vstack([poses.wxyz, [1.0, 0.0, 0.0, 0.0]]), np.vstack([poses.xyz, np.zeros(3)])
        return SE3(wxyz[self.bodies], xyz[self.bodies])

    def place(self, poses: SE3) -> None:
        """Move the bones to poses of all bodies."""
        now = self._of(poses)
        for bone, wxyz, xyz in zip(self.handle.bones, now.wxyz, now.xyz, strict=True):
            bone.wxyz, bone.position = wxyz, xyz


class PointTubes:
    """Lines between points that move by themselves: a bone for each point, or for all that move alike."""

    def __init__(self, scene, name: str, lines: ChangingLines, rows: slice, radius: float) -> None:
        self.lines, self.rows = lines, rows
        segments = lines.segments[:, rows]
        self.leaders, bones = chained(segments.shape[1]) if lines.counts else moving_alike(segments)
        self._xyz = segments[0].reshape(-1, 3)[self.leaders]
        still = SE3(np.tile([1.0, 0.0, 0.0, 0.0], (len(self._xyz), 1)), self._xyz)
        self._color = self._color_at(0)
        self.handle = add_tubes(scene, name, segments[0], bones, still, radius=radius, color=self._color)

    def place(self, segments: np.ndarray, k: int) -> None:
        """Move the bones to the ends of all the lines (n, 2, 3), and take the colours of a record."""
        xyz = segments[self.rows].reshape(-1, 3)[self.leaders]
        for b in np.flatnonzero(np.abs(xyz - self._xyz).max(axis=1) > ALIKE):
            self.handle.bones[b].position = xyz[b]
        color = self._color_at(k)
        if color != self._color:
            self.handle.color = rgb(color)
        self._xyz, self._color = xyz, color

    def _color_at(self, k: int) -> tuple[float, ...]:
        if self.lines.colors is None:
            return self.lines.color
        return tuple(np.round(SHADES * self.lines.colors[k, self.rows.start]) / SHADES)


def chained(count: int) -> tuple[np.ndarray, np.ndarray]:
    """The numbers (bones,), among all ends in order, of those that lead a bone, and the bones (n, 2) of the ends.

    Each line starts where the one before ends.
    """
    starts = np.arange(count)
    return np.append(2 * starts, 2 * count - 1), np.stack([starts, starts + 1], axis=1)


def moving_alike(segments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same for lines (T, n, 2, 3) of a motion; ends that move alike in all records share a bone."""
    ends = segments.reshape(len(segments), -1, 3)
    moved = np.round((ends - ends[0]) / ALIKE).swapaxes(0, 1).reshape(ends.shape[1], -1)
    _, leaders, bones = np.unique(moved, axis=0, return_index=True, return_inverse=True)
    return leaders, bones.reshape(-1, 2)


def groups(lines: ChangingLines) -> Iterator[slice]:
    """Lines that make one mesh: those of a muscle, or some that follow each other."""
    count = lines.segments.shape[1]
    steps = np.cumsum([0, *lines.counts])[:-1] if lines.counts else range(0, count, TOGETHER)
    starts = [int(x) for x in steps]
    return (slice(a, b) for a, b in zip(starts, [*starts[1:], count], strict=True) if a < b)
