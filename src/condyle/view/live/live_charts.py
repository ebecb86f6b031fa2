"""Coordinates and energies over time, beside the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...simulation import Trajectory
from ..dials import DEGREES, TITLES, units_of

if TYPE_CHECKING:
    from .model_viewer import Viewer


HUES = ("#3b6ea5", "#d9763d", "#4f8a4a", "#a3497a", "#6a5acd", "#8a6d3b", "#2a8f94", "#555555")
MOST = 300  # points of a curve
FIRST = 6  # coordinates that are shown until others are chosen


def thinned(trajectory: Trajectory, most: int = MOST) -> Trajectory:
    """A motion with at most `most` records, evenly chosen."""
    keep = np.unique(np.linspace(0, len(trajectory.t) - 1, most).astype(int))
    return Trajectory(trajectory.model, trajectory.t[keep], trajectory.q[keep], trajectory.v[keep])


class Charts:
    """The folder "Curves": coordinates chosen by their names, those of one unit together, and energies."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer, self._units = viewer, units_of(viewer.model)
        self._trajectory: Trajectory | None = None
        self._t, self.charts = np.zeros(1), {}
        with viewer.server.gui.add_folder("Curves", expand_by_default=False) as self.folder:
            self.boxes = self._names()
            self._energy = _chart(viewer, "energy [J]", ("kinetic", "potential", "total"))
        self._choose()

    def _names(self) -> dict[str, Any]:
        """A box for each coordinate, in a folder of their own; the first ones are chosen."""
        gui = self.viewer.server.gui
        with gui.add_folder("choose", expand_by_default=False):
            boxes = {name: gui.add_checkbox(name, k < FIRST) for k, name in enumerate(self._units)}
        for box in boxes.values():
            box.on_update(lambda event: self._choose())
        return boxes

    def _choose(self) -> None:
        """Charts of the coordinates that are chosen, one for each unit."""
        with self.viewer.lock:
            for chart, _ in self.charts.values():
                chart.remove()
            chosen = [name for name, box in self.boxes.items() if box.value]
            self.charts = {}
            for unit, title in TITLES.items():
                names = [name for name in chosen if self._units[name] == unit]
                if names:
                    with self.folder:
                        self.charts[title] = (_chart(self.viewer, title, names), names)
            if self._trajectory is not None:
                self.show(self._trajectory)
                self.mark(self.viewer.time)

    def show(self, trajectory: Trajectory) -> None:
        """Draw one motion (T, nq)."""
        self._trajectory, some = trajectory, thinned(trajectory)
        self._t = some.t
        for chart, names in self.charts.values():
            self._put(chart, [self._shown(name, some.q[:, self.viewer.model.q_index(name)]) for name in names])
        self._put(self._energy, list(some.energy()))

    def _shown(self, name: str, values: np.ndarray) -> np.ndarray:
        return np.degrees(values) if self._units[name] == DEGREES else values

    def _put(self, chart, curves: list[np.ndarray]) -> None:
        chart.data = (self._t, *curves, np.full(len(self._t), min(c.min() for c in curves)))

    def mark(self, t: float) -> None:
        """A step at a time [s]: a line upright between the least and the greatest value."""
        for chart in (*(chart for chart, _ in self.charts.values()), self._energy):
            if len(chart.data[0]) == len(self._t):
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
