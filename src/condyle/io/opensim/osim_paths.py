"""Paths of muscles and ligaments, and what they wrap over."""

from __future__ import annotations

import numpy as np

from ...model.muscle_paths.paths import Path, PathPoint, PathWrap, WrapObject
from .components import properties_of
from .joints.functions import function_in, function_of
from .osim_document import Node
from .physical_frames import Frame, Frames, euler_pose

PATHS = ("GeometryPath", "PathPointSet", "MusclePointSet")
AXES = "xyz"
PLACED = ("xyz_body_rotation", "translation", "quadrant", "active")


def path_of(force: Node, owner: str, frames: Frames) -> Path | None:
    """The path of a force; None if it has none."""
    geometry = force.child("GeometryPath")
    holder = force if geometry is None else geometry
    points = holder.objects("PathPointSet", "MusclePointSet")
    if geometry is None and not points:
        return None
    wraps = holder.objects("PathWrapSet", "MuscleWrapSet")
    return Path(tuple(_point(p, owner, frames) for p in points), tuple(map(_wrap, wraps)))


def _point(node: Node, owner: str, frames: Frames) -> PathPoint:
    frame = frames.resolve(node.socket("parent_frame", "body") or "", owner, node)
    location = node.vector("location", 3, [0.0, 0.0, 0.0])
    placed = frame.pose[:3, :3] @ location + frame.pose[:3, 3]
    if node.tag in ("ConditionalPathPoint", "MuscleViaPoint"):  # its name before version 2
        ends = node.vector("range", 2, [0.0, 0.0])
        coordinate = _last(node.socket("coordinate", "coordinate", "coordinates"))
        return PathPoint(node.name, frame.body, placed, coordinate, (float(ends[0]), float(ends[1])))
    if node.tag == "MovingPathPoint":
        inner = [function_in(node, f"{a}_location") or function_in(node, f"{a.upper()}Attachment") for a in AXES]
        named = [_last(node.socket(f"{a}_coordinate", f"{a}_coordinate", f"{a.upper()}Coordinate")) for a in AXES]
        functions = tuple(None if f is None else function_of(f) for f in inner)
        return PathPoint(node.name, frame.body, placed, None, None, functions, tuple(named), frame.pose)
    if node.tag not in ("PathPoint", "MusclePoint"):
        node.fail("condyle does not know this kind of point of a path")
    return PathPoint(node.name, frame.body, placed)


def _last(path: str) -> str | None:
    """The last name of a path; None if there is none."""
    return path.rstrip("/").rpartition("/")[2] or None


def _wrap(node: Node) -> PathWrap:
    first, last = (int(np.clip(x, -1e9, 1e9)) for x in node.vector("range", 2, [-1, -1]))
    return PathWrap(node.text("wrap_object"), node.text("method").lower() or "hybrid", (first, last))


def wrap_object_of(node: Node, frame: Frame) -> WrapObject:
    """A wrap object of a body or of a frame fixed to it."""
    pose = euler_pose(node.vector("translation", 3, [0.0] * 3), node.vector("xyz_body_rotation", 3, [0.0] * 3))
    sizes = properties_of(node, PLACED)
    quadrant, active = node.text("quadrant") or "all", node.flag("active", True)
    return WrapObject(node.name, node.tag, frame.body, frame.pose @ pose, sizes, quadrant, active)
