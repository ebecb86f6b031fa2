"""Pictures without a screen of a stage as coloured polygons: PNG and animated GIF, drawn by `condyle.plots`."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...plots.solids import Polygons, painted, picture
from ...progress import Report, counted, silent
from ..render_scene import Stage

LIGHT = np.array([0.3, 0.4, 0.86])
CLEAR = np.zeros(4)


def png(stage: Stage, time: float | None = None, size=(6.0, 5.0), dpi: int = 120) -> bytes:
    """The stage at a time [s] (default: the end)."""
    return picture(polygons(stage, stage.record_at(time)), *_cube(stage), size, dpi)


def frames(stage: Stage, rate: float, size=(4.0, 3.6), dpi: int = 80) -> Iterator[np.ndarray]:
    """Pictures (height, width, 3) of the motion, `rate` a second."""
    return painted((polygons(stage, int(k)) for k in stage.moments(rate)), *_cube(stage), size, dpi)


def gif(stage: Stage, rate: float = 20.0, report: Report = silent) -> bytes:
    """The motion, `rate` pictures a second."""
    from PIL import Image

    drawn = counted(frames(stage, rate), "drawing", len(stage.moments(rate)), report)
    images: list[Any] = [Image.fromarray(image).quantize(64) for image in drawn]
    out = io.BytesIO()
    options = {"save_all": True, "append_images": images[1:], "duration": int(1000 / rate), "loop": 0}
    images[0].save(out, format="GIF", **options)
    return out.getvalue()


def _cube(stage: Stage) -> tuple[np.ndarray, float]:
    """The middle of a cube around most of what is seen, and half of its edge."""
    center, radius = stage.bounds()
    return _turned(stage, center), 0.8 * radius


def _turned(stage: Stage, points: np.ndarray) -> np.ndarray:
    """Points with the model's up along z."""
    up = stage.up
    if abs(up[2]) > 0.9:
        return points * np.array([1.0, 1.0, np.sign(up[2])])
    side = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    depth = np.cross(up, side)
    return np.stack([points @ side, points @ depth, points @ up], axis=-1)


def polygons(stage: Stage, k: int) -> Iterator[Polygons]:
    """What is seen at a record, with up along z."""
    for corners, face, edge in _in_world(stage, k):
        yield Polygons(_turned(stage, corners), face, edge)


def _in_world(stage: Stage, k: int) -> Iterator[Polygons]:
    """The same in world axes."""
    for body, parts in enumerate(stage.meshes):
        for mesh in parts:
            corners = stage.placed(body, k, mesh.vertices)[mesh.faces]
            yield Polygons(corners, _shaded(stage, corners, mesh.color, 1.0), CLEAR)
    for body, sheet in stage.sheets:
        grid = stage.placed(body, k, sheet.at(float(stage.t[k])))
        corners = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=-2).reshape(-1, 4, 3)
        yield Polygons(corners, _shaded(stage, corners, sheet.color, sheet.opacity), np.array([*sheet.color, 0.3]))
    for s in stage.strokes:
        corners = stage.placed(s.body, k, s.segments)
        # a triangle without area shows its edge
        yield Polygons(corners[:, [0, 1, 1]], CLEAR, np.array([*s.color, 1.0]))
    for corners, color in stage.loose_lines(k):
        yield Polygons(corners[:, [0, 1, 1]], CLEAR, np.column_stack([color, np.ones(len(color))]))


def _shaded(stage: Stage, corners: np.ndarray, color, opacity: float) -> np.ndarray:
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal = _turned(stage, normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12))
    shade = np.clip(np.outer(0.6 + 0.4 * np.abs(normal @ LIGHT), color), 0, 1)
    return np.concatenate([shade, np.full((len(shade), 1), opacity)], axis=1)
