"""The markers of a model as small balls on their bodies."""

from __future__ import annotations

import numpy as np

from ..model import Model
from .geometry import Mesh, typical_length

COLOR = (0.86, 0.24, 0.5)
SHARE = 0.06  # radius as a part of the typical distance between joints


def marker_meshes(model: Model) -> list[list[Mesh]]:
    """For every body one mesh of all its markers, or none; markers of ground are left out."""
    if not model.markers:
        return [[] for _ in model.bodies]
    radius = SHARE * typical_length(model)
    places = [[m.at for m in model.markers if m.body == body.name] for body in model.bodies]
    return [[_balls(np.array(points), radius)] if points else [] for points in places]


def _balls(centers: np.ndarray, radius: float) -> Mesh:
    """Balls of few triangles about points (n, 3)."""
    normals, faces = _ball()
    vertices = (centers[:, None] + radius * normals).reshape(-1, 3)
    numbers = faces + len(normals) * np.arange(len(centers))[:, None, None]
    return Mesh(vertices, np.tile(normals, (len(centers), 1)), numbers.reshape(-1, 3), COLOR)


def _ball() -> tuple[np.ndarray, np.ndarray]:
    """Unit points (18, 3) and triangles (32, 3): an octahedron whose edges are halved."""
    points, faces = [], []
    for signs in np.ndindex(2, 2, 2):
        corners = np.diag(1.0 - 2.0 * np.array(signs))
        a, b, c = corners if sum(signs) % 2 == 0 else corners[::-1]  # outwards
        ab, bc, ca = a + b, b + c, c + a
        for triangle in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)):
            points += triangle
            faces.append(len(faces) * 3 + np.arange(3))
    unique, number = np.unique(np.array(points), axis=0, return_inverse=True)
    return unique / np.linalg.norm(unique, axis=1, keepdims=True), number.reshape(-1)[np.array(faces)]
