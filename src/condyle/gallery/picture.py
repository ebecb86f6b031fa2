"""Pictures of a scene with matplotlib: a few moments side by side, then the energy over time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..simulation import Trajectory
from ..spatial import SE3
from .scene import Scene

__all__ = ["draw"]


def draw(
    scene: Scene,
    trajectory: Trajectory,
    path,
    *,
    moments: int = 3,
    flat=None,
    view=(18, -60),
    solid: bool = False,
    size=4.2,
) -> None:
    """Save a picture of `moments` of a trajectory; `flat=(0, 2)` draws two world axes instead of a 3D view.

    `view` is the camera's (elevation, azimuth) [degrees]; with `solid` the sheets hide what is behind their middle;
    `size` is that of a panel [inch].
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(size * moments + 4.2, size), layout="constrained")
    poses, records = trajectory.poses(), np.linspace(0, len(trajectory.t) - 1, moments).astype(int)
    box = _box(scene, trajectory, poses, records)
    for column, k in enumerate(records):
        kind = {} if flat else {"projection": "3d", "computed_zorder": False}
        axes = figure.add_subplot(1, moments + 1, column + 1, **kind)
        _moment(axes, scene, float(trajectory.t[k]), poses[k], flat, _toward(view) if solid else None)
        _frame(axes, box, flat, view)
        axes.set_title(f"{scene.name}, t = {trajectory.t[k]:.2f} s")
    _energy(figure.add_subplot(1, moments + 1, moments + 1), trajectory)
    figure.savefig(Path(path), dpi=100)
    plt.close(figure)


def _placed(scene: Scene, body: str | None, points: np.ndarray, poses: SE3) -> np.ndarray:
    """Points of a body's frame in the world."""
    return points if body is None else poses[scene.model.body_index(body)].apply(points)


def _moment(axes, scene: Scene, t: float, poses: SE3, flat, camera: np.ndarray | None) -> None:
    for sheet in scene.sheets:
        x, y, z = np.moveaxis(_placed(scene, sheet.body, sheet.at(t), poses), -1, 0)
        if not flat:
            axes.plot_surface(x, y, z, color="#9ec9e2", **_look(camera is not None))
    for line in scene.lines:
        points = _placed(scene, line.body, line.points, poses)
        if camera is not None:
            points = np.where((points @ camera > 0.0)[:, None], points, np.nan)
        axes.plot(*(points.T if not flat else points.T[list(flat)]), color=line.color, linewidth=1.6)


def _look(solid: bool) -> dict:
    """How a sheet is painted: thinly with its grid, or solid."""
    return {"alpha": 1.0, "linewidth": 0} if solid else {"alpha": 0.35, "linewidth": 0.4, "edgecolor": "#5d8aa3"}


def _toward(view) -> np.ndarray:
    """The direction from the world's origin to the camera."""
    up, around = np.radians(view)
    return np.array([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)])


def _box(scene: Scene, trajectory: Trajectory, poses: SE3, records) -> tuple[np.ndarray, np.ndarray]:
    """The middle and half widths of a box around all that is drawn."""
    shown = [_placed(scene, line.body, line.points, poses[k]) for line in scene.lines for k in records]
    for k in records:
        t = float(trajectory.t[k])
        shown += [_placed(scene, s.body, s.at(t), poses[k]).reshape(-1, 3) for s in scene.sheets]
    points = np.concatenate(shown)
    low, high = points.min(axis=0), points.max(axis=0)
    return 0.5 * (low + high), 0.54 * (high - low)


def _frame(axes, box: tuple[np.ndarray, np.ndarray], flat, view) -> None:
    middle, half = box
    if flat:
        i, j = flat
        low, high = middle - half - 0.02 * half.max(), middle + half + 0.02 * half.max()
        axes.set(xlim=(low[i], high[i]), ylim=(low[j], high[j]), aspect="equal")
        axes.set(xlabel=f"{'xyz'[i]} [m]", ylabel=f"{'xyz'[j]} [m]")
        return
    limits = [(m - half.max(), m + half.max()) for m in middle]
    axes.set(xlim=limits[0], ylim=limits[1], zlim=limits[2], box_aspect=(1, 1, 1))
    axes.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
    axes.view_init(*view)


def _energy(axes, trajectory: Trajectory) -> None:
    for name, values in zip(("kinetic", "potential", "total"), trajectory.energy(), strict=True):
        axes.plot(trajectory.t, values, label=name)
    axes.set(title="energy", xlabel="t [s]", ylabel="[J]")
    axes.legend()
