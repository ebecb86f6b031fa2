"""Triangles of STL, OBJ and MuJoCo's MSH files as arrays, for mass properties: nothing is merged, moved or coloured."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...errors import BadFile, require
from ..bounds import MESH, TRIANGLES
from ..safe_files import read_bytes
from .mesh_claims import checked_mesh

STL_RECORD = np.dtype([("normal", "<f4", 3), ("vertices", "<f4", (3, 3)), ("attribute", "<u2")])
MSH_HEADER = 16  # [bytes]


def read_triangles(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and triangles (m, 3) of a file; without triangles if it has only vertices."""
    readers = {".stl": _stl, ".obj": _obj, ".msh": _msh}
    suffix = path.suffix.lower()
    require(suffix in readers, f"mesh {path}: inertias are computed from {', '.join(readers)} files", BadFile)
    data = read_bytes(path, MESH)
    if suffix != ".msh":
        data = checked_mesh(suffix, data, f"mesh {path}").data
    try:
        vertices, faces = readers[suffix](data, path)
    except (ValueError, IndexError) as error:
        raise error if isinstance(error, BadFile) else BadFile(f"mesh {path}: damaged: {error}") from None
    good = np.isfinite(vertices).all() and (len(faces) == 0 or (faces.min() >= 0 and faces.max() < len(vertices)))
    require(good, f"mesh {path}: its vertices must be finite and its triangles of these vertices", BadFile)
    return vertices, faces


def _stl(data: bytes, path: Path) -> tuple[np.ndarray, np.ndarray]:
    count = int.from_bytes(data[80:84], "little")
    if len(data) == 84 + STL_RECORD.itemsize * count:
        corners = np.frombuffer(data, STL_RECORD, count, 84)["vertices"].astype(float)
    else:
        words = [line.split()[1:4] for line in data.decode("latin-1").splitlines() if line.split()[:1] == ["vertex"]]
        corners = np.array(words, dtype=float).reshape(-1, 3, 3)
    return corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)


def _obj(data: bytes, path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Faces of more than three corners are fans of triangles."""
    vertices: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for line in data.decode("utf-8", errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(x) for x in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) for word in words[1:]]
            corners = [c - 1 if c > 0 else len(vertices) + c for c in corners]
            faces += [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    return np.array(vertices, dtype=float).reshape(-1, 3), np.array(faces, dtype=int).reshape(-1, 3)


def _msh(data: bytes, path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Four counts (vertices, normals, texture points, triangles), then these numbers."""
    require(len(data) >= MSH_HEADER, f"mesh {path}: {len(data)} bytes are no MSH file", BadFile)
    points, normals, texture, triangles = (int(n) for n in np.frombuffer(data, "<i4", 4))
    good = min(points, normals, texture, triangles) >= 0 and triangles <= TRIANGLES
    size = MSH_HEADER + 4 * (3 * points + 3 * normals + 2 * texture + 3 * triangles)
    require(good and size == len(data), f"mesh {path}: its counts need {size} bytes; it has {len(data)}", BadFile)
    vertices = np.frombuffer(data, "<f4", 3 * points, MSH_HEADER).reshape(-1, 3)
    faces = np.frombuffer(data, "<i4", 3 * triangles, size - 12 * triangles).reshape(-1, 3)
    return vertices.astype(float), faces.astype(int)
