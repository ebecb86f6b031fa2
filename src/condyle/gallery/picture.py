"""Pictures of a scene with matplotlib: a few moments side by side, then the energy over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..simulation import Trajectory
from ..view.picture import collection, polygons
from ..view.stage import Stage, stage_of
from .scene import Scene

__all__ = ["FRONT", "draw"]

FRONT = (0, -90)


def draw(scene: Scene, trajectory: Trajectory, path, *, moments: int = 3, view=(18, -60), size=4.2) -> None:
    """Save a picture of `moments` of a trajectory and its energy.

    `view` is the camera's (elevation, azimuth) [degrees], FRONT for plane scenes; `size` is that of a panel [inch].
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    stage = stage_of(trajectory, drawn=scene.seen(trajectory).drawn)
    records = np.linspace(0, len(stage.t) - 1, moments).astype(int)
    figure = Figure(figsize=(size * moments + 4.0, size))
    FigureCanvasAgg(figure)
    low, high = _box(stage, records)
    width = 1.0 - 4.0 / (size * moments + 4.0)
    for column, k in enumerate(records):
        room = (width * column / moments, 0.0, width / moments, 0.95)
        axes: Any = figure.add_axes(room, projection="3d", proj_type="ortho", computed_zorder=False)
        axes.add_collection3d(collection(stage, int(k)))
        _frame(axes, low, high, view)
        axes.set_title(f"t = {stage.t[k]:.2f} s", fontsize=10, y=1.0)
    _energy(figure.add_axes((width + 0.06, 0.14, 1.0 - width - 0.075, 0.76)), stage)
    figure.savefig(Path(path), dpi=100)


def _box(stage: Stage, records) -> tuple[np.ndarray, np.ndarray]:
    """The corners of a box around all that is drawn."""
    points = np.concatenate([c.reshape(-1, 3) for k in records for c, _, _ in polygons(stage, int(k))])
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.02 * (high - low).max()
    return low - room, high + room


def _frame(axes, low: np.ndarray, high: np.ndarray, view) -> None:
    """The box as the camera sees it fills the panel, in equal scales, without axes."""
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    size, (up, around) = high - low, np.radians(view)
    across = abs(np.array([-np.sin(around), np.cos(around), 0.0])) @ size
    upright = abs(np.array([np.sin(up) * np.cos(around), np.sin(up) * np.sin(around), np.cos(up)])) @ size
    axes.set_box_aspect(size, zoom=0.98 * np.linalg.norm(size) / max(across, upright))
    axes.view_init(*view)
    axes.set_axis_off()


def _energy(axes, stage: Stage) -> None:
    for name, values in stage.energy.items():
        axes.plot(stage.t, values, label=name)
    axes.set(xlabel="t [s]")
    axes.set_title("energy [J]", fontsize=10)
    axes.legend(fontsize=8)
