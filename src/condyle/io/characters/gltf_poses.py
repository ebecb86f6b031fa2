"""Rigid poses of the nodes of a glTF file over time: transforms composed from the root, scales left behind."""

from __future__ import annotations

import numpy as np

from ...errors import BadFile, NotSupported, require
from ...formats.gltf.gltf_curves import curve_values
from ...formats.gltf.gltf_scene import Animation, Gltf
from ...spatial import SE3
from ...spatial.quaternions import quaternion_from_rotation, rotation_from_quaternion
from .hierarchy import FARTHEST, SHORTEST

SHEAR = 1e-5  # how far axes of a node may be from right angles by rounding of scales along a chain
ROUNDED = 2.0**-23  # of a number that is stored in four bytes
SAMPLES = 4_000_000  # transforms: times of all nodes that are needed
RATE = 60.0  # [1/s] of states between the keys of cubic splines
SMALLEST = 1e-9  # scale of a node


def key_times(animation: Animation | None, said: str) -> np.ndarray:
    """The times (T,) [s] of all keys together, and of pictures between those of cubic splines; 0 without any."""
    curves = animation.curves if animation is not None else []
    t = np.unique(np.concatenate([c.times for c in curves])) if curves else np.zeros(1)
    require(t[-1] <= FARTHEST, f"{said}: times must be below {FARTHEST:g} s", BadFile, got=float(t[-1]))
    if any(c.way == "CUBICSPLINE" for c in curves):
        require(RATE * (t[-1] - t[0]) < SAMPLES, f"{said} is too long", BadFile, seconds=float(t[-1] - t[0]))
        t = np.union1d(t, np.arange(t[0], t[-1], 1.0 / RATE))
    return t[np.concatenate([[True], np.diff(t) > SHORTEST])]


def even_times(t: np.ndarray) -> np.ndarray:
    """Equal steps, where rounding to four bytes explains that they are not."""
    even = np.linspace(t[0], t[-1], len(t))
    return even if np.abs(t - even).max() <= ROUNDED * np.abs(t).max() else t


def world_transforms(gltf: Gltf, nodes: list[int], animation: Animation | None, t: np.ndarray) -> dict[int, np.ndarray]:
    """Transforms (T, 4, 4) of some nodes and all above them in the scene; (1, 4, 4) where nothing moves."""
    moved: dict[int, dict[str, np.ndarray]] = {}
    for curve in animation.curves if animation is not None else ():
        moved.setdefault(curve.node, {})[curve.path] = curve_values(curve, t)
    needed = with_ancestors(gltf, nodes)
    require(len(needed) * len(t) <= SAMPLES, f"{len(needed)} nodes at {len(t)} times are more than condyle reads "
            f"({SAMPLES} poses)", BadFile)  # fmt: skip
    found: dict[int, np.ndarray] = {}
    with np.errstate(over="ignore", invalid="ignore"):
        for k in needed:
            own = gltf.matrices[k][None] if k in gltf.matrices else _transform(gltf, k, moved.get(k, {}))
            found[k] = own if gltf.parents[k] < 0 else found[gltf.parents[k]] @ own
    return found


def with_ancestors(gltf: Gltf, nodes: list[int]) -> list[int]:
    """Nodes and all that carry them, each after its parent."""
    order: dict[int, None] = {}
    for node in nodes:
        path = []
        while node >= 0 and node not in order:
            path.append(node)
            node = gltf.parents[node]
        order |= dict.fromkeys(reversed(path))
    return list(order)


def _transform(gltf: Gltf, k: int, moved: dict[str, np.ndarray]) -> np.ndarray:
    """Translation · rotation · scale of a node in what carries it."""
    shift, turn, scale = (moved.get(part, gltf.rest[part][k : k + 1]) for part in ("translation", "rotation", "scale"))
    x = np.zeros((max(len(shift), len(turn), len(scale)), 4, 4))
    x[:, :3, :3] = rotation_from_quaternion(np.roll(turn, 1, axis=-1)) * scale[:, None, :]
    x[:, :3, 3], x[:, 3, 3] = shift, 1.0
    return x


def rigid(x: np.ndarray, meters: float, name: str) -> SE3:
    """Poses (T,) [m] of transforms (T, 4, 4): their places and directions of axes, which must be at right angles."""
    good = np.isfinite(x).all() and np.abs(x[:, :3, 3]).max() * max(meters, 1.0) <= FARTHEST
    require(good, f"node {name!r} must be less than {FARTHEST:g} m away", BadFile)
    sized = np.abs(x[:, :3, :3]).max() < FARTHEST
    lengths = np.linalg.norm(x[:, :3, :3] if sized else np.zeros((1, 3, 3)), axis=1, keepdims=True)
    sized = sized and lengths.min() > SMALLEST
    require(sized, f"node {name!r} is scaled to nothing or without bound", NotSupported)
    axes = x[:, :3, :3] / lengths
    straight = np.abs(axes.transpose(0, 2, 1) @ axes - np.eye(3)).max() <= SHEAR
    words = f"node {name!r} is sheared: one above it is scaled differently along its axes; no rigid body moves so"
    require(straight, words, NotSupported)
    require((np.linalg.det(axes) > 0.0).all(), f"node {name!r} is mirrored; no rigid body moves so", NotSupported)
    return SE3(quaternion_from_rotation(axes), x[:, :3, 3] * meters)
