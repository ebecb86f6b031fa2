"""A character from a BVH file: a model whose joints have the channels of the file, and its motion."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ... import joints
from ...errors import BadFile, require
from ...formats.bvh import AXES, Bvh
from ...joints import Joint
from ...joints.functions import linear
from ...model import ModelBuilder
from ...simulation import Trajectory
from ...spatial import SE3, Inertia
from .character_look import bone_shapes
from .de_leva import person_inertias
from .hierarchy import FARTHEST, GRAVITY, SHORTEST, body_names, bvh_hierarchy, rates

FULL = 3  # channels of a whole rotation or a whole place


def subtree(bvh: Bvh, root: str) -> Bvh:
    """A joint and what it carries; its own offset is kept."""
    first, kept = bvh.index(root), {bvh.index(root): 0}
    for j in range(first + 1, len(bvh.names)):
        if bvh.parents[j] in kept:
            kept[j] = len(kept)
    starts = np.cumsum([0, *map(len, bvh.channels)])
    columns = [c for j in kept for c in range(starts[j], starts[j + 1])]
    return Bvh(
        [bvh.names[j] for j in kept], [kept.get(bvh.parents[j], -1) for j in kept], bvh.offsets[list(kept)],
        [bvh.channels[j] for j in kept], bvh.values[:, columns], bvh.frame_time,
    )  # fmt: skip


def character(bvh: Bvh, meters: float, balls: bool, mass: float | None, sex: str, path: Path) -> Trajectory:
    """The model of a hierarchy and its motion."""
    near = all(np.abs(x).max(initial=0.0) <= FARTHEST for x in (bvh.offsets, bvh.values))
    require(near, f"offsets and channels must be below {FARTHEST:g} in size", BadFile)
    slow = SHORTEST <= bvh.frame_time <= FARTHEST
    require(
        slow, f"the frame time must be {SHORTEST:g} s or more, and below {FARTHEST:g} s", BadFile, got=bvh.frame_time
    )
    offsets = bvh.offsets * meters
    bones = bvh_hierarchy(bvh, offsets)
    inertias = {} if mass is None else person_inertias(bones, mass, sex)
    builder, names, shapes = ModelBuilder(GRAVITY), body_names(bvh.names), bone_shapes(bones)
    for j, name in enumerate(names):
        placed = [AXES[c[0]] for c in bvh.channels[j] if c.endswith("position")]
        start = np.where(np.isin(range(3), placed), 0.0, offsets[j])
        parent = names[bvh.parents[j]] if bvh.parents[j] >= 0 else None
        joint = channel_joint(bvh.channels[j], balls, name)
        place, inertia = SE3.from_translation(start), inertias.get(j, Inertia.massless())
        builder.add_body(name, parent, joint, inertia, place, shapes=shapes[j])
    model = replace(builder.build(), folder=path.parent)
    q = states(bvh, meters, balls)
    t = bvh.frame_time * np.arange(len(q))
    return Trajectory(model, t, q, rates(model, q, t))


def channel_joint(channels: list[str], balls: bool, name: str) -> Joint:
    """Moves along the channels of places, then turns about those of rotations, in their order."""
    shifts = [(k, c) for k, c in enumerate(channels) if c.endswith("position")]
    turns = [(k, c) for k, c in enumerate(channels) if c.endswith("rotation")]
    once = len({c for _, c in shifts}) == len(shifts)
    require(once, f"joint {name!r}: a place has one channel for each axis", BadFile, got=channels)
    if not channels:
        return joints.weld()
    if balls and len(turns) == FULL:
        if len(shifts) == FULL:
            return joints.free()
        parts = [joints.prismatic(c[0].lower(), name=c) for _, c in shifts]
        return joints.compose(*parts, joints.ball()) if parts else joints.ball()
    twists = [_twist(c, 3) for _, c in shifts] + [_twist(c, 0) for _, c in turns]
    functions = [linear(k) for k, _ in (*shifts, *turns)]
    return joints.product(twists, functions, coordinates=body_names(channels), title="channels")


def _twist(channel: str, first: int) -> np.ndarray:
    return np.eye(6)[first + AXES[channel[0]]]


def states(bvh: Bvh, meters: float, balls: bool) -> np.ndarray:
    """q (T, nq) [m, rad] in the order of the channels; quaternions of one sign from frame to frame."""
    parts, column = [], 0
    for channels in bvh.channels:
        values = bvh.values[:, column : column + len(channels)]
        column += len(channels)
        metric = np.where([c.endswith("position") for c in channels], values * meters, np.radians(values))
        parts.append(_ball_state(channels, metric) if balls else metric)
    return np.concatenate([p.reshape(len(bvh.values), -1) for p in parts], axis=1)


def _ball_state(channels: list[str], values: np.ndarray) -> np.ndarray:
    """The numbers of a ball or free joint, if the channels make one."""
    turns = [k for k, c in enumerate(channels) if c.endswith("rotation")]
    shifts = [k for k, c in enumerate(channels) if c.endswith("position")]
    if len(turns) != FULL:
        return values
    from scipy.spatial.transform import Rotation  # slow to load, and seldom needed

    turned = Rotation.identity(len(values))
    for k in turns:
        turned = turned * Rotation.from_rotvec(np.outer(values[:, k], np.eye(3)[AXES[channels[k][0]]]))
    wxyz = turned.as_quat()[:, [3, 0, 1, 2]]
    signs = np.sign(np.sum(wxyz[1:] * wxyz[:-1], axis=1))
    wxyz[1:] *= np.cumprod(np.where(signs < 0, -1.0, 1.0))[:, None]
    if len(shifts) == FULL:
        order = [shifts[[channels[k][0] for k in shifts].index(axis)] for axis in "XYZ"]
        return np.concatenate([wxyz, values[:, order]], axis=1)
    return np.concatenate([values[:, shifts], wxyz], axis=1)
