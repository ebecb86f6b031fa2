"""Forces of a file: kept as data, and as loads of the model where condyle has the same law."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...forces.kernels.laws.bushing import BUSHING
from ...model import ModelBuilder
from .components import properties_of
from .contacts import Contact, Touching, hunt_crossley_contacts, smooth_contacts
from .omissions import Report
from .osim_document import Node
from .osim_paths import PATHS, path_of
from .osim_records import Force
from .physical_frames import Frame, Frames, euler_pose, on_body

IDLE = "kept in model.opensim.forces, no force in the model"
DRIVEN = "kept in model.opensim.forces, no force without a control"
OLD_NAMES = {"pennation_angle": "pennation_angle_at_optimal"}
ACTUATORS = ("CoordinateActuator", "TorqueActuator", "PointActuator", "PointToPointActuator", "BodyActuator",
             "ActivationCoordinateActuator", "PathActuator", "SimpleActuator")  # fmt: skip


class Known(NamedTuple):
    """What forces refer to: frames, the builder, joint.coordinate of coordinates, those that turn, and the report."""

    frames: Frames
    builder: ModelBuilder
    moving: dict[str, str]
    turning: frozenset[str]
    report: Report
    surfaces: dict[str, Touching]  # of contact

    def add(self, law: str, at: Any, name: str, constants: dict[str, float], share: float = 0.5) -> bool:
        """Add a force to the model, by the file's name where that is free."""
        free = bool(name) and not self.builder.has_force(name)
        self.builder.add_force(law, at, name=name if free else None, share=share, **constants)
        return True


def force_of(node: Node, owner: str, known: Known) -> Force:
    """The record of the force at the path `owner`; added to the builder where that has its law, else reported."""
    applies = node.turned_on("appliesForce")
    add = LOADS.get(node.tag)
    acts = bool(applies and add is not None and add(node, owner, known))
    properties = {OLD_NAMES.get(k, k): x for k, x in properties_of(node, PATHS).items() if not _unset(node, k, x)}
    force = Force(node.tag, node.name, properties, node.element.line, path_of(node, owner, known.frames), applies, acts)
    if not acts and force.path is None:
        _tell(force, known.report)
    return force


def _unset(node: Node, name: str, value: object) -> bool:
    """Whether a control bound of a muscle is one that old files write for "as the class has it"."""
    return (
        node.version < 30513 and "Muscle" in node.tag and (name, value) in (("min_control", 0.0), ("max_control", 1.0))
    )


def _tell(force: Force, report: Report) -> None:
    """Report a force that does not act and is no muscle of the model."""
    if not force.applies:
        report.add(force.kind, force.name, "turned off in the file", quiet=True)
    elif force.kind in ACTUATORS:
        report.add(force.kind, force.name, DRIVEN, quiet=True)
    else:
        report.add(force.kind, force.name, IDLE)


def _coordinate_spring(node: Node, owner: str, known: Known) -> bool:
    """−stiffness (q − rest) − viscosity q̇."""
    coordinate = node.text("coordinate")
    numbers = [node.number(tag, 0.0) for tag in ("stiffness", "rest_length", "viscosity")]
    if coordinate not in known.moving or numbers[0] < 0.0 or numbers[2] < 0.0:
        return False
    constants = {"stiffness": numbers[0], "rest": numbers[1], "damping": numbers[2]}
    return known.add("coordinate_spring", known.moving[coordinate], node.name, constants)


def _point_spring(node: Node, owner: str, known: Known) -> bool:
    """A linear spring between two points."""
    texts = [node.socket(f"body{k}", f"body{k}") for k in (1, 2)]
    if not all(texts):
        node.fail("it does not say its two bodies")
    a, b = (on_body(known.frames.resolve(text, owner, node), node, known.report).body for text in texts)
    p, q = (node.vector(f"point{k}", 3, [0.0] * 3) for k in (1, 2))
    stiffness, length = node.number("stiffness", 1.0), node.number("rest_length", 0.0)
    if a == b or stiffness < 0.0 or length < 0.0:
        return False
    return known.add("spring", (a, p, b, q), node.name, {"stiffness": stiffness, "length": length})


def _coordinate_limit(node: Node, owner: str, known: Known) -> bool:
    """Stiffness and damping that rise over a transition beyond the limits; by degrees where the coordinate turns."""
    coordinate = node.text("coordinate")
    unit = np.pi / 180 if coordinate in known.turning else 1.0
    given = ("lower_stiffness", 1.0), ("upper_stiffness", 1.0), ("damping", 0.001)
    below, above, damping = (node.number(*pair) / unit for pair in given)
    given = ("lower_limit", 0.0), ("upper_limit", 0.0), ("transition", 0.1)
    low, high, width = (node.number(*pair) * unit for pair in given)
    if coordinate not in known.moving or min(below, above, damping) < 0.0 or width <= 0.0 or high < low:
        return False
    constants = {"low": low, "high": high, "stiffness_below": below, "stiffness_above": above}
    constants |= {"damping": damping, "transition": width}
    return known.add("soft_limit", known.moving[coordinate], node.name, constants)


def _bushing(node: Node, owner: str, known: Known) -> bool:
    """Six springs and dampers between two frames."""
    ends = [_bushing_frame(node, k, owner, known.frames) for k in (1, 2)]
    tags = ("rotational_stiffness", "translational_stiffness", "rotational_damping", "translational_damping")
    values = [node.vector(tag, 3, [0.0] * 3) for tag in tags]
    if ends[0].body == ends[1].body or min(x for v in values for x in v) < 0.0:
        return False
    a, b = ends
    constants = dict(zip(BUSHING.constants, (x for v in values for x in v), strict=True))
    return known.add("bushing", (a.body, a.pose, b.body, b.pose), node.name, constants)


def _smooth_contact(node: Node, owner: str, known: Known) -> bool:
    """A sphere on a half space."""
    return _contacts(node, known, smooth_contacts(node, known.surfaces))


def _hunt_crossley(node: Node, owner: str, known: Known) -> bool:
    """Spheres on a half space and on each other."""
    return _contacts(node, known, hunt_crossley_contacts(node, known.surfaces))


def _contacts(node: Node, known: Known, found: list[Contact]) -> bool:
    """All contacts of a force; it acts if there are some."""
    for contact in found:
        name = node.name if len(found) == 1 else f"{node.name}:{contact.title}"
        known.add(contact.law, contact.at, name, contact.constants, contact.share)
    return bool(found)


def _bushing_frame(node: Node, number: int, owner: str, frames: Frames) -> Frame:
    text = node.socket(f"frame{number}") or node.socket(f"body_{number}", f"body_{number}")
    if not text:
        node.fail(f"it does not say its frame {number}")
    frame = frames.resolve(text, owner, node)
    place, turn = (node.vector(f"{what}_body_{number}", 3, [0.0] * 3) for what in ("location", "orientation"))
    return Frame(frame.body, frame.pose @ euler_pose(place, turn))


LOADS: dict[str, Callable[[Node, str, Known], bool]] = {
    "SpringGeneralizedForce": _coordinate_spring,
    "PointToPointSpring": _point_spring,
    "CoordinateLimitForce": _coordinate_limit,
    "BushingForce": _bushing,
    "SmoothSphereHalfSpaceForce": _smooth_contact,
    "HuntCrossleyForce": _hunt_crossley,
}
