"""`load_osim`: a model of OpenSim as a model of condyle."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...errors import BadFile, CondyleError
from ...formats.safe_files import read_bytes
from ...joints.functions import Function, Sum
from ...model import Marker, Model, ModelBuilder
from ...model.constraints import Couple, weld
from ...model.look.shapes import Shape
from ...model.motion_types import ROTATIONAL
from ...spatial import Inertia
from ..inertias import checked_way
from .bodies import inertia_of
from .components import component_of
from .constraints import constraint_of
from .contacts import surface_of
from .display_geometry import Meshes, shapes_in
from .forces import Known, force_of
from .joints.names_apart import keep_apart
from .joints.osim_coordinates import Coordinate
from .links import (
    COMPONENTS,
    Link,
    body_nodes,
    carried,
    frames_of,
    ground_nodes,
    is_member,
    joint_nodes,
    link_of,
    owners,
)
from .omissions import Report
from .osim_document import Node, open_document, said_again
from .osim_muscles import with_muscles
from .osim_paths import wrap_object_of
from .osim_records import Component, Force, OpenSim, WrapObject
from .physical_frames import Frame, Frames

GRAVITY = (0.0, -9.80665, 0.0)
READ = {
    "credits", "publications", "length_units", "force_units", "gravity", "assembly_accuracy", "defaults", "Ground",
    "ground", "BodySet", "JointSet", "FrameSet", "ConstraintSet", "ForceSet", "MarkerSet", "ContactGeometrySet",
    "ControllerSet", "ProbeSet", "ComponentSet", "components", "AnalysisSet", "ModelVisualPreferences",
    "VisibleObject", "use_visualizer",
}  # fmt: skip
CONTROLS = ("ControllerSet", "ProbeSet", "AnalysisSet")  # nothing moves by them as long as no muscle pulls
OTHERS = (*CONTROLS, "ComponentSet", "components", "MarkerSet")
LISTS = tuple(COMPONENTS.values())
FRAMES = ("PhysicalOffsetFrame", "Station", "StationDefinedFrame")
NOTHING = "nothing"  # the body of a model that has none
RENAMED = "renamed: another joint, or a coordinate of another joint, has that name"
DEEP = "not read, as it stands inside of another object: condyle reads the components of the model itself"


def load_osim(
    path: Path, inertias: str | None = None, geometry: Iterable[Path] = (), couplers: str | None = None
) -> Model:
    """The model of an .osim file: bodies, joints and coordinates by OpenSim's names, the rest in `model.opensim`.

    Coordinates that a coupler holds are functions of their drivers, unless couplers="constraint".
    """
    return model_of(open_document(read_bytes(path), path), path, inertias, geometry, couplers or "fold")


def model_of(
    node: Node, path: Path, inertias: str | None = None, geometry: Iterable[Path] = (), couplers: str = "constraint"
) -> Model:
    """The model of a document that was opened before."""
    way = checked_way(inertias, "keep")
    try:
        model = Reader(node, path, way, geometry).model()
        return model.folded() if couplers == "fold" else model
    except BadFile:
        raise
    except CondyleError as error:
        raise BadFile(f"{path}: {error}") from error


class Reader:
    """Reads a model once, in the order in which its parts need each other."""

    def __init__(self, node: Node, path: Path, way: str, geometry: Iterable[Path]) -> None:
        self.node, self.path, self.way, self.report = node, path, way, Report()
        self.meshes = Meshes(path.parent, geometry, self.report)
        self.builder = ModelBuilder(node.vector("gravity", 3, GRAVITY))
        self.body_nodes = body_nodes(node)
        joints = joint_nodes(node, self.body_nodes)
        for joint in joints:
            if joint.node.name not in ("", joint.name):
                self.report.add("joints", joint.name, RENAMED, quiet=True)
        for joint, name, new in keep_apart(node, [(joint.name, joint.node) for joint in joints]):
            self.report.doubt("coordinates", new, f"called so here: another joint than {joint} has a {name!r} too")
        self.frames = frames_of(node, self.body_nodes, joints)
        self.links = [link_of(joint, self.frames) for joint in joints]
        self.coordinates: dict[str, Coordinate] = {}
        self.moving: dict[str, str] = {}  # coordinates that move something → joint.coordinate

    def model(self) -> Model:
        """The model with everything that the file says."""
        self._unread()
        self.shapes = self._frame_shapes()
        self._bodies()
        self._coordinates()
        constraints = self._constraints()
        forces = self._forces()
        opensim = OpenSim(
            self.node.name, self.node.version, self.coordinates, forces, constraints, self._wraps(),
            tuple(map(component_of, self.node.objects("ContactGeometrySet"))), self._others(),
            tuple(self.shapes.get(None, [])),
        )  # fmt: skip
        model = with_muscles(self.builder.build(), forces, opensim.wraps, self.coordinates, self.report)
        model = replace(
            model, folder=self.path.parent, markers=self._markers(), opensim=opensim,
            motion_types={full: self.coordinates[name].motion_type for name, full in self.moving.items()},
            notes=self.report.notes(),
        )  # fmt: skip
        self.report.warn(self.path)
        return model

    def _unread(self) -> None:
        """Report what the model has that is not looked at."""
        for node in self.node.children():
            if node.tag not in READ:
                self.report.add(f"<{node.tag}>", node.name, "not read: condyle does not know what it says")
        for element in self.node.element.iter():
            if name := element.get("file", "").strip():
                self.report.add(f"<{element.tag}>", name, "not read: it is in a file of its own")
            if element.tag == "components" and element is not self.node.element.find("components"):
                self._inside(element)
            for again in said_again(element):
                self.report.add(f"<{again.tag}>", f"line {again.line}", "not read: said before, and the first counts")

    def _inside(self, element: ET.Element) -> None:
        """Report the components of a body, joint or frame that are no frames."""
        for child in element:
            if child.tag not in FRAMES:
                self.report.add(f"<{child.tag}>", child.get("name", ""), DEEP)

    def _carriers(self) -> list[tuple[Node, Frame]]:
        """What can carry shapes and wrap objects: ground, bodies, and frames at an offset from them."""
        grounds = [(node, Frame(None, np.eye(4))) for node in ground_nodes(self.node)]
        bodies = [(node, Frame(name, np.eye(4))) for name, node in self.body_nodes.items()]
        return [*grounds, *bodies, *self.frames.offsets()]

    def _frame_shapes(self) -> dict[str | None, list[Shape]]:
        """Shapes of bodies, and of frames that are fixed to them; ground is None."""
        found: dict[str | None, list[Shape]] = {}
        for node, frame in self._carriers():
            drawn = (replace(s, pose=frame.pose @ s.pose) for s in shapes_in(node, self.meshes, self.report))
            found.setdefault(frame.body, []).extend(drawn)
        return found

    def _bodies(self) -> None:
        """The tree, and the coordinates of its joints by name."""
        if not self.body_nodes:
            self.report.add("bodies", NOTHING, "without mass and held by ground: the file has no bodies")
            self.builder.add_body(NOTHING, None, None, Inertia.massless())
        for one, link in carried(self.links, self.body_nodes):
            if one is None:
                self._close(link)
                continue
            node = self.body_nodes[one.body]
            shapes = self.shapes.get(one.body, [])
            self.builder.add_body(one.body, one.parent, one.joint, inertia_of(node, self.way, self.report),
                                  one.placement, one.offset, one.joint_name, shapes)  # fmt: skip
            if link is None:
                self.report.add("bodies", one.body, "without a joint, so free, as in OpenSim")
            else:
                self._take(link)

    def _close(self, link: Link | None) -> None:
        """A weld that closes a loop."""
        if link is not None:
            a, b = link.parent, link.child
            constant = link.joint.segments[0].poses[0]  # all that a joint without coordinates has
            self.builder.add_constraint(weld(a.body, a.pose @ constant, b.body, b.pose))

    def _take(self, link: Link) -> None:
        for c in link.coordinates:
            if c.name in self.coordinates:
                link.node.fail(f"there is already a coordinate {c.name!r}, in joint {self.coordinates[c.name].joint!r}")
            self.coordinates[c.name] = replace(c, joint=link.name, motion_type=link.types.get(c.name, ""))
        for name in link.idle:
            self.report.add("coordinates", name, "left out of the model, as they move nothing")

    def _coordinates(self) -> None:
        """Ranges, defaults, and what is locked or prescribed."""
        self.moving = {name: f"{c.joint}.{name}" for name, c in self.coordinates.items() if c.motion_type}
        for name, full in self.moving.items():
            c = self.coordinates[name]
            if c.range is not None:
                self.builder.set_range(full, *c.range)
            self.builder.set_default(full, c.default)
            if c.prescribed and c.function is not None:
                if c.locked:
                    self.report.add("coordinates", name, "locked and prescribed: moves as prescribed")
                self.builder.prescribe(full, *_motion(c.function))
            elif c.locked:
                self.builder.prescribe(full, c.default)

    def _constraints(self) -> tuple[Component, ...]:
        nodes = owners(self.node, "ConstraintSet")
        still = (c for c in self.coordinates.values() if c.locked or c.prescribed)
        held = {f"{c.joint}.{c.name}" for c in still}
        for path, node in nodes:
            found = constraint_of(node, path, self.frames, self.moving, self.report)
            if isinstance(found, Couple) and {found.coordinate, *found.others} <= held:
                self.report.add(node.tag, node.name, "left out, as all that they couple is locked or prescribed")
            elif found is not None:
                self.builder.add_constraint(found)
        return tuple(component_of(node) for _, node in nodes)

    def _forces(self) -> tuple[Force, ...]:
        turning = frozenset(name for name, c in self.coordinates.items() if c.motion_type == ROTATIONAL)
        nodes = self.node.objects("ContactGeometrySet")
        surfaces = {n.name: found for n in nodes if (found := surface_of(n, self.frames)) is not None}
        known = Known(self.frames, self.builder, self.moving, turning, self.report, surfaces)
        return tuple(force_of(node, path, known) for path, node in owners(self.node, "ForceSet"))

    def _wraps(self) -> tuple[WrapObject, ...]:
        return tuple(
            wrap_object_of(w, frame) for node, frame in self._carriers() for w in node.objects("WrapObjectSet")
        )

    def _markers(self) -> tuple[Marker, ...]:
        found = [_marker(node, self.frames) for node in self.node.objects("MarkerSet") if node.tag == "Marker"]
        taken: set[str] = set()
        for k, marker in enumerate(found):
            name, number = marker.name, 0
            while name in taken:
                name, number = f"{marker.name}_{number}", number + 1
            if name != marker.name:
                self.report.add("markers", name, "renamed, as in OpenSim: another one has that name")
            taken.add(name)
            found[k] = replace(marker, name=name)
        return tuple(found)

    def _others(self) -> tuple[Component, ...]:
        found = [(tag, node) for tag in OTHERS for node in self.node.objects(tag) if not _is_read(node.tag, tag)]
        for tag, node in found:
            self.report.add(node.tag, node.name, "kept in model.opensim.others, without effect", tag in CONTROLS)
        return tuple(component_of(node) for _, node in found)


def _is_read(tag: str, holder: str) -> bool:
    """Whether objects of a class have a place of their own in the model when they stand in this list."""
    return tag in FRAMES or (holder == "MarkerSet" and tag == "Marker") or (holder in LISTS and is_member(tag))


def _marker(node: Node, frames: Frames) -> Marker:
    frame = frames.resolve(node.socket("parent_frame", "body") or "", f"/markerset/{node.name}", node)
    location = node.vector("location", 3, [0.0] * 3)
    return Marker(node.name, frame.body, frame.pose[:3, :3] @ location + frame.pose[:3, 3], node.flag("fixed", False))


@dataclass(frozen=True)
class Derivative:
    """A derivative of a function of time."""

    function: Function | Sum
    order: int

    def __call__(self, t: float) -> float:
        return self.function.derivative(t, order=self.order)


def _motion(function: Function | Sum) -> tuple:
    """A function of time with its rate and acceleration."""
    if not function.coordinates:
        return (float(np.asarray(function())),)
    return function, Derivative(function, 1), Derivative(function, 2)
