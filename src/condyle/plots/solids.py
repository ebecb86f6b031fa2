"""Bodies in space: polygons and surfaces with colours, one moment or several side by side."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .chart import new_figure, save

__all__ = ["Polygons", "Surface", "draw_moments", "draw_surfaces", "painted", "picture", "strip"]

CHART, TITLE = 4.0, 0.3  # [inch] the energy beside the moments, and the times above them


class Polygons(NamedTuple):
    """Corners (n, m, 3) with z up, and colours (n, 4) or (4,) of insides and edges: red, green, blue, opacity."""

    corners: np.ndarray
    face: np.ndarray
    edge: np.ndarray


class Surface(NamedTuple):
    """A grid of points (u, v, 3) in one colour."""

    points: np.ndarray
    color: tuple[float, ...]
    opacity: float = 1.0


def picture(seen: Iterable[Polygons], center: np.ndarray, half: float, size, dpi: int) -> bytes:
    """A PNG of what is seen in the cube around `center`, `half` of whose edge is given."""
    figure, axes = _cube(center, half, size)
    axes.add_collection3d(_collection(seen))
    out = io.BytesIO()
    figure.savefig(out, dpi=dpi, format="png")
    return out.getvalue()


def painted(moments: Iterable[Iterable[Polygons]], center, half: float, size, dpi: int) -> Iterator[np.ndarray]:
    """Pictures (height, width, 3) of one moment after the other in the same cube."""
    figure, axes = _cube(center, half, size)
    figure.set_dpi(dpi)
    for seen in moments:
        drawn = axes.add_collection3d(_collection(seen))
        figure.canvas.draw()
        yield np.asarray(figure.canvas.buffer_rgba())[..., :3].copy()
        drawn.remove()


def _cube(center: np.ndarray, half: float, size) -> tuple[Any, Any]:
    figure = new_figure(size, layout=None)
    axes: Any = figure.add_axes((0, 0, 1, 1), projection="3d")
    axes.set(xlim=(center[0] - half, center[0] + half), ylim=(center[1] - half, center[1] + half))
    axes.set_zlim(center[2] - half, center[2] + half)
    axes.set_box_aspect((1, 1, 1))
    axes.view_init(elev=12, azim=-70)
    axes.tick_params(labelsize=7)
    return figure, axes


def _collection(seen: Iterable[Polygons]):
    """All that is seen as one collection, because matplotlib sorts by depth only within one."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    all_corners, faces, edges = [], [], []
    for corners, face, edge in seen:
        # all with four corners: matplotlib pads unequal ones with whatever is in memory, and warns of it now and then
        all_corners += list(corners[:, [0, 1, 2, 2]] if corners.shape[1] == 3 else corners)
        faces.append(np.broadcast_to(face, (len(corners), 4)))
        edges.append(np.broadcast_to(edge, (len(corners), 4)))
    face, edge = np.concatenate(faces), np.concatenate(edges)
    return Poly3DCollection(all_corners, facecolors=face, edgecolors=edge, linewidths=1.2)


def draw_moments(
    moments: Sequence[tuple[float, list[Polygons]]],
    t: np.ndarray,
    energy: Mapping[str, np.ndarray],
    path,
    *,
    view,
    size,
) -> None:
    """Save moments (time [s], what is seen then) side by side and the energies [J] over the times `t`.

    `view` is the camera's (elevation, azimuth) [degrees]; `size` a panel's width [inch].
    """
    low, high = _box([seen for _, seen in moments])
    wide, high_panel = size * len(moments) + CHART, size * min(1.0, max(0.62, _proportion(high - low, view)))
    total = high_panel + TITLE
    figure = new_figure((wide, total), layout=None)
    for column, (time, seen) in enumerate(moments):
        room = (size * column / wide, 0.5 * (high_panel - size) / total, size / wide, size / total)  # a square, cut off
        axes: Any = figure.add_axes(room, projection="3d", proj_type="ortho", computed_zorder=False)
        axes.add_collection3d(_collection(seen))
        _fill(axes, low, high, view)
        figure.text(size * (column + 0.5) / wide, 1.0 - 0.08 / total, f"t = {time:.2f} s", ha="center", va="top")
    room = (1.0 - (CHART - 0.7) / wide, 0.5 / total, (CHART - 0.9) / wide, 1.0 - 0.85 / total)
    _draw_energy(figure.add_axes(room), t, energy)
    save(figure, path, 100)


def _seen_size(size: np.ndarray, view) -> tuple[float, float]:
    """Width and height of a box as the camera sees it."""
    up, around = np.radians(view)
    across = abs(np.array([-np.sin(around), np.cos(around), 0.0])) @ size
    upright = abs(np.array([np.sin(up) * np.cos(around), np.sin(up) * np.sin(around), np.cos(up)])) @ size
    return float(across), float(upright)


def _proportion(size: np.ndarray, view) -> float:
    across, upright = _seen_size(size, view)
    return upright / across


def _box(moments: Iterable[list[Polygons]]) -> tuple[np.ndarray, np.ndarray]:
    """The corners of a box around all that is drawn."""
    points = np.concatenate([part.corners.reshape(-1, 3) for seen in moments for part in seen])
    low, high = points.min(axis=0), points.max(axis=0)
    room = 0.02 * (high - low).max()
    return low - room, high + room


def _fill(axes, low: np.ndarray, high: np.ndarray, view) -> None:
    """The box as the camera sees it fills the panel, in equal scales, without axes."""
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    size = high - low
    axes.set_box_aspect(size, zoom=0.98 * np.linalg.norm(size) / max(_seen_size(size, view)))
    axes.view_init(*view)
    axes.set_axis_off()


def _draw_energy(axes, t: np.ndarray, energy: Mapping[str, np.ndarray]) -> None:
    potential = energy["potential"]
    away = potential[0] if abs(potential[0]) > 20.0 * np.ptp(potential) else 0.0  # springs that are tight at rest
    for name, values in energy.items():
        axes.plot(t, values - (0.0 if name == "kinetic" else away), label=name)
    axes.set(xlabel="t [s]")
    axes.set_title(f"energy [J], less {away:.4g} J" if away else "energy [J]", fontsize=10)
    axes.legend(fontsize=8)


def draw_surfaces(surfaces: Sequence[Surface], path=None, *, panel=None, around=None, title: str | None = None):
    """Surfaces into a matplotlib 3-d `panel`, or into a new figure saved to `path`; returns the one drawn into.

    The axes enclose the surfaces `around` (default: those drawn) [m].
    """
    figure = None
    if panel is None:
        figure = new_figure((5.0, 5.0))
        panel = figure.add_subplot(projection="3d")
    for points, color, opacity in surfaces:
        panel.plot_surface(*np.moveaxis(points, -1, 0), color=color, alpha=opacity, linewidth=0)
    _enclose(panel, surfaces if around is None else around, title)
    if figure is not None and path is not None:
        save(figure, path, 120)
    return panel if figure is None else figure


def strip(moments: Sequence[tuple[str, Sequence[Surface]]], around: Sequence[Surface], path=None):
    """Titled moments side by side, in axes that enclose the surfaces `around`; saved to `path` if given."""
    figure = new_figure((3.2 * len(moments), 3.6))
    for column, (title, surfaces) in enumerate(moments):
        panel = figure.add_subplot(1, len(moments), column + 1, projection="3d")
        draw_surfaces(surfaces, panel=panel, around=around, title=title)
    return figure if path is None else save(figure, path, 120)


def _enclose(panel, surfaces: Sequence[Surface], title: str | None) -> None:
    """Axes of one scale around all surfaces, no thinner than a third of the longest."""
    from matplotlib.ticker import MaxNLocator

    points = np.concatenate([surface.points.reshape(-1, 3) for surface in surfaces])
    low, high = points.min(axis=0), points.max(axis=0)
    sizes = np.maximum(1.04 * (high - low), (high - low).max() / 3.0)
    for k, name in enumerate("xyz"):
        middle = 0.5 * (low[k] + high[k])
        getattr(panel, f"set_{name}lim")(middle - 0.5 * sizes[k], middle + 0.5 * sizes[k])
        getattr(panel, f"set_{name}label")(f"{name} [m]", fontsize=7, labelpad=-6)
        getattr(panel, f"{name}axis").set_major_locator(MaxNLocator(4))
    panel.set_box_aspect(sizes, zoom=0.85)
    panel.tick_params(labelsize=6, pad=-2)
    if title:
        panel.set_title(title, fontsize=9, y=0.98)
