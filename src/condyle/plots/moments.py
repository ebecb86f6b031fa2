"""Pictures of moments of a motion side by side, and its energy or other curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .chart import Panel, draw_panel, new_figure, save

CHART = 4.0  # [inch] curves beside the moments
ROW = 3  # names of curves in a row
GAP, HEAD = 0.08, 0.28  # [inch] between moments, and above them for their times


def draw_moments(
    moments: Sequence[tuple[float, np.ndarray]],
    t: np.ndarray,
    energy: Mapping[str, np.ndarray],
    path,
    *,
    size: float,
    panels: Sequence[Panel] = (),
    why: str = "",
) -> None:
    """Save pictures of moments (time [s], picture) side by side, each `size` inches wide, and what belongs to them.

    That are panels, or else energies [J] over `t`, with a word on `why` their sum changes.
    """
    height, width = moments[0][1].shape[:2]
    tall, chart = size * height / width, CHART * (len(panels) or bool(energy))
    high, wide = tall + HEAD, (size + GAP) * len(moments) - GAP + chart
    figure = new_figure((wide, high), layout=None)
    for column, (time, picture) in enumerate(moments):
        panel = figure.add_axes(((size + GAP) * column / wide, 0.0, size / wide, tall / high))
        panel.imshow(picture, interpolation="antialiased", aspect="auto")
        panel.set_axis_off()
        panel.set_title(f"t = {time:.2f} s", loc="left", x=0.02, pad=4.0, fontsize=11, color="#26323f")
    for k, panel in enumerate(panels):
        left = 1.0 - (CHART * (len(panels) - k) - 0.75) / wide
        axes = figure.add_axes((left, 0.55 / high, (CHART - 0.95) / wide, 1.0 - 1.25 / high))
        draw_panel(axes, panel, light=True)
        _legend_above(axes)
    if energy and not panels:
        room = (1.0 - (CHART - 0.7) / wide, 0.55 / high, (CHART - 0.9) / wide, 1.0 - 1.1 / high)
        _draw_energy(figure.add_axes(room), t, energy, why)
    save(figure, path, 100)


def _legend_above(axes) -> None:
    """The names of curves between them and the title, in one row or two."""
    count = len(axes.get_legend_handles_labels()[1])
    rows = 0 if count == 0 else 1 if count <= ROW else 2
    axes.set_title(axes.get_title(), fontsize=10, pad=7.0 + 14.0 * rows)
    if rows:
        where = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": -(-count // rows)}
        axes.legend(fontsize=8, frameon=False, columnspacing=1.2, handlelength=1.5, **where)


def _draw_energy(axes, t: np.ndarray, energy: Mapping[str, np.ndarray], why: str) -> None:
    potential = energy["potential"]
    away = potential[0] if abs(potential[0]) > 20.0 * np.ptp(potential) else 0.0  # springs that are tight at rest
    for name, values in energy.items():
        axes.plot(t, values - (0.0 if name == "kinetic" else away), label=name)
    axes.set(xlabel="t [s]")
    title = f"energy [J], less {away:.4g} J" if away else "energy [J]"
    axes.set_title(f"{title}: {why}" if why else title)
    _legend_above(axes)
