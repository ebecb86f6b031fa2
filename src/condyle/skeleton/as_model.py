"""A `Skeleton` that is a tree as a `Model`: the same bodies in minimal coordinates."""

from __future__ import annotations

import numpy as np

from ..errors import NotSupported, require
from ..joints import ball, free, revolute, weld
from ..model import Model, ModelBuilder
from ..spatial import Inertia
from ..spatial.quaternions import quaternion_from_rotation
from .data import Skeleton
from .state import State

__all__ = ["as_model", "coordinates_of"]


def as_model(skeleton: Skeleton) -> Model:
    """The model of a skeleton that is a tree; bodies sit at their centres of mass and keep their axes and names."""
    loops = [skeleton.joint_names[j] for j in skeleton.tree.loops]
    require(not loops, f"a model is a tree; these joints close loops: {', '.join(loops)}", NotSupported)
    builder = ModelBuilder(gravity=skeleton.gravity)
    n = len(skeleton.masses)
    inertias = [Inertia(m, np.zeros(3), I) for m, I in zip(skeleton.masses, skeleton.inertias, strict=True)]
    if skeleton.tree.root < n:
        root = skeleton.tree.root
        builder.add_body(skeleton.body_names[root], None, free(), inertias[root])
    for j, child, parent in skeleton.tree.order[::-1].tolist():
        mine = 0 if skeleton.pairs[j, 0] == child else 1
        joint = {0: ball, 2: lambda: revolute("z"), 3: weld}[int(skeleton.locked[j])]()
        builder.add_body(
            skeleton.body_names[child],
            skeleton.body_names[parent] if parent < n else None,
            joint,
            inertias[child],
            placement=_pose(skeleton, j, 1 - mine),
            offset=_pose(skeleton, j, mine),
            joint_name=skeleton.joint_names[j],
        )
        if skeleton.friction[j] and joint.nv:
            builder.add_damping(skeleton.joint_names[j], float(skeleton.friction[j]))
    return builder.build()


def _pose(skeleton: Skeleton, j: int, side: int) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = skeleton.frames[j, side], skeleton.points[j, side]
    return T


def coordinates_of(model: Model, state: State, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """(q, v) of a model made by `as_model` in a state of its skeleton, whose bodies have these `names` in order."""
    q, v = np.zeros((*state.shape, model.nq)), np.zeros((*state.shape, model.nv))
    X = np.zeros((*state.positions.shape[:-1], 4, 4))
    X[..., :3, :3], X[..., :3, 3], X[..., 3, 3] = state.rotations, state.positions, 1.0
    place = {name: i for i, name in enumerate(names)}
    for body, (q0, v0) in zip(model.bodies, model.joint_starts, strict=True):
        i = place[body.name]
        k = place[model.bodies[body.parent].name] if body.parent >= 0 else None
        parent = X[..., k, :, :] if k is not None else np.eye(4)
        G = np.linalg.inv(parent @ body.placement) @ X[..., i, :, :] @ body.offset
        spin = state.angular_velocities[..., i, :]
        if k is not None:
            relative = np.swapaxes(state.rotations[..., i, :, :], -1, -2) @ state.rotations[..., k, :, :]
            spin = spin - (relative @ state.angular_velocities[..., k, :, None])[..., 0]
        rate = spin @ body.offset[:3, :3]
        if body.joint.nv == 1:
            q[..., q0], v[..., v0] = np.arctan2(G[..., 1, 0], G[..., 0, 0]), rate[..., 2]
        elif body.joint.nv:
            q[..., q0 : q0 + 4], v[..., v0 : v0 + 3] = quaternion_from_rotation(G[..., :3, :3]), rate
        if body.joint.nv == 6:
            q[..., q0 + 4 : q0 + 7] = G[..., :3, 3]
            back = np.swapaxes(state.rotations[..., i, :, :], -1, -2)
            v[..., v0 + 3 : v0 + 6] = (back @ state.velocities[..., i, :, None])[..., 0]
    return q, v
