"""A glTF 2.0 document being written, packed as a .glb file.

Numbers with their accessors, nodes, meshes, materials, skins, one animation.
"""

from __future__ import annotations

import json
import struct

import numpy as np

FLOAT, UNSIGNED, SHORT = 5126, 5125, 5123
STORED = {FLOAT: "<f4", UNSIGNED: "<u4", SHORT: "<u2"}
ARRAYS, ELEMENTS = 34962, 34963
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Document:
    """Lists of glTF's objects; methods append one and give its number."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict] = []
        self.accessors: list[dict] = []
        self.nodes: list[dict] = []
        self.meshes: list[dict] = []
        self.materials: list[dict] = []
        self.samplers: list[dict] = []
        self.channels: list[dict] = []
        self.skins: list[dict] = []
        self.roots = [0]

    def numbers(self, array: np.ndarray, kind: int, target: int | None = None) -> int:
        """An array (n,) or (n, k) as an accessor."""
        array = np.ascontiguousarray(array, dtype=STORED[kind])
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes}
        self.views.append(view | ({} if target is None else {"target": target}))
        self.data += array.tobytes()
        rows = array.reshape(len(array), -1)
        accessor = {"bufferView": len(self.views) - 1, "componentType": kind, "count": len(array)}
        accessor |= {"type": TYPES[rows.shape[1]]}
        return _added(self.accessors, accessor | {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()})

    def corners(self, points: np.ndarray) -> int:
        """Something of every vertex (n, 3)."""
        return self.numbers(points, FLOAT, ARRAYS)

    def indices(self, array: np.ndarray) -> int:
        """Numbers of vertices."""
        return self.numbers(array, UNSIGNED, ELEMENTS)

    def node(self, name: str, **rest) -> int:
        """A node; what is None is left out."""
        return _added(self.nodes, {"name": name} | {k: v for k, v in rest.items() if v is not None})

    def mesh(self, primitives: list[dict]) -> int | None:
        """A mesh of some primitives; none without any."""
        return _added(self.meshes, {"primitives": primitives}) if primitives else None

    def material(self, color, opacity: float = 1.0, both: bool = False) -> int:
        """A dull colour, the same for all that have it; `both` shows both sides."""
        surface = {"baseColorFactor": [*map(float, color), opacity], "metallicFactor": 0.0, "roughnessFactor": 0.7}
        material: dict = {"pbrMetallicRoughness": surface}
        material |= {"alphaMode": "BLEND"} if opacity < 1.0 else {}
        material |= {"doubleSided": True} if both else {}
        return self.materials.index(material) if material in self.materials else _added(self.materials, material)

    def channel(self, node: int, path: str, times: int, values: int) -> None:
        """Something of a node that changes with time."""
        sampler = _added(self.samplers, {"input": times, "output": values, "interpolation": "LINEAR"})
        self.channels.append({"sampler": sampler, "target": {"node": node, "path": path}})

    def skin(self, joints: list[int], bind: np.ndarray) -> int:
        """Nodes that carry vertices, with their poses (n, 4, 4) in the scene where the vertices are as written."""
        inverse = np.linalg.inv(bind)
        inverse[:, 3] = (0.0, 0.0, 0.0, 1.0)
        columns = self.numbers(inverse.transpose(0, 2, 1).reshape(-1, 16), FLOAT)
        return _added(self.skins, {"joints": joints, "inverseBindMatrices": columns})

    def packed(self) -> bytes:
        """The file: a header, the document as JSON, the numbers; both padded to four bytes."""
        text = json.dumps(self._document(), separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.data) + b"\0" * (-len(self.data) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def _document(self) -> dict:
        document: dict = {
            "asset": {"version": "2.0", "generator": "condyle"},
            "scene": 0,
            "scenes": [{"nodes": self.roots}],
        }
        document["nodes"] = self.nodes
        if self.channels:
            motion = {"name": "motion", "samplers": self.samplers, "channels": self.channels}
            document["animations"] = [motion]
        lists = {"skins": self.skins, "meshes": self.meshes, "materials": self.materials, "accessors": self.accessors}
        document |= {name: some for name, some in (lists | {"bufferViews": self.views}).items() if some}
        return document | {"buffers": [{"byteLength": len(self.data)}]}


def _added(some: list, thing) -> int:
    some.append(thing)
    return len(some) - 1
