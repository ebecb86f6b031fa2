"""Models from URDF files. The root link is fixed to the world, or free."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ... import joints
from ...errors import BadFile, CondyleError, CondyleWarning, amount, require, unknown_name
from ...formats.packages import Packages, find_file, package_folders
from ...formats.safe_files import read_bytes
from ...formats.urdf import Geometry, Link, Robot, UrdfJoint, parse_urdf
from ...joints import Joint
from ...model import Model, ModelBuilder
from ...model.look.shapes import BONE, Shape
from ...spatial import Inertia
from ...spatial.so3 import axes_with_z
from ...spatial.twists import pose_matrix
from ..inertias import checked_way
from .urdf_tree import SINGLE, followed, origin_pose, outwards, robot_inertias, why_not_followed

BASES = ("fixed", "free")
KINDS = (*SINGLE, "fixed", "floating", "planar")


def load_urdf(path: Path, base: str | None = None, inertias: str | None = None, packages=None) -> Model:
    """The model of a robot: bodies named by links, coordinates by URDF's joints, that of a free base by its link.

    The options are those of `load`.
    """
    base, way = base or "fixed", checked_way(inertias, "keep")
    if base not in BASES:
        raise unknown_name("base", base, BASES, "a robot")
    robot, folders = parse_urdf(read_bytes(path), str(path)), package_folders(packages)
    try:
        return built_robot(robot, base == "free", way, path.parent, folders)
    except CondyleError as error:
        raise BadFile(f"{path}: {error}") from error


def built_robot(robot: Robot, freed: bool, way: str, folder: Path, packages: Packages) -> Model:
    """The tree from the root link outwards, then limits, dampers and what mimics."""
    inertias, names = robot_inertias(robot, freed, way), Names(robot)
    builder = ModelBuilder()
    for link, joint in outwards(robot):
        shapes = [drawn_shape(g, folder, packages) for g in robot.links[link].shapes]
        _add(builder, names, robot.links[link], joint, inertias[link], shapes, freed)
    notes = list(_ignored(robot))
    for joint in robot.joints.values():
        notes += _dynamics(builder, names, joint)
        notes += _limited(builder, names, joint)
        if joint.mimic and joint.kind in SINGLE:
            notes += _mimic(builder, names, robot, joint)
    _warn_undrawn(robot)
    touching = {
        names.links[k]: tuple(drawn_shape(g, folder, packages) for g in x.collisions) for k, x in robot.links.items()
    }
    kept = {name: shapes for name, shapes in touching.items() if shapes}
    if kept:
        notes.append(
            f"{amount(sum(map(len, kept.values())), 'collision shape')} in model.collisions: bodies do not touch"
        )
    return replace(builder.build(), folder=folder, notes=tuple(notes), collisions=kept)


class Names:
    """Names of links and joints in the model: a dot joins joint and coordinate here, so that names have none."""

    def __init__(self, robot: Robot) -> None:
        self.links, self.joints = self._plain(robot.links, "link"), self._plain(robot.joints, "joint")

    @staticmethod
    def _plain(names, what: str) -> dict[str, str]:
        plain: dict[str, str] = {}
        taken = {name for name in names if "." not in name}
        for name in names:
            new = name.replace(".", "_")
            while "." in name and new in taken:
                new += "_"
            taken.add(new)
            plain[name] = new
        return plain


def _add(
    builder: ModelBuilder, names: Names, link: Link, joint: UrdfJoint | None, inertia: Inertia, shapes, freed: bool
) -> None:
    name = names.links[link.name]
    if joint is None:
        builder.add_body(name, None, joints.free() if freed else None, inertia, shapes=shapes)
        return
    parent, placement = names.links[joint.parent], origin_pose(joint.origin)
    builder.add_body(name, parent, _joint(joint), inertia, placement, None, names.joints[joint.name], shapes)


def _joint(joint: UrdfJoint) -> Joint:
    require(joint.kind in KINDS, f"joint {joint.name!r}: a type is one of {', '.join(KINDS)}", BadFile, got=joint.kind)
    if joint.kind in ("fixed", "floating"):
        return joints.weld() if joint.kind == "fixed" else joints.free()
    require(any(joint.axis), f"joint {joint.name!r}: the axis of a {joint.kind} joint must not be zero", BadFile)
    if joint.kind == "planar":
        return _planar(joint.axis)
    return joints.prismatic(joint.axis) if joint.kind == "prismatic" else joints.revolute(joint.axis)


def _planar(axis) -> Joint:
    """Moves in the plane across `axis`: the plane of x and y turned so that z is the axis."""
    n = np.asarray(axis) / np.linalg.norm(axis)
    if np.allclose(n, (0, 0, 1)):
        return joints.planar()
    T = pose_matrix(axes_with_z(n), np.zeros(3))
    return joints.compose(joints.weld(T), joints.planar(), joints.weld(T.T))


def _dynamics(builder: ModelBuilder, names: Names, joint: UrdfJoint) -> Iterator[str]:
    """Damping on every velocity of a joint; what cannot act is noted."""
    name = names.joints[joint.name]
    if joint.kind == "fixed":
        if joint.damping or joint.friction:
            yield f"joint {joint.name!r} is fixed, so its damping and friction do nothing"
        return
    if joint.damping < 0.0:
        yield _told(f"joint {joint.name!r}: its damping {joint.damping:g} is negative and left out")
    if joint.damping > 0.0:
        coordinates = [name] if joint.kind != "planar" else [f"{name}.{c}" for c in _joint(joint).coordinates]
        for coordinate in coordinates:
            builder.add_damping(coordinate, joint.damping)
    if joint.friction:
        yield f"joint {joint.name!r}: its Coulomb friction {joint.friction:g} is kept in model.limits and does not act"


def _limited(builder: ModelBuilder, names: Names, joint: UrdfJoint) -> Iterator[str]:
    """Ranges of coordinates, and what else <limit> and <dynamics> say of them."""
    limit, name = joint.limit, names.joints[joint.name]
    if joint.kind not in SINGLE:
        if limit is not None and joint.kind != "fixed":
            yield f"joint {joint.name!r}: limits of a {joint.kind} joint are not read"
        return
    velocity, effort = (None, None) if limit is None else (limit.velocity, limit.effort)
    friction = max(joint.friction, 0.0)
    if velocity is not None or effort is not None or friction:
        velocity, effort = (None if x is None or x < 0.0 else x for x in (velocity, effort))
        builder.set_limits(name, velocity=velocity, effort=effort, friction=friction)
    if limit is None or joint.kind == "continuous":
        return
    if limit.lower is None and limit.upper is None:
        return
    low, high = limit.lower or 0.0, limit.upper or 0.0
    if low > high:
        yield _told(f"joint {joint.name!r}: its limits {low:g} … {high:g} leave it no room, so that it has no range")
    elif np.isfinite(low) or np.isfinite(high):
        builder.set_range(name, low, high)


def _told(words: str) -> str:
    """Words for the model's notes that are worth a warning too."""
    warnings.warn(words, CondyleWarning, stacklevel=3)
    return words


def _mimic(builder: ModelBuilder, names: Names, robot: Robot, joint: UrdfJoint) -> Iterator[str]:
    """A coordinate becomes a function of another, or where nothing moves that it follows, rests."""
    leader, ratio, offset = followed(robot, joint)
    name, why = names.joints[joint.name], why_not_followed(robot, joint)
    if why is not None:
        yield _told(why)
    elif leader is None:
        builder.prescribe(name, offset)
    else:
        builder.add_coupler(name, names.joints[leader], ratio=ratio, offset=offset)


def _ignored(robot: Robot) -> Iterator[str]:
    """What of the file is not in the model."""
    if robot.ignored:
        said = ", ".join(f"{count} <{tag}>" for tag, count in sorted(robot.ignored.items()))
        yield f"not read: {said}"
    for joint in robot.joints.values():
        if joint.mimic and joint.kind not in SINGLE:
            yield f"joint {joint.name!r} is {joint.kind}, so it mimics nothing"


def _warn_undrawn(robot: Robot) -> None:
    """One warning for all shapes that cannot be drawn: the rest of the robot is sound."""
    reasons = [reason for link in robot.links.values() for reason in link.undrawn]
    if reasons:
        more = [f"… and {len(reasons) - 5} more"] if len(reasons) > 5 else []
        _told("not drawn:" + "".join(f"\n  {reason}" for reason in [*reasons[:5], *more]))


def drawn_shape(geometry: Geometry, folder: Path, packages: Packages) -> Shape:
    """What is drawn; a mesh in a package that the caller named is known by its path from then on."""
    color, size, path = BONE if geometry.color is None else geometry.color, geometry.size, geometry.path
    if geometry.kind == "mesh":
        size = size[:1] if len(set(size)) == 1 and size[0] > 0 else size
        found = find_file(path, folder, packages) if packages and "://" in path else None
        path = path if found is None else str(found)
    return replace(Shape(geometry.kind, size, path=path), pose=origin_pose(geometry.origin), color=color)
