"""What a mesh file claims to hold, compared with its bytes, before a reader allocates what it claims.

The counts and indices of a damaged or hostile file can be any number. Each check refuses a file that cannot hold what
it says, and gives the content without what readers stumble over and the number of triangles that must come out of it.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from typing import NamedTuple

import numpy as np

from ...errors import BadFile, require
from ..bounds import TRIANGLES
from ..doubts import doubt
from .collada_claims import check_collada
from .gltf_claims import check_glb, check_gltf

STL_HEADER, STL_TRIANGLE = 84, 50  # [bytes]
PLY_SIZES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4, "double": 8,
             "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8,
             "float16": 2, "float32": 4, "float64": 8}  # fmt: skip
SOLID = re.compile(r"^[ \t]*(end)?solid\b.*$", re.MULTILINE | re.IGNORECASE)
OBJ_COMMENT = re.compile(r"^([ \t]*(?:v|vt|vn|f)[ \t][^#\n]*)#.*$", re.MULTILINE)
OBJ_FACE = re.compile(r"^[ \t]*f[ \t]+(.*)$", re.MULTILINE)
OBJ_VERTEX = re.compile(r"^[ \t]*v[ \t]", re.MULTILINE)


class Claimed(NamedTuple):
    """The content of a mesh file, and how many triangles must come out of it (None: not known before it is read)."""

    data: bytes
    triangles: int | None = None


def checked_mesh(suffix: str, data: bytes, name: str) -> Claimed:
    """The content of a mesh file that can hold what it claims.

    Parameters
    ----------
    suffix : str
        The kind of the file: ".stl", ".obj", ".ply", ".off", ".glb", ".gltf" or ".dae".
    data : bytes
        Its content.
    name : str
        What errors call it.

    Raises
    ------
    BadFile
        If it claims more than it holds or than condyle draws; the words have both numbers.
    """
    claimed = CHECKS[suffix](data, name)
    require_drawable(claimed.triangles or 0, name)
    return claimed


def require_drawable(triangles: int, name: str, most: int = TRIANGLES) -> None:
    """Refuse more triangles than can be drawn."""
    require(triangles <= most, f"{name}: {triangles} triangles are more than condyle draws ({most})", BadFile)


def _text(data: bytes) -> str:
    """In UTF-8, or byte by byte: nothing is guessed."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _stl(data: bytes, name: str) -> Claimed:
    """Binary, if the count in the header gives the size of the file; else text."""
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= STL_HEADER else 0
    size = STL_HEADER + STL_TRIANGLE * count
    if size == len(data):
        return Claimed(data, count)
    text = data[:5].lower() == b"solid" and (b"\0" not in data or b"facet" in data)
    words = f"{name}: its header claims {count} triangles, {size} bytes; the file has {len(data)}"
    require(text, words if len(data) >= STL_HEADER else f"{name}: neither text nor {STL_HEADER} bytes", BadFile)
    return _stl_text(_text(data), name)


def _stl_text(text: str, name: str) -> Claimed:
    """Its solids as one: readers take long to name many."""
    ends = [bool(found.group(1)) for found in SOLID.finditer(text)]
    require(ends.count(True) == ends.count(False), f"{name}: a solid without its end: the file was cut", BadFile)
    body = SOLID.sub("", text).lower()
    facets, corners = body.count("endfacet"), body.count("vertex")
    words = f"{name}: {facets} facets have {corners} corners; expected three of each"
    require(corners == 3 * facets, words, BadFile)
    return Claimed(f"solid all\n{body}\nendsolid all\n".encode(), facets)


def _obj(data: bytes, name: str) -> Claimed:
    """Its faces must be of vertices that are there; comments behind numbers are left out."""
    text = OBJ_COMMENT.sub(r"\1", _text(data).replace("\\\n", " "))
    faces = [found.group(1) for found in OBJ_FACE.finditer(text)]
    corners = np.array([len(face.split()) for face in faces], dtype=np.int64)
    require((corners >= 3).all(), f"{name}: a face has fewer than three corners", BadFile)
    numbers = [re.sub(r"/\S*", "", face) for face in faces]
    _check_obj_indices(text, " ".join(numbers), name)
    if text and not text.endswith("\n"):
        _check_obj_end(text, numbers, name)
    return Claimed(text.encode(), int((corners - 2).sum()))


def _check_obj_end(text: str, faces: list[str], name: str) -> None:
    """A last line without an end may have lost words or digits: of a body with a hole, or unlike the lines before it.

    A number that was cut changes the surface, and with it the mass of a body that is made of it.
    """
    *before, last = text.splitlines()
    word = last.split()[:1]
    forms = {_form(line) for line in before if line.split()[:1] == word}
    like = not forms or _form(last) in forms
    require(like, f"{name}: it is cut off within its last line", BadFile, got=last[-60:])
    edges = Counter(frozenset(e) for f in map(str.split, faces) for e in zip(f, f[1:] + f[:1], strict=True))
    if not faces or any(count % 2 for count in edges.values()):
        doubt(f"{name}: its last line has no end and its surface has holes: it may be cut off, and its mass wrong")


def _form(line: str) -> tuple[int, ...]:
    """How many numbers each word of a line has."""
    return tuple(len(word.split("/")) for word in line.split())


def _check_obj_indices(text: str, numbers: str, name: str) -> None:
    """1 … n from the first vertex on, −1 … −n from the last one back."""
    try:
        indices = np.array(numbers.split(), dtype=np.int64)
    except (ValueError, OverflowError):
        raise BadFile(f"{name}: a corner of a face is not the number of a vertex") from None
    count = sum(1 for _ in OBJ_VERTEX.finditer(text))
    bad = indices[(indices == 0) | (np.abs(indices) > count)]
    require(not len(bad), f"{name}: a face has a corner {bad[:1]}; its vertices are 1 … {count}", BadFile)
    if (indices < 0).any():
        first, last = OBJ_FACE.search(text), [found.start() for found in OBJ_VERTEX.finditer(text)][-1]
        between = first is not None and last > first.start()
        words = f"{name}: vertices counted backwards between faces are not read; write the mesh with numbers from 1 on"
        require(not between, words, BadFile)


def _off(data: bytes, name: str) -> Claimed:
    """The counts in its first line, against its lines."""
    lines = [line.split("#", 1)[0].split() for line in _text(data).splitlines()]
    lines = [line for line in lines if line]
    require(lines and lines[0][0] in ("OFF", "COFF"), f"{name}: it does not begin with OFF", BadFile)
    head, *rest = [line for line in [lines[0][1:], *lines[1:]] if line] or [[]]
    try:
        vertices, faces = int(head[0]), int(head[1])
        require(min(vertices, faces) >= 0, f"{name}: negative counts", BadFile)
        words = f"{name}: it claims {vertices} vertices and {faces} faces, {len(rest)} lines follow"
        require(vertices + faces <= len(rest), words, BadFile)
        corners = [int(line[0]) for line in rest[vertices : vertices + faces]]
        short = any(not 3 <= n < len(line) for n, line in zip(corners, rest[vertices:], strict=False))
    except (ValueError, IndexError):
        raise BadFile(f"{name}: its counts are not whole numbers") from None
    require(not short, f"{name}: a face claims fewer than three corners, or more than its line has", BadFile)
    return Claimed("\n".join(["OFF", *map(" ".join, [head, *rest])]).encode(), sum(corners) - 2 * faces)


def _ply(data: bytes, name: str) -> Claimed:
    """The counts in its header, against the lines or bytes that follow; edges are left alone."""
    header, end, body = data.partition(b"end_header")
    require(end and header[:3] == b"ply", f"{name}: it does not begin like a PLY file", BadFile)
    body = body.partition(b"\n")[2]
    rows = _ply_elements(header.decode("latin-1"), name)
    text = b"ascii" in header
    need = sum(count * (1 if text else size) for _, count, size in rows)
    there = len(body.split(b"\n")) if text else len(body)
    said = ", ".join(f"{count} of {element}" for element, count, _ in rows)
    words = f"{name}: its header claims {said}, at least {need} {'lines' if text else 'bytes'}; {there} follow"
    require(need <= there, words, BadFile)
    for _, count, _ in rows:
        require_drawable(count, name, 4 * TRIANGLES)
    return Claimed(re.sub(rb"element\s+edge\b", b"element edges_", header, flags=re.IGNORECASE) + end + b"\n" + body)


def _ply_elements(header: str, name: str) -> list[tuple[str, int, int]]:
    """Name, count, and least bytes of a row of each element."""
    rows: list[tuple[str, int, int]] = []
    line = ""
    try:
        for line in header.splitlines():
            words = line.split()
            if words[:1] == ["element"]:
                rows.append((words[1], int(words[2]), 0))
                require(rows[-1][1] >= 0, f"{name}: a negative count", BadFile, element=words[1])
            elif words[:1] == ["property"]:
                element, count, size = rows[-1]
                rows[-1] = (element, count, size + PLY_SIZES[words[2 if words[1] == "list" else 1]])
    except (IndexError, KeyError, ValueError):
        raise BadFile(f"{name}: its header has a line that is not of a PLY file: {line[:80]!r}") from None
    return rows


CHECKS = {
    ".stl": _stl,
    ".obj": _obj,
    ".off": _off,
    ".ply": _ply,
    ".dae": lambda data, name: Claimed(check_collada(data, name)),
    ".gltf": lambda data, name: Claimed(check_gltf(data, name)),
    ".glb": lambda data, name: Claimed(check_glb(data, name)),
}
