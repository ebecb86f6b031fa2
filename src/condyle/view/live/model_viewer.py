"""The live viewer: one posture of a model, and the panels that change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...dynamics import forward_kinematics
from ...errors import BadValue, require
from ...formats.tables.marker_frames import Markers
from ...model import Model
from ...model.look.overlays import Drawn
from ...simulation import Trajectory
from ..render_scene import stage_of
from .ik_handle import Handle
from .joint_editor import Workshop
from .live_charts import Charts
from .live_server import LiveViewer
from .live_simulation import Live
from .playback import Playback
from .sliders import Sliders
from .viser_scene import Actors, look_at


class Viewer(LiveViewer):
    """Shows a model or trajectory at `address`; `q` is what is shown, at `time` [s]. Close it with `stop()`.

    The parameters are those of `view`.
    """

    def __init__(
        self,
        thing: Model | Trajectory,
        port: int = 8080,
        folder: Path | None = None,
        drawn: Sequence[Drawn] | None = None,
        allow_save: bool = False,
        markers: Markers | None = None,
    ) -> None:
        good = isinstance(thing, (Model, Trajectory))
        require(good, "only a model or a trajectory can be shown", BadValue, got=type(thing).__name__)
        self.model = thing if isinstance(thing, Model) else thing.model
        seen = stage_of(thing, folder=folder, drawn=drawn, markers=markers)
        stage = seen if drawn is not None else replace(seen, strokes=(), sheets=())  # a panel draws the paths
        self.q, self.time = stage.q[0], float(stage.t[0])
        super().__init__(port)
        look_at(self.server, seen)
        self.actors = Actors(self.server, stage)
        self._add_panels(seen.bounds()[1], drawn is None, Path(folder or ".") if allow_save else None)
        self.show(self.q, self.time)
        if isinstance(thing, Trajectory):
            self.playback.play(thing)

    def _add_panels(self, radius: float, paths: bool, save_to: Path | None) -> None:
        self.poses = forward_kinematics(self.model, self.q)
        self.sliders = Sliders(self, 2.0 * radius)
        self.playback = Playback(self)
        self.handle = Handle(self, 0.35 * radius)
        self.workshop = Workshop(self, paths, save_to, 0.25 * radius)
        self.live = Live(self)
        self.charts = Charts(self)

    def show(self, q, t: float | None = None) -> None:
        """Show a posture, at a time [s]; sliders follow."""
        with self.lock:
            self.time = self.time if t is None else t
            self.place(np.asarray(q, dtype=float))
            self.sliders.follow()

    def place(self, q: np.ndarray) -> None:
        """Show a posture."""
        self.q, self.poses = q, forward_kinematics(self.model, q)
        self.actors.place(self.poses, self.time, q)
        self.workshop.follow()

    def change(self, model: Model) -> None:
        """Show another model of the same bodies and coordinates."""
        self.model = model
        self.place(self.q)
        self.handle.follow()

    def pause(self) -> None:
        """Neither play nor simulate."""
        self.playback.playing.value = False
        self.live.switch.value = False

    def tick(self, seconds: float) -> None:
        """Advance what runs."""
        self.playback.tick(seconds)
        self.live.tick(seconds)
