"""What a character looks like: a bone from each joint to those that it carries, a ball for a head."""

from __future__ import annotations

import re

import numpy as np

from ...model.look.shapes import Shape, bone, ellipsoid, limb
from ...spatial import SE3
from ...spatial.so3 import axes_with_z
from ...spatial.twists import pose_matrix
from .hierarchy import Hierarchy

THICK, LEAST, MOST = 0.11, 0.006, 0.024  # radius of a bone: of its length, and of the person's size at least and most
HEAD = re.compile(r"(^|\W)head$")  # also of names with a prefix, as mixamorig:Head
SHORT = 0.035  # of the size: what is shorter is a rod, a bone's heads would be all of it


def bone_shapes(bones: Hierarchy) -> list[list[Shape]]:
    """The shapes of every joint; a joint that carries nothing has none."""
    size, offsets, shapes = rest_size(bones), bones.offsets, [[] for _ in bones.parents]
    for j, parent in enumerate(bones.parents):
        length = float(np.linalg.norm(offsets[j]))
        if parent >= 0 and length > 1e-3 * size:
            head = HEAD.search(bones.names[parent].lower()) is not None and bones.ends[j]
            shapes[parent].append(_head(offsets[j], length) if head else _bone(offsets[j], length, size))
    return shapes


def rest_size(bones: Hierarchy) -> float:
    """The longest side [m] of a box around all joints at rest, the first of them upright."""
    places, turns = np.zeros_like(bones.offsets), np.tile(np.eye(3), (len(bones.names), 1, 1))
    for j, parent in enumerate(bones.parents):
        if parent >= 0:
            places[j] = places[parent] + turns[parent] @ bones.offsets[j]
            turns[j] = turns[parent] @ bones.turns[j]
    return float(np.ptp(places, axis=0).max(initial=0.0))


def _bone(end: np.ndarray, length: float, size: float) -> Shape:
    radius = float(np.clip(THICK * length, LEAST * size, MOST * size))
    return (limb if length < SHORT * size else bone)((0.0, 0.0, 0.0), end, radius)


def _head(end: np.ndarray, length: float) -> Shape:
    """An egg around the way from the neck to the crown."""
    pose = SE3.from_matrix(pose_matrix(axes_with_z(end / length), 0.5 * end))
    return ellipsoid((0.42 * length, 0.42 * length, 0.6 * length), pose)
