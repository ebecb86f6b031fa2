"""The bodies of an MJCF file in the order in which MuJoCo counts them, with their joints, geoms and sites."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

import numpy as np

from ....errors import BadFile, require
from ....formats.mjcf.attributes import Attributes, Classes, line_of
from ....model.markers import Marker
from ....spatial import Inertia
from .compiler_settings import Compiler
from .geoms import Assets, Geom, read_geom
from .joints import MjcfJoint, read_joint

GENERATORS = ("composite", "flexcomp", "attach", "replicate")
EXPAND = "let MuJoCo write the model out: mujoco.MjSpec.from_file(path), compile() and to_xml()"


@dataclass(eq=False)
class MjcfBody:
    """A body: `pose` in its parent, and `world` where the file has it (qpos0)."""

    name: str
    parent: MjcfBody | None
    pose: np.ndarray
    world: np.ndarray
    where: str = ""
    joints: list[MjcfJoint] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    inertial: Attributes | None = None
    inertial_frame: np.ndarray = field(default_factory=lambda: np.eye(4))
    mocap: bool = False
    gravcomp: float = 0.0
    inertia: Inertia = field(default_factory=Inertia.massless)
    joint_name: str = ""  # what condyle calls its joint

    def coordinate(self, joint: MjcfJoint) -> str:
        """The full name of a coordinate."""
        return f"{self.joint_name}.{joint.name}"


class Names:
    """Names that differ from each other and have no dots."""

    def __init__(self, kind: str) -> None:
        self.kind, self.taken, self.known = kind, set(), {}

    def reserve(self, names: Iterable[str | None]) -> None:
        """Names that the file gives, which those that are made up here do not take."""
        self.taken |= {name.replace(".", "_") for name in names if name}

    def new(self, name: str | None, number: int) -> str:
        """The name in the model of what the file calls `name`."""
        if name is None:
            return self.free(f"{self.kind}_{number}")
        require(name not in self.known, f"there are two {self.kind}s named {name!r}", BadFile)
        plain = name.replace(".", "_")
        self.known[name] = plain if plain not in self.known.values() else self.free(plain + "_")
        return self.known[name]

    def free(self, name: str) -> str:
        """A name that nothing has yet, as near to the one asked for as can be."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


class Tree:
    """Reads <worldbody> into bodies; `world` holds what stands still."""

    def __init__(self, root: Element, classes: Classes, compiler: Compiler, assets: Assets) -> None:
        self.classes, self.compiler, self.assets = classes, compiler, assets
        self.body_names, self.joint_names = Names("body"), Names("joint")
        inside = [e for world in root.findall("worldbody") for e in world.iter()]
        self.body_names.reserve(e.get("name") for e in inside if e.tag == "body")
        self.joint_names.reserve(e.get("name") for e in inside if e.tag in ("joint", "freejoint"))
        self.world = MjcfBody("world", None, np.eye(4), np.eye(4))
        self.bodies: list[MjcfBody] = []
        self.sites: dict[str, tuple[MjcfBody, np.ndarray]] = {}
        self.joint_count = 0
        for world in root.findall("worldbody"):
            self._children(world, self.world, np.eye(4), None)
        self._set_apart()

    def by_name(self, name: str, where: str) -> MjcfBody:
        """The body that the file calls so; the world too."""
        plain = self.body_names.known.get(name)
        found = self.world if name == "world" else next((b for b in self.bodies if b.name == plain), None)
        require(found, f"{where}: there is no body named {name!r}", BadFile)
        return found  # type: ignore[return-value]

    def markers(self) -> tuple[Marker, ...]:
        """Sites as named points of bodies."""
        return tuple(
            Marker(name, None if body is self.world else body.name, pose[:3, 3], True)
            for name, (body, pose) in self.sites.items()
        )

    def _children(self, element: Element, body: MjcfBody, outer: np.ndarray, inherited: str | None) -> None:
        """Geoms, joints, sites and bodies inside a body, or inside a frame that stands at `outer` in it."""
        for child in element:
            tag = str(child.tag)
            words = f"{self.classes.name}, line {line_of(child)}: <{tag}> makes bodies that condyle does not make"
            require(tag not in GENERATORS, f"{words}; {EXPAND}", BadFile)
            if tag == "body":
                self._body(child, body, outer, inherited)
            elif tag == "frame":
                a = self.classes.plain(child)
                inner = a.text("childclass") or inherited
                self._children(child, body, outer @ self.compiler.angles.pose(a), inner)
            elif tag in ("joint", "freejoint"):
                self._joint(child, body, outer, inherited)
            elif tag == "geom":
                a = self.classes.of(child, tag, inherited)
                body.geoms.append(read_geom(a, outer, self.compiler.angles, self.assets))
            elif tag == "site":
                self._site(child, body, outer, inherited)
            elif tag == "inertial":
                body.inertial, body.inertial_frame = self.classes.plain(child), outer

    def _body(self, element: Element, parent: MjcfBody, outer: np.ndarray, inherited: str | None) -> None:
        a = self.classes.plain(element)
        pose = outer @ self.compiler.angles.pose(a)
        name = self.body_names.new(a.text("name") or None, len(self.bodies) + 1)
        body = MjcfBody(name, parent, pose, parent.world @ pose, a.where)
        body.mocap, body.gravcomp = a.switch("mocap"), a.number("gravcomp", 0.0)
        self.bodies.append(body)
        self._children(element, body, np.eye(4), a.text("childclass") or inherited)

    def _joint(self, element: Element, body: MjcfBody, outer: np.ndarray, inherited: str | None) -> None:
        free = element.tag == "freejoint"
        a = self.classes.plain(element) if free else self.classes.of(element, "joint", inherited)
        require(body is not self.world, f"{a.where}: the world has no joints", BadFile)
        name = self.joint_names.new(a.text("name") or None, self.joint_count)
        self.joint_count += 1
        body.joints.append(read_joint(a, name, outer, self.compiler))
        kinds = [j.kind for j in body.joints]
        good = kinds == ["free"] if "free" in kinds else True
        require(good, f"{a.where}: a body with a free joint has no other joint", BadFile)
        top = "free" not in kinds or body.parent is self.world
        require(top, f"{a.where}: only a child of the world can have a free joint", BadFile)

    def _site(self, element: Element, body: MjcfBody, outer: np.ndarray, inherited: str | None) -> None:
        a = self.classes.of(element, "site", inherited)
        if a.has("fromto"):
            ends = np.array(a.numbers("fromto", 6)).reshape(2, 3)
            pose = np.eye(4)
            pose[:3, 3] = ends.mean(axis=0)
        else:
            pose = self.compiler.angles.pose(a)
        if a.has("name"):
            self.sites[a.text("name")] = (body, outer @ pose)

    def _set_apart(self) -> None:
        """The joint of a body is called as the only one that the file gives it, else as the body if no joint is."""
        taken = {j.name for b in self.bodies for j in b.joints}
        for body in self.bodies:
            body.joint_name = body.joints[0].name if len(body.joints) == 1 else body.name
            while len(body.joints) != 1 and body.joint_name in taken:
                body.joint_name += "_"
            taken.add(body.joint_name)
