"""SDF files as plain data: models of links and joints, with frames that stand in each other. SI units and radians."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from ..errors import BadFile, require
from .urdf import Geometry, Origin, plain_xml
from .xml import parse_xml

MODEL, WORLD = "__model__", "world"
NO_LIMIT = 1e16  # what SDF writes for a limit that is none
KNOWN = {
    "model": ("link", "joint", "frame", "pose", "static"),
    "link": ("inertial", "visual", "pose"),
    "joint": ("parent", "child", "pose", "axis", "axis2", "screw_thread_pitch"),
}
SIZES = {"box": ("size", 3), "sphere": ("radius", 1), "ellipsoid": ("radii", 3)}
EXPAND = "let SDFormat's own tool write it out first: gz sdf -p model.sdf > flat.sdf"


@dataclass(frozen=True)
class Place:
    """A pose: position, and angles about fixed x, y, z or a quaternion (wxyz), in the frame of a name."""

    xyz: tuple[float, ...] = (0.0, 0.0, 0.0)
    turn: tuple[float, ...] = (0.0, 0.0, 0.0)
    base: str = ""


@dataclass(frozen=True)
class SdfLink:
    """A body; moments xx yy zz xy xz yz are about its centre of mass in the axes of `inertial`."""

    name: str
    mass: float
    inertial: Place
    moment: tuple[float, ...]
    shapes: tuple[tuple[Geometry, Place], ...] = ()
    undrawn: tuple[str, ...] = ()


@dataclass(frozen=True)
class Axis:
    """An axis in the frame of a name; None where a limit is not given. `mimic`: joint, factor, offset, reference."""

    xyz: tuple[float, ...]
    base: str
    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None
    damping: float = 0.0
    friction: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    mimic: tuple[str, float, float, float] | None = None


@dataclass(frozen=True)
class SdfJoint:
    """A joint from parent to child, which are links, frames or the world."""

    name: str
    kind: str
    parent: str
    child: str
    axes: tuple[Axis, ...]
    pitch: float = 0.0  # [m] per turn, of a screw


@dataclass(frozen=True)
class SdfModel:
    """Links and joints in the order of the file, and where every frame stands: name → place in another one."""

    name: str
    place: Place
    static: bool
    links: dict[str, SdfLink] = field(default_factory=dict)
    joints: dict[str, SdfJoint] = field(default_factory=dict)
    frames: dict[str, Place] = field(default_factory=dict)
    attached: dict[str, str] = field(default_factory=dict)  # frame → what carries it
    ignored: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SdfFile:
    """Models, and the gravity of the world if the file has one."""

    models: tuple[SdfModel, ...]
    gravity: tuple[float, ...] | None = None
    ignored: dict[str, int] = field(default_factory=dict)


class Reader:
    """Reads elements and says where what is wrong."""

    def __init__(self, name: str, version: tuple[int, ...]) -> None:
        self.name, self.version = name, version

    def error(self, element: Element, words: str) -> BadFile:
        """An error with the line of an element."""
        return BadFile(f"{self.name}, line {getattr(element, 'line', '?')}: {words}")

    def named(self, element: Element) -> str:
        """The name that an element must have."""
        name = (element.get("name") or "").strip()
        if not name:
            raise self.error(element, f"<{element.tag}> needs a name")
        return name

    def text(self, parent: Element, tag: str, default: str = "") -> str:
        """The text of a child element."""
        found = parent.find(tag)
        return default if found is None else (found.text or "").strip()

    def switch(self, parent: Element, tag: str) -> bool:
        """Whether a child element says true."""
        return self.text(parent, tag, "false").lower() in ("true", "1")

    def numbers(self, element: Element | None, count: int, default: tuple[float, ...]) -> tuple[float, ...]:
        """Finite numbers, as many as expected; the default where the element is missing or empty."""
        words = [] if element is None else (element.text or "").split()
        if element is None or not words:
            return default
        try:
            values = tuple(float(w) for w in words)
        except ValueError:
            values = ()
        if len(values) != count or not all(math.isfinite(x) and abs(x) <= 1e50 for x in values):
            raise self.error(element, f"<{element.tag}> must be {count} finite number{'s' * (count > 1)}: {words[:8]}")
        return values

    def number(self, parent: Element | None, tag: str, default: float) -> float:
        """One number of a child element."""
        found = None if parent is None else parent.find(tag)
        return self.numbers(found, 1, (default,))[0]

    def bound(self, parent: Element | None, tag: str) -> float | None:
        """A limit; None where it is missing or beyond what bounds anything."""
        text = "" if parent is None else self.text(parent, tag)
        if text.lower().lstrip("+-") in ("", "inf", "infinity"):
            return None
        value = self.number(parent, tag, 0.0)
        return None if abs(value) >= NO_LIMIT else value

    def place(self, parent: Element, base: str = "") -> Place:
        """The <pose> of an element, in the frame that it names or else in `base`."""
        pose = parent.find("pose")
        if pose is None:
            return Place(base=base)
        base = pose.get("relative_to") or pose.get("frame") or base
        if pose.get("rotation_format", "euler_rpy") == "quat_xyzw":
            x = self.numbers(pose, 7, (0.0,) * 6 + (1.0,))
            return Place(x[:3], (x[6], *x[3:6]), base)
        x = self.numbers(pose, 6, (0.0,) * 6)
        unit = math.pi / 180.0 if pose.get("degrees") in ("true", "1") else 1.0
        return Place(x[:3], tuple(unit * a for a in x[3:]), base)


def parse_sdf(data: bytes, name: str) -> SdfFile:
    """The models of a file."""
    root = parse_xml(plain_xml(data), name)
    require(root.tag == "sdf", f"{name}: expected <sdf>, this is <{root.tag}>", BadFile)
    version = tuple(int(x) if x.isdigit() else 0 for x in (root.get("version") or "1.6").split("."))[:2]
    read, worlds = Reader(name, version), root.findall("world")
    require(len(worlds) <= 1, f"{name}: {len(worlds)} worlds; a model is one of them", BadFile)
    holders = [root, *worlds]
    for include in (e for h in holders for e in h.iter("include")):
        raise read.error(include, f"<include> of {read.text(include, 'uri')!r} is not followed; {EXPAND}")
    models = tuple(_model(read, e) for h in holders for e in h.findall("model"))
    require(any(m.links for m in models), f"{name}: no model has a link", BadFile)
    names = [m.name for m in models]
    require(len(set(names)) == len(names), f"{name}: two models have one name", BadFile, got=names)
    gravity = read.numbers(worlds[0].find("gravity"), 3, (0.0, 0.0, -9.8)) if worlds else None
    others = Counter(str(e.tag) for h in holders for e in h if e.tag not in ("model", "world", "gravity"))
    return SdfFile(models, gravity, dict(others))


def _model(read: Reader, element: Element) -> SdfModel:
    name = read.named(element)
    for child in element.findall("model"):
        raise read.error(child, f"model {name!r} holds another model; {EXPAND}")
    links, joints, frames, attached = {}, {}, {MODEL: Place(base="")}, {}
    for kind in ("link", "frame", "joint"):
        for child in element.findall(kind):
            own = read.named(child)
            if own == WORLD:  # of old files: the word is that for the world itself
                continue
            if own in frames:
                raise read.error(child, f"model {name!r} has two frames named {own!r}")
            base = MODEL
            if kind == "link":
                links[own] = _link(read, child)
            elif kind == "frame":
                attached[own] = base = child.get("attached_to") or MODEL
            else:
                joints[own] = _joint(read, child)
                base = joints[own].child
            frames[own] = read.place(child, base)
    static = read.switch(element, "static")
    ignored = dict(Counter(_ignored(element)))
    return SdfModel(name, read.place(element), static, links, joints, frames, attached, ignored)


def _ignored(model: Element) -> Iterator[str]:
    """The tags of what is not read."""
    for parent in (model, *model.findall("link"), *model.findall("joint")):
        yield from (str(child.tag) for child in parent if child.tag not in KNOWN[parent.tag])
    yield from (f"{e.tag} name='world'" for e in model if e.get("name") == WORLD)


def _link(read: Reader, element: Element) -> SdfLink:
    name, inertial = read.named(element), element.find("inertial")
    if inertial is not None and inertial.get("auto") in ("true", "1"):
        raise read.error(inertial, f"link {name!r}: inertias from collision shapes (auto) are not made; write them out")
    inertia = None if inertial is None else inertial.find("inertia")
    moment = [read.number(inertia, key, 1.0) for key in ("ixx", "iyy", "izz")]
    moment += [read.number(inertia, key, 0.0) for key in ("ixy", "ixz", "iyz")]
    mass = read.number(inertial, "mass", 1.0)
    place = Place() if inertial is None else read.place(inertial)
    shapes, undrawn = [], []
    for visual in element.findall("visual"):
        try:
            shapes += _shape(read, visual)
        except BadFile as error:
            undrawn.append(f"link {name!r}: {error}")
    return SdfLink(name, mass, place, tuple(moment), tuple(shapes), tuple(undrawn))


def _shape(read: Reader, visual: Element) -> list[tuple[Geometry, Place]]:
    """What can be drawn of a <visual>; planes are the ground."""
    geometry = visual.find("geometry")
    if geometry is None or len(geometry) == 0 or geometry[0].tag in ("plane", "empty"):
        return []
    shape, color, place = geometry[0], _color(read, visual), read.place(visual)
    if shape.tag == "mesh":
        scale = read.numbers(shape.find("scale"), 3, (1.0, 1.0, 1.0))
        return [(Geometry("mesh", scale, Origin(), color, read.text(shape, "uri")), place)]
    if shape.tag in ("cylinder", "capsule"):
        size: tuple[float, ...] = (read.number(shape, "radius", 0.0), read.number(shape, "length", 0.0))
    elif shape.tag in SIZES:
        key, count = SIZES[shape.tag]
        size = read.numbers(shape.find(key), count, (0.0,) * count)
    else:
        raise read.error(shape, f"shapes of kind <{shape.tag}> are not drawn")
    if not all(x > 0.0 for x in size):
        raise read.error(shape, f"the lengths of a {shape.tag} must be positive: {size}")
    return [(Geometry(shape.tag, size, Origin(), color), place)]


def _color(read: Reader, visual: Element) -> tuple[float, ...] | None:
    """The diffuse colour, or the ambient one."""
    material = visual.find("material")
    for key in ("diffuse", "ambient"):
        words = "" if material is None else read.text(material, key)
        try:
            values = [min(max(float(w), 0.0), 1.0) for w in words.split()]
        except ValueError:
            continue
        if len(values) >= 3 and not any(map(math.isnan, values)):
            return tuple(values[:3])
    return None


def _joint(read: Reader, element: Element) -> SdfJoint:
    ends = [read.text(element, key) for key in ("parent", "child")]
    if not all(ends):
        raise read.error(element, f"joint {element.get('name')!r} needs <parent> and <child>")
    axes = tuple(_axis(read, axis) for key in ("axis", "axis2") for axis in element.findall(key))
    pitch = read.number(element, "screw_thread_pitch", 0.0)
    return SdfJoint(read.named(element), element.get("type") or "", *ends, axes, pitch)


def _axis(read: Reader, element: Element) -> Axis:
    xyz, limit, dynamics = element.find("xyz"), element.find("limit"), element.find("dynamics")
    old = read.version < (1, 5)  # before, axes were those of the model
    base = MODEL if read.text(element, "use_parent_model_frame", str(old)).lower() in ("true", "1") else ""
    base = base if xyz is None else xyz.get("expressed_in") or base
    mimic = element.find("mimic")
    follows = None if mimic is None else (
        mimic.get("joint") or "", read.number(mimic, "multiplier", 1.0), read.number(mimic, "offset", 0.0),
        read.number(mimic, "reference", 0.0))  # fmt: skip
    return Axis(
        read.numbers(xyz, 3, (0.0, 0.0, 1.0)), base,
        *(read.bound(limit, key) for key in ("lower", "upper", "effort", "velocity")),
        *(read.number(dynamics, key, 0.0) for key in ("damping", "friction", "spring_stiffness", "spring_reference")),
        mimic=follows,
    )  # fmt: skip
