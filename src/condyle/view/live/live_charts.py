"""Coordinates and energies over time, beside the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...simulation import Trajectory

if TYPE_CHECKING:
    from .model_viewer import Viewer


HUES = ("#3b6ea5", "#d9763d", "#4f8a4a", "#a3497a", "#6a5acd", "#8a6d3b", "#2a8f94", "#555555")
MOST = 300  # points of a curve


def thinned(trajectory: Trajectory, most: int = MOST) -> Trajectory:
    """A motion with at most `most` records, evenly chosen."""
    keep = np.unique(np.linspace(0, len(trajectory.t) - 1, most).astype(int))
    return Trajectory(trajectory.model, trajectory.t[keep], trajectory.q[keep], trajectory.v[keep])


class Charts:
    """The folder "Curves"."""

    def __init__(self, viewer: Viewer) -> None:
        model, quaternions = viewer.model, {at for at, _, _ in viewer.model.quaternions}
        self._places = [i for i in map(model.q_index, model.coordinates) if i not in quaternions][: len(HUES)]
        names = [n for n in model.coordinates if model.q_index(n) in self._places]
        with viewer.server.gui.add_folder("Curves", expand_by_default=False):
            self.coordinates = _chart(viewer, "coordinates [rad, m]", names) if names else None
            self.energy = _chart(viewer, "energy [J]", ("kinetic", "potential", "total"))
        self._t = np.zeros(1)

    def show(self, trajectory: Trajectory) -> None:
        """Draw one motion (T, nq)."""
        some = thinned(trajectory)
        self._t = some.t
        if self.coordinates is not None:
            self._put(self.coordinates, [some.q[:, i] for i in self._places])
        self._put(self.energy, list(some.energy()))

    def _put(self, chart, curves: list[np.ndarray]) -> None:
        chart.data = (self._t, *curves, np.full(len(self._t), min(c.min() for c in curves)))

    def mark(self, t: float) -> None:
        """A step at a time [s]: a line upright between the least and the greatest value."""
        for chart in (self.coordinates, self.energy):
            if chart is not None and len(chart.data[0]) == len(self._t):
                curves = chart.data[1:-1]
                low, high = min(c.min() for c in curves), max(c.max() for c in curves)
                step = np.where(self._t < t, low, high)
                if not np.array_equal(step, chart.data[-1]):
                    chart.data = (*chart.data[:-1], step)


def _chart(viewer: Viewer, title: str, names):
    """Curves of two points at zero until there is a motion; the last one shows the time."""
    data = (np.array([0.0, 1.0]), *(np.zeros(2) for _ in range(len(names) + 1)))
    curves = ({"label": n, "stroke": HUES[k % len(HUES)], "width": 2} for k, n in enumerate(names))
    now = {"label": "now", "stroke": "#999", "width": 1}
    scales = {"x": {"time": False}}
    series = ({"label": "t [s]"}, *curves, now)
    return viewer.server.gui.add_uplot(data, series, title=title, scales=scales, aspect=1.6)
