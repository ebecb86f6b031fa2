"""The bodies of a stage, and what is drawn beside them, in a viser scene."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.look.overlays import Sheet
from ...spatial import SE3
from ..geometry import sheet_faces, typical_length
from ..line_segments import Strokes
from ..render_scene import Stage
from ..setting import ANGLE, GROUND, SKY, Setting, setting_of
from .tubes import BodyTubes, PointTubes, groups, rgb

ASPECT = 1.2  # of the picture beside the panels, about
RADIUS = 0.02  # of a tube as a part of the typical distance between joints


def look_at(server, stage: Stage) -> None:
    """Ground and sky, and where a browser looks from at first."""
    setting = setting_of(stage)
    server.scene.set_up_direction(tuple(setting.up))
    view = setting.camera(0, ASPECT)
    camera, away = server.initial_camera, float((view.eye - setting.center) @ setting.front)
    camera.up, camera.look_at = tuple(setting.up), tuple(view.eye - away * setting.front)
    camera.position, camera.fov = tuple(view.eye), ANGLE
    server.scene.set_background_image(_sky())
    if setting.ground is not None:
        _add_ground(server, setting)
        server.gui.add_markdown(f"Squares of the ground: {setting.tile:g} m")


def _sky() -> np.ndarray:
    """A gradient from above to below."""
    share = np.linspace(1.0, 0.0, 256)[:, None, None]
    colors = share * np.array(SKY[0]) + (1.0 - share) * np.array(SKY[1])
    return np.round(255.0 * np.repeat(colors, 8, axis=1)).astype(np.uint8)


def _add_ground(server, setting: Setting) -> None:
    """Squares at the height of the lowest point, on which bodies cast shadows."""
    axes = np.stack([setting.axes[0], np.cross(setting.up, setting.axes[0]), setting.up], axis=1)
    turned = SE3.from_matrix(np.block([[axes, np.zeros((3, 1))], [np.zeros((1, 3)), np.ones((1, 1))]])).wxyz
    place = setting.center + (setting.ground - setting.center @ setting.up) * setting.up
    size = 24.0 * setting.radius
    server.scene.add_grid(
        "/ground", size, size, plane="xy", cell_size=setting.tile, section_size=5.0 * setting.tile, wxyz=turned,
        position=place, cell_color=rgb(GROUND[1]), section_color=rgb(0.93 * np.array(GROUND[1])), shadow_opacity=0.35,
        plane_color=rgb(GROUND[0]), plane_opacity=0.6, fade_distance=10.0 * setting.radius, fade_from="origin",
    )  # fmt: skip


class Actors:
    """Draws a stage once; `place` moves its bodies and bends its sheets."""

    def __init__(self, server, stage: Stage) -> None:
        self.server, self.stage = server, stage
        self.paths = [f"/bodies/{i} {name.replace('/', '_')}" for i, name in enumerate(stage.model.names)]
        self.frames = [server.scene.add_frame(path, show_axes=False) for path in self.paths]
        for body, parts in enumerate(stage.meshes):
            for k, mesh in enumerate(parts):
                server.scene.add_mesh_simple(
                    f"{self.paths[body]}/{k}", mesh.vertices, mesh.faces, color=rgb(mesh.color)
                )
        for k, strokes in enumerate(stage.strokes):
            self.add_strokes(f"line {k}", strokes)
        self._add_tubes(RADIUS * typical_length(stage.model))
        self._bending = [
            (handle, sheet)
            for k, (body, sheet) in enumerate(stage.sheets)
            for handle in [self.add_sheet(f"sheet {k}", body, sheet)]
            if sheet.changes
        ]

    def path(self, body: int, name: str) -> str:
        """The name of something fixed to a body (−1: the world)."""
        return f"{self.paths[body]}/{name}" if body >= 0 else f"/world {name}"

    def add_strokes(self, name: str, strokes: Strokes) -> Any:
        """Lines of even width on the screen."""
        path, color = self.path(strokes.body, name), rgb(strokes.color)
        add = self.server.scene.add_line_segments
        return add(path, strokes.segments, colors=color, thickness=3.0, thickness_units="screen")

    def _add_tubes(self, radius: float) -> None:
        """Lines from body to body, and those that are new in each posture."""
        scene, ties, first = self.server.scene, self.stage.ties, SE3(self.stage.wxyz[0], self.stage.xyz[0])
        alike = [[t for t in ties if t.color == color] for color in dict.fromkeys(t.color for t in ties)]
        self.body_tubes = [BodyTubes(scene, f"/muscles {k}", some, first, radius) for k, some in enumerate(alike)]
        self.point_tubes = [
            [PointTubes(scene, f"/lines {k}/{rows.start}", lines, rows, radius) for rows in groups(lines)]
            for k, lines in enumerate(self.stage.changing)
        ]

    def add_sheet(self, name: str, body: int, sheet: Sheet) -> Any:
        """A surface seen from both sides."""
        grid = sheet.at(float(self.stage.t[0]))
        faces = sheet_faces(*grid.shape[:2])
        opacity = sheet.opacity if sheet.opacity < 1.0 else None
        options = {"color": rgb(sheet.color), "opacity": opacity, "side": "double"}
        return self.server.scene.add_mesh_simple(self.path(body, name), grid.reshape(-1, 3), faces, **options)

    def place(self, poses: SE3, t: float, q: np.ndarray | None = None) -> None:
        """Show bodies at poses (nbodies,), sheets as they are at time t [s], and muscles in the posture q."""
        with self.server.atomic():
            for frame, wxyz, xyz in zip(self.frames, poses.wxyz, poses.xyz, strict=True):
                frame.wxyz, frame.position = wxyz, xyz
            for tubes in self.body_tubes:
                tubes.place(poses)
            if q is not None:
                self._place_points(self.stage.record_at(t - self.stage.t[0]), q)
            for handle, sheet in self._bending:
                handle.vertices = sheet.at(t).reshape(-1, 3)

    def _place_points(self, k: int, q: np.ndarray) -> None:
        """Lines that are new in each posture: those of the record, if q is its posture."""
        recorded = np.array_equal(q, self.stage.q[k])
        for lines, parts in zip(self.stage.changing, self.point_tubes, strict=True):
            now = lines.segments[k] if recorded else lines.now(q, k)
            for tubes in parts:
                tubes.place(now, k)
