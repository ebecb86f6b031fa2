"""Pictures of a scene with matplotlib: a few moments side by side, then the energy over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..simulation import Trajectory
from ..view.files.matplotlib_picture import collection, polygons
from ..view.render_scene import Stage, stage_of
from .scene import Scene

__all__ = ["FRONT", "draw"]

FRONT = (0, -90)
CHART, TITLE = 4.0, 0.3  # [inch] the energy beside the panels, and the times above them


def draw(scene: Scene, trajectory: Trajectory, path, *, moments=3, view=(18, -60), size=4.2) -> None:
    """Save a picture of `moments` of a trajectory (how many, or the times [s]) and its energy.

    `view` is the camera's (elevation, azimuth) [degrees], FRONT for plane scenes; `size` a panel's width [inch].
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    stage = stage_of(trajectory, drawn=scene.seen(trajectory).drawn)
    records = _records(stage, moments)
    low, high = _box(stage, records)
    wide, high_panel = size * len(records) + CHART, size * min(1.0, max(0.62, _proportion(high - low, view)))
    figure = Figure(figsize=(wide, high_panel + TITLE))
    FigureCanvasAgg(figure)
    total = high_panel + TITLE
    for column, k in enumerate(records):
        room = (size * column / wide, 0.5 * (high_panel - size) / total, size / wide, size / total)  # a square, cut off
        axes: Any = figure.add_axes(room, projection="3d", proj_type="ortho", computed_zorder=False)
        axes.add_collection3d(collection(stage, int(k)))
        _frame(axes, low, high, view)
        figure.text(size * (column + 0.5) / wide, 1.0 - 0.08 / total, f"t = {stage.t[k]:.2f} s", ha="center", va="top")
    _energy(figure.add_axes((1.0 - (CHART - 0.7) / wide, 0.5 / total, (CHART - 0.9) / wide, 1.0 - 0.85 / total)), stage)
    figure.savefig(Path(path), dpi=100)


def _records(stage: Stage, moments) -> np.ndarray:
    """Numbers of the records at so many equal times, or at the times given."""
    if np.ndim(moments):
        return np.array([stage.record_at(t) for t in moments])
    return np.linspace(0, len(stage.t) - 1, moments).astype(int)


def _seen(size: np.ndarray, view) -> tuple[float, float]:
    """Width and height of a box as the camera sees it."""
    up, around = np.radians(view)
    across = abs(np.array([-np.sin(around), np.cos(around), 0.0])) @ size
    upright = abs(np.array([np.sin(up) * np.cos(around), np.sin(up) * np.sin(around), np.cos(up)])) @ size
    return float(across), float(upright)


def _proportion(size: np.ndarray, view) -> float:
    across, upright = _seen(size, view)
    return upright / across


def _box(stage: Stage, records) -> tuple[np.ndarray, np.ndarray]:
    """The corners of a box around all that is drawn."""
    points = np.concatenate([c.reshape(-1, 3) for k in records for c, _, _ in polygons(stage, int(k))])
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.02 * (high - low).max()
    return low - room, high + room


def _frame(axes, low: np.ndarray, high: np.ndarray, view) -> None:
    """The box as the camera sees it fills the panel, in equal scales, without axes."""
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    size = high - low
    axes.set_box_aspect(size, zoom=0.98 * np.linalg.norm(size) / max(_seen(size, view)))
    axes.view_init(*view)
    axes.set_axis_off()


def _energy(axes, stage: Stage) -> None:
    potential = stage.energy["potential"]
    away = potential[0] if abs(potential[0]) > 20.0 * np.ptp(potential) else 0.0  # springs that are tight at rest
    for name, values in stage.energy.items():
        axes.plot(stage.t, values - (0.0 if name == "kinetic" else away), label=name)
    axes.set(xlabel="t [s]")
    axes.set_title(f"energy [J], less {away:.4g} J" if away else "energy [J]", fontsize=10)
    axes.legend(fontsize=8)
