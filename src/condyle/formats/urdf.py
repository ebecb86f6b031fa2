"""URDF files as plain data: links, joints, shapes. Units are SI and radians, as URDF says."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from ..errors import BadFile, require
from .doubts import doubt
from .xml import parse_xml

XACRO = "this is xacro, which makes URDF when it is run; expand it first: xacro robot.urdf.xacro > robot.urdf"
DEFINITIONS = ("xacro:property", "xacro:macro", "xacro:arg")  # elements that make nothing by themselves
KNOWN = {
    "robot": ("link", "joint", "material"),
    "link": ("inertial", "visual", "collision"),
    "joint": ("parent", "child", "origin", "axis", "limit", "dynamics", "mimic"),
}
LIMITS = ("lower", "upper", "velocity", "effort")
COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
DECLARATION = re.compile(rb"\s+<\?xml[^>]*\?>")


@dataclass(frozen=True)
class Origin:
    """A frame: position, then roll, pitch and yaw about fixed x, y, z."""

    xyz: tuple[float, ...] = (0.0, 0.0, 0.0)
    rpy: tuple[float, ...] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Geometry:
    """A visual shape."""

    kind: str
    size: tuple[float, ...]
    origin: Origin
    color: tuple[float, ...] | None
    path: str = ""


@dataclass(frozen=True)
class Link:
    """A body; without an inertial it has no mass. `undrawn` says which of its shapes cannot be drawn, and why.

    `collisions` are the shapes that touch others.
    """

    name: str
    mass: float = 0.0
    inertial: Origin = Origin()
    moment: tuple[float, ...] = (0.0,) * 6  # xx yy zz xy xz yz
    shapes: tuple[Geometry, ...] = ()
    undrawn: tuple[str, ...] = ()
    collisions: tuple[Geometry, ...] = ()


@dataclass(frozen=True)
class Limit:
    """What <limit> says; None where it is silent."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None


@dataclass(frozen=True)
class UrdfJoint:
    """A joint from parent to child."""

    name: str
    kind: str
    parent: str
    child: str
    origin: Origin
    axis: tuple[float, ...]
    limit: Limit | None = None
    damping: float = 0.0
    friction: float = 0.0
    mimic: tuple[str, float, float] | None = None


@dataclass(frozen=True)
class Robot:
    """Links and joints in the order of the file; `ignored` are the elements that were not read, and how many."""

    links: dict[str, Link] = field(default_factory=dict)
    joints: dict[str, UrdfJoint] = field(default_factory=dict)
    ignored: dict[str, int] = field(default_factory=dict)


class Reader:
    """Reads attributes and says where what is wrong."""

    def __init__(self, name: str) -> None:
        self.name = name

    def text(self, element: Element, key: str, where: str) -> str:
        """An attribute that must be there."""
        value = element.get(key)
        require(value, f"{self.name}: {where}: <{element.tag}> needs the attribute {key!r}", BadFile)
        return str(value)

    def numbers(self, element: Element, key: str, where: str, count: int, default=None) -> tuple[float, ...]:
        """Finite numbers, as many as expected."""
        text = element.get(key)
        if text is None and default is not None:
            return default
        words = (text or "").split()
        try:
            values = tuple(float(w) for w in words)
        except ValueError:
            values = ()
        good = len(values) == count and all(math.isfinite(x) and abs(x) <= 1e50 for x in values)
        expected = f"{self.name}: {where}: <{element.tag} {key}> must be {count} finite number{'s' * (count > 1)}"
        xacro = f" ({XACRO})" if text is not None and ("${" in text or "$(" in text) else ""
        require(good, expected + xacro, BadFile, got=text)
        return values

    def bound(self, element: Element, key: str, where: str) -> float | None:
        """One number, infinite if it is beyond all bounds; None where it is missing."""
        text = element.get(key)
        if text is None:
            return None
        try:
            if abs(float(text)) > 1e50:
                return math.copysign(math.inf, float(text))
        except ValueError:
            pass
        return self.numbers(element, key, where, 1)[0]

    def origin(self, element: Element | None, where: str) -> Origin:
        """The <origin> inside an element."""
        found = None if element is None else element.find("origin")
        if found is None:
            return Origin()
        zero = (0.0, 0.0, 0.0)
        return Origin(self.numbers(found, "xyz", where, 3, zero), self.numbers(found, "rpy", where, 3, zero))


def parse_urdf(data: bytes, name: str) -> Robot:
    """The links and joints of a robot."""
    root, read = parse_xml(plain_xml(data), name), Reader(name)
    require(root.tag == "robot", f"{name}: expected <robot>, this is <{root.tag}>", BadFile)
    _macros(root, name)
    colors = {m.get("name"): color for m in root.iter("material") if (color := _rgba(read, m, "material"))}
    links, joints = {}, {}
    for element in root.findall("link"):
        link = _link(read, element, colors)
        require(link.name not in links, f"{name}: there are two links named {link.name!r}", BadFile)
        links[link.name] = link
    for element in root.findall("joint"):
        joint = _joint(read, element)
        require(joint.name not in joints, f"{name}: there are two joints named {joint.name!r}", BadFile)
        joints[joint.name] = joint
    require(links, f"{name}: a robot needs at least one <link>", BadFile)
    ignored = Counter(_ignored(root))
    unread = len(root.findall("link/collision")) - sum(len(link.collisions) for link in links.values())
    return Robot(links, joints, dict(ignored) | ({"collision": unread} if unread else {}))


def _macros(root: Element, name: str) -> None:
    """Elements of xacro that were left in a robot are told and not read; a file of them alone is no robot yet."""
    left = Counter(str(e.tag) for e in root.iter() if str(e.tag).startswith("xacro:"))
    if not left:
        return
    require(root.find("link") is not None, f"{name}: {XACRO}", BadFile)
    said = ", ".join(f"{count} <{tag}>" for tag, count in sorted(left.items()))
    called = any(tag not in DEFINITIONS for tag in left)
    missing = "; what they stand for is not in the model, unless xacro is run first" if called else ""
    doubt(f"{name}: elements of xacro are not read: {said}{missing}")


def plain_xml(data: bytes) -> bytes:
    """XML as parsers of URDF take it: comments may have "--" inside, and blanks stand before <?xml …?>."""
    data = COMMENT.sub(lambda found: b"\n" * found.group().count(b"\n"), data)
    early = DECLARATION.match(data)
    return data if early is None else b"\n" * early.group().count(b"\n") + data[early.end() :]


def _ignored(root: Element) -> Iterator[str]:
    """The tags of what is not read."""
    for parent in (root, *root.findall("link"), *root.findall("joint")):
        yield from (str(child.tag) for child in parent if child.tag not in KNOWN[parent.tag])


def _rgba(read: Reader, material: Element, where: str) -> tuple[float, ...] | None:
    """Red, green and blue from 0 to 1; None if there are none that can be read."""
    found = material.find("color")
    try:
        values = None if found is None else read.numbers(found, "rgba", where, 4)[:3]
    except BadFile:
        return None
    return None if values is None else tuple(min(max(x, 0.0), 1.0) for x in values)


def _link(read: Reader, element: Element, colors: dict) -> Link:
    name = read.text(element, "name", "a link")
    where = f"link {name!r}"
    shapes, undrawn = _shapes(read, element.findall("visual"), where, colors)
    collisions, _ = _shapes(read, element.findall("collision"), where, colors)
    inertial = element.find("inertial")
    if inertial is None:
        return Link(name, shapes=shapes, undrawn=undrawn, collisions=collisions)
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    if mass is None or inertia is None:
        raise BadFile(f"{read.name}: {where}: <inertial> needs <mass> and <inertia>")
    moment = [read.numbers(inertia, key, where, 1)[0] for key in ("ixx", "iyy", "izz")]
    moment += [read.numbers(inertia, key, where, 1, (0.0,))[0] for key in ("ixy", "ixz", "iyz")]
    kilograms = read.numbers(mass, "value", where, 1)[0]
    return Link(name, kilograms, read.origin(inertial, where), tuple(moment), shapes, undrawn, collisions)


def _shapes(read: Reader, found: list, where: str, colors: dict) -> tuple[tuple[Geometry, ...], tuple[str, ...]]:
    """What can be drawn, and what is wrong with the rest."""
    shapes, undrawn = [], []
    for visual in found:
        try:
            shapes += _geometry(read, visual, where, colors)
        except BadFile as error:
            undrawn.append(str(error).removeprefix(f"{read.name}: "))
    return tuple(shapes), tuple(undrawn)


def _geometry(read: Reader, visual: Element, where: str, colors: dict) -> list[Geometry]:
    geometry, material = visual.find("geometry"), visual.find("material")
    if geometry is None or len(geometry) == 0:
        return []
    shape, origin = geometry[0], read.origin(visual, where)
    color = None if material is None else (_rgba(read, material, where) or colors.get(material.get("name")))
    if shape.tag == "mesh":
        scale = read.numbers(shape, "scale", where, 3, (1.0, 1.0, 1.0))
        require(all(scale), f"{read.name}: {where}: the scale of a mesh must not be zero", BadFile, got=scale)
        return [Geometry("mesh", scale, origin, color, read.text(shape, "filename", where))]
    rod = [("radius", 1), ("length", 1)]
    keys = {"box": [("size", 3)], "sphere": [("radius", 1)], "cylinder": rod, "capsule": rod}
    known = f"{read.name}: {where}: a geometry is box, sphere, cylinder, capsule or mesh"
    require(shape.tag in keys, known, BadFile, got=shape.tag)
    size = tuple(x for key, count in keys[shape.tag] for x in read.numbers(shape, key, where, count))
    good = all(x > 0 for x in size)
    require(good, f"{read.name}: {where}: the lengths of a {shape.tag} must be positive", BadFile, got=size)
    return [Geometry(shape.tag, size, origin, color)]


def _joint(read: Reader, element: Element) -> UrdfJoint:
    name = read.text(element, "name", "a joint")
    where = f"joint {name!r}"
    ends = {}
    for key in ("parent", "child"):
        found = element.find(key)
        if found is None:
            raise BadFile(f"{read.name}: {where}: <{key} link=…> is missing")
        ends[key] = read.text(found, "link", where)
    axis, dynamics, limit = element.find("axis"), element.find("dynamics"), element.find("limit")
    return UrdfJoint(
        name, read.text(element, "type", where), ends["parent"], ends["child"], read.origin(element, where),
        (1.0, 0.0, 0.0) if axis is None else read.numbers(axis, "xyz", where, 3, (1.0, 0.0, 0.0)),
        None if limit is None else Limit(*(read.bound(limit, k, where) for k in LIMITS)),
        _dynamics(read, dynamics, "damping", where),
        _dynamics(read, dynamics, "friction", where),
        _mimic(read, element, where),
    )  # fmt: skip


def _dynamics(read: Reader, dynamics: Element | None, key: str, where: str) -> float:
    return 0.0 if dynamics is None else read.numbers(dynamics, key, where, 1, (0.0,))[0]


def _mimic(read: Reader, element: Element, where: str) -> tuple[str, float, float] | None:
    mimic = element.find("mimic")
    if mimic is None:
        return None
    ratio, offset = (read.numbers(mimic, k, where, 1, (d,))[0] for k, d in (("multiplier", 1.0), ("offset", 0.0)))
    return read.text(mimic, "joint", where), ratio, offset
