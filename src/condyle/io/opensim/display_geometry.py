"""What is drawn of a body: mesh files, looked for beside the model and in folders called Geometry, and solids."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...model.look.shapes import BONE, Shape
from .omissions import Report
from .osim_document import Node
from .physical_frames import euler_pose

FOLDERS = ("", "Geometry", "geometry")
LEVELS = 3  # folders above the model that are looked at
MISSING = (
    "not found beside the model or in a folder Geometry, so not drawn; "
    "cd.load(path, geometry=folder) says where they are"
)
UNDRAWN = "not drawn, condyle has no such solid"
UPRIGHT = euler_pose((0.0, 0.0, 0.0), (-0.5 * np.pi, 0.0, 0.0))  # z, along which condyle draws cylinders, to y


class Meshes:
    """Finds mesh files; each folder is listed once."""

    def __init__(self, folder: Path, geometry: Iterable[Path], report: Report) -> None:
        above = [folder, *list(folder.resolve().parents)[: LEVELS - 1]]
        self._folder, self._report = folder, report
        self._places = [*geometry, *(base / name for base in above for name in FOLDERS)]
        self._listed: dict[Path, dict[str, str]] = {}
        self._missing: set[str] = set()

    def find(self, name: str) -> str | None:
        """The path of a mesh file, from the folder of the model where it is in it; None, and reported, if missing.

        Names of Windows are understood: backslashes, capitals that do not matter, folders of another machine.
        """
        plain = name.replace("\\", "/")
        for wanted in dict.fromkeys((plain, plain.rpartition("/")[2])):
            for place in self._places:
                path = place / wanted
                if actual := self._names(path.parent).get(path.name.lower()):
                    return self._from_here(path.with_name(actual))
        if name not in self._missing:
            self._missing.add(name)
            self._report.add("mesh files", name, MISSING)
        return None

    def _from_here(self, path: Path) -> str:
        inside = path.is_relative_to(self._folder)
        return os.path.relpath(path, self._folder) if inside else str(path.resolve())

    def _names(self, folder: Path) -> dict[str, str]:
        """The names in a folder by the same without capitals."""
        if folder not in self._listed:
            try:
                self._listed[folder] = {name.lower(): name for name in sorted(os.listdir(folder))}
            except (OSError, ValueError):
                self._listed[folder] = {}
        return self._listed[folder]


def shapes_in(node: Node, meshes: Meshes, report: Report) -> Iterator[Shape]:
    """The shapes of ground, a body or a frame, in its own axes."""
    for shape in node.objects("attached_geometry"):
        yield from _solid(shape, meshes, report)
    visible = node.child("VisibleObject")
    if visible is not None:
        yield from _visible(visible, meshes)


def _solid(node: Node, meshes: Meshes, report: Report) -> Iterator[Shape]:
    """A geometry of version 4, with its appearance."""
    look = node.child("Appearance")
    if look is not None and not look.flag("visible", True):
        return
    color = BONE if look is None or look.numbers("color") is None else _color(look)
    scale = node.vector("scale_factors", 3, [1.0] * 3)
    if node.tag == "Mesh":
        yield from _mesh(node.text("mesh_file"), scale, np.eye(4), color, meshes)
    elif node.tag == "Sphere":
        yield from _sized("sphere", [node.number("radius", 1.0)], color)
    elif node.tag == "Brick":
        yield from _sized("box", 2.0 * node.vector("half_lengths", 3, [0.5] * 3) * scale, color)
    elif node.tag == "Cylinder":
        size = [node.number("radius", 1.0), 2.0 * node.number("half_height", 0.5)]
        yield from (replace(s, pose=UPRIGHT) for s in _sized("cylinder", size, color))
    elif node.tag not in ("FrameGeometry", "LineGeometry", "Arrow"):
        report.add(node.tag, node.name, UNDRAWN, quiet=True)


def _visible(node: Node, meshes: Meshes) -> Iterator[Shape]:
    """Geometry before version 4: files with a scale and a place, under those of the body."""
    outer, pose = node.vector("scale_factors", 3, [1.0] * 3), _transform(node)
    for name in node.words("geometry_files"):
        yield from _mesh(name, outer, pose, BONE, meshes)
    for shape in node.objects("GeometrySet"):
        if shape.number("display_preference", 4.0) == 0.0:
            continue
        color = BONE if shape.numbers("color") is None else _color(shape)
        scale, place = shape.vector("scale_factors", 3, [1.0] * 3), pose @ _transform(shape)
        yield from _mesh(shape.text("geometry_file"), outer * scale, place, color, meshes)


def _transform(node: Node) -> np.ndarray:
    """Three angles, then a shift."""
    x = node.vector("transform", 6, [0.0] * 6)
    return euler_pose(x[3:], x[:3])


def _mesh(name: str, scale: np.ndarray, pose: np.ndarray, color, meshes: Meshes) -> Iterator[Shape]:
    path = meshes.find(name) if name and scale.all() else None
    if path is not None:
        size = (float(scale[0]),) if len(set(scale.tolist())) == 1 and scale[0] > 0 else tuple(scale.tolist())
        yield Shape("mesh", size, pose, color, path)


def _sized(kind: str, size, color) -> Iterator[Shape]:
    """A solid that has a size."""
    if min(size) > 0.0:
        yield Shape(kind, tuple(float(x) for x in size), np.eye(4), color)


def _color(node: Node) -> tuple[float, ...]:
    """White, which files state for everything, is the colour of bone."""
    color = tuple(float(x) for x in np.clip(node.vector("color", 3, [1.0] * 3), 0.0, 1.0))
    return BONE if color == (1.0, 1.0, 1.0) else color
