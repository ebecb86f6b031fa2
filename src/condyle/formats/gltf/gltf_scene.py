"""The nodes of a glTF file: how they stand in each other, which of them are joints, how animations move them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...errors import BadFile, require
from ..meshes.gltf_claims import keys_of
from .gltf_numbers import GltfNumbers, require_bounded

WIDTHS = {"translation": ("VEC3", 3), "rotation": ("VEC4", 4), "scale": ("VEC3", 3)}
STANDING = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}
WAYS = ("LINEAR", "STEP", "CUBICSPLINE")
NODES = 100_000  # of a file
UNIT = 0.05  # how far the norm of a quaternion may be from 1 by rounding to whole numbers


class Skin(NamedTuple):
    """Its name, the nodes that are its joints, and what takes vertices into their frames (n, 4, 4)."""

    name: str
    joints: list[int]
    inverse_bind: np.ndarray


class Curve(NamedTuple):
    """What changes of a node ("translation", "rotation", "scale"): times (n,) [s], values (n, k) and the way between.

    The values of a CUBICSPLINE are (3 n, k): tangent in, value, tangent out.
    """

    node: int
    path: str
    times: np.ndarray
    values: np.ndarray
    way: str


class Animation(NamedTuple):
    """Its name, and the curves of what it moves."""

    name: str
    curves: list[Curve]


@dataclass(frozen=True, eq=False)
class Gltf:
    """Nodes by number: names, parents (−1: none), parts of their transforms; quaternions are xyzw as in the file."""

    names: list[str]
    parents: list[int]
    children: list[list[int]]
    rest: dict[str, np.ndarray]  # "translation" (n, 3), "rotation" (n, 4), "scale" (n, 3)
    matrices: dict[int, np.ndarray]  # of nodes that have one instead
    skins: list[Skin]
    animations: list[Animation]
    notes: list[str]  # what was not read


def read_gltf(path: Path) -> Gltf:
    """Read the nodes, skins and animations of a .gltf or .glb file."""
    numbers = GltfNumbers(path)
    with keys_of(str(path)):
        return _scene(numbers)


def _scene(numbers: GltfNumbers) -> Gltf:
    tree, name = numbers.tree, numbers.name
    nodes, notes = tree.get("nodes", []), _unread(tree)
    require(len(nodes) <= NODES, f"{name}: {len(nodes)} nodes are more than condyle reads ({NODES})", BadFile)
    children, parents = [list(node.get("children", [])) for node in nodes], [-1] * len(nodes)
    for k, own in enumerate(children):
        for child in own:
            parents[child] = k
    rest = {part: np.array([_part(node, part, numbers) for node in nodes], dtype=float).reshape(-1, width)
            for part, (_, width) in WIDTHS.items()}  # fmt: skip
    matrices = {k: _matrix(node, numbers) for k, node in enumerate(nodes) if "matrix" in node}
    names = [_name(node, f"node_{k}") for k, node in enumerate(nodes)]
    skins = [_skin(skin, k, numbers) for k, skin in enumerate(tree.get("skins", []))]
    found = [_animation(entry, k, numbers, notes) for k, entry in enumerate(tree.get("animations", []))]
    moved = sorted({c.node for a in found for c in a.curves} & set(matrices))
    require(not moved, f"{name}: node {names[moved[0]]!r} has a matrix and is animated" if moved else "", BadFile)
    return Gltf(names, parents, children, rest, matrices, skins, found, notes)


def _name(entry: dict[str, Any], otherwise: str) -> str:
    said = entry.get("name")
    return said if isinstance(said, str) and said.strip() else otherwise


def _part(node: dict[str, Any], part: str, numbers: GltfNumbers) -> np.ndarray:
    """The translation, rotation or scale of a node at rest."""
    x = np.array(node.get(part, STANDING[part]), dtype=float)
    require(x.shape == (WIDTHS[part][1],), f"{numbers.name}: the {part} of a node has {WIDTHS[part][1]} numbers",
            BadFile, got=node.get(part))  # fmt: skip
    require_bounded(x, f"{numbers.name}: the {part} of a node")
    return unit_quaternions(x, f"{numbers.name}: the rotation of a node") if part == "rotation" else x


def unit_quaternions(x: np.ndarray, said: str) -> np.ndarray:
    """Quaternions of length 1; those of a file are rounded."""
    norms = np.linalg.norm(x, axis=-1, keepdims=True)
    good = np.all(np.abs(norms - 1.0) < UNIT)
    require(good, f"{said} must be a quaternion of length 1", BadFile, norms=norms.ravel()[:3])
    return x / norms


def _matrix(node: dict[str, Any], numbers: GltfNumbers) -> np.ndarray:
    x = np.array(node["matrix"], dtype=float)
    require(x.shape == (16,), f"{numbers.name}: the matrix of a node has 16 numbers", BadFile, got=x.shape)
    require_bounded(x, f"{numbers.name}: the matrix of a node")
    x = x.reshape(4, 4).T
    affine = (x[3] == (0.0, 0.0, 0.0, 1.0)).all()
    require(affine, f"{numbers.name}: the matrix of a node must end with 0 0 0 1", BadFile, got=x[3])
    return x


def _skin(skin: dict[str, Any], index: int, numbers: GltfNumbers) -> Skin:
    name, joints = _name(skin, f"skin_{index}"), list(skin["joints"])
    for joint in joints:
        numbers.entry("nodes", joint)
    once = len(set(joints)) == len(joints) > 0
    require(once, f"{numbers.name}: skin {name!r} must have joints, each once", BadFile, got=joints[:20])
    if "inverseBindMatrices" not in skin:
        return Skin(name, joints, np.tile(np.eye(4), (len(joints), 1, 1)))
    x = numbers.array(skin["inverseBindMatrices"], "MAT4", f"the inverse bind matrices of skin {name!r}")
    words = f"{numbers.name}: skin {name!r} has {len(joints)} joints and {len(x)} inverse bind matrices"
    require(len(x) >= len(joints), words, BadFile)
    return Skin(name, joints, x[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1))


def _animation(entry: dict[str, Any], index: int, numbers: GltfNumbers, notes: list[str]) -> Animation:
    name, curves, others = _name(entry, f"animation_{index}"), [], {}
    for channel in entry["channels"]:
        target = channel["target"]
        if target["path"] in WIDTHS and "node" in target:
            curves.append(_curve(channel, entry["samplers"], f"animation {name!r}", numbers))
        else:
            others[str(target["path"])] = others.get(str(target["path"]), 0) + 1
    notes += [f"animation {name!r}: {count} channel(s) of {path} are not read" for path, count in others.items()]
    twice = len({(c.node, c.path) for c in curves}) == len(curves)
    require(twice, f"{numbers.name}: animation {name!r} moves a node by two channels of one kind", BadFile)
    return Animation(name, curves)


def _curve(channel: dict[str, Any], samplers: list, said: str, numbers: GltfNumbers) -> Curve:
    index, node, path = channel["sampler"], channel["target"]["node"], channel["target"]["path"]
    require(type(index) is int and 0 <= index < len(samplers), f"{numbers.name}: {said} has no sampler", BadFile,
            got=index)  # fmt: skip
    numbers.entry("nodes", node)
    way, said = samplers[index].get("interpolation", "LINEAR"), f"{said}, {path} of node {node}"
    require(way in WAYS, f"{numbers.name}: {said}: interpolation is one of {', '.join(WAYS)}", BadFile, got=way)
    times = numbers.array(samplers[index]["input"], "SCALAR", f"{said}: times")[:, 0]
    values = numbers.array(samplers[index]["output"], WIDTHS[path][0], f"{said}: values")
    rising = len(times) > 0 and times[0] >= 0.0 and (np.diff(times) > 0.0).all()
    require(rising, f"{numbers.name}: {said}: times must rise from 0 s or later", BadFile)
    expected = len(times) * (3 if way == "CUBICSPLINE" else 1)
    require(len(values) == expected, f"{numbers.name}: {said}: {len(times)} times need {expected} values", BadFile,
            got=len(values))  # fmt: skip
    if path == "rotation":
        at = slice(1, None, 3) if way == "CUBICSPLINE" else slice(None)
        values[at] = unit_quaternions(values[at], f"{numbers.name}: {said}: each value")
    return Curve(node, path, times, values, way)


def _unread(tree: dict[str, Any]) -> list[str]:
    """What the document holds that neither a skeleton nor its motion has."""
    kinds = {"cameras": "camera", "images": "image", "textures": "texture"}
    notes = [f"{len(tree[key])} {word}(s) are not read" for key, word in kinds.items() if tree.get(key)]
    return notes + [f"the extension {name} is not read" for name in tree.get("extensionsUsed", [])]
