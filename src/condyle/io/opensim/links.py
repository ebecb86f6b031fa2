"""Bodies and joints of a file as a tree from ground outwards."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...joints import Joint
from .joints.joint_kinds import count_of, free, joint_motion
from .joints.osim_coordinates import Coordinate, coordinates_of, described
from .osim_document import Node
from .physical_frames import GROUND, Frame, Frames, euler_pose

BODY_JOINT = "Joint"  # before version 30500 a body holds its joint in this element
COMPONENTS = {"/": "components", "/componentset/": "ComponentSet"}  # lists that hold objects of any class
CLASSES = {  # how the classes of the objects of a set end
    "BodySet": ("Body",),
    "JointSet": ("Joint",),
    "ConstraintSet": ("Constraint",),
    "ForceSet": ("Force", "Muscle", "Actuator", "Spring", "Ligament"),
}


class JointNode(NamedTuple):
    """A joint of the file, its name in the model, its path, and the body that holds it (before version 30500)."""

    node: Node
    name: str
    path: str
    owner: str | None


@dataclass(frozen=True)
class Link:
    """A joint between a frame of one body and a frame of another; `idle` are coordinates that move nothing."""

    name: str
    node: Node
    parent: Frame
    child: Frame
    joint: Joint
    coordinates: tuple[Coordinate, ...]
    types: dict[str, str]
    idle: tuple[str, ...] = ()


class Carried(NamedTuple):
    """A body, and how another carries it: X_PB = placement · G(q) · offset⁻¹."""

    body: str
    parent: str | None
    joint_name: str
    joint: Joint
    placement: np.ndarray
    offset: np.ndarray


def body_nodes(model: Node) -> dict[str, Node]:
    """The bodies of a model by name, without ground."""
    found: dict[str, Node] = {}
    for _, node in owners(model, "BodySet"):
        if node.tag != "Body":
            node.fail("condyle does not know this class of body; it knows Body")
        node.require(node.name, "a body needs a name")
        node.require(node.name not in found, "there is already a body of this name")
        if node.name != GROUND:
            found[node.name] = node
    return found


def ground_nodes(model: Node) -> list[Node]:
    """The nodes that describe ground: one, in either way of saying it."""
    grounds = [node for node in model.objects("BodySet") if node.name == GROUND]
    own = model.child("Ground", "ground")
    return grounds + ([] if own is None else [own])


def joint_nodes(model: Node, bodies: dict[str, Node]) -> list[JointNode]:
    """All joints, each with a name of its own, which no coordinate of another joint has."""
    found: list[tuple[Node, str, str | None]] = [(node, path, None) for path, node in owners(model, "JointSet")]
    for name, body in bodies.items():
        holder = body.element.find(BODY_JOINT)
        inside = [] if holder is None else list(Node(holder, body.document).children())  # type: ignore[arg-type]
        body.require(len(inside) <= 1, "a body is carried by one joint")
        found += [(node, f"/jointset/{node.name or name}", name) for node in inside]
    named: list[JointNode] = []
    taken: set[str] = set()
    moved_by = {name: node.element for node, _, _ in found for name in coordinate_names(node)}
    for node, path, owner in found:
        base = name = node.name or owner or "joint"
        number = 2
        while name in taken or moved_by.get(name, node.element) is not node.element:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        named.append(JointNode(node, name, path, owner))
    return named


def coordinate_names(joint: Node) -> list[str]:
    """The names of the coordinates that a joint describes."""
    return [node.name for node in described(joint)]


def frames_of(model: Node, bodies: dict[str, Node], joints: list[JointNode]) -> Frames:
    """All frames that the file has."""
    frames = Frames()
    for node in ground_nodes(model):
        frames.add_inside(node, f"/{GROUND}")
    for path, node in owners(model, "BodySet"):
        if node.name in bodies:
            frames.add_body(node.name, path)
            frames.add_inside(node, path)
    for joint in joints:
        frames.add_inside(joint.node, joint.path)
    for path, node in [*owners(model, "ConstraintSet"), *owners(model, "ForceSet")]:
        frames.add_inside(node, path)
    frames.add_inside(model, "")
    for node in model.objects("MarkerSet"):
        if node.tag == "Marker":
            frames.add_station(f"/markerset/{node.name}", node)
    return frames


def owners(model: Node, tag: str) -> list[tuple[str, Node]]:
    """The objects of a set, each with a path of its own, also where names are missing or occur twice.

    Objects of its classes that stand among the components of the model count as those of the set do.
    """
    seen: set[str] = set()
    found = []
    here = [(f"/{tag.lower()}/", node) for node in model.objects(tag)]
    for number, (start, node) in enumerate([*here, *_beside(model, tag)]):
        path = f"{start}{node.name}"
        found.append((path if node.name and path not in seen else f"{path}#{number}", node))
        seen.add(path)
    return found


def _beside(model: Node, tag: str) -> Iterator[tuple[str, Node]]:
    """The objects of the classes of a set that stand among components, and where."""
    for start, holder in COMPONENTS.items():
        yield from ((start, node) for node in model.objects(holder) if node.tag.endswith(CLASSES[tag]))


def is_member(tag: str) -> bool:
    """Whether a class is one of bodies, joints, constraints or forces."""
    return tag.endswith(tuple(end for ends in CLASSES.values() for end in ends))


def link_of(joint: JointNode, frames: Frames) -> Link:
    """A joint with its frames and coordinates."""
    node, owner = joint.node, joint.path
    count = count_of(node)
    coordinates = coordinates_of(node, joint.name, count)
    parent = _end(node, owner, frames, "parent", ("location_in_parent", "orientation_in_parent"), None)
    child = _end(node, owner, frames, "child", ("location", "orientation"), joint.owner)
    motion = joint_motion(node, [c.name for c in coordinates])
    if node.flag("reverse", False):
        motion = motion._replace(joint=motion.joint.inverse())
    described = {c.name for c in coordinates}  # an axis may name one that the file says nothing of
    coordinates += [Coordinate(name) for name in (*motion.joint.coordinates, *motion.idle) if name not in described]
    return Link(joint.name, node, parent, child, motion.joint, tuple(coordinates), motion.types, motion.idle)


def _end(
    node: Node, owner: str, frames: Frames, which: str, old: tuple[str, str], body: str | None
) -> Frame:  # fmt: skip
    """The frame of a joint on one side: a frame by its path, or a body and a place on it."""
    text = node.socket(f"{which}_frame")
    if text:
        return frames.resolve(text, owner, node)
    text = body or node.socket(f"{which}_body", f"{which}_body")
    if not text:
        node.fail(f"it does not say its {which} frame")
    frame = frames.resolve(text, owner, node)
    place, turn = (old[0], old[1]) if body or which == "parent" else ("location_in_child", "orientation_in_child")
    offset = euler_pose(node.vector(place, 3, [0.0] * 3), node.vector(turn, 3, [0.0] * 3))
    return Frame(frame.body, frame.pose @ offset)


def carried(links: list[Link], bodies: dict[str, Node]) -> Iterator[tuple[Carried | None, Link | None]]:
    """Every body after the one that carries it, with its joint; a body that hangs on nothing is free.

    A joint that is met from its child's side is turned round. A weld that closes a loop comes without a body.
    """
    waiting: dict[str | None, list[int]] = {}
    for number, link in enumerate(links):
        for end in (link.parent.body, link.child.body):
            waiting.setdefault(end, []).append(number)
    reached: set[str | None] = set()
    done: set[int] = set()
    children = {link.child.body for link in links}
    roots: list[str | None] = [None, *(b for b in bodies if b not in children), *bodies]
    for root in roots:
        if root in reached:
            continue
        if root is not None:
            yield _freed(root, links)
        yield from _outwards(root, links, waiting, reached, done)


def _outwards(root, links: list[Link], waiting, reached: set, done: set) -> Iterator[tuple[Carried | None, Link]]:
    """The bodies that hang on a root, by the order of joints in the file."""
    reached.add(root)
    ready = list(waiting.get(root, []))
    heapq.heapify(ready)
    while ready:
        number = heapq.heappop(ready)
        if number in done:
            continue
        done.add(number)
        link = links[number]
        known = [end.body in reached for end in (link.parent, link.child)]
        if all(known):
            yield None, _closing(link)
            continue
        one = _forward(link) if known[0] else _backward(link)
        reached.add(one.body)
        for other in waiting.get(one.body, []):
            heapq.heappush(ready, other)
        yield one, link


def _closing(link: Link) -> Link:
    """A joint that closes a loop: a weld between two bodies; others are refused."""
    ends = link.parent.body, link.child.body
    if ends[0] == ends[1]:
        link.node.fail(f"it joins {_said(ends[0])} to itself")
    if link.joint.nv:
        link.node.fail(
            f"it closes a loop: {_said(ends[0])} and {_said(ends[1])} are connected by other joints already. Replace "
            "it by a constraint (PointConstraint, WeldConstraint)"
        )
    return link


def _forward(link: Link) -> Carried:
    return Carried(link.child.body or "", link.parent.body, link.name, link.joint, link.parent.pose, link.child.pose)


def _backward(link: Link) -> Carried:
    inverse = link.joint.inverse()
    return Carried(link.parent.body or "", link.child.body, link.name, inverse, link.child.pose, link.parent.pose)


def _freed(body: str, links: list[Link]) -> tuple[Carried, None]:
    """A body without a joint, which OpenSim lets free."""
    name = f"free_{body}"
    taken = {link.name for link in links}
    while name in taken:
        name += "_"
    joint = free(None).renamed([f"{name}_coord_{k}" for k in range(6)])  # type: ignore[arg-type]
    return Carried(body, None, name, joint, np.eye(4), np.eye(4)), None


def _said(body: str | None) -> str:
    return "ground" if body is None else repr(body)
