"""Triangles of mesh files, where a robot says they are."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import BadFile, NotSupported, require
from ..formats.bounds import MESH, TRIANGLES
from ..formats.meshes.mesh_claims import Claimed, checked_mesh, require_drawable
from ..formats.meshes.vtp import parse_vtp
from ..formats.packages import find_file
from ..formats.safe_files import Neighbors, read_bytes
from ..model.look.shapes import BONE, Shape

INSTALL = "it comes with condyle; pip install trimesh pycollada brings it back"
SUFFIXES = (".stl", ".obj", ".ply", ".off", ".glb", ".gltf", ".dae", ".vtp")  # not packed ones (.zip, .zae, .gz)
METERS = re.compile(r"(\S+) \* meters")
FARTHEST = 1e12  # [m] of a vertex from the origin: beyond, normals and pictures have no digits left


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
        vertices, faces = parse_vtp(read_bytes(path, MESH), f"mesh {path}")
        require_drawable(len(faces), f"mesh {path}")
        return [_scaled(vertices, faces, shape, 1.0, shape.color)] if len(faces) else _none(shape)
    parts = [_part(mesh, shape) for mesh in _read(path)]
    return parts or _none(shape)


def _none(shape: Shape) -> list[Part]:
    raise BadFile(f"mesh {shape.path}: there are no triangles in it")


def _advice(path: str) -> str:
    package = path.startswith("package://")
    return "; say where its package is: cd.load(robot, packages=folder), or set ROS_PACKAGE_PATH" if package else ""


def _checked(path: Path) -> Claimed:
    """The content of a file of a kind that is read, of a size that can be drawn, that holds what it claims."""
    suffix = path.suffix.lower()
    require(suffix in SUFFIXES, f"mesh {path}: meshes are read from {', '.join(SUFFIXES)}", BadFile, suffix=path.suffix)
    return checked_mesh(suffix, read_bytes(path, MESH), f"mesh {path}")


@contextmanager
def silent(name: str) -> Iterator[None]:
    """No tracebacks in the log of a package that goes on without what it could not read."""
    log = logging.getLogger(name)
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        log.setLevel(before)


def _read(path: Path) -> list[Any]:
    """The meshes of a file, placed as it says, those without triangles left out."""
    data, triangles = _checked(path)
    try:
        import trimesh
    except ImportError:
        raise NotSupported(f"meshes need trimesh: {INSTALL}") from None
    try:
        with warnings.catch_warnings(), silent("trimesh"):
            warnings.simplefilter("ignore")  # casts of numbers that are looked at below
            warnings.filterwarnings("error", "string or file could not be read")  # numbers that would be left out
            near: Any = Neighbors(path, MESH)
            found = trimesh.load(io.BytesIO(data), path.suffix[1:].lower(), near, process=False)
            meshes = found.dump() if isinstance(found, trimesh.Scene) else [found]
        meshes = [m for m in meshes if isinstance(m, trimesh.Trimesh) and len(m.faces)]
    except ImportError as error:
        raise NotSupported(f"mesh {path}: it needs {error.name or error}: {INSTALL}") from None
    except Exception as error:  # trimesh raises what its many readers raise
        raise BadFile(f"mesh {path}: cannot be read: {error or type(error).__name__}") from None
    got = sum(len(m.faces) for m in meshes)
    whole = triangles is None or got == triangles
    require(whole, f"mesh {path}: {got} of its {triangles} triangles could be read", BadFile)
    require_drawable(got, f"mesh {path}", TRIANGLES)
    return meshes


def _part(mesh: Any, shape: Shape) -> Part:
    unit, color = _meters(mesh, shape.path), _color(mesh, shape)
    return _scaled(np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces), shape, unit, color)


def _scaled(vertices: np.ndarray, faces: np.ndarray, shape: Shape, unit: float, color: tuple[float, ...]) -> Part:
    """Triangles of a file, checked, in metres, scaled as the shape says."""
    scale = np.broadcast_to(shape.size, 3) * unit
    good = vertices.shape[1:] == (3,)
    with np.errstate(all="ignore"):
        vertices = vertices * scale if good else vertices
        good = good and bool((np.abs(vertices) < FARTHEST).all())
    require(good, f"mesh {shape.path}: its vertices must be three numbers each, below {FARTHEST:g} m", BadFile)
    known = faces.shape[1:] == (3,) and faces.min() >= 0 and faces.max() < len(vertices)
    require(known, f"mesh {shape.path}: its triangles are of vertices 0 … {len(vertices) - 1}", BadFile)
    mirrored = np.prod(np.sign(scale)) < 0
    return Part(vertices, faces[:, ::-1] if mirrored else faces, color)


def _meters(mesh: Any, path: str) -> float:
    """The unit of length of a file [m]."""
    said = METERS.fullmatch(str(mesh.metadata.get("units", "")))
    unit = float(said.group(1)) if said else 1.0
    require(0.0 < unit < FARTHEST, f"mesh {path}: its unit of length must be a positive number", BadFile, meters=unit)
    return unit


def _color(mesh: Any, shape: Shape) -> tuple[float, ...]:
    """Of the shape, or of the file if it has one."""
    if shape.color != BONE or mesh.visual.kind is None:
        return shape.color
    look = mesh.visual.material if mesh.visual.kind == "texture" else mesh.visual
    color = getattr(look, "main_color", None)
    return shape.color if color is None else tuple(float(x) / 255.0 for x in np.asarray(color)[:3])
