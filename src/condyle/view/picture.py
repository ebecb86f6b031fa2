"""Pictures without a screen: PNG and animated GIF by matplotlib."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from .scene import Scene

__all__ = ["gif", "png"]

LIGHT = np.array([0.3, 0.4, 0.86])


def png(scene: Scene, time: float | None = None, size=(6.0, 5.0), dpi: int = 120) -> bytes:
    """The scene at a time [s] (default: the end)."""
    k = len(scene.t) - 1 if time is None else int(np.abs(scene.t - scene.t[0] - time).argmin())
    figure, axes = _axes(scene, size)
    axes.add_collection3d(_collection(scene, k))
    out = io.BytesIO()
    figure.savefig(out, dpi=dpi, format="png")
    return out.getvalue()


def gif(scene: Scene, rate: float = 20.0, size=(4.0, 3.6), dpi: int = 80, progress=None) -> bytes:
    """The motion, `rate` pictures a second; `progress(done)` is called after each."""
    from PIL import Image

    wanted = np.arange(scene.t[0], scene.t[-1] + 1e-9, 1.0 / rate)
    frames = []
    figure, axes = _axes(scene, size)
    figure.set_dpi(dpi)
    for k in np.searchsorted(scene.t, wanted - 1e-9):
        drawn = axes.add_collection3d(_collection(scene, min(int(k), len(scene.t) - 1)))
        figure.canvas.draw()
        frames.append(Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB").quantize(64))
        drawn.remove()
        if progress:
            progress(len(frames))
    out = io.BytesIO()
    options = {"save_all": True, "append_images": frames[1:], "duration": int(1000 / rate), "loop": 0}
    frames[0].save(out, format="GIF", **options)
    return out.getvalue()


def _axes(scene: Scene, size) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size)
    FigureCanvasAgg(figure)
    axes: Any = figure.add_axes((0, 0, 1, 1), projection="3d")
    center, radius = scene.bounds()
    center, half = _turned(scene, center), 0.6 * radius
    axes.set(xlim=(center[0] - half, center[0] + half), ylim=(center[1] - half, center[1] + half))
    axes.set_zlim(center[2] - half, center[2] + half)
    axes.set_box_aspect((1, 1, 1))
    axes.view_init(elev=12, azim=-70)
    axes.tick_params(labelsize=7)
    return figure, axes


def _turned(scene: Scene, points: np.ndarray) -> np.ndarray:
    """Points with the model's up along z, as matplotlib draws."""
    up = scene.up
    if abs(up[2]) > 0.9:
        return points * np.array([1.0, 1.0, np.sign(up[2])])
    side = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    depth = np.cross(up, side)
    return np.stack([points @ side, points @ depth, points @ up], axis=-1)


def _collection(scene: Scene, k: int):
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    from ..spatial import SE3

    corners, colors = [], []
    for i, parts in enumerate(scene.meshes):
        pose = SE3(scene.wxyz[k, i], scene.xyz[k, i])
        for vertices, faces, color in parts:
            tri = _turned(scene, pose.apply(vertices))[faces]
            normal = np.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0])
            normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
            corners.append(tri)
            colors.append(np.clip(np.outer(0.6 + 0.4 * np.abs(normal @ LIGHT), color), 0, 1))
    return Poly3DCollection(np.concatenate(corners), facecolors=np.concatenate(colors), edgecolors="none")
