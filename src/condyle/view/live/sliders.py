"""A slider for every coordinate; three angles for a quaternion, three lengths more for a free body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..dials import Dial, dials

if TYPE_CHECKING:
    from .model_viewer import Viewer


class Sliders:
    """The folder "Coordinates"."""

    def __init__(self, viewer: Viewer, reach: float) -> None:
        self.viewer, self.dials, self.handles = viewer, dials(viewer.model, reach), {}
        self._quiet = False
        with viewer.server.gui.add_folder("Coordinates", expand_by_default=len(self.dials) <= 12):
            for dial in self.dials:
                self.handles[dial.name] = self._slider(dial)

    def _slider(self, dial: Dial) -> Any:
        value = float(np.clip(dial.read(self.viewer.q), dial.low, dial.high))
        gui = self.viewer.server.gui
        slider = gui.add_slider(dial.name, dial.low, dial.high, (dial.high - dial.low) / 1000, value)
        slider.on_update(lambda event: self._slid(dial))
        return slider

    def _slid(self, dial: Dial) -> None:
        """Show the posture after a slider was moved in the page."""
        if self._quiet:
            return
        with self.viewer.lock:
            self.viewer.pause()
            q = self.viewer.q.copy()
            dial.write(q, self.handles[dial.name].value)
            self.viewer.place(q)
            self.viewer.handle.follow()

    def follow(self) -> None:
        """Set the sliders to the posture of the viewer without calling `_slid`."""
        self._quiet = True
        for dial in self.dials:
            value = float(np.clip(dial.read(self.viewer.q), dial.low, dial.high))
            if self.handles[dial.name].value != value:
                self.handles[dial.name].value = value
        self._quiet = False
