"""A handle that pulls a body: by inverse kinematics, or by a spring while a simulation runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import ik
from ...dynamics import forward_kinematics

if TYPE_CHECKING:
    from .model_viewer import Viewer


class Handle:
    """The folder "Pull a body" and its arrows in the scene."""

    def __init__(self, viewer: Viewer, size: float) -> None:
        self.viewer = viewer
        self.last: tuple | None = None  # the body and the position that it was last moved to
        gui, names = viewer.server.gui, viewer.model.names
        with gui.add_folder("Pull a body"):
            self.body = gui.add_dropdown("body", names, initial_value=names[-1])
            self.shown = gui.add_checkbox("handle", False)
            self.status = gui.add_text("result", "", disabled=True)
        self.control = viewer.server.scene.add_transform_controls("/target", scale=size, disable_rotations=True)
        self.control.visible = False
        self.control.on_update(lambda event: self._moved(event.phase))
        self.body.on_update(lambda event: self.follow())
        self.shown.on_update(lambda event: self._show())

    def _show(self) -> None:
        self.follow()
        self.control.visible = self.shown.value

    def follow(self) -> None:
        """Put the handle at the origin of the body."""
        body, self.last = self.viewer.model.body_index(self.body.value), None
        self.control.position = forward_kinematics(self.viewer.model, self.viewer.q)[body].xyz

    def _moved(self, phase: str) -> None:
        live = self.viewer.live
        if not live.running:
            self._catch_up()
        elif phase != "end":
            live.pull(self.body.value, np.asarray(self.control.position))
        if phase == "end":
            live.release()

    def _catch_up(self) -> None:
        """Solve for the present position of the handle, unless an earlier update has done so already."""
        with self.viewer.lock:
            now = (self.body.value, *map(float, self.control.position))
            if now != self.last:
                self.reach(now[1:])
                self.last = now

    def reach(self, position) -> ik.Solution:
        """Bring the chosen body to a position [m], from where it is."""
        with self.viewer.lock:
            self.viewer.pause()
            target = ik.position(self.body.value, np.asarray(position))
            found = ik.solve(self.viewer.model, target, self.viewer.q, iterations=30, tolerance=1e-6, restarts=4)
            self.viewer.show(found.q)
            self.status.value = f"{1e3 * float(found.residual):.2g} mm off"
            return found
