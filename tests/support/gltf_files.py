"""A small glTF file made by hand: five nodes, a skin of three joints, curves of all kinds at times of their own."""

import base64
import copy
import json
import struct

import numpy as np
from scipy.spatial.transform import Rotation

KINDS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
NODES = (
    {"name": "Armature", "children": [1], "rotation": [0.5, 0.5, 0.5, 0.5], "scale": [0.01, 0.01, 0.01]},
    {"name": "Hips", "children": [2], "translation": [0, 100, 5]},
    {"name": "between", "children": [3],
     "matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 10, 20, 30, 1]},  # a quarter turn about z, twice as large
    {"name": "Arm.l", "children": [4], "translation": [0, 15, 0], "rotation": [0, 0, 0.6, 0.8]},
    {"name": "Hand", "translation": [1, 12, 0]},
)  # fmt: skip
JOINTS = (1, 3, 4)


def turns(*vectors):
    """Quaternions xyzw of rotation vectors."""
    return Rotation.from_rotvec(np.array(vectors, dtype=float)).as_quat()


CURVES = {
    (1, "translation"): ("LINEAR", [0.0, 0.5, 1.0], [[0, 100, 5], [10, 90, 5], [20, 100, -5]]),
    (1, "rotation"): ("LINEAR", [0.0, 0.75], turns((0, 0.3, 0), (0.4, 0.2, 0.9))),
    (3, "rotation"): ("STEP", [0.25, 0.5], turns((0.5, 0, 0), (0, 0, -0.7))),
    (4, "rotation"): ("CUBICSPLINE", [0.0, 1.0],
                      [[0, 0, 0, 0], turns((0, 0.1, 0))[0], [0.3, 0, 0, 0.1],
                       [0.1, 0, -0.2, 0], turns((0, 0.8, 0.3))[0], [0, 0, 0, 0]]),
}  # fmt: skip


class Hand:
    """The document and its numbers, to be changed before they are written."""

    def __init__(self, curves=None, nodes=None, joints=JOINTS):
        self.data, self.tree = b"", {"asset": {"version": "2.0"}, "nodes": copy.deepcopy(list(nodes or NODES))}
        self.tree |= {"scenes": [{"nodes": [0]}], "accessors": [], "bufferViews": []}
        samplers, channels = [], []
        for (node, path), (way, times, values) in (CURVES if curves is None else curves).items():
            kind = "VEC4" if path == "rotation" else "VEC3"
            samplers.append({"input": self.array(times, "SCALAR"), "output": self.array(values, kind),
                             "interpolation": way})  # fmt: skip
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        if channels:
            self.tree["animations"] = [{"name": "wave", "samplers": samplers, "channels": channels}]
        if joints:
            bind = [np.linalg.inv(m).T.ravel() for m in rest_transforms(self.tree["nodes"], joints)]
            self.tree["skins"] = [{"joints": list(joints), "inverseBindMatrices": self.array(bind, "MAT4")}]

    def array(self, numbers, kind, component=5126, dtype="<f4", **rest):
        """An accessor of numbers in a view of their own."""
        content = np.asarray(numbers).astype(dtype).tobytes()
        self.tree["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(content)})
        self.data += content + b"\0" * (-len(content) % 4)
        count = np.asarray(numbers).size // KINDS[kind]
        entry = {"bufferView": len(self.tree["bufferViews"]) - 1, "componentType": component, "count": count}
        self.tree["accessors"].append(entry | {"type": kind} | rest)
        return len(self.tree["accessors"]) - 1

    def text(self, uri=None):
        """A .gltf file with its numbers inside, or in the file that is named."""
        inside = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        return json.dumps(self.tree | {"buffers": [{"byteLength": len(self.data), "uri": uri or inside}]}).encode()

    def binary(self):
        """A .glb file."""
        text = json.dumps(self.tree | {"buffers": [{"byteLength": len(self.data)}]}).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        chunks += struct.pack("<I4s", len(self.data), b"BIN\0") + self.data
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def local(node, **moved):
    """Translation · rotation · scale, as glTF 2.0 (3.5.3) writes it, or the matrix, whose columns are listed."""
    if "matrix" in node:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    T, R, S = np.eye(4), np.eye(4), np.eye(4)
    T[:3, 3] = moved.get("translation", node.get("translation", (0, 0, 0)))
    R[:3, :3] = Rotation.from_quat(moved.get("rotation", node.get("rotation", (0, 0, 0, 1)))).as_matrix()
    S[:3, :3] = np.diag(moved.get("scale", node.get("scale", (1, 1, 1))))
    return T @ R @ S


def rest_transforms(nodes, wanted):
    """Transforms of some nodes in the scene, each node above multiplied from the left."""
    parents = {child: k for k, node in enumerate(nodes) for child in node.get("children", ())}
    found = []
    for k in wanted:
        whole = local(nodes[k])
        while k in parents:
            k = parents[k]
            whole = local(nodes[k]) @ whole
        found.append(whole)
    return found
