"""Triangles of shapes, and a look for bodies that have none."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..errors import BadFile, CondyleWarning, NotSupported
from ..joints.evaluate import pose_matrices
from ..model import Body, Model
from ..model.look.bone_surface import bone_grid
from ..model.look.shapes import COLORS, Shape, bone, box, limb, sphere
from ..spatial.twists import pose_matrix
from .creases import creased
from .mesh_files import Part, mesh_parts

SHOWN = 12  # reasons told of what is not drawn
AROUND = 24  # corners of a circle
SLIGHT = 0.01  # of the mass of bodies that have shapes: what has less and no shape is not seen
JOINT = (0.55, 0.58, 0.62)  # colour of a joint between bodies without shapes


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices (n, 3) [m] in the frame of a body, unit normals (n, 3) and triangles (m, 3)."""

    vertices: np.ndarray
    normals: np.ndarray
    faces: np.ndarray
    color: tuple[float, ...]


def up_axis(model: Model) -> np.ndarray:
    """Away from gravity; z without gravity."""
    size = np.linalg.norm(model.gravity)
    return -model.gravity / size if size > 0 else np.array([0.0, 0.0, 1.0])


def looks(model: Model, drawn: Collection[str | None] = ()) -> list[tuple[Shape, ...]]:
    """The shapes of every body; bodies without any are bones between their joints, or what is `drawn` on them.

    Beside bodies that have shapes, those of next to no mass have no look: frames and inner parts of robots.
    """
    least = SLIGHT * sum(b.inertia.mass for b in model.bodies if b.shapes)
    unseen = [b.name in drawn or b.inertia.mass < least for b in model.bodies]
    return [b.shapes or (() if unseen[i] else _default_look(model, i, b)) for i, b in enumerate(model.bodies)]


def _default_look(model: Model, i: int, body: Body) -> tuple[Shape, ...]:
    color = COLORS[i % len(COLORS)]
    size = typical_length(model)
    start = body.offset[:3, 3]
    ends = [_joint_middle(b) for b in model.bodies if b.parent == i]
    rods = [bone(start, end, 0.11 * size, color) for end in ends if np.linalg.norm(end - start) > 1e-3 * size]
    if not rods and body.inertia.mass > 0:
        rods = _end_look(body, start, size, color)
    return (sphere(0.075 * size, _at(start), JOINT), *rods)


def _end_look(body: Body, start: np.ndarray, size: float, color) -> list[Shape]:
    """A body that carries no other: a rod from its joint if its inertia is that of one, else a box on a thin stem."""
    solid = _solid(body, size, color)
    to_com = np.asarray(body.inertia.com) - start
    distance = np.linalg.norm(to_com)
    if distance < 1e-3 * size:
        return [solid]
    along = to_com / distance
    lengths = np.abs(along @ solid.pose[:3, :3]) * solid.size
    k = int(np.argmax(lengths))
    reach = 0.5 * lengths[k]
    if np.max(np.delete(solid.size, k)) < 0.5 * solid.size[k] and lengths[k] > 0.9 * solid.size[k]:
        return [bone(start, start + (distance + reach) * along, 0.11 * size, color)]
    stem = [limb(start, body.inertia.com, 0.04 * size, color)] if reach < distance else []
    return [solid, *stem]


def _joint_middle(body: Body) -> np.ndarray:
    """Where a child hangs on its parent, for a coordinate in the middle of its domain."""
    joint = body.joint
    if joint.nq == 0 or any(w != (1, 1) for w in joint.widths):
        return body.placement[:3, 3]
    middle = [np.clip(0.0, low, high) for low, high in joint.domain]
    return (body.placement @ pose_matrices(joint, np.array(middle)))[:3, 3]


def typical_length(model: Model) -> float:
    """A length to draw by: the typical distance between joints."""
    ends = [np.linalg.norm(_joint_middle(b) - b.offset[:3, 3]) for b in model.bodies]
    coms = [np.linalg.norm(b.inertia.com) for b in model.bodies]
    lengths = [x for x in (*ends, *coms) if x > 1e-6]
    return float(np.median(lengths)) if lengths else 0.3


def _at(xyz) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = xyz
    return T


def _solid(body: Body, size: float, color) -> Shape:
    """The box with the body's inertia; one far larger than the model is cut to four times the model's scale."""
    moments, axes = body.inertia.principal()
    squares = 6.0 * (moments.sum() - 2.0 * moments) / body.inertia.mass
    sides = np.clip(np.sqrt(np.maximum(squares, 0.0)), 0.06 * size, 4.0 * size)
    return box(sides, pose_matrix(axes, body.inertia.com), color)


def body_meshes(shapes: tuple[Shape, ...], folder: Path | None = None, known: dict | None = None) -> list[Mesh]:
    """The meshes of shapes in the frame of their body; `known` keeps those that many shapes share."""
    out = []
    for shape in shapes:
        R, p = shape.pose[:3, :3], shape.pose[:3, 3]
        for mesh in _shaded(shape, folder, {} if known is None else known):
            out.append(replace(mesh, vertices=mesh.vertices @ R.T + p, normals=mesh.normals @ R.T))
    return out


def _shaded(shape: Shape, folder: Path | None, known: dict) -> list[Mesh]:
    """The meshes of a shape in its own frame."""
    key = (shape.kind, shape.size, shape.color, shape.path)
    if key not in known:
        parts = mesh_parts(shape, folder) if shape.kind == "mesh" else [Part(*triangles(shape), shape.color)]
        known[key] = [Mesh(*creased(part.vertices, part.faces), part.color) for part in parts]
    return known[key]


def _found(shapes: tuple[Shape, ...], folder: Path | None, known: dict, undrawn: list[str]) -> list[Mesh]:
    """The meshes of the shapes that can be drawn; why others cannot is added to `undrawn`."""
    meshes = []
    for shape in shapes:
        try:
            meshes += body_meshes((shape,), folder, known)
        except (BadFile, NotSupported) as error:
            undrawn.append(str(error))
    return meshes


def drawn_bodies(model: Model, instead: Collection[str | None], folder: Path | None) -> list[list[Mesh]]:
    """The meshes of every body; one warning tells what cannot be drawn, and a body of which nothing can is a rod."""
    undrawn: list[str] = []
    known: dict = {}
    found = []
    for i, shapes in enumerate(looks(model, instead)):
        meshes = _found(shapes, folder, known, undrawn)
        found.append(meshes if meshes or not shapes else body_meshes(_default_look(model, i, model.bodies[i])))
    if undrawn:
        reasons = list(dict.fromkeys(undrawn))
        more = f"\n  … and {len(reasons) - SHOWN} more" if len(reasons) > SHOWN else ""
        said = "\n  ".join(reasons[:SHOWN]) + more
        warnings.warn(f"{len(reasons)} shapes of the model are not drawn:\n  {said}", CondyleWarning, stacklevel=3)
    return found


def triangles(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and faces (m, 3) of a shape that is no mesh, in its own frame."""
    if shape.kind == "box":
        return _box(np.array(shape.size))
    if shape.kind == "ellipsoid":
        vertices, faces = triangles(Shape("sphere", (1.0,)))
        return vertices * shape.size, faces
    if shape.kind == "bone":
        grid = bone_grid(*shape.size)
        return grid.reshape(-1, 3), sheet_faces(*grid.shape[:2])
    radius, length = shape.size[0], shape.size[1] if len(shape.size) > 1 else 0.0
    if shape.kind == "cylinder":
        profile = [(0.0, -length / 2), (radius, -length / 2), (radius, length / 2), (0.0, length / 2)]
    else:
        a = np.linspace(-np.pi / 2, np.pi / 2, 12)
        profile = [(radius * np.cos(x), radius * np.sin(x) + np.copysign(length / 2, x)) for x in a]
    return _turned(np.array(profile))


def sheet_faces(rows: int, columns: int) -> np.ndarray:
    """Two triangles for each cell of a grid of points, by their numbers in C order."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a, b = i * columns + j, (i + 1) * columns + j
    return np.stack([a, a + 1, b + 1, a, b + 1, b], axis=-1).reshape(-1, 3)


def _turned(profile: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A surface of revolution about z from (radius, height) pairs."""
    a = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    ring = np.stack([np.cos(a), np.sin(a)], axis=1)
    vertices = np.array([(*(r * c), h) for r, h in profile for c in ring])
    i, j = np.meshgrid(np.arange(len(profile) - 1), np.arange(AROUND), indexing="ij")
    a, b = AROUND * i + j, AROUND * i + (j + 1) % AROUND
    c, d = a + AROUND, b + AROUND
    faces = np.stack([np.stack([a, b, d], -1), np.stack([a, d, c], -1)]).reshape(-1, 3)
    return vertices, faces


def _box(size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size / 2
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
             (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]  # fmt: skip
    return corners, np.array(faces)
