"""Models from URDF files. The root link is fixed to the world, or free."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from .. import joints
from ..errors import BadFile, CondyleError, require, unknown_name
from ..formats.files import read_bytes
from ..formats.urdf import Geometry, Link, Origin, Robot, UrdfJoint, parse_urdf
from ..joints import Joint
from ..model import Model, ModelBuilder, constraints
from ..model.shapes import BONE, Shape
from ..spatial import Inertia

__all__ = ["load_urdf"]

BASES = ("fixed", "free")
KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


def load_urdf(path: Path, base: str = "fixed") -> Model:
    """The model of a robot: bodies named by links, coordinates by URDF's joints, that of a free base by its link."""
    if base not in BASES:
        raise unknown_name("base", base, BASES, "a robot")
    robot = parse_urdf(read_bytes(path), str(path))
    try:
        return built_robot(robot, base == "free")
    except CondyleError as error:
        raise BadFile(f"{path}: {error}") from error


def built_robot(robot: Robot, freed: bool) -> Model:
    """The tree from the root link outwards, then ranges and dampers."""
    builder = ModelBuilder()
    for link, joint in _outwards(robot):
        _add(builder, robot.links[link], joint, freed)
    for joint in robot.joints.values():
        name = _name(joint.name)
        if joint.limits and joint.limits[0] < joint.limits[1]:
            builder.set_range(name, *joint.limits)
        if joint.damping > 0:
            builder.add_damping(name, joint.damping)
        if joint.mimic:
            other, ratio, offset = joint.mimic
            builder.add_constraint(constraints.couple(name, _name(other), ratio=ratio, offset=offset))
    return builder.build()


def _outwards(robot: Robot) -> Iterator[tuple[str, UrdfJoint | None]]:
    """Each link with the joint that carries it, parents first."""
    for joint in robot.joints.values():
        for end in (joint.parent, joint.child):
            require(end in robot.links, f"joint {joint.name!r}: there is no link named {end!r}", BadFile)
    carried = {j.child for j in robot.joints.values()}
    require(len(carried) == len(robot.joints), "a link is the child of two joints; links form a tree", BadFile)
    roots = [link for link in robot.links if link not in carried]
    require(len(roots) == 1, "a robot has one root link, the child of no joint", BadFile, roots=roots)
    children: dict[str, list[UrdfJoint]] = {}
    for joint in robot.joints.values():
        children.setdefault(joint.parent, []).append(joint)
    waiting: list[tuple[str, UrdfJoint | None]] = [(roots[0], None)]
    while waiting:
        link, joint = waiting.pop()
        yield link, joint
        waiting += [(j.child, j) for j in reversed(children.get(link, []))]


def _add(builder: ModelBuilder, link: Link, joint: UrdfJoint | None, freed: bool) -> None:
    shapes = [shape for g in link.shapes if (shape := _shape(g, link.name))]
    if joint is None:
        builder.add_body(_name(link.name), None, joints.free() if freed else None, _inertia(link), shapes=shapes)
        return
    parent, name = _name(joint.parent), _name(joint.name)
    builder.add_body(
        _name(link.name), parent, _joint(joint), _inertia(link), _pose(joint.origin), None, name, shapes
    )  # fmt: skip


def _name(name: str) -> str:
    """A dot joins joint and coordinate here, so that names have none."""
    return name.replace(".", "_")


def _joint(joint: UrdfJoint) -> Joint:
    require(joint.kind in KINDS, f"joint {joint.name!r}: a type is one of {', '.join(KINDS)}", BadFile, got=joint.kind)
    if joint.kind in ("revolute", "continuous"):
        return joints.revolute(joint.axis)
    if joint.kind == "prismatic":
        return joints.prismatic(joint.axis)
    if joint.kind == "floating":
        return joints.free()
    return joints.weld() if joint.kind == "fixed" else _planar(joint.axis)


def _planar(axis) -> Joint:
    """Moves in the plane across `axis`: the plane of x and y turned so that z is the axis."""
    n = np.asarray(axis) / np.linalg.norm(axis)
    if np.allclose(n, (0, 0, 1)):
        return joints.planar()
    x = np.cross((0, 1, 0) if abs(n[1]) < 0.9 else (1, 0, 0), n)
    x = x / np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3] = np.stack([x, np.cross(n, x), n], axis=1)
    return joints.compose(joints.weld(T), joints.planar(), joints.weld(T.T))


def _inertia(link: Link) -> Inertia:
    if link.mass == 0.0:
        return Inertia.massless()
    try:
        if not any(link.moment):
            return Inertia.point(link.mass, link.inertial.xyz)
        return Inertia(link.mass, np.zeros(3), np.array(link.moment)).moved(_pose(link.inertial))
    except CondyleError as error:
        raise BadFile(f"link {link.name!r}: {error}") from None


def _pose(origin: Origin) -> np.ndarray:
    """Roll, pitch, yaw about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    (a, b, c), T = origin.rpy, np.eye(4)
    ca, sa, cb, sb, cc, sc = np.cos(a), np.sin(a), np.cos(b), np.sin(b), np.cos(c), np.sin(c)
    T[:3, :3] = [
        [cc * cb, cc * sb * sa - sc * ca, cc * sb * ca + sc * sa],
        [sc * cb, sc * sb * sa + cc * ca, sc * sb * ca - cc * sa],
        [-sb, cb * sa, cb * ca],
    ]
    T[:3, 3] = origin.xyz
    return T


def _shape(geometry: Geometry, link: str) -> Shape | None:
    """What is drawn; a mesh mirrored or stretched is left out, with a warning: the rest of the robot is sound."""
    color = BONE if geometry.color is None else geometry.color
    size = geometry.size
    if geometry.kind == "mesh":
        if len(set(size)) > 1 or min(size) <= 0:
            warnings.warn(
                f"link {link!r}: the mesh {geometry.path} is not drawn: its scale {size} is uneven", stacklevel=2
            )
            return None
        size = size[:1]
    return replace(Shape(geometry.kind, size, path=geometry.path), pose=_pose(geometry.origin), color=color)
