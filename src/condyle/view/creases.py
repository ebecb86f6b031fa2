"""Normals at the corners of triangles: smooth over a curved side, broken at an edge."""

from __future__ import annotations

import numpy as np

EDGE = np.cos(np.radians(40.0))  # faces that turn more than this meet at an edge
BUSY = 64  # a vertex with more triangles than this keeps their own normals: pairs would be too many


def creased(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices (n, 3), unit normals (n, 3) and faces (m, 3) in which a vertex on an edge occurs once for each side."""
    places, one = np.unique(np.round(vertices, 9), axis=0, return_inverse=True)
    flat, at = _face_normals(vertices, faces), one.reshape(-1)[faces]
    whole = flat.any(axis=1) & (at != np.roll(at, 1, axis=1)).all(axis=1)  # a face has an area and three corners
    faces, flat, corner_vertex = faces[whole], flat[whole], at[whole].reshape(-1)
    normals = _corner_normals(corner_vertex, np.repeat(flat, 3, axis=0), len(places))
    key = np.concatenate([corner_vertex[:, None], np.round(100.0 * normals)], axis=1)
    _, first, index = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return vertices[faces.reshape(-1)[first]], normals[first], index.reshape(-1, 3)


def _face_normals(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Normals as long as twice the area; zero for triangles without one."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    normals = np.cross(b - a, c - a)
    return np.where(np.linalg.norm(normals, axis=1, keepdims=True) > 1e-18, normals, 0.0)


def _corner_normals(vertex: np.ndarray, flat: np.ndarray, count: int) -> np.ndarray:
    """At each corner the mean of the faces around its vertex that do not turn away from its own."""
    unit = flat / np.linalg.norm(flat, axis=1, keepdims=True)
    i, j = _pairs(vertex, count)
    alike = np.einsum("ki,ki->k", unit[i], unit[j]) > EDGE
    total = flat.copy()
    for axis in range(3):
        total[:, axis] += np.bincount(i[alike], flat[j[alike], axis], len(vertex))
    return total / np.linalg.norm(total, axis=1, keepdims=True)


def _pairs(vertex: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """All ordered pairs of different corners at one vertex."""
    order = np.argsort(vertex, kind="stable")
    many = np.bincount(vertex, minlength=count)
    start, n = np.cumsum(many) - many, many[vertex]
    n = np.where(n > BUSY, 1, n)
    i = np.repeat(np.arange(len(vertex)), n)
    j = order[start[vertex[i]] + np.arange(len(i)) - np.repeat(np.cumsum(n) - n, n)]
    return i[i != j], j[i != j]
