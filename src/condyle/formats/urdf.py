"""URDF files as plain data: links, joints, shapes. Units are SI and radians, as URDF says."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from ..errors import BadFile, require
from .xml import parse_xml

__all__ = ["Geometry", "Link", "Origin", "Robot", "UrdfJoint", "parse_urdf"]


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
    """A body; without an inertial it has no mass."""

    name: str
    mass: float = 0.0
    inertial: Origin = Origin()
    moment: tuple[float, ...] = (0.0,) * 6  # xx yy zz xy xz yz
    shapes: tuple[Geometry, ...] = ()


@dataclass(frozen=True)
class UrdfJoint:
    """A joint from parent to child."""

    name: str
    kind: str
    parent: str
    child: str
    origin: Origin
    axis: tuple[float, ...]
    limits: tuple[float, float] | None = None
    damping: float = 0.0
    mimic: tuple[str, float, float] | None = None


@dataclass(frozen=True)
class Robot:
    """Links and joints in the order of the file."""

    links: dict[str, Link] = field(default_factory=dict)
    joints: dict[str, UrdfJoint] = field(default_factory=dict)


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
        xacro = "" if text is None or "${" not in text else " (expand it first: xacro robot.xacro > robot.urdf)"
        require(good, expected + xacro, BadFile, got=text)
        return values

    def origin(self, element: Element | None, where: str) -> Origin:
        """The <origin> inside an element."""
        found = None if element is None else element.find("origin")
        if found is None:
            return Origin()
        zero = (0.0, 0.0, 0.0)
        return Origin(self.numbers(found, "xyz", where, 3, zero), self.numbers(found, "rpy", where, 3, zero))


def parse_urdf(data: bytes, name: str) -> Robot:
    """The links and joints of a robot."""
    root, read = parse_xml(data, name), Reader(name)
    require(root.tag == "robot", f"{name}: expected <robot>, this is <{root.tag}>", BadFile)
    colors = {m.get("name"): _rgba(read, m, "material") for m in root.findall("material")}
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
    return Robot(links, joints)


def _rgba(read: Reader, material: Element, where: str) -> tuple[float, ...] | None:
    found = material.find("color")
    return None if found is None else read.numbers(found, "rgba", where, 4)[:3]


def _link(read: Reader, element: Element, colors: dict) -> Link:
    name = read.text(element, "name", "a link")
    where = f"link {name!r}"
    shapes = tuple(s for v in element.findall("visual") for s in _geometry(read, v, where, colors))
    inertial = element.find("inertial")
    if inertial is None:
        return Link(name, shapes=shapes)
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    missing = f"{read.name}: {where}: <inertial> needs <mass> and <inertia>"
    if mass is None or inertia is None:
        raise BadFile(missing)
    keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    moment = tuple(read.numbers(inertia, key, where, 1, (0.0,))[0] for key in keys)
    return Link(name, read.numbers(mass, "value", where, 1)[0], read.origin(inertial, where), moment, shapes)


def _geometry(read: Reader, visual: Element, where: str, colors: dict) -> list[Geometry]:
    geometry, material = visual.find("geometry"), visual.find("material")
    if geometry is None or len(geometry) == 0:
        return []
    shape, origin = geometry[0], read.origin(visual, where)
    color = None if material is None else (_rgba(read, material, where) or colors.get(material.get("name")))
    if shape.tag == "mesh":
        scale = read.numbers(shape, "scale", where, 3, (1.0, 1.0, 1.0))
        path = read.text(shape, "filename", where)
        return [Geometry("mesh", scale, origin, color, path)]
    rod = [("radius", 1), ("length", 1)]
    keys = {"box": [("size", 3)], "sphere": [("radius", 1)], "cylinder": rod, "capsule": rod}
    known = f"{read.name}: {where}: a geometry is box, sphere, cylinder, capsule or mesh"
    require(shape.tag in keys, known, BadFile, got=shape.tag)
    size = tuple(x for key, count in keys[shape.tag] for x in read.numbers(shape, key, where, count))
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
    axis, dynamics = element.find("axis"), element.find("dynamics")
    return UrdfJoint(
        name, read.text(element, "type", where), ends["parent"], ends["child"], read.origin(element, where),
        (1.0, 0.0, 0.0) if axis is None else read.numbers(axis, "xyz", where, 3),
        _limits(read, element, where),
        0.0 if dynamics is None else read.numbers(dynamics, "damping", where, 1, (0.0,))[0],
        _mimic(read, element, where),
    )  # fmt: skip


def _limits(read: Reader, element: Element, where: str) -> tuple[float, float] | None:
    limit = element.find("limit")
    if limit is None or element.get("type") not in ("revolute", "prismatic"):
        return None
    return tuple(read.numbers(limit, key, where, 1, (0.0,))[0] for key in ("lower", "upper"))  # type: ignore[return-value]


def _mimic(read: Reader, element: Element, where: str) -> tuple[str, float, float] | None:
    mimic = element.find("mimic")
    if mimic is None:
        return None
    ratio, offset = (read.numbers(mimic, k, where, 1, (d,))[0] for k, d in (("multiplier", 1.0), ("offset", 0.0)))
    return read.text(mimic, "joint", where), ratio, offset
