"""Animated glTF 2.0 as one .glb file: a node for each body, its meshes below it, one animation."""

from __future__ import annotations

import json
import struct

import numpy as np

from .scene import Scene

__all__ = ["glb"]

FLOAT, UNSIGNED = 5126, 5125
ARRAYS, ELEMENTS = 34962, 34963
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


class Buffer:
    """Bytes and the accessors into them."""

    def __init__(self) -> None:
        self.data, self.views, self.accessors = bytearray(), [], []

    def add(self, array: np.ndarray, kind: int, target: int | None = None) -> int:
        """Append an array (n,) or (n, k); the number of its accessor."""
        array = np.ascontiguousarray(array, dtype=np.uint32 if kind == UNSIGNED else np.float32)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes}
        self.views.append(view | ({} if target is None else {"target": target}))
        self.data += array.tobytes()
        rows = array.reshape(len(array), -1)
        accessor = {"bufferView": len(self.views) - 1, "componentType": kind, "count": len(array)}
        accessor |= {"type": TYPES[rows.shape[1]]}
        accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def glb(scene: Scene) -> bytes:
    """The file. glTF's up is y: a root node turns the world so that the model's up is."""
    buffer, meshes, materials, nodes = Buffer(), [], [], []
    nodes.append({"name": "world", "rotation": _turn(scene.up), "children": []})
    for i, parts in enumerate(scene.meshes):
        node: dict = {"name": scene.model.names[i], "rotation": _xyzw(scene.wxyz[0, i]).tolist()}
        node |= {"translation": scene.xyz[0, i].tolist()}
        if parts:
            meshes.append({"primitives": [_primitive(buffer, materials, part) for part in parts]})
            node["mesh"] = len(meshes) - 1
        nodes.append(node)
        nodes[0]["children"].append(len(nodes) - 1)
    document: dict = {"asset": {"version": "2.0", "generator": "condyle"}, "scene": 0, "scenes": [{"nodes": [0]}]}
    document |= {"nodes": nodes, "meshes": meshes, "materials": materials}
    if len(scene.t) > 1:
        document["animations"] = [_animation(buffer, scene)]
    document |= {"accessors": buffer.accessors, "bufferViews": buffer.views}
    document["buffers"] = [{"byteLength": len(buffer.data)}]
    return _packed(document, bytes(buffer.data))


def _primitive(buffer: Buffer, materials: list, part) -> dict:
    vertices, faces, color = part
    materials.append({"pbrMetallicRoughness": {"baseColorFactor": [*color, 1.0], "metallicFactor": 0.0}})
    position = buffer.add(vertices, FLOAT, ARRAYS)
    indices = buffer.add(faces.reshape(-1), UNSIGNED, ELEMENTS)
    return {"attributes": {"POSITION": position}, "indices": indices, "material": len(materials) - 1}


def _animation(buffer: Buffer, scene: Scene) -> dict:
    times = buffer.add(scene.t - scene.t[0], FLOAT)
    samplers, channels = [], []
    for i in range(len(scene.meshes)):
        for path, values in (("rotation", _continued(_xyzw(scene.wxyz[:, i]))), ("translation", scene.xyz[:, i])):
            samplers.append({"input": times, "output": buffer.add(values, FLOAT), "interpolation": "LINEAR"})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": i + 1, "path": path}})
    return {"name": "motion", "samplers": samplers, "channels": channels}


def _xyzw(wxyz: np.ndarray) -> np.ndarray:
    """glTF's order of a quaternion."""
    return wxyz[..., [1, 2, 3, 0]]


def _continued(q: np.ndarray) -> np.ndarray:
    """Signs chosen so that neighbours are near: q and −q are one rotation, but not halfway between."""
    flips = np.sign(np.einsum("ti,ti->t", q[1:], q[:-1]))
    return q * np.concatenate([[1.0], np.cumprod(np.where(flips == 0, 1.0, flips))])[:, None]


def _turn(up: np.ndarray) -> list[float]:
    """The shortest turn (x, y, z, w) that takes `up` to y."""
    y = np.array([0.0, 1.0, 0.0])
    if up @ y < -1 + 1e-9:
        return [1.0, 0.0, 0.0, 0.0]
    q = np.array([*np.cross(up, y), 1.0 + up @ y])
    return (q / np.linalg.norm(q)).tolist()


def _packed(document: dict, data: bytes) -> bytes:
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
