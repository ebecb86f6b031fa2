"""Surfaces in VTK's XML format (.vtp), as OpenSim keeps bones: points and polygons written as text."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np

from ...errors import BadFile, require
from ..loose_xml import parse_loose_xml


def parse_vtp(data: bytes, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The points and triangles of a .vtp file.

    Parameters
    ----------
    data : bytes
        The file.
    name : str
        What to call it in errors.

    Returns
    -------
    vertices : ndarray, shape (n, 3)
    faces : ndarray of int, shape (m, 3)
        Polygons and strips are cut into triangles.

    Raises
    ------
    BadFile
        If it is no surface, or its numbers are not written as text.
    """
    root = parse_loose_xml(data, name)
    kind = root.get("type")
    require(root.tag == "VTKFile" and kind == "PolyData", f"{name}: not a VTK file of PolyData", BadFile, got=kind)
    vertices, faces, count = [np.zeros((0, 3))], [np.zeros((0, 3), int)], 0
    for piece in root.iter("Piece"):
        points = _array(piece.find("Points"), None, name)
        require(points.size % 3 == 0, f"{name}: points are three numbers each", BadFile, numbers=points.size)
        for tag, cut in (("Polys", _fans), ("Strips", _strips)):
            faces.append(_cut(piece.find(tag), cut, len(points) // 3, name) + count)
        vertices.append(points.reshape(-1, 3))
        count += len(vertices[-1])
    return np.concatenate(vertices), np.concatenate(faces)


def _array(holder: Element | None, label: str | None, name: str) -> np.ndarray:
    """The numbers of the array of this name, or of the first."""
    arrays = [] if holder is None else holder.findall("DataArray")
    found = next((a for a in arrays if label is None or a.get("Name") == label), None)
    if found is None:
        return np.zeros(0)
    words = f"{name}: its arrays are {found.get('format')}; condyle reads .vtp files written as ascii"
    require(found.get("format", "ascii") == "ascii", words, BadFile)
    try:
        return np.array((found.text or "").split(), dtype=float)
    except ValueError as error:
        raise BadFile(f"{name}: expected numbers in <DataArray>: {error}") from None


def _cut(holder: Element | None, cut, points: int, name: str) -> np.ndarray:
    """The triangles of polygons or strips, given by their corners and where each ends."""
    corners, ends = (_array(holder, label, name) for label in ("connectivity", "offsets"))
    whole = all(np.isfinite(x).all() and (x == np.floor(x)).all() for x in (corners, ends))
    inside = whole and (corners >= 0).all() and (corners < points).all()
    rising = whole and (np.diff(ends, prepend=0.0) >= 0).all() and (ends <= len(corners)).all()
    require(inside and rising, f"{name}: its polygons must be of points 0 … {points - 1}", BadFile)
    return cut(corners.astype(int), np.append(0, ends.astype(int)))


def _triangles(ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For every triangle, where its polygon or strip begins and its number in it."""
    counts = np.maximum(np.diff(ends) - 2, 0)
    return np.repeat(ends[:-1], counts), np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def _fans(corners: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Each polygon as triangles about its first corner."""
    starts, number = _triangles(ends)
    return np.stack([corners[starts], corners[starts + number + 1], corners[starts + number + 2]], axis=1)


def _strips(corners: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Each strip as the triangles of three corners in a row, every second one turned round."""
    starts, number = _triangles(ends)
    a, b, c = (corners[starts + number + k] for k in range(3))
    return np.stack([a, np.where(number % 2, c, b), np.where(number % 2, b, c)], axis=1)
