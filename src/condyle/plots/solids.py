"""Surfaces in space, one moment or several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .chart import new_figure, save


class Surface(NamedTuple):
    """A grid of points (u, v, 3) in one colour."""

    points: np.ndarray
    color: tuple[float, ...]
    opacity: float = 1.0


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
