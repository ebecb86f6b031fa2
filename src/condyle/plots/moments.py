"""Pictures of moments of a motion side by side, and its energy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .chart import new_figure, save

CHART = 4.0  # [inch] the energy beside the moments
GAP, HEAD = 0.08, 0.28  # [inch] between moments, and above them for their times


def draw_moments(
    moments: Sequence[tuple[float, np.ndarray]], t: np.ndarray, energy: Mapping[str, np.ndarray], path, *, size: float
) -> None:
    """Save pictures of moments (time [s], picture) side by side, each `size` inches wide, and energies [J] over `t`."""
    height, width = moments[0][1].shape[:2]
    tall, chart = size * height / width, CHART if energy else 0.0
    high, wide = tall + HEAD, (size + GAP) * len(moments) - GAP + chart
    figure = new_figure((wide, high), layout=None)
    for column, (time, picture) in enumerate(moments):
        panel = figure.add_axes(((size + GAP) * column / wide, 0.0, size / wide, tall / high))
        panel.imshow(picture, interpolation="antialiased", aspect="auto")
        panel.set_axis_off()
        panel.set_title(f"t = {time:.2f} s", loc="left", x=0.02, pad=4.0, fontsize=11, color="#26323f")
    if energy:
        room = (1.0 - (CHART - 0.7) / wide, 0.55 / high, (CHART - 0.9) / wide, 1.0 - 1.1 / high)
        _draw_energy(figure.add_axes(room), t, energy)
    save(figure, path, 100)


def _draw_energy(axes, t: np.ndarray, energy: Mapping[str, np.ndarray]) -> None:
    potential = energy["potential"]
    away = potential[0] if abs(potential[0]) > 20.0 * np.ptp(potential) else 0.0  # springs that are tight at rest
    for name, values in energy.items():
        axes.plot(t, values - (0.0 if name == "kinetic" else away), label=name)
    axes.set(xlabel="t [s]")
    axes.set_title(f"energy [J], less {away:.4g} J" if away else "energy [J]", fontsize=10, pad=20.0)
    axes.legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(energy), frameon=False)
