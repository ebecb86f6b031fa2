"""Triangles of mesh files, where a robot says they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import BadFile, NotSupported, require
from ..formats.packages import find_file
from ..model.shapes import BONE, Shape

__all__ = ["Part", "mesh_parts"]

INSTALL = "pip install trimesh pycollada"
METERS = re.compile(r"([-+.\deE]+) \* meters")


class Part(NamedTuple):
    """Vertices (n, 3) [m], triangles (m, 3), and red, green, blue from 0 to 1."""

    vertices: np.ndarray
    faces: np.ndarray
    color: tuple[float, ...]


def mesh_parts(shape: Shape, folder: Path | None) -> list[Part]:
    """What is in the file of a mesh shape, scaled; in the colours of the file where the shape has none of its own."""
    path = find_file(shape.path, folder)
    if path is None:
        raise BadFile(f"mesh {shape.path}: there is no such file{_advice(shape.path)}")
    parts = [_part(mesh, shape) for mesh in _read(path)]
    require(parts, f"mesh {shape.path}: there are no triangles in it", BadFile)
    return parts


def _advice(path: str) -> str:
    package = path.startswith("package://")
    return "; say where its package is: cd.load(robot, packages=folder), or set ROS_PACKAGE_PATH" if package else ""


def _read(path: Path) -> list[Any]:
    """The meshes of a file, placed as it says, those without triangles left out."""
    try:
        import trimesh
    except ImportError:
        raise NotSupported(f"meshes need trimesh: {INSTALL}") from None
    try:
        found = trimesh.load(path, process=False)
        meshes = found.dump() if isinstance(found, trimesh.Scene) else [found]
        return [m for m in meshes if isinstance(m, trimesh.Trimesh) and len(m.faces)]
    except ImportError as error:
        raise NotSupported(f"mesh {path}: it needs {error.name or error}: {INSTALL}") from None
    except Exception as error:  # trimesh raises what its many readers raise
        raise BadFile(f"mesh {path}: cannot be read: {error or type(error).__name__}") from None


def _part(mesh: Any, shape: Shape) -> Part:
    unit = METERS.fullmatch(str(mesh.metadata.get("units", "")))
    scale = np.broadcast_to(shape.size, 3) * (float(unit.group(1)) if unit else 1.0)
    vertices, faces = np.asarray(mesh.vertices, dtype=float) * scale, np.asarray(mesh.faces)
    good = bool(np.isfinite(vertices).all())
    require(good, f"mesh {shape.path}: its vertices must be finite numbers", BadFile)
    mirrored = np.prod(np.sign(scale)) < 0
    return Part(vertices, faces[:, ::-1] if mirrored else faces, _color(mesh, shape))


def _color(mesh: Any, shape: Shape) -> tuple[float, ...]:
    """Of the shape, or of the file if it has one."""
    if shape.color != BONE or mesh.visual.kind is None:
        return shape.color
    look = mesh.visual.material if mesh.visual.kind == "texture" else mesh.visual
    color = getattr(look, "main_color", None)
    return shape.color if color is None else tuple(float(x) / 255.0 for x in np.asarray(color)[:3])
