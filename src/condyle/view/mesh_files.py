"""Triangles of mesh files, where a robot says they are."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import BadFile, NotSupported, require
from ..formats.bounds import MESH, TRIANGLES
from ..formats.packages import find_file
from ..formats.safe_files import read_bytes
from ..formats.vtp import parse_vtp
from ..formats.xml import parse_xml
from ..model.shapes import BONE, Shape

__all__ = ["Part", "mesh_parts"]

INSTALL = "pip install trimesh pycollada"
SUFFIXES = (
    ".stl",
    ".obj",
    ".ply",
    ".off",
    ".glb",
    ".gltf",
    ".dae",
    ".vtp",
)  # packed ones (.zip, .zae, .gz) are not opened
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
    if path.suffix.lower() == ".vtp":
        vertices, faces = parse_vtp(read_bytes(_checked(path)), f"mesh {path}")
        return [_scaled(vertices, faces, shape, 1.0, shape.color)] if len(faces) else _none(shape)
    parts = [_part(mesh, shape) for mesh in _read(path)]
    return parts or _none(shape)


def _none(shape: Shape) -> list[Part]:
    raise BadFile(f"mesh {shape.path}: there are no triangles in it")


def _advice(path: str) -> str:
    package = path.startswith("package://")
    return "; say where its package is: cd.load(robot, packages=folder), or set ROS_PACKAGE_PATH" if package else ""


def _checked(path: Path) -> Path:
    """A file of a kind that is read, not packed, and of a size that can be drawn."""
    suffix, size = path.suffix.lower(), path.stat().st_size
    require(suffix in SUFFIXES, f"mesh {path}: meshes are read from {', '.join(SUFFIXES)}", BadFile, suffix=path.suffix)
    require(size <= MESH, f"mesh {path}: {size} bytes are more than condyle reads ({MESH})", BadFile)
    if suffix == ".dae":
        parse_xml(read_bytes(path), f"mesh {path}")
    return path


def _read(path: Path) -> list[Any]:
    """The meshes of a file, placed as it says, those without triangles left out."""
    path = _checked(path)
    try:
        import trimesh
    except ImportError:
        raise NotSupported(f"meshes need trimesh: {INSTALL}") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # casts of numbers that are looked at below
            found = trimesh.load(path, process=False)
        meshes = found.dump() if isinstance(found, trimesh.Scene) else [found]
        return [m for m in meshes if isinstance(m, trimesh.Trimesh) and len(m.faces)]
    except ImportError as error:
        raise NotSupported(f"mesh {path}: it needs {error.name or error}: {INSTALL}") from None
    except Exception as error:  # trimesh raises what its many readers raise
        raise BadFile(f"mesh {path}: cannot be read: {error or type(error).__name__}") from None


def _part(mesh: Any, shape: Shape) -> Part:
    unit = METERS.fullmatch(str(mesh.metadata.get("units", "")))
    vertices, faces = np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces)
    return _scaled(vertices, faces, shape, float(unit.group(1)) if unit else 1.0, _color(mesh, shape))


def _scaled(vertices: np.ndarray, faces: np.ndarray, shape: Shape, unit: float, color: tuple[float, ...]) -> Part:
    """Triangles of a file, checked, in metres, scaled as the shape says."""
    scale = np.broadcast_to(shape.size, 3) * unit
    good = vertices.shape[1:] == (3,) and bool(np.isfinite(vertices).all())
    require(good, f"mesh {shape.path}: its vertices must be three finite numbers each", BadFile)
    known = faces.shape[1:] == (3,) and faces.min() >= 0 and faces.max() < len(vertices)
    require(known, f"mesh {shape.path}: its triangles are of vertices 0 … {len(vertices) - 1}", BadFile)
    few = len(faces) <= TRIANGLES
    require(few, f"mesh {shape.path}: {len(faces)} triangles are more than condyle draws ({TRIANGLES})", BadFile)
    mirrored = np.prod(np.sign(scale)) < 0
    return Part(vertices * scale, faces[:, ::-1] if mirrored else faces, color)


def _color(mesh: Any, shape: Shape) -> tuple[float, ...]:
    """Of the shape, or of the file if it has one."""
    if shape.color != BONE or mesh.visual.kind is None:
        return shape.color
    look = mesh.visual.material if mesh.visual.kind == "texture" else mesh.visual
    color = getattr(look, "main_color", None)
    return shape.color if color is None else tuple(float(x) / 255.0 for x in np.asarray(color)[:3])
