"""The live viewer of an arm: where its elbow can be, a goal to drag, the best posture, and all others faded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...dynamics import forward_kinematics
from ...model.look.overlays import Line
from ...workspace.arm_overlays import elbow_sheet, posture_lines, reach_lines
from ..render_scene import stage_of
from .live_server import LiveViewer
from .viser_scene import Actors, look_at, rgb

if TYPE_CHECKING:
    from ...workspace import Arm, Posture


START = (0.2, 0.35, -0.05)  # the first goal [m]
EYE = (0.7, 0.9, 0.35)  # a browser looks from here at first [m]


class ArmViewer(LiveViewer):
    """Shows an arm at `address`; `posture` is the best one for `goal`. Close it with `stop()`."""

    def __init__(self, arm: Arm, port: int = 8080) -> None:
        self.arm, self.model = arm, arm.as_model()
        super().__init__(port)
        self._draw()
        self._add_panel()
        self.handle = self.server.scene.add_transform_controls("/goal", scale=0.12, disable_rotations=True)
        self.handle.on_update(lambda event: self._moved())
        start = arm.nearest_reachable(START).point
        self.handle.position = start
        self.reach(start)

    def _draw(self) -> None:
        stage = stage_of(self.model, drawn=[elbow_sheet(self.arm)])
        look_at(self.server, stage)
        self.server.initial_camera.position = EYE
        self.actors = Actors(self.server, stage)

    def _add_panel(self) -> None:
        gui = self.server.gui
        with gui.add_folder("Goal of the wrist"):
            self._status = gui.add_text("result", "", disabled=True)
            self._all = gui.add_checkbox("all solutions", True)
            self._angles = gui.add_text("angles [°]", "", disabled=True)
        self._all.on_update(lambda event: self.reach(self.goal))

    def _moved(self) -> None:
        with self.lock:  # updates wait here, and each reads the latest position of the handle
            self.reach(self.handle.position)

    def reach(self, goal) -> Posture:
        """Pose the arm for a goal of the wrist [m], or for the nearest point that it can reach."""
        with self.lock:
            self.goal = np.asarray(goal, float)
            self.posture = self.arm.solve(self.goal, outside="nearest")
            self.actors.place(forward_kinematics(self.model, self.posture.angles), 0.0)
            with self.server.atomic():
                self._show_curves()
            self._report()
            return self.posture

    def _show_curves(self) -> None:
        """The elbow curves, and every posture along them."""
        others = posture_lines(self.arm.solutions(self.goal)) if self._all.value else []
        self._show("curve", reach_lines(self.arm, self.goal), 4.0)
        self._show("others", others, 1.0)

    def _show(self, name: str, lines: list[Line], thickness: float) -> None:
        """Lines under a name, in place of those before; one of no length where there are none."""
        lines = lines or [Line(None, np.zeros((2, 3)))]
        ends = [np.stack([line.points[:-1], line.points[1:]], axis=1) for line in lines]
        colors = [np.tile(rgb(line.color or (0, 0, 0)), (len(e), 2, 1)) for line, e in zip(lines, ends, strict=True)]
        self.server.scene.add_line_segments(
            f"/{name}", np.concatenate(ends), np.concatenate(colors), thickness=thickness, thickness_units="screen"
        )

    def _report(self) -> None:
        away = 100 * float(np.linalg.norm(self.posture.wrist - self.goal))
        self._status.value = "reached" if away < 1e-6 else f"out of reach, {away:.1f} cm away"
        self._angles.value = " ".join(f"{x:.0f}" for x in np.degrees(self.posture.angles))
