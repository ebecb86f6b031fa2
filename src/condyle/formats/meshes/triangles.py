"""Triangles of STL, OBJ, PLY, VTP and MuJoCo's MSH files as arrays: nothing is merged, moved or coloured."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...errors import BadFile, require
from ..bounds import MESH, TRIANGLES
from ..safe_files import read_bytes
from ..writing import write_bytes
from .mesh_claims import checked_mesh
from .vtp import parse_vtp

STL_RECORD = np.dtype([("normal", "<f4", 3), ("vertices", "<f4", (3, 3)), ("attribute", "<u2")])
MSH_HEADER = 16  # [bytes]
PLY_TYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4",
             "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
             "int64": "i8", "uint64": "u8", "float32": "f4", "float64": "f8"}  # fmt: skip
PLY_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">", "ascii": ""}


def read_triangles(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and triangles (m, 3) of a file; without triangles if it has only vertices."""
    readers = {".stl": _stl, ".obj": _obj, ".msh": _msh, ".ply": _ply, ".vtp": _vtp}
    suffix = path.suffix.lower()
    require(suffix in readers, f"mesh {path}: triangles are read from {', '.join(readers)} files", BadFile)
    data = read_bytes(path, MESH)
    if suffix not in (".msh", ".vtp"):
        data = checked_mesh(suffix, data, f"mesh {path}").data
    try:
        vertices, faces = readers[suffix](data, path)
    except (ValueError, IndexError, KeyError, StopIteration, OverflowError) as error:
        raise error if isinstance(error, BadFile) else BadFile(f"mesh {path}: damaged: {error}") from None
    good = np.isfinite(vertices).all() and (len(faces) == 0 or (faces.min() >= 0 and faces.max() < len(vertices)))
    require(good, f"mesh {path}: its vertices must be finite and its triangles of these vertices", BadFile)
    return vertices, faces


def write_stl(vertices: np.ndarray, triangles: np.ndarray, path: Path) -> None:
    """A binary STL file of triangles, whose numbers have 7 digits."""
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    records = np.zeros(len(corners), STL_RECORD)
    records["vertices"] = corners
    records["normal"] = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    head = b"triangles".ljust(80) + len(corners).to_bytes(4, "little")
    write_bytes(path, lambda file: file.write(head + records.tobytes()))


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


def _vtp(data: bytes, path: Path) -> tuple[np.ndarray, np.ndarray]:
    return parse_vtp(data, f"mesh {path}")


def _ply(data: bytes, path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Its vertices' x, y, z and its faces; other elements are passed over. Faces are fans of triangles."""
    head, _, body = data.partition(b"end_header\n")
    lines = [line.split() for line in head.decode("latin-1").splitlines()]
    order = PLY_ORDERS[next(line[1] for line in lines if line[:1] == ["format"])]
    elements: list[tuple[str, int, list[list[str]]]] = []
    for line in lines:
        if line[:1] == ["element"]:
            elements.append((line[1], int(line[2]), []))
        elif line[:1] == ["property"]:
            elements[-1][2].append(line[1:])
    rows = _ply_text(body, elements) if not order else _ply_binary(body, elements, order)
    axes = [p[-1] for p in next(e for e in elements if e[0] == "vertex")[2]]
    vertices = np.array([[row[axes.index(a)] for a in "xyz"] for row in rows["vertex"]], float).reshape(-1, 3)
    faces = [next(v for v in row if isinstance(v, list)) for row in rows.get("face", [])]
    fans = [(f[0], f[k], f[k + 1]) for f in faces for k in range(1, len(f) - 1)]
    return vertices, np.array(fans, dtype=int).reshape(-1, 3)


def _ply_text(body: bytes, elements) -> dict[str, list[list]]:
    """Rows of each element: numbers, and lists of numbers."""
    lines, out = iter(body.decode("latin-1").splitlines()), {}
    for name, count, properties in elements:
        out[name] = [_ply_row(iter(next(lines).split()), properties) for _ in range(count)]
    return out


def _ply_row(words, properties) -> list:
    return [
        [int(next(words)) for _ in range(int(next(words)))] if p[0] == "list" else float(next(words))
        for p in properties
    ]


def _ply_binary(body: bytes, elements, order: str) -> dict[str, list[list]]:
    """Rows of each element: numbers, and lists of numbers."""
    out, at = {}, 0
    for name, count, properties in elements:
        out[name] = []
        for _ in range(count):
            row, at = _ply_record(body, at, properties, order)
            out[name].append(row)
    return out


def _ply_record(body: bytes, at: int, properties, order: str) -> tuple[list, int]:
    """One row, and where the next begins."""
    row: list = []
    for p in properties:
        number, count, kind = p[0] == "list", 1, order + PLY_TYPES[p[-2]]
        if number:
            first = np.dtype(order + PLY_TYPES[p[1]])
            count, at = max(int(np.frombuffer(body, first, 1, at)[0]), 0), at + first.itemsize
        values = np.frombuffer(body, kind, count, at)
        at += values.nbytes
        row.append(values.astype(int).tolist() if number else float(values[0]))
    return row, at
