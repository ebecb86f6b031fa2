"""Paths of joints in the scene, and control frames that can be dragged: the joint is rebuilt as they move."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import BadFile, CondyleError, NotSupported, require
from ...io import save
from ...joints import design_frames, redesigned
from ...model import Model
from ...model.look.overlays import Sheet
from ...spatial import SE3
from ..geometry import triangles
from ..joint_paths import joint_paths
from ..line_segments import strokes_of

if TYPE_CHECKING:
    from .model_viewer import Viewer


NONE = "(none)"
FILE_NAME = re.compile(r"\w[\w .-]{0,99}\.toml")


def with_joint(model: Model, body: int, joint) -> Model:
    """A copy with another joint for a body, and for every other body that shares the old one."""
    old = model.bodies[body].joint
    return replace(model, bodies=tuple(replace(b, joint=joint) if b.joint is old else b for b in model.bodies))


class Workshop:
    """The folder "Joints".

    Parameters
    ----------
    viewer : Viewer
        The viewer that it belongs to.
    shown : bool
        Whether the paths of the joints are drawn at first.
    folder : Path or None
        Where edited models are saved; None: they are not.
    size : float
        Length of the arrows of a control frame [m].
    """

    def __init__(self, viewer: Viewer, shown: bool, folder: Path | None, size: float) -> None:
        self.viewer, self.size, self.folder = viewer, size, folder
        self._saved: set[Path] = set()
        self._drawn: list[Any] = []
        self._points: Any = None
        model, gui = viewer.model, viewer.server.gui
        self.designed = [b.name for b in model.bodies if design_frames(b.joint) is not None]
        with gui.add_folder("Joints"):
            self.paths = gui.add_checkbox("curves and surfaces", shown)
            self.body = gui.add_dropdown("control frames of", (NONE, *self.designed), initial_value=NONE)
            self.number = gui.add_slider("frame", 0, 1, 1, 0, visible=False)
            self._add_saving()
            self.status = gui.add_text("joint", "", disabled=True, visible=False)
        self.gizmo = viewer.server.scene.add_transform_controls("/control frame", scale=size, visible=False)
        self.paths.on_update(lambda event: self.draw())
        self.body.on_update(lambda event: self.choose())
        self.number.on_update(lambda event: self._seat())
        self.gizmo.on_update(lambda event: self._dragged())
        self.draw()

    def _add_saving(self) -> None:
        """A file name and a button, where saving is allowed."""
        self.saving: list[Any] = []
        if self.folder is not None:
            gui = self.viewer.server.gui
            self.name, button = (
                gui.add_text("file", "edited.toml", visible=False),
                gui.add_button("save", visible=False),
            )
            button.on_click(lambda event: self.save())
            self.saving = [self.name, button]

    @property
    def chosen(self) -> int:
        """The number of the body whose joint is worked on."""
        return self.viewer.model.body_index(self.body.value)

    def draw(self) -> None:
        """The paths of the joints as they are now."""
        for handle in self._drawn:
            handle.remove()
        model, actors = self.viewer.model, self.viewer.actors
        drawn = joint_paths(model) if self.paths.value else ()
        self._drawn = [actors.add_strokes(f"path {k}", s) for k, s in enumerate(strokes_of(model, drawn))]
        for k, sheet in enumerate(d for d in drawn if isinstance(d, Sheet)):
            body = -1 if sheet.body is None else model.body_index(sheet.body)
            self._drawn.append(actors.add_sheet(f"swept {k}", body, sheet))

    def choose(self) -> None:
        """Show the control frames of the chosen joint, or none."""
        with self.viewer.lock:
            on = self.body.value != NONE
            for part in (self.number, *self.saving, self.status, self.gizmo):
                part.visible = on
            if self._points is not None:
                self._points.remove()
                self._points = None
            if on:
                self.number.value, self.number.max = 0, len(self._poses()) - 1
                self._points = self._balls()
                self._seat()

    def _poses(self) -> np.ndarray:
        """Control frames (n, 4, 4) in the frame of the parent."""
        body = self.viewer.model.bodies[self.chosen]
        frames = design_frames(body.joint)
        return body.placement @ np.asarray(frames).reshape(-1, 4, 4)

    def _balls(self):
        """A small ball at each control frame; a click chooses it."""
        from ...model.look.shapes import sphere

        poses, (vertices, faces) = SE3.from_matrix(self._poses()), triangles(sphere(0.06 * self.size))
        path = self.viewer.actors.path(self.viewer.model.bodies[self.chosen].parent, "control points")
        add = self.viewer.server.scene.add_batched_meshes_simple
        balls = add(path, vertices, faces, poses.wxyz, poses.xyz, batched_colors=(60, 60, 60))
        balls.on_click(lambda event: self._picked(event.instance_index))
        return balls

    def _picked(self, number: int | None) -> None:
        if number is not None and 0 <= number <= self.number.max:
            self.number.value = number
            self._seat()

    def _parent_pose(self) -> np.ndarray:
        parent = self.viewer.model.bodies[self.chosen].parent
        return np.eye(4) if parent < 0 else self.viewer.poses[parent].as_matrix()

    def _seat(self) -> None:
        """Put the arrows at the chosen control frame, in the world."""
        if self.body.value == NONE:
            return
        pose = SE3.from_matrix(self._parent_pose() @ self._poses()[int(self.number.value)])
        self.gizmo.wxyz, self.gizmo.position = pose.wxyz, pose.xyz

    def follow(self) -> None:
        """Keep the arrows at their control frame after its parent moved."""
        if self.body.value != NONE and self.viewer.model.bodies[self.chosen].parent >= 0:
            self._seat()

    def _dragged(self) -> None:
        with self.viewer.lock:  # updates wait here, and each reads the latest pose of the arrows
            if self.body.value != NONE:
                self.move(int(self.number.value), SE3(self.gizmo.wxyz, self.gizmo.position).as_matrix())

    def move(self, number: int, pose: np.ndarray) -> None:
        """Set a control frame to a pose in the world; the joint, its path and the bodies follow."""
        with self.viewer.lock:
            body = self.viewer.model.bodies[self.chosen]
            frames = np.array(design_frames(body.joint))
            frames.reshape(-1, 4, 4)[number] = np.linalg.solve(self._parent_pose() @ body.placement, pose)
            try:
                joint = redesigned(body.joint, frames)
            except CondyleError as error:
                self.status.value = str(error)
                return
            self.viewer.change(with_joint(self.viewer.model, self.chosen, joint))
            self.draw()
            self._points.batched_positions = self._poses()[:, :3, 3]
            self.status.value = f"frame {number} moved"

    def save(self) -> None:
        """Write the model to a new file in the folder; a model that no file can hold: its joint alone."""
        with self.viewer.lock:
            try:
                path = self._new_file()
                self.status.value = self._save_as(path)
                self._saved.add(path)
            except CondyleError as error:
                self.status.value = str(error)

    def _new_file(self) -> Path:
        """The path to write to: never a file that was there before this viewer."""
        if self.folder is None:
            raise NotSupported("saving from the page is switched off; start the viewer with allow_save=True")
        name = self.name.value
        require(
            FILE_NAME.fullmatch(name),
            "the file needs a plain name that ends in .toml, without folders",
            BadFile,
            got=name,
        )
        path = self.folder.resolve() / name
        new = path in self._saved or not os.path.lexists(path)
        require(new, f"{name} exists in the folder; choose another name", BadFile)
        return path

    def _save_as(self, path: Path) -> str:
        try:
            save(self.viewer.model, path)
            return f"model saved as {path}"
        except NotSupported:
            save(self.viewer.model.bodies[self.chosen].joint, path)
            return f"joint saved as {path}; a Python function moves a coordinate of the model"
