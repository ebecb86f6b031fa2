"""A recorded motion: play, pause, scrub, speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import CondyleError
from ...simulation import Trajectory, simulate

if TYPE_CHECKING:
    from .model_viewer import Viewer


class Playback:
    """The folder "Motion"."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.trajectory: Trajectory | None = None
        self._states = np.zeros((0, viewer.model.nq))
        self._quiet = False
        gui = viewer.server.gui
        with gui.add_folder("Motion"):
            self.playing = gui.add_checkbox("play", False)
            self.time = gui.add_slider("time", 0.0, 1.0, 0.001, 0.0)
            self.speed = gui.add_slider("speed", 0.1, 2.0, 0.05, 1.0)
            self.duration = gui.add_number("seconds", 2.0, min=0.01, max=60.0)
            run = gui.add_button("simulate from here")
            self.status = gui.add_text("status", "", disabled=True)
        self.time.on_update(lambda event: self._scrubbed())
        run.on_click(lambda event: self.simulate())

    def _scrubbed(self) -> None:
        if not self._quiet and self.trajectory is not None:
            self.viewer.pause()
            self.seek(self.time.value)

    def simulate(self) -> None:
        """Compute a motion from the posture shown, at rest, and play it."""
        try:
            self.play(simulate(self.viewer.model, self.viewer.q, duration=self.duration.value, step=1e-3, record=1e-2))
        except CondyleError as error:
            self.status.value = str(error)

    def play(self, trajectory: Trajectory) -> None:
        """Play a motion; of a batch its first member."""
        with self.viewer.lock:
            self.viewer.pause()
            self.trajectory = trajectory
            q, v = (x.reshape(-1, *x.shape[-2:])[0] for x in trajectory._filled())
            self._states = q
            last = max(float(trajectory.t[-1] - trajectory.t[0]), 1e-3)
            self.time.min, self.time.max, self.time.step = 0.0, last, last / 1000
            self.status.value = "" if trajectory.stopped is None else str(trajectory.stopped)
            self.viewer.charts.show(Trajectory(trajectory.model, trajectory.t, q, v))
            self.playing.value = len(q) > 1
        self.seek(0.0)

    def seek(self, t: float) -> None:
        """Show the motion at a time after its start [s]."""
        if self.trajectory is None:
            return
        with self.viewer.lock:
            times = self.trajectory.t - self.trajectory.t[0]
            k = int(np.clip(np.searchsorted(times, t), 0, len(times) - 1))
            self.viewer.show(self._states[k], float(self.trajectory.t[k]))
            self.viewer.charts.mark(float(self.trajectory.t[k]))
            self._quiet = True
            self.time.value = float(np.clip(t, 0, times[-1]))
            self._quiet = False

    def tick(self, seconds: float) -> None:
        """Advance a motion that plays; it starts again after its end."""
        if self.trajectory is not None and self.playing.value:
            self.seek((self.time.value + seconds * self.speed.value) % self.time.max)
