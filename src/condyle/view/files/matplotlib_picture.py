"""Pictures without a screen by matplotlib: PNG and animated GIF."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...progress import Report, counted, silent
from ..render_scene import Stage

__all__ = ["collection", "frames", "gif", "png", "polygons"]

LIGHT = np.array([0.3, 0.4, 0.86])
CLEAR = np.zeros(4)


def png(stage: Stage, time: float | None = None, size=(6.0, 5.0), dpi: int = 120) -> bytes:
    """The stage at a time [s] (default: the end)."""
    figure, axes = _axes(stage, size)
    axes.add_collection3d(collection(stage, stage.record_at(time)))
    out = io.BytesIO()
    figure.savefig(out, dpi=dpi, format="png")
    return out.getvalue()


def frames(stage: Stage, rate: float, size=(4.0, 3.6), dpi: int = 80) -> Iterator[np.ndarray]:
    """Pictures (height, width, 3) of the motion, `rate` a second."""
    figure, axes = _axes(stage, size)
    figure.set_dpi(dpi)
    for k in stage.moments(rate):
        drawn = axes.add_collection3d(collection(stage, int(k)))
        figure.canvas.draw()
        yield np.asarray(figure.canvas.buffer_rgba())[..., :3].copy()
        drawn.remove()


def gif(stage: Stage, rate: float = 20.0, report: Report = silent) -> bytes:
    """The motion, `rate` pictures a second."""
    from PIL import Image

    drawn = counted(frames(stage, rate), "drawing", len(stage.moments(rate)), report)
    images = [Image.fromarray(picture).quantize(64) for picture in drawn]
    out = io.BytesIO()
    options = {"save_all": True, "append_images": images[1:], "duration": int(1000 / rate), "loop": 0}
    images[0].save(out, format="GIF", **options)
    return out.getvalue()


def _axes(stage: Stage, size) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size)
    FigureCanvasAgg(figure)
    axes: Any = figure.add_axes((0, 0, 1, 1), projection="3d")
    center, radius = stage.bounds()
    center, half = _turned(stage, center), 0.8 * radius
    axes.set(xlim=(center[0] - half, center[0] + half), ylim=(center[1] - half, center[1] + half))
    axes.set_zlim(center[2] - half, center[2] + half)
    axes.set_box_aspect((1, 1, 1))
    axes.view_init(elev=12, azim=-70)
    axes.tick_params(labelsize=7)
    return figure, axes


def _turned(stage: Stage, points: np.ndarray) -> np.ndarray:
    """Points with the model's up along z, as matplotlib draws."""
    up = stage.up
    if abs(up[2]) > 0.9:
        return points * np.array([1.0, 1.0, np.sign(up[2])])
    side = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    depth = np.cross(up, side)
    return np.stack([points @ side, points @ depth, points @ up], axis=-1)


def collection(stage: Stage, k: int):
    """All that is seen as one collection, because matplotlib sorts by depth only within one."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    seen, faces, edges = [], [], []
    for corners, face, edge in polygons(stage, k):
        # all with four corners: matplotlib pads unequal ones with whatever is in memory, and warns of it now and then
        seen += list(corners[:, [0, 1, 2, 2]] if corners.shape[1] == 3 else corners)
        faces.append(np.broadcast_to(face, (len(corners), 4)))
        edges.append(np.broadcast_to(edge, (len(corners), 4)))
    return Poly3DCollection(seen, facecolors=np.concatenate(faces), edgecolors=np.concatenate(edges), linewidths=1.2)


def polygons(stage: Stage, k: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Corners (n, m, 3) with up along z, colours of the insides and of the edges (red, green, blue, opacity)."""
    for corners, face, edge in _in_world(stage, k):
        yield _turned(stage, corners), face, edge


def _in_world(stage: Stage, k: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The same in world axes."""
    for body, parts in enumerate(stage.meshes):
        for mesh in parts:
            corners = stage.placed(body, k, mesh.vertices)[mesh.faces]
            yield corners, _shaded(stage, corners, mesh.color, 1.0), CLEAR
    for body, sheet in stage.sheets:
        grid = stage.placed(body, k, sheet.at(float(stage.t[k])))
        corners = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=-2).reshape(-1, 4, 3)
        yield corners, _shaded(stage, corners, sheet.color, sheet.opacity), np.array([*sheet.color, 0.3])
    for s in stage.strokes:
        corners = stage.placed(s.body, k, s.segments)
        yield corners[:, [0, 1, 1]], CLEAR, np.array([*s.color, 1.0])  # a triangle without area shows its edge


def _shaded(stage: Stage, corners: np.ndarray, color, opacity: float) -> np.ndarray:
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal = _turned(stage, normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12))
    shade = np.clip(np.outer(0.6 + 0.4 * np.abs(normal @ LIGHT), color), 0, 1)
    return np.concatenate([shade, np.full((len(shade), 1), opacity)], axis=1)
