"""The tree of a robot: which joint carries each link, which links are one rigid body, what mimic joints follow."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

import numpy as np
from scipy.spatial.transform import Rotation

from ...errors import BadFile, BadInertia, require
from ...formats.urdf import Link, Origin, Robot, UrdfJoint
from ...spatial import Inertia
from ...spatial.twists import pose_matrix
from ..inertias import WAY_OUT, file_inertia, room_beside

SHOWN = 5  # errors told of one kind
SINGLE = ("revolute", "continuous", "prismatic")  # joints of one coordinate


def outwards(robot: Robot) -> Iterator[tuple[str, UrdfJoint | None]]:
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
    reached = set()
    while waiting:
        link, joint = waiting.pop()
        reached.add(link)
        yield link, joint
        waiting += [(j.child, j) for j in reversed(children.get(link, []))]
    lost = [link for link in robot.links if link not in reached]
    require(not lost, "links form a tree, but these carry each other in a ring", BadFile, links=lost)


def origin_pose(origin: Origin) -> np.ndarray:
    """Roll, pitch, yaw about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    return pose_matrix(Rotation.from_euler("xyz", origin.rpy).as_matrix(), np.array(origin.xyz, dtype=float))


def robot_inertias(robot: Robot, freed: bool, way: str) -> dict[str, Inertia]:
    """The inertia of every link, in its own axes.

    Whether a moment that no body has can be mended unnoticed depends on the rigid body that fixed joints make of the
    link and others; in one that is held by the world nothing is noticed.
    """
    heads: dict[str, str | None] = {}  # link → the first link of its rigid body; None: it does not move
    places: dict[str, np.ndarray] = {}  # link → its pose in that link
    wholes: dict[str | None, Inertia] = {None: Inertia.massless()}
    for name, joint in outwards(robot):
        if joint is not None and joint.kind == "fixed":
            heads[name], places[name] = heads[joint.parent], places[joint.parent] @ origin_pose(joint.origin)
        else:
            heads[name], places[name] = None if joint is None and not freed else name, np.eye(4)
        here = wholes.get(heads[name], Inertia.massless())
        wholes[heads[name]] = here + _nearest(robot.links[name]).moved(places[name])
    rooms = {head: np.inf if head is None else room_beside(whole) for head, whole in wholes.items()}
    return _all_inertias(robot, way, {name: rooms[head] for name, head in heads.items()})


def _all_inertias(robot: Robot, way: str, rooms: dict[str, float]) -> dict[str, Inertia]:
    """By the name of the link; all that are refused are named at once."""
    found, refused = {}, []
    for name, link in robot.links.items():
        try:
            found[name] = _inertia(link, way, rooms[name])
        except BadInertia as error:
            refused.append(f"link {name!r}: {error}")
    if refused:
        more = f" … and {len(refused) - SHOWN} more" if len(refused) > SHOWN else ""
        raise BadInertia(f"{'; '.join(refused[:SHOWN])}{more}; {WAY_OUT}")
    return found


def _nearest(link: Link) -> Inertia:
    return Inertia.nearest(link.mass, np.zeros(3), np.array(link.moment)).moved(origin_pose(link.inertial))


def _inertia(link: Link, way: str, room: float) -> Inertia:
    own = file_inertia(link.mass, np.zeros(3), np.array(link.moment), f"link {link.name!r}", way, room)
    return own.moved(origin_pose(link.inertial))


def followed(robot: Robot, joint: UrdfJoint) -> tuple[str | None, float, float]:
    """(leader, ratio, offset): a mimic joint is ratio · leader + offset; without a leader it stays at the offset.

    The leader is the last of the joints that mimic each other; the joint itself where it cannot follow another.
    """
    ratio, offset, here = 1.0, 0.0, joint
    passed = [joint.name]
    while here.mimic is not None and here.kind in SINGLE and why_not_followed(robot, here) is None:
        leader, factor, shift = here.mimic
        offset, ratio = offset + ratio * shift, ratio * factor
        ring = f"joint {joint.name!r}: it mimics itself, by way of {' → '.join([*passed, leader])}"
        require(leader not in passed, ring, BadFile)
        passed.append(leader)
        here = robot.joints[leader]
    return (None, 0.0, offset) if here.kind == "fixed" else (here.name, ratio, offset)


def why_not_followed(robot: Robot, joint: UrdfJoint) -> str | None:
    """Why a mimic joint cannot follow what it names, in words; None if it can."""
    leader = joint.mimic[0] if joint.mimic else ""
    if leader not in robot.joints:
        near = difflib.get_close_matches(leader, robot.joints, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        return f"joint {joint.name!r} mimics joint {leader!r}, which the file does not have{hint}; it is left free"
    kind = robot.joints[leader].kind
    if kind in (*SINGLE, "fixed"):
        return None
    return f"joint {joint.name!r} mimics joint {leader!r}, which is {kind}, not one coordinate; it is left free"
