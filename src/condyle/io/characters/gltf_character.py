"""A character from a glTF file: a body for each joint of its skins, and one of its animations as the motion."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ... import joints
from ...errors import BadFile, require, unknown_name
from ...formats.gltf.gltf_scene import Animation, Gltf, Skin
from ...model import Model, ModelBuilder
from ...simulation import Trajectory
from ...spatial import SE3, Inertia
from ...spatial.quaternions import rotation_from_quaternion
from .character_look import bone_shapes, rest_size
from .de_leva import person_inertias
from .gltf_poses import ROUNDED, even_times, key_times, rigid, with_ancestors, world_transforms
from .hierarchy import GRAVITY, Hierarchy, body_names, rates

BODIES = 5_000  # joints of a file
BOUND = 1e-4  # [rad, and of the size]: how near to its rest a skin that was bound there is


class Asked(NamedTuple):
    """What the caller wants of a file."""

    meters: float
    mass: float | None
    sex: str
    root: str | None
    animation: str | int | None


class Bones(NamedTuple):
    """Nodes that are bodies, the numbers of their parents among them, and their poses over time in these."""

    nodes: list[int]
    parents: list[int]
    poses: list[SE3]


def gltf_character(gltf: Gltf, asked: Asked, path: Path) -> Trajectory:
    """The model of a file and its motion; the neutral posture of the model is that of the nodes at rest."""
    animation = _animation(gltf, asked.animation)
    nodes = _subtree(gltf, bodies_of(gltf, animation), asked.root)
    times = key_times(animation, f"animation {animation.name!r}" if animation else "")
    rest, moving = (_bones(gltf, nodes, a, t, asked) for a, t in ((None, np.zeros(1)), (animation, times)))
    bones = _hierarchy(gltf, rest)
    model, q = _model(bones, rest, moving, len(times), asked)
    model = replace(model, folder=path.parent, notes=tuple(gltf.notes + _notes(gltf, nodes, animation)))
    t = even_times(times)
    return Trajectory(model, t, q, rates(model, q, t))


def _animation(gltf: Gltf, asked: str | int | None) -> Animation | None:
    """The one that was asked for, else the first."""
    names = [a.name for a in gltf.animations]
    if isinstance(asked, str):
        if asked not in names:
            raise unknown_name("animation", asked, names, "the file")
        return gltf.animations[names.index(asked)]
    known = asked is None or (type(asked) is int and 0 <= asked < len(names))
    require(known, f"animation: its name, or a number below {len(names)}", got=asked)
    return gltf.animations[asked or 0] if names else None


def bodies_of(gltf: Gltf, animation: Animation | None) -> list[int]:
    """Joints of skins and what moves above them; without a skin, all nodes that the animation moves; parents first."""
    moved = {curve.node for curve in animation.curves} if animation is not None else set()
    found = {joint for skin in gltf.skins for joint in skin.joints}
    found = (found | moved.intersection(with_ancestors(gltf, sorted(found)))) if found else moved
    words = "there is neither a skin nor an animation in it: no character; cd.shapes.mesh(path) draws its triangles"
    require(found, words, BadFile)
    require(len(found) <= BODIES, f"{len(found)} joints are more than condyle reads ({BODIES})", BadFile)
    order, waiting = [], [k for k, parent in enumerate(gltf.parents) if parent < 0][::-1]
    while waiting:
        node = waiting.pop()
        order += [node] if node in found else []
        waiting += reversed(gltf.children[node])
    return order


def _subtree(gltf: Gltf, nodes: list[int], root: str | None) -> list[int]:
    """A node of that name first, and those that it carries; all without a name."""
    if root is None:
        return nodes
    named = [k for k in nodes if gltf.names[k] == root]
    if not named:
        raise unknown_name("joint", root, [gltf.names[k] for k in nodes], "this glTF file")
    kept = {named[0]}
    for k in nodes[nodes.index(named[0]) + 1 :]:
        if kept.intersection(_above(gltf, k)):
            kept.add(k)
    return [k for k in nodes if k in kept]


def _above(gltf: Gltf, node: int) -> list[int]:
    path = []
    while (node := gltf.parents[node]) >= 0:
        path.append(node)
    return path


def _bones(gltf: Gltf, nodes: list[int], animation: Animation | None, t: np.ndarray, asked: Asked) -> Bones:
    """Poses at some times; the root of a subtree stands in the joint that carries it, others in the world."""
    every = set(bodies_of(gltf, animation)) | set(nodes) if asked.root else set(nodes)
    transforms = world_transforms(gltf, nodes, animation, t)
    whole: dict[int, SE3] = {}
    parents, poses, place = [], [], {k: n for n, k in enumerate(nodes)}
    for k in nodes:
        above = next((p for p in _above(gltf, k) if p in every), None)
        for node in (k, above):
            if node is not None and node not in whole:
                whole[node] = rigid(transforms[node], asked.meters, gltf.names[node])
        poses.append(whole[k] if above is None else whole[above].inverse() @ whole[k])
        parents.append(place.get(above, -1) if above is not None else -1)
    return Bones(nodes, parents, poses)


def _hierarchy(gltf: Gltf, rest: Bones) -> Hierarchy:
    names, carrying = [gltf.names[k] for k in rest.nodes], set(rest.parents)
    offsets = np.array([pose.xyz[0] for pose in rest.poses])
    turns = rotation_from_quaternion(np.array([pose.wxyz[0] for pose in rest.poses]))
    ends = [n not in carrying and name.lower().endswith("end") for n, name in enumerate(names)]
    return Hierarchy(names, rest.parents, offsets, turns, ends)


def _model(bones: Hierarchy, rest: Bones, moving: Bones, count: int, asked: Asked) -> tuple[Model, np.ndarray]:
    """A ball joint for each body, a free one where its place changes; and q (T, nq) at all times."""
    still = ROUNDED * max(rest_size(bones), 1e-3)
    inertias = {} if asked.mass is None else person_inertias(bones, asked.mass, asked.sex)
    builder, names, shapes, parts = ModelBuilder(GRAVITY), body_names(bones.names), bone_shapes(bones), []
    for n, name in enumerate(names):
        placement = rest.poses[n][0]
        gone = placement.inverse() @ moving.poses[n]
        free = np.abs(gone.xyz).max() > still
        parent = names[rest.parents[n]] if rest.parents[n] >= 0 else None
        joint = joints.free() if free else joints.ball()
        builder.add_body(name, parent, joint, inertias.get(n, Inertia.massless()), placement, shapes=shapes[n])
        q = np.concatenate([_continued(gone.wxyz), gone.xyz[:, : 3 * bool(free)]], axis=1)
        parts.append(np.broadcast_to(q, (count, q.shape[1])))
    return builder.build(), np.concatenate(parts, axis=1)


def _continued(wxyz: np.ndarray) -> np.ndarray:
    """Of one sign from one time to the next."""
    signs = np.where(np.sum(wxyz[1:] * wxyz[:-1], axis=1) < 0.0, -1.0, 1.0)
    return wxyz * np.concatenate([[1.0 if wxyz[0, 0] >= 0.0 else -1.0], signs]).cumprod()[:, None]


def _notes(gltf: Gltf, nodes: list[int], animation: Animation | None) -> list[str]:
    """What the file has and the motion has not."""
    others = [a.name for a in gltf.animations if a is not animation]
    notes = [f"animation {name!r} is another motion: cd.read_character(path, animation={name!r})" for name in others]
    needed = set(with_ancestors(gltf, nodes))
    left = sorted({c.node for c in animation.curves} - needed) if animation is not None else []
    notes += [f"node {gltf.names[k]!r} moves and is no body" for k in left]
    notes += [f"skin {skin.name!r}: its triangles are not drawn, bones are" for skin in gltf.skins]
    transforms = world_transforms(gltf, nodes, None, np.zeros(1))
    return notes + [note for skin in gltf.skins if (note := _bind_note(skin, transforms))]


def _bind_note(skin: Skin, transforms: dict[int, np.ndarray]) -> str:
    """A word if a skin was bound in another posture than the one that its nodes rest in.

    Inverse bind matrices times transforms at rest are then not all the same.
    """
    known = [n for n, joint in enumerate(skin.joints) if joint in transforms]
    if not known:
        return ""
    with np.errstate(over="ignore", invalid="ignore"):
        moved = np.array([transforms[skin.joints[n]][0] @ skin.inverse_bind[n] for n in known])
    size = max(float(np.ptp(np.array([transforms[skin.joints[n]][0, :3, 3] for n in known]), axis=0).max()), 1e-3)
    turned = np.abs(moved[:, :3, :3] - moved[0, :3, :3]).max()
    shifted = np.abs(moved[:, :3, 3] - moved[0, :3, 3]).max() / size
    if max(turned, shifted) <= BOUND * max(np.abs(moved[0, :3, :3]).max(), 1.0):
        return ""
    return f"skin {skin.name!r} was bound in another posture than its nodes rest in, which is the neutral one"
