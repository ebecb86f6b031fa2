"""Meshes of an MJCF file: their triangles, and mass properties in the four ways that MuJoCo has."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from ....errors import BadFile, require
from ....formats.meshes.triangles import read_triangles
from ....formats.mjcf.attributes import Attributes
from .poses import quaternion_matrix

MODES = ("legacy", "convex", "exact", "shell")
BLIND = 1e-30  # [m³ or m²]: less is nothing


class Solid(NamedTuple):
    """Volume (area of a shell), centre, and second moments ∫ x xᵀ about the centre per volume; in the mesh's frame."""

    measure: float
    center: np.ndarray
    squares: np.ndarray


class Mesh:
    """A mesh asset."""

    def __init__(self, a: Attributes, path: Path | None) -> None:
        self.where, self.path = a.where, path
        self.scale = np.array(a.numbers("scale", 3, default=(1.0, 1.0, 1.0)))
        self.mode = a.word("inertia", MODES, "legacy")
        self.at = np.array(a.numbers("refpos", 3, default=(0.0, 0.0, 0.0)))
        turn = quaternion_matrix(np.array(a.numbers("refquat", 4, default=(1.0, 0.0, 0.0, 0.0))))
        if turn is None:
            raise BadFile(f"{a.where}: refquat must not be zero")
        self.turn = turn
        require(self.scale.all(), f"{a.where}: the scale of a mesh must not be zero", BadFile, got=self.scale.tolist())
        self.vertices = np.array(_many(a, "vertex"), dtype=float).reshape(-1, 3)
        self.faces = np.array(_many(a, "face"), dtype=int).reshape(-1, 3)
        self._solids: dict[str, Solid] = {}

    @property
    def moved(self) -> bool:
        """Whether the mesh is drawn elsewhere than its file says."""
        return bool(self.at.any() or not np.array_equal(self.turn, np.eye(3)))

    def triangles(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices (n, 3) [m] in the frame of the geom, and triangles (m, 3)."""
        vertices, faces = (self.vertices, self.faces) if self.path is None else read_triangles(self.path)
        vertices = ((vertices - self.at) @ self.turn) * self.scale
        return vertices, faces[:, ::-1] if np.prod(self.scale) < 0 else faces

    def solid(self, shell: bool = False) -> Solid:
        """Its mass properties for a density of one."""
        mode = "shell" if shell else self.mode
        if mode not in self._solids:
            try:
                self._solids[mode] = self._solid(mode)
            except QhullError:
                raise BadFile(f"{self.where}: its vertices are in a plane, so that it has no volume") from None
        return self._solids[mode]

    def _solid(self, mode: str) -> Solid:
        vertices, faces = self.triangles()
        if mode == "convex" or len(faces) == 0:
            faces = _hull(vertices, self.where)
        require(len(faces), f"{self.where}: there are no triangles", BadFile)
        corners = vertices[faces]
        solid = _shell(corners) if mode == "shell" else _volume(corners, mode == "legacy")
        good = np.isfinite(solid.measure) and solid.measure > BLIND
        require(good, f"{self.where}: its volume must be positive; are its triangles turned outwards, or is it a shell "
                "(inertia='shell')?", BadFile, volume=solid.measure)  # fmt: skip
        return solid


def _many(a: Attributes, key: str) -> tuple[float, ...]:
    """Any number of numbers, in threes."""
    values = a.numbers(key, 0, 3_000_000, default=())
    require(len(values) % 3 == 0, f"{a.where}: {key} must be triples of numbers", BadFile, got=len(values))
    return values


def _hull(vertices: np.ndarray, where: str) -> np.ndarray:
    """Triangles of the convex hull, turned outwards."""
    require(len(vertices) >= 4, f"{where}: a body needs at least four vertices", BadFile, got=len(vertices))
    hull = ConvexHull(vertices)
    faces, middle = hull.simplices, vertices[hull.vertices].mean(axis=0)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    inwards = np.einsum("ij,ij->i", np.cross(b - a, c - a), a - middle) < 0
    return np.where(inwards[:, None], faces[:, ::-1], faces)


def _shell(corners: np.ndarray) -> Solid:
    """Mass spread evenly over triangles (m, 3, 3)."""
    areas = 0.5 * np.linalg.norm(_crosses(corners), axis=1)
    area = float(areas.sum())
    center = areas @ corners.mean(axis=1) / max(area, BLIND)
    return Solid(area, center, _squares(corners - center, areas / 12.0) / max(area, BLIND))


def _volume(corners: np.ndarray, legacy: bool) -> Solid:
    """Mass in the pyramids between a point and the triangles; with signs, or in the old way without."""
    normals = _crosses(corners)
    areas = np.linalg.norm(normals, axis=1)
    foot = areas @ corners.mean(axis=1) / max(float(areas.sum()), BLIND)
    volumes = _pyramids(corners - foot, normals, legacy)
    volume = float(volumes.sum())
    if not volume > BLIND:
        return Solid(volume, foot, np.zeros((3, 3)))
    center = volumes @ (0.75 * corners.mean(axis=1) + 0.25 * foot) / volume
    around = corners - center
    volumes = _pyramids(around, normals, legacy)  # without signs the sum depends on the point
    return Solid(float(volumes.sum()), center, _squares(around, volumes / 20.0) / volumes.sum())


def _crosses(corners: np.ndarray) -> np.ndarray:
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _pyramids(corners: np.ndarray, normals: np.ndarray, legacy: bool) -> np.ndarray:
    """Volumes between the origin and triangles."""
    volumes = np.einsum("ij,ij->i", corners[:, 0], normals) / 6.0
    return np.abs(volumes) if legacy else volumes


def _squares(corners: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Σ weight · (Σ_k x_k x_kᵀ + (Σ_k x_k)(Σ_k x_k)ᵀ): ∫ x xᵀ of triangles, or of pyramids on the origin."""
    total = corners.sum(axis=1)
    return np.einsum("f,fki,fkj->ij", weights, corners, corners) + np.einsum("f,fi,fj->ij", weights, total, total)
