"""The live viewer of an arm: where its elbow can be, a goal to drag, the best posture, and all others faded."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dynamics import forward_kinematics
from .geometry import body_meshes, looks
from .origins import HOST, local_server

if TYPE_CHECKING:
    from ..workspace import Arm, Posture

__all__ = ["ArmViewer"]

SURFACE, CURVE, GOOD, OUTSIDE = (120, 150, 190), (200, 60, 40), (40, 110, 60), (150, 150, 150)
START = (0.35, 0.35, 0.0)


class ArmViewer:
    """Shows an arm at `address`; `posture` is the best one for `goal`. Close it with `stop()`."""

    def __init__(self, arm: Arm, port: int = 8080) -> None:
        self.arm, self.model = arm, arm.as_model()
        self.server: Any = local_server(port)
        self.address = f"http://{HOST}:{port}"
        self._lock, self._ended = threading.RLock(), threading.Event()
        self._draw()
        self._add_panel()
        self.handle = self.server.scene.add_transform_controls("/goal", scale=0.2, disable_rotations=True)
        self.handle.on_update(lambda event: self.reach(self.handle.position))
        start = arm.nearest_reachable(START).point
        self.handle.position = start
        self.reach(start)

    def _draw(self) -> None:
        scene = self.server.scene
        self.server.gui.configure_theme(show_share_button=False, show_logo=False)
        scene.set_up_direction("+z")
        camera = self.server.initial_camera
        camera.up, camera.look_at, camera.position = (0.0, 0.0, 1.0), (0.25, 0.1, 0.0), (0.9, 1.5, 0.6)
        mesh = self.arm.grid
        scene.add_mesh_simple(
            "/surface", mesh.elbow, mesh.triangles, color=SURFACE, opacity=0.35, side="double", flat_shading=False
        )
        self._frames = [scene.add_frame(f"/arm/{body.name}", show_axes=False) for body in self.model.bodies]
        for body, shapes in zip(self.model.bodies, looks(self.model), strict=True):
            for k, (vertices, faces, color) in enumerate(body_meshes(shapes, None)):
                shown = tuple(int(255 * c) for c in color)
                scene.add_mesh_simple(f"/arm/{body.name}/{k}", vertices, faces, color=shown)

    def _add_panel(self) -> None:
        gui = self.server.gui
        with gui.add_folder("Goal of the wrist"):
            self._said = gui.add_text("result", "", disabled=True)
            self._all = gui.add_checkbox("all solutions", True)
            self._angles = gui.add_text("angles [°]", "", disabled=True)
        self._all.on_update(lambda event: self.reach(self.goal))

    def reach(self, goal) -> Posture:
        """Pose the arm for a goal, as near as it can."""
        with self._lock:
            self.goal = np.asarray(goal, float)
            self.posture = self.arm.solve(self.goal, outside="nearest")
            poses = forward_kinematics(self.model, self.posture.angles)
            with self.server.atomic():
                for frame, wxyz, xyz in zip(self._frames, poses.wxyz, poses.xyz, strict=True):
                    frame.wxyz, frame.position = wxyz, xyz
                self._show_curves()
            self._say()
            return self.posture

    def _show_curves(self) -> None:
        """The elbow curves, and every posture along them: green inside all limits, grey outside."""
        curves = self.arm.elbow_curves(self.goal)
        closed = [np.vstack([c.elbows, c.elbows[:1]]) if c.closed else c.elbows for c in curves]
        self._segments("curves", _pairs(closed), CURVE, 4.0)
        others = self.arm.solutions(self.goal)
        joints = np.stack([others.shoulder, others.elbow, others.wrist], axis=1)
        for name, kept, color in (("good", others.feasible, GOOD), ("outside", ~others.feasible, OUTSIDE)):
            self._segments(name, _pairs(joints[kept] if self._all.value else []), color, 1.0)

    def _segments(self, name: str, ends: np.ndarray, color, thickness: float) -> None:
        """Lines (n, 2, 3) under a name, in place of those before."""
        if not len(ends):
            ends = np.zeros((1, 2, 3))  # nothing to see, and the name stays
        self.server.scene.add_line_segments(
            f"/{name}", ends.astype(np.float32), colors=color, thickness=thickness, thickness_units="screen"
        )

    def _say(self) -> None:
        away = 100 * float(np.linalg.norm(self.posture.wrist - self.goal))
        self._said.value = "reached" if away < 1e-6 else f"out of reach, {away:.1f} cm away"
        self._angles.value = " ".join(f"{x:.0f}" for x in np.degrees(self.posture.angles))

    def run(self) -> None:
        """Show until interrupted or stopped."""
        try:
            self._ended.wait()
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    def stop(self) -> None:
        """End the server."""
        self._ended.set()
        self.server.stop()


def _pairs(lines) -> np.ndarray:
    """Polylines (n, 3) as segments (m, 2, 3)."""
    parts = [np.stack([line[:-1], line[1:]], axis=1) for line in lines]
    return np.concatenate(parts) if len(parts) else np.zeros((0, 2, 3))
