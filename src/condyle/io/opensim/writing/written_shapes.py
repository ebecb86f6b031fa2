"""Shapes as geometry of a frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....model.look.bone_surface import WAIST
from ....model.look.shapes import Shape
from ....spatial.twists import pose_inverse
from ..display_geometry import UPRIGHT
from .xml_elements import element, numbers, offset_frame, text


def geometry(frame: str, shapes: Sequence[Shape], left_out: list[str]) -> str:
    """Shapes of a body, each on a frame of its own where it is not at the body's."""
    here, beside = [], []
    for k, shape in enumerate(shapes):
        pose = shape.pose @ pose_inverse(UPRIGHT) if shape.kind in ("cylinder", "capsule", "bone") else shape.pose
        solid = _solid(shape, f"geometry_{k + 1}", left_out)
        if np.allclose(pose, np.eye(4), rtol=0.0, atol=1e-15):
            here.append(solid)
        else:
            beside.append(offset_frame(f"frame_{k + 1}", frame, pose, element("attached_geometry", solid)))
    return (element("components", *beside) if beside else "") + (element("attached_geometry", *here) if here else "")


def _solid(shape: Shape, name: str, left_out: list[str]) -> str:
    look = element("Appearance", numbers("color", shape.color))
    if shape.kind == "mesh":
        scale = shape.size if len(shape.size) == 3 else shape.size * 3
        return element("Mesh", look, numbers("scale_factors", scale), text("mesh_file", shape.path), name=name)
    if shape.kind == "sphere":
        return element("Sphere", look, numbers("radius", shape.size[0]), name=name)
    if shape.kind == "box":
        return element("Brick", look, numbers("half_lengths", 0.5 * np.array(shape.size)), name=name)
    if shape.kind == "ellipsoid":
        return element("Ellipsoid", look, numbers("radii", shape.size), name=name)
    if shape.kind == "capsule":
        left_out.append("the round ends of capsules, which are drawn as cylinders")
    radius, length = shape.size
    if shape.kind == "bone":
        left_out.append("the ends of bones, whose shafts are drawn as cylinders")
        radius *= WAIST
    return element("Cylinder", look, numbers("radius", radius), numbers("half_height", 0.5 * length), name=name)
