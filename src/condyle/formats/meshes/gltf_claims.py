"""What a glTF file claims to hold: chunks, views and arrays that fit into what there is of them."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...errors import BadFile, CondyleError, require
from ..bounds import MESH, PARTS, TRIANGLES

HEAD, CHUNK = 12, 8  # [bytes] of the file's head, and of each chunk's
COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}  # by type of number


def check_gltf(data: bytes, name: str) -> bytes:
    """The file, if its arrays fit into their views, and what its nodes show can be drawn."""
    gltf_tree(data, name)
    return data


def check_glb(data: bytes, name: str) -> bytes:
    """The same of a binary file, whose chunks must lie within it."""
    gltf_tree(glb_chunks(data, name)[0], name)
    return data


def gltf_tree(data: bytes, name: str) -> dict[str, Any]:
    """The document, checked: arrays within views within buffers, nodes that are a tree, as much as can be drawn."""
    try:
        tree = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise BadFile(f"{name}: not a glTF file: not valid JSON") from None
    with keys_of(name):
        _check_tree(tree, name)
    return tree


@contextmanager
def keys_of(name: str) -> Iterator[None]:
    """Say in words what goes wrong where keys of a document are missing or hold something else."""
    try:
        yield
    except CondyleError:
        raise
    except (TypeError, KeyError, IndexError, AttributeError, ValueError, OverflowError):
        raise BadFile(f"{name}: not a glTF file: a key is missing or of the wrong kind") from None


def glb_chunks(data: bytes, name: str) -> list[bytes]:
    """The chunks of a binary file, which must lie within it: the document, then its numbers."""
    require(len(data) >= HEAD + CHUNK and data[:4] == b"glTF", f"{name}: it does not begin like a GLB file", BadFile)
    (length,) = struct.unpack_from("<I", data, 8)
    require(length <= len(data), f"{name}: its header claims {length} bytes, the file has {len(data)}", BadFile)
    at, chunks = HEAD, []
    while at + CHUNK <= len(data):
        (size,) = struct.unpack_from("<I", data, at)
        chunks.append(data[at + CHUNK : at + CHUNK + size])
        words = f"{name}: a chunk claims {size} bytes, {len(chunks[-1])} follow"
        require(size == len(chunks[-1]), words, BadFile)
        at += CHUNK + size
    return chunks


def _check_tree(tree: dict[str, Any], name: str) -> None:
    views, accessors = tree.get("bufferViews", []), tree.get("accessors", [])
    buffers = sum(buffer.get("byteLength", 0) for buffer in tree.get("buffers", []))
    require(buffers <= MESH, f"{name}: its buffers claim {buffers} bytes, more than condyle reads ({MESH})", BadFile)
    for k, view in enumerate(views):
        _check_view(view, tree["buffers"][view["buffer"]], f"{name}: view {k}")
    sizes = [_accessor_bytes(a, views, f"{name}: accessor {k}") for k, a in enumerate(accessors)]
    words = f"{name}: its arrays claim {sum(sizes)} bytes, more than condyle reads ({4 * MESH})"
    require(sum(sizes) <= 4 * MESH, words, BadFile)
    meshes, nodes = [mesh["primitives"] for mesh in tree.get("meshes", [])], tree.get("nodes", [])
    corners = [sum(_corners(p, accessors) for p in mesh) for mesh in meshes]
    for what, of, most in (
        ("corners of triangles", corners, 3 * TRIANGLES),
        ("parts", [len(mesh) for mesh in meshes], PARTS),
    ):
        total = max(sum(of), sum(of[node["mesh"]] for node in nodes if "mesh" in node))
        require(total <= most, f"{name}: its nodes show {total} {what}, more than condyle draws ({most})", BadFile)
    _check_nodes(nodes, name)


def _check_view(view: dict[str, Any], buffer: dict[str, Any], said: str) -> None:
    """A part of a buffer must lie within it."""
    start, size, there = view.get("byteOffset", 0), view["byteLength"], buffer["byteLength"]
    words = f"{said} claims {size} bytes from {start} on; its buffer has {there}"
    require(start >= 0 and size >= 0 and start + size <= there, words, BadFile)


def _accessor_bytes(accessor: dict[str, Any], views: list, said: str) -> int:
    """The bytes of an array, which must fit into its view."""
    count, width = accessor["count"], COMPONENTS[accessor["type"]] * BYTES[accessor["componentType"]]
    require(isinstance(count, int) and count >= 0, f"{said}: its count must be a whole number", BadFile, got=count)
    if "bufferView" in accessor:
        view = views[accessor["bufferView"]]
        stride = view.get("byteStride", width)
        need = accessor.get("byteOffset", 0) + stride * max(count - 1, 0) + width * (count > 0)
        words = f"{said} claims {count} items, {need} bytes; its view has {view['byteLength']}"
        require(stride > 0 and 0 <= need <= view["byteLength"], words, BadFile)
    return count * width


def _corners(primitive: dict[str, Any], accessors: list) -> int:
    """How many corners a primitive shows."""
    return accessors[primitive.get("indices", primitive["attributes"]["POSITION"])]["count"]


def _check_nodes(nodes: list, name: str) -> None:
    """A node has one parent at most, and a matrix of finite numbers."""
    children = [child for node in nodes for child in node.get("children", [])]
    known = all(type(child) is int and 0 <= child < len(nodes) for child in children)
    require(known, f"{name}: a node has a child that is none of the nodes 0 … {len(nodes) - 1}", BadFile)
    once = set(children)
    require(len(children) == len(once), f"{name}: a node has two parents", BadFile)
    reached = [k for k in range(len(nodes)) if k not in once]
    for k in reached:
        reached += nodes[k].get("children", [])
    require(len(reached) == len(nodes), f"{name}: a node holds itself", BadFile)
    finite = all(math.isfinite(x) for node in nodes for key in ("matrix", "translation", "rotation", "scale")
                 for x in node.get(key, []))  # fmt: skip
    require(finite, f"{name}: a node is placed by numbers that are not finite", BadFile)
