"""The live viewer: bodies, sliders, a handle for inverse kinematics, playback, simulation."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from .. import ik
from ..dynamics import forward_kinematics
from ..errors import BadValue, CondyleError, require
from ..model import Model
from ..simulation import Trajectory, simulate
from .actors import Actors, look_at
from .curves import joint_curves
from .origins import HOST, local_server
from .stage import stage_of
from .strokes import Strokes, line_color

__all__ = ["Viewer"]

RATE = 60.0  # pictures a second while playing


class Viewer:
    """Shows a model or trajectory at `address`; `q` is what is shown. Close it with `stop()`."""

    def __init__(self, thing: Model | Trajectory, port: int = 8080, folder: Path | None = None, drawn=()) -> None:
        good = isinstance(thing, (Model, Trajectory))
        require(good, "only a model or a trajectory can be shown", BadValue, got=type(thing).__name__)
        self.model = thing if isinstance(thing, Model) else thing.model
        self.q, self.time = self.model.neutral(), 0.0
        self.server: Any = local_server(port)
        self.address = f"http://{HOST}:{port}"
        self._lock, self._quiet = threading.RLock(), False
        self._ended = threading.Event()
        self.trajectory: Trajectory | None = None
        self._draw(folder, drawn)
        self._sliders = self._add_sliders()
        self._add_handle()
        self._add_playback()
        self.show(self.q)
        if isinstance(thing, Trajectory):
            self.play(thing)

    def _draw(self, folder: Path | None, drawn) -> None:
        # sharing goes through others' servers
        self.server.gui.configure_theme(show_share_button=False, show_logo=False)
        stage = stage_of(self.model, folder=folder, drawn=drawn)
        look_at(self.server, stage)
        self.actors = Actors(self.server, stage)
        for parent, name, points in joint_curves(self.model):
            line = Strokes(parent, np.stack([points[:-1], points[1:]], axis=1), line_color(parent))
            self.actors.add_strokes(f"curve {name}", line)

    def _add_sliders(self) -> dict[str, Any]:
        sliders = {}
        quaternions = {at for at, _, _ in self.model.quaternions}
        with self.server.gui.add_folder("Coordinates"):
            for name in self.model.coordinates:
                at = self.model.q_index(name)
                if at not in quaternions:
                    low, high = (float(x) for x in shown_range(self.model, name))
                    value = float(np.clip(self.q[at], low, high))
                    sliders[name] = self.server.gui.add_slider(name, low, high, (high - low) / 1000, value)
                    sliders[name].on_update(lambda event, name=name: self._slid(name))
        return sliders

    def _slid(self, name: str) -> None:
        """A person moved a slider."""
        if self._quiet:
            return
        with self._lock:
            self._playing.value = False
            q = self.q.copy()
            q[self.model.q_index(name)] = self._sliders[name].value
            self._place(q)
            self._put_handle()

    def _add_handle(self) -> None:
        gui = self.server.gui
        with gui.add_folder("Inverse kinematics"):
            names = self.model.names
            self._body = gui.add_dropdown("body", names, initial_value=names[-1])
            self._pulled = gui.add_checkbox("handle", False)
            self._said = gui.add_text("result", "", disabled=True)
        self.handle = self.server.scene.add_transform_controls("/target", scale=0.25, disable_rotations=True)
        self.handle.visible = False
        self.handle.on_update(lambda event: self.reach(self.handle.position))
        self._body.on_update(lambda event: self._put_handle())
        self._pulled.on_update(lambda event: self._show_handle())

    def _show_handle(self) -> None:
        self._put_handle()
        self.handle.visible = self._pulled.value

    def _put_handle(self) -> None:
        body = self.model.body_index(self._body.value)
        self.handle.position = forward_kinematics(self.model, self.q)[body].xyz

    def reach(self, position) -> ik.Solution:
        """Bring the chosen body to a position, from where it is."""
        with self._lock:
            self._playing.value = False
            target = ik.position(self._body.value, np.asarray(position))
            found = ik.solve(self.model, target, self.q, iterations=30, tolerance=1e-6, restarts=4)
            self.show(found.q)
            self._said.value = f"residual {float(found.residual):.2e}"
            return found

    def _add_playback(self) -> None:
        gui = self.server.gui
        with gui.add_folder("Motion"):
            self._playing = gui.add_checkbox("play", False)
            self._time = gui.add_slider("time", 0.0, 1.0, 0.001, 0.0)
            self._duration = gui.add_number("seconds", 2.0, min=0.01, max=60.0)
            run = gui.add_button("simulate from here")
            self._status = gui.add_text("status", "", disabled=True)
        self._time.on_update(lambda event: self._scrubbed())
        run.on_click(lambda event: self._simulate())

    def _scrubbed(self) -> None:
        if not self._quiet and self.trajectory is not None:
            self._playing.value = False
            self.seek(self._time.value)

    def _simulate(self) -> None:
        try:
            self.play(simulate(self.model, self.q, duration=self._duration.value, step=1e-3, record=1e-2))
        except CondyleError as error:
            self._status.value = str(error)

    def play(self, trajectory: Trajectory) -> None:
        """Take over a motion and play it; the first member of a batch."""
        with self._lock:
            self.trajectory = trajectory
            q = trajectory._filled()[0]
            self._states = q.reshape(-1, *q.shape[-2:])[0]
            last = float(trajectory.t[-1] - trajectory.t[0])
            self._time.min, self._time.max, self._time.step = 0.0, max(last, 1e-3), max(last, 1e-3) / 1000
            self._status.value = "" if trajectory.stopped is None else str(trajectory.stopped)
            self._playing.value = last > 0
        self.seek(0.0)

    def seek(self, t: float) -> None:
        """Show the motion at a time after its start [s]."""
        if self.trajectory is None:
            return
        times = self.trajectory.t - self.trajectory.t[0]
        k = int(np.clip(np.searchsorted(times, t), 0, len(times) - 1))
        self.time = float(self.trajectory.t[k])
        self.show(self._states[k])
        self._set(self._time, float(np.clip(t, 0, times[-1])))

    def show(self, q) -> None:
        """Show a state; sliders follow."""
        with self._lock:
            self._place(np.asarray(q, dtype=float))
            for name, slider in self._sliders.items():
                self._set(slider, float(np.clip(self.q[self.model.q_index(name)], slider.min, slider.max)))

    def _set(self, slider, value: float) -> None:
        """Move a slider without taking it for a person."""
        with self._lock:
            self._quiet = True
            slider.value = value
            self._quiet = False

    def _place(self, q: np.ndarray) -> None:
        self.q = q
        self.actors.place(forward_kinematics(self.model, q), self.time)

    def run(self) -> None:
        """Play until interrupted or stopped."""
        try:
            while not self._ended.is_set():
                self.tick(1.0 / RATE)
                time.sleep(1.0 / RATE)
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    def tick(self, seconds: float) -> None:
        """Advance a playing motion."""
        if self.trajectory is not None and self._playing.value:
            self.seek((self._time.value + seconds) % self._time.max)

    def stop(self) -> None:
        """End the server."""
        self._ended.set()
        self.server.stop()


def shown_range(model: Model, name: str) -> tuple[float, float]:
    """The range of a slider: the coordinate's, cut at a half turn or metre each way where it has none."""
    low, high = model.range_of(name)
    low = low if np.isfinite(low) else (high - 2 * np.pi if np.isfinite(high) else -np.pi)
    return low, high if np.isfinite(high) else low + 2 * np.pi
