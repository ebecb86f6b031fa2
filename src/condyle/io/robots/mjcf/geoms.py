"""Geoms of an MJCF file: their mass properties, and what is drawn of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ....errors import BadFile, require
from ....formats.mjcf.attributes import Attributes
from ....model.look.shapes import BONE, Shape
from ....spatial import Inertia
from ....spatial.twists import pose_matrix
from .geom_volumes import LENGTHS, SOLIDS
from .meshes import Mesh, Solid
from .poses import Angles, turned_z

KINDS = ("plane", "hfield", *SOLIDS, "mesh", "sdf")
FLAT = ("plane", "hfield")  # without mass
WATER = 1000.0  # [kg/m³], MuJoCo's density of everything
UNSEEN = 1e-15  # [kg]: geoms below this count for nothing
SHOWN = 2.0  # the last group that MuJoCo's viewer shows at first; those after it are mostly for contact


@dataclass(frozen=True)
class Geom:
    """A geom in the frame of its body; `size` as MJCF has it."""

    where: str
    kind: str
    size: tuple[float, ...]
    pose: np.ndarray
    mass: float | None
    density: float
    shell: bool
    group: float
    mesh: Mesh | None
    color: tuple[float, float, float]
    collides: bool

    def inertia(self) -> Inertia:
        """Of the geom, in the frame of its body."""
        if self.kind in FLAT or self.mass == 0.0 or (self.mass is None and self.density == 0.0):
            return Inertia.massless()
        solid = self._solid()
        mass = self.density * solid.measure if self.mass is None else self.mass
        if mass < UNSEEN:
            return Inertia.massless()
        moment = mass * (np.trace(solid.squares) * np.eye(3) - solid.squares)
        return Inertia._made(mass, solid.center, moment).moved(self.pose)

    def _solid(self) -> Solid:
        if self.kind in SOLIDS:
            measure, squares = SOLIDS[self.kind](self.size, self.shell)
            return Solid(measure, np.zeros(3), np.diag(squares))
        require(self.mesh is not None, f"{self.where}: a geom of type {self.kind} needs a mesh for its mass", BadFile)
        return self.mesh.solid(self.shell)  # type: ignore[union-attr]

    def shape(self) -> Shape | None:
        """What is drawn; None for what has no shape here."""
        made = self._made()
        return None if made is None else replace(made, pose=self.pose, color=self.color)

    def _made(self) -> Shape | None:
        s = self.size
        if self.kind == "mesh":
            return self._mesh_shape()
        if self.kind not in SOLIDS:
            return None
        sizes = {"sphere": s[:1], "box": tuple(2.0 * x for x in s), "ellipsoid": s}
        return Shape(self.kind, sizes.get(self.kind, (s[0], 2.0 * s[-1])))

    def _mesh_shape(self) -> Shape | None:
        mesh = self.mesh
        if mesh is None or mesh.path is None or mesh.moved or mesh.path.suffix.lower() == ".msh":
            return None
        return Shape("mesh", tuple(float(x) for x in mesh.scale), path=str(mesh.path))


def last_drawn_group(bodies: Iterable[Sequence[Geom]]) -> float:
    """The last group of geoms that is drawn: as in MuJoCo's viewer, if it shows something of at least half the bodies.

    Else (a skin covers them all, or the file has other groups) geoms of any group are drawn.
    """
    first = [min(g.group for g in geoms) for geoms in bodies if geoms]
    return SHOWN if 2 * sum(group <= SHOWN for group in first) >= len(first) else np.inf


def drawn_and_hidden(geoms: Sequence[Geom], last: float) -> tuple[list[Shape], list[Shape]]:
    """Shapes of a body up to a group (or, where there are none, those of its first group), and the others."""
    shapes = [(g.group, s) for g in geoms if (s := g.shape()) is not None]
    last = max(last, min((group for group, _ in shapes), default=last))
    return [s for group, s in shapes if group <= last], [s for group, s in shapes if group > last]


class Assets(NamedTuple):
    """What geoms refer to by name."""

    meshes: dict[str, Mesh]
    colors: dict[str, tuple[float, float, float]]  # of materials
    fit_bounds: bool = False


def read_geom(a: Attributes, outer: np.ndarray, angles: Angles, assets: Assets) -> Geom:
    """A geom inside frames that stand at `outer` in the body."""
    kind = a.word("type", KINDS, "sphere")
    mesh = _mesh(a, kind, assets)
    size = a.numbers("size", 0, 3, default=())
    pose = angles.pose(a)
    if mesh is not None and kind in SOLIDS:
        words = f"{a.where}: fitaabb, a {kind} fitted to the bounds of a mesh, is not known here; give its size"
        require(not assets.fit_bounds, words, BadFile)
        size, pose = fitted(kind, mesh, a, pose)
    elif a.has("fromto") and kind in SOLIDS:
        size, pose = between(a, kind, size)
    if kind in SOLIDS:
        size = size[: LENGTHS[kind]]
        good = len(size) == LENGTHS[kind] and min(size) > 0.0
        require(good, f"{a.where}: size must be {LENGTHS[kind]} positive lengths", BadFile, got=size)
    mass = a.number("mass") if a.has("mass") else None
    density = a.number("density", WATER)
    require((mass or 0.0) >= 0.0 and density >= 0.0, f"{a.where}: mass and density must not be negative", BadFile,
            mass=mass, density=density)  # fmt: skip
    collides = any(a.number(key, 1.0) != 0.0 for key in ("contype", "conaffinity"))
    shell = a.switch("shellinertia")
    group, color = a.number("group", 0.0), _color(a, assets)
    return Geom(a.where, kind, size, outer @ pose, mass, density, shell, group, mesh, color, collides)


def _mesh(a: Attributes, kind: str, assets: Assets) -> Mesh | None:
    name = a.text("mesh")
    if not name:
        require(kind not in ("mesh", "sdf"), f"{a.where}: a geom of type {kind} needs the attribute 'mesh'", BadFile)
        return None
    require(name in assets.meshes, f"{a.where}: there is no mesh named {name!r}", BadFile)
    return assets.meshes[name]


def _color(a: Attributes, assets: Assets) -> tuple[float, float, float]:
    """Of the geom, or of its material."""
    if a.has("rgba"):
        return rgb(a)
    return assets.colors.get(a.text("material"), BONE)


def rgb(a: Attributes) -> tuple[float, float, float]:
    """Red, green and blue from 0 to 1."""
    r, g, b = (min(max(x, 0.0), 1.0) for x in a.numbers("rgba", 3, 4)[:3])
    return r, g, b


def between(a: Attributes, kind: str, size: tuple[float, ...]) -> tuple[tuple[float, ...], np.ndarray]:
    """Size and pose of a shape along z between two points."""
    require(kind != "sphere" and size, f"{a.where}: fromto needs a size, and is not for spheres", BadFile, size=size)
    ends = np.array(a.numbers("fromto", 6)).reshape(2, 3)
    R = turned_z(ends[0] - ends[1])
    if R is None:
        raise BadFile(f"{a.where}: the two points of fromto must differ")
    half = 0.5 * float(np.linalg.norm(ends[0] - ends[1]))
    lengths = (size[0], half) if kind in ("capsule", "cylinder") else (size[0], size[0], half)
    return lengths, pose_matrix(R, ends.mean(axis=0))


def fitted(kind: str, mesh: Mesh, a: Attributes, pose: np.ndarray) -> tuple[tuple[float, ...], np.ndarray]:
    """Size and pose of the shape that has the mesh's inertia, as a box has it."""
    solid = mesh.solid()
    squares, axes = np.linalg.eigh(solid.squares)
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    x, y, z = (float(h) for h in np.sqrt(3.0 * np.maximum(squares, 0.0)) * a.number("fitscale", 1.0))
    r = 0.5 * (x + y)
    sizes = {"sphere": ((x + y + z) / 3.0,), "capsule": (r, max(0.0, z - 0.5 * r)), "cylinder": (r, z)}
    return sizes.get(kind, (x, y, z)), pose @ pose_matrix(axes, solid.center)
