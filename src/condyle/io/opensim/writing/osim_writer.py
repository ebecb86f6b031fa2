"""`osim_text`: a model as the text of an .osim file of version 4."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ....errors import NotSupported, require
from ....joints import Joint
from ....joints.segments import BALL, FACTORS
from ....model import Body, Marker, Model
from ....model.prescribed import Constant, Steady
from ....spatial.twists import pose_inverse
from ...unwritten import Unwritten, armed, one_sided, rated, records
from ..muscle_classes import CLASSES
from .approximation import Approximation, approximated
from .held_and_pushed import constraint_elements, force_elements
from .joint_axes import Axes, custom_axes
from .written_contacts import geometry_elements
from .written_muscles import wrap_elements
from .written_shapes import geometry
from .xml_elements import body_path, element, flag, numbers, objects, offset_frame, plain, text

VERSION = 40000
LINES = ("Body", "CustomJoint", "BallJoint", "FreeJoint", "WeldJoint", "TransformAxis", "Coordinate", "Marker",
         *CLASSES, "PathPoint", "ConditionalPathPoint", "MovingPathPoint", "PathWrap")  # fmt: skip
TURNS, SHIFTS = ("rx", "ry", "rz"), ("tx", "ty", "tz")  # what coordinates of Ball and Free joints are called


@dataclass
class Report:
    """How far joints in the file are off, what the file does not have, and which coordinates it has as angles."""

    approximations: list[Approximation] = field(default_factory=list)
    unwritten: Unwritten = field(default_factory=Unwritten)
    turning: set[str] = field(default_factory=set)  # coordinates that OpenSim will call rotational


class Written(NamedTuple):
    """A joint: its class, the poses before and after it, its coordinates, and what else it has."""

    kind: str
    head: np.ndarray
    tail: np.ndarray
    coordinates: list[str]
    inside: str = ""


def osim_text(model: Model, approximate: bool = True) -> tuple[str, Report]:
    """The text of the file; joints that OpenSim cannot have exactly are approximated, or refused by name."""
    report, model = Report(), model.unfolded()
    report.unwritten.acts += armed(model)
    report.unwritten.says += one_sided(model) + rated(model)
    report.unwritten.shows += records(model) + (["collision shapes"] if model.collisions else [])
    names = coordinate_names(model)
    joints = [_joint(model, i, names, approximate, report) for i in range(model.nbodies)]
    root = element(
        "Model",
        numbers("gravity", model.gravity),
        element(
            "Ground",
            geometry("/ground", _ground_shapes(model), report.unwritten.shows),
            wrap_elements(model, None),
            name="ground",
        ),
        objects("BodySet", (_body(model, body, report) for body in model.bodies)),
        objects("JointSet", joints),
        objects("ConstraintSet", constraint_elements(model, names, report.unwritten.acts)),
        objects("ForceSet", force_elements(model, names, report.turning, report.unwritten)),
        objects("MarkerSet", map(_marker, model.markers)),
        objects("ContactGeometrySet", geometry_elements(model)),
        name=model.opensim.name if model.opensim is not None and model.opensim.name else "model",
    )
    head = '<?xml version="1.0" encoding="UTF-8" ?>\n'
    return f'{head}<OpenSimDocument Version="{VERSION}">{_lines(root)}</OpenSimDocument>\n', report


def _lines(root: str) -> str:
    """The text with each object on a line of its own."""
    for tag in LINES:
        root = root.replace(f"<{tag} ", f"\n<{tag} ")
    return f"\n{root}\n"


def _ground_shapes(model: Model) -> tuple:
    return () if model.opensim is None else tuple(model.opensim.ground_shapes)


def coordinate_names(model: Model) -> dict[str, str]:
    """Coordinate → its name in the file, which must not have a dot; all different."""
    found: dict[str, str] = {}
    for name in model.coordinates:
        written = plain(name.replace(".", "_"))
        while written in found.values():
            written += "_"
        found[name] = written
    return found


def _body(model: Model, body: Body, report: Report) -> str:
    m = body.inertia.moment
    six = [m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]]
    drawn = geometry(body_path(body.name), body.shapes, report.unwritten.shows)
    inertia = numbers("mass", body.inertia.mass) + numbers("mass_center", body.inertia.com) + numbers("inertia", six)
    return element("Body", drawn, wrap_elements(model, body.name), inertia, name=body.name)


def _joint(model: Model, i: int, names: dict[str, str], approximate: bool, report: Report) -> str:
    body = model.bodies[i]
    own = [name for name, place in zip(model.coordinates, model.coordinate_places, strict=True) if place.body == i]
    found = _form(model, body, own, names, approximate, report)
    parent = body_path(None if body.parent < 0 else model.bodies[body.parent].name)
    ends = (("parent_offset", parent, body.placement.as_matrix() @ found.head),
            ("child_offset", body_path(body.name), body.offset.as_matrix() @ pose_inverse(found.tail)))  # fmt: skip
    return element(
        found.kind,
        text("socket_parent_frame", ends[0][0]),
        text("socket_child_frame", ends[1][0]),
        element("coordinates", *found.coordinates) if found.coordinates else "",
        element("frames", *(offset_frame(*end) for end in ends)),
        found.inside,
        name=body.joint_name,
    )


def _form(
    model: Model, body: Body, own: list[str], names: dict[str, str], approximate: bool, report: Report
) -> Written:
    """The class of a joint with its coordinates."""
    joint = body.joint
    if not own:
        return Written("WeldJoint", _constant_pose(joint), np.eye(4), [])
    if any(s.kind != FACTORS for s in joint.segments):
        return _quaternion(body, names[own[0]])
    axes = custom_axes(joint)
    if axes is None:
        axes, found = _approximated(model, body, own, approximate)
        report.approximations.append(found)
    report.turning |= {name for k, name in enumerate(own) if axes.turned_by(k)}
    spatial = _spatial_transform(axes, [names[name] for name in own])
    coordinates = [_coordinate(model, name, names[name], report) for name in own]
    return Written("CustomJoint", axes.head, axes.tail, coordinates, spatial)


def _constant_pose(joint: Joint) -> np.ndarray:
    pose = np.eye(4)
    for segment in joint.segments:
        pose = pose @ segment.poses[0]
    return pose


def _quaternion(body: Body, name: str) -> Written:
    """A ball or free joint, by three angles instead of a quaternion."""
    at = [k for k, s in enumerate(body.joint.segments) if s.kind != FACTORS]
    before, after = body.joint.segments[: at[0]], body.joint.segments[at[0] + 1 :]
    good = len(at) == 1 and not any(s.terms for s in (*before, *after))
    words = f"joint {body.joint_name!r}: OpenSim has no joint of a quaternion and other coordinates"
    require(good, words, NotSupported)
    head, tail = np.eye(4), np.eye(4)
    for s in before:
        head = head @ s.poses[0]
    for s in after:
        tail = tail @ s.poses[0]
    ball = body.joint.segments[at[0]].kind == BALL
    letters = TURNS if ball else (*TURNS, *SHIFTS)
    coordinates = [element("Coordinate", name=f"{name}_{letter}") for letter in letters]
    return Written("BallJoint" if ball else "FreeJoint", head, tail, coordinates)


def _approximated(model: Model, body: Body, own: list[str], approximate: bool) -> tuple[Axes, Approximation]:
    what = f"joint {body.joint_name!r} ({body.joint.title}) is none that OpenSim can express exactly"
    require(approximate, f"{what}; approximate=True writes splines near it", NotSupported)
    one = f"{what}, and only joints of one coordinate are approximated"
    require(len(own) == 1, one, NotSupported, coordinates=own)
    return approximated(body.joint, body.joint_name, own[0], model.range_of(own[0]))


def _spatial_transform(axes: Axes, names: list[str]) -> str:
    slots = (
        element(
            "TransformAxis",
            text("coordinates", " ".join(names[c] for c in function.coordinates)),
            numbers("axis", direction),
            function.element,
            name=slot,
        )
        for slot, direction, function in axes.slots()
    )
    return element("SpatialTransform", *slots)


def _coordinate(model: Model, name: str, written: str, report: Report) -> str:
    """Default, range, and whether it is locked or prescribed."""
    low, high = model.ranges.get(name, (-np.inf, np.inf))
    v = model.v_index(name)
    default, extra = float(model.neutral()[model.q_index(name)]), ""
    motion = model.prescribed[v].value if v in model.prescribed else None
    if isinstance(motion, Constant):
        default, extra = float(motion.value), flag("locked", True)
    elif isinstance(motion, Steady):
        line = element("LinearFunction", numbers("coefficients", [motion.rate, motion.value]))
        extra = element("prescribed_function", line) + flag("prescribed", True)
    elif motion is not None:
        report.unwritten.acts.append(f"the prescribed motion of {name!r}, which is a function of Python or a spline")
    ends = numbers("range", (low, high)) if np.isfinite([low, high]).all() else ""
    extra += _said(model, name, low <= default <= high)
    return element("Coordinate", numbers("default_value", default), ends, extra, name=written)


def _said(model: Model, name: str, inside: bool) -> str:
    """What only the file from which a model came says of a coordinate: its speed; clamped, if `inside`."""
    own = model.full_names[model.coordinates.index(name)].rpartition(".")[2]
    record = None if model.opensim is None else model.opensim.coordinates.get(own)
    if record is None:
        return ""
    speed = numbers("default_speed_value", record.default_speed) if record.default_speed else ""
    return speed + (flag("clamped", True) if record.clamped and inside else "")


def _marker(marker: Marker) -> str:
    place = (
        text("socket_parent_frame", body_path(marker.body))
        + numbers("location", marker.at)
        + flag("fixed", marker.fixed)
    )
    return element("Marker", place, name=marker.name)
