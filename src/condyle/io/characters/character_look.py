"""What a character looks like: a bone from each joint to those that it carries, a ball for a head."""

from __future__ import annotations

import numpy as np

from ...formats.bvh import Bvh
from ...model.look.shapes import Shape, bone, ellipsoid, limb
from ...spatial import SE3

THICK, LEAST, MOST = 0.11, 0.006, 0.024  # radius of a bone: of its length, and of the person's size at least and most
SHORT = 0.035  # of the size: what is shorter is a rod, a bone's heads would be all of it


def bone_shapes(bvh: Bvh, offsets: np.ndarray) -> list[list[Shape]]:
    """The shapes of every joint, of offsets (n, 3) [m]; a joint that carries nothing has none."""
    places = np.zeros_like(offsets)
    for j, parent in enumerate(bvh.parents):
        places[j] = offsets[j] + (places[parent] if parent >= 0 else -offsets[j])
    size, shapes = float(np.ptp(places, axis=0).max(initial=0.0)), [[] for _ in bvh.parents]
    for j, parent in enumerate(bvh.parents):
        length = float(np.linalg.norm(offsets[j]))
        if parent >= 0 and length > 1e-3 * size:
            head = bvh.names[parent].lower() == "head" and not bvh.channels[j]
            shapes[parent].append(_head(offsets[j], length) if head else _bone(offsets[j], length, size))
    return shapes


def _bone(end: np.ndarray, length: float, size: float) -> Shape:
    radius = float(np.clip(THICK * length, LEAST * size, MOST * size))
    return (limb if length < SHORT * size else bone)((0.0, 0.0, 0.0), end, radius)


def _head(end: np.ndarray, length: float) -> Shape:
    """An egg around the way from the neck to the crown."""
    from ...spatial.so3 import axes_with_z

    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = axes_with_z(end / length), 0.5 * end
    return ellipsoid((0.42 * length, 0.42 * length, 0.6 * length), SE3.from_matrix(pose))
