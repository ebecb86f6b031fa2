"""All triangles of a stage at one record, in the world: solids, sheets, and lines as thin rectangles on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...model.look.overlays import Sheet
from ..geometry import sheet_faces
from ..render_scene import Stage

NEARER = 1.0006  # a line is seen on the surface it lies on


class Triangles(NamedTuple):
    """Corners (n, 3, 3) [m], unit normals (n, 3, 3), colours (n, 3), opacity (n,), places in a grid (n, 3, 2)."""

    points: np.ndarray
    normals: np.ndarray
    color: np.ndarray
    opacity: np.ndarray
    grid: np.ndarray


def joined(parts: Sequence[Triangles]) -> Triangles:
    """All of them as one."""
    return Triangles(*(np.concatenate(x) for x in zip(*parts, strict=True))) if parts else _EMPTY


def _plain(points: np.ndarray, normals: np.ndarray, color, opacity: float = 1.0, grid=None) -> Triangles:
    n = len(points)
    colors, opacities = np.broadcast_to(color, (n, 3)), np.full(n, opacity)
    return Triangles(points, normals, colors, opacities, np.full((n, 3, 2), np.nan) if grid is None else grid)


_EMPTY = _plain(np.zeros((0, 3, 3)), np.zeros((0, 3, 3)), (0.0, 0.0, 0.0))


def as_it_is(part: Triangles) -> Triangles:
    """The same triangles."""
    return part


class BodyTriangles:
    """The solids of a stage, each `finished`, gathered once for each body and moved for each record."""

    def __init__(self, stage: Stage, finished: Callable[[Triangles], Triangles] = as_it_is) -> None:
        self.stage = stage
        self._own = [joined([finished(_plain(m.vertices[m.faces], m.normals[m.faces], m.color[:3])) for m in meshes])
                     for meshes in stage.meshes]  # fmt: skip

    def at(self, k: int) -> list[Triangles]:
        """In the world at a record."""
        return [self._moved(body, own, k) for body, own in enumerate(self._own) if len(own.points)]

    def _moved(self, body: int, own: Triangles, k: int) -> Triangles:
        origin = self.stage.placed(body, k, np.zeros((1, 3)))
        normals = self.stage.placed(body, k, own.normals) - origin
        return own._replace(points=self.stage.placed(body, k, own.points), normals=normals)


def sheets_at(stage: Stage, k: int) -> Iterator[Triangles]:
    """Every sheet at a record."""
    for body, sheet in stage.sheets:
        yield _sheet(sheet, stage.placed(body, k, sheet.at(float(stage.t[k]))))


def _sheet(sheet: Sheet, grid: np.ndarray) -> Triangles:
    rows, columns = grid.shape[:2]
    numbers = np.stack(np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij"), axis=-1).astype(float)
    faces = sheet_faces(rows, columns)
    points, across, places = (x.reshape(-1, x.shape[-1])[faces] for x in (grid, _normals(grid), numbers))
    return _plain(points, across, sheet.color, sheet.opacity, places if sheet.grid else None)


def _normals(grid: np.ndarray) -> np.ndarray:
    """Unit normals of a grid; at a pole, where an edge of the grid is a point, those of the row beside it."""
    normals = np.cross(np.gradient(grid, axis=0), np.gradient(grid, axis=1))
    size = np.linalg.norm(normals, axis=-1, keepdims=True)
    size[size < 1e-6 * size.max()] = np.inf
    normals = normals / size
    for edge in (normals, normals.swapaxes(0, 1)):
        for end, beside in ((0, 1), (-1, -2)):
            flat = ~edge[end].any(axis=-1)
            edge[end][flat] = edge[beside][flat]
    return normals


def lines_at(stage: Stage, k: int) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
    """Segments (n, 2, 3) in the world, their colours (n, 3) and their width [pixel] at a record."""
    for s in stage.strokes:
        yield stage.placed(s.body, k, s.segments), np.broadcast_to(s.color, (len(s.segments), 3)), 2.6
    for segments, colors in stage.loose_lines(k):
        yield segments, colors, 2.2


def rectangles(ends: np.ndarray, width: float) -> np.ndarray:
    """Triangles (2 n, 3, 3) of that width [pixel] along segments (n, 2, 3) of places on the screen."""
    along = ends[:, 1, :2] - ends[:, 0, :2]
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    aside = 0.5 * width * np.stack([-along[:, 1], along[:, 0]], axis=1)
    longer = 0.5 * width * along
    a, b = (end * (1.0, 1.0, NEARER) for end in (ends[:, 0], ends[:, 1]))
    corners = np.stack([a, a, b, b], axis=1)
    corners[:, :, :2] += np.stack([-longer - aside, -longer + aside, longer + aside, longer - aside], axis=1)
    return corners[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 3)
