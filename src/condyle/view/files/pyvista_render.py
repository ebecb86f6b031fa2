"""Pictures by pyvista, off screen: smooth shading and true depth, where the extra `render` is installed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..geometry import sheet_faces
from ..render_scene import Stage

BACKGROUND = (0.957, 0.949, 0.933)
LIT = {"ambient": 0.35, "diffuse": 0.75, "specular": 0.15}
WAY_OUT = "pip install pyvista"


def available() -> bool:
    """Whether pyvista is installed."""
    return find_spec("pyvista") is not None


def png(stage: Stage, time: float | None = None, size=(960, 800)) -> bytes:
    """The stage at a time [s] (default: the end)."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(next(rendered(stage, [stage.record_at(time)], size, smooth=True))).save(out, format="PNG")
    return out.getvalue()


def rendered(stage: Stage, moments, size, smooth: bool = False) -> Iterator[np.ndarray]:
    """Pictures (height, width, 3) of the stage at some records; `smooth` edges take four times as long."""
    import pyvista

    with _silence():
        plotter: Any = pyvista.Plotter(off_screen=True, window_size=list(size))
        try:
            plotter.set_background(BACKGROUND)
            plotter.enable_anti_aliasing("msaa", multi_samples=8) if smooth else plotter.disable_anti_aliasing()
            bodies, bending = _actors(plotter, stage)
            loose = _loose_lines(plotter, stage)
            _look(plotter, stage)
            for k in moments:
                _place(stage, int(k), bodies, bending)
                for lines, (points, colors) in zip(loose, stage.loose_lines(int(k)), strict=True):
                    lines.points, lines.cell_data["rgb"] = points.reshape(-1, 3), colors
                plotter.render()  # a screenshot alone would be the picture before
                yield np.asarray(plotter.screenshot(return_img=True))[..., :3]
        finally:
            plotter.close()


@contextmanager
def _silence() -> Iterator[None]:
    """Without a screen VTK says so, then goes on without one."""
    from vtkmodules.vtkCommonCore import vtkLogger

    before = vtkLogger.GetCurrentVerbosityCutoff()
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)
    try:
        yield
    finally:
        vtkLogger.SetStderrVerbosity(before)


def _actors(plotter, stage: Stage) -> tuple[list[tuple[int, Any]], list[tuple[Any, Any]]]:
    """What moves: (body, actor); what bends: (surface, sheet)."""
    import pyvista

    bodies, bending = [], []
    for body, meshes in enumerate(stage.meshes):
        for mesh in meshes:
            solid = pyvista.PolyData.from_regular_faces(mesh.vertices, mesh.faces)
            solid.point_data.active_normals = mesh.normals
            bodies.append((body, plotter.add_mesh(solid, color=mesh.color, smooth_shading=True, **LIT)))
    for strokes in stage.strokes:
        lines = pyvista.line_segments_from_points(strokes.segments.reshape(-1, 3))
        bodies.append((strokes.body, plotter.add_mesh(lines, color=strokes.color, line_width=4, lighting=False)))
    for body, sheet in stage.sheets:
        grid = sheet.at(float(stage.t[0]))
        surface = pyvista.PolyData.from_regular_faces(grid.reshape(-1, 3), sheet_faces(*grid.shape[:2]))
        actor = plotter.add_mesh(surface, color=sheet.color, opacity=sheet.opacity, **LIT)
        bodies.append((body, actor))
        bending += [(surface, sheet)] if sheet.changes else []
    return bodies, bending


def _loose_lines(plotter, stage: Stage) -> list[Any]:
    """Lines from body to body, whose points are set anew for each picture."""
    import pyvista

    found = []
    for points, colors in stage.loose_lines(0):
        found.append(pyvista.line_segments_from_points(points.reshape(-1, 3)))
        found[-1].cell_data["rgb"] = colors
        plotter.add_mesh(found[-1], scalars="rgb", rgb=True, line_width=2, lighting=False)
    return found


def _look(plotter, stage: Stage) -> None:
    center, radius = stage.bounds()
    eye = center + 4.0 * radius * stage.front()
    plotter.camera_position = [tuple(eye), tuple(center), tuple(stage.up)]
    plotter.camera.view_angle = 30.0
    plotter.camera.clipping_range = (2.5 * radius, 5.5 * radius)  # of all moments, not only of what is placed now


def _place(stage: Stage, k: int, bodies, bending) -> None:
    from ...spatial import SE3

    for body, actor in bodies:
        if body >= 0:
            actor.user_matrix = SE3(stage.wxyz[k, body], stage.xyz[k, body]).as_matrix()
    for surface, sheet in bending:
        surface.points = sheet.at(float(stage.t[k])).reshape(-1, 3)
