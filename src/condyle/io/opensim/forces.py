"""Forces of a file: kept as data, and as loads of the model where condyle has the same law."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...model import ModelBuilder
from .components import properties_of
from .document import Node
from .frames import Frames
from .paths import PATHS, path_of
from .records import Force
from .report import Report

IDLE = "kept in model.opensim.forces, no force in the model"
DRIVEN = "kept in model.opensim.forces, no force without a control"
OLD_NAMES = {"pennation_angle": "pennation_angle_at_optimal"}
ACTUATORS = ("CoordinateActuator", "TorqueActuator", "PointActuator", "PointToPointActuator", "BodyActuator",
             "ActivationCoordinateActuator", "PathActuator", "SimpleActuator")  # fmt: skip


def force_of(
    node: Node, owner: str, frames: Frames, builder: ModelBuilder, moving: dict[str, str], report: Report
) -> Force:  # fmt: skip
    """The record of the force at the path `owner`; added to the builder where that has its law, else reported."""
    applies = node.flag("appliesForce", not node.flag("isDisabled", False))
    add = LOADS.get(node.tag)
    acts = bool(applies and add is not None and add(node, owner, frames, builder, moving))
    properties = {OLD_NAMES.get(k, k): x for k, x in properties_of(node, PATHS).items() if not _unset(node, k, x)}
    force = Force(node.tag, node.name, properties, node.element.line, path_of(node, owner, frames), applies, acts)
    if not acts:
        _tell(force, report)
    return force


def _unset(node: Node, name: str, value: object) -> bool:
    """Whether a control bound of a muscle is one that old files write for "as the class has it"."""
    return (
        node.version < 30513 and "Muscle" in node.tag and (name, value) in (("min_control", 0.0), ("max_control", 1.0))
    )


def _tell(force: Force, report: Report) -> None:
    if not force.applies:
        report.add(force.kind, force.name, "turned off in the file", quiet=True)
    elif force.kind in ACTUATORS:
        report.add(force.kind, force.name, DRIVEN, quiet=True)
    else:
        report.add("muscles" if force.is_muscle else force.kind, force.name, IDLE)


def _coordinate_spring(node: Node, owner: str, frames: Frames, builder: ModelBuilder, moving: dict[str, str]) -> bool:
    """−stiffness (q − rest) − viscosity q̇."""
    coordinate = node.text("coordinate")
    numbers = [node.number(tag, 0.0) for tag in ("stiffness", "rest_length", "viscosity")]
    if coordinate not in moving or numbers[0] < 0.0 or numbers[2] < 0.0:
        return False
    builder.add_stiffness(moving[coordinate], numbers[0], numbers[1], numbers[2])
    return True


def _point_spring(node: Node, owner: str, frames: Frames, builder: ModelBuilder, moving: dict[str, str]) -> bool:
    """A linear spring between two points."""
    texts = [node.socket(f"body{k}", f"body{k}") for k in (1, 2)]
    if not all(texts):
        node.fail("it does not say its two bodies")
    ends = [frames.resolve(text, owner, node) for text in texts]
    points = [node.vector(f"point{k}", 3, [0.0] * 3) for k in (1, 2)]
    stiffness, length = node.number("stiffness", 1.0), node.number("rest_length", 0.0)
    if ends[0].body == ends[1].body or stiffness < 0.0 or length < 0.0:
        return False
    (a, p), (b, q) = ((f.body, np.append(x, 1.0) @ f.pose[:3].T) for f, x in zip(ends, points, strict=True))
    builder.add_spring(a, p, b, q, stiffness=stiffness, length=length)
    return True


LOADS: dict[str, Callable[[Node, str, Frames, ModelBuilder, dict[str, str]], bool]] = {
    "SpringGeneralizedForce": _coordinate_spring,
    "PointToPointSpring": _point_spring,
}
