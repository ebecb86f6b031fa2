"""Muscles, what else runs along paths, and wrap objects in the classes of OpenSim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ....joints import Joint
from ....joints.functions import Function, constant
from ....model import Model
from ....model.muscle_paths.muscle_laws import LAWS
from ....model.muscle_paths.paths import SIZES, Muscle, PathPoint, PathWrap, WrapObject
from ...unwritten import Unwritten
from ..muscle_classes import CLASSES, CURVES, law_of
from ..osim_muscles import WIDE
from ..osim_records import Component, Force
from .written_functions import scaled, written
from .xml_elements import angles, body_path, element, flag, numbers, objects, plain, text

WITHOUT_FORCE = "PathActuator"  # stands, turned off, for what has a path and no force
FLAGS = ("ignore_tendon_compliance", "ignore_activation_dynamics", "ignore_passive_fiber_force")
TAGS = {law: tag for tag, law in reversed(CLASSES.items()) if law}  # the first of a law's classes
AXES = "xyz"
TURNED = ("appliesForce", "isDisabled")
COMMON = {*LAWS["thelen"]} & {*LAWS["millard"]}  # constants of the muscle itself, whatever its curves


def wrap_elements(model: Model, body: str | None) -> str:
    """The wrap objects of a body, or of the ground."""
    return objects("WrapObjectSet", (_wrap_object(w) for w in model.wraps if w.body == body))


def _wrap_object(wrap: WrapObject) -> str:
    place = numbers("xyz_body_rotation", angles(wrap.pose[:3, :3])) + numbers("translation", wrap.pose[:3, 3])
    sizes = (numbers(name, wrap.sizes[name]) for name in SIZES[wrap.kind])
    return element(
        wrap.kind, flag("active", wrap.active), place, text("quadrant", wrap.quadrant), *sizes, name=wrap.name
    )


def muscle_elements(model: Model, names: dict[str, str], unwritten: Unwritten) -> Iterator[str]:
    """All muscles; those with a point that OpenSim cannot have are left out by name."""
    idle = []
    for muscle in model.muscles:
        points = [_point(model, p, f"{muscle.name}-P{k + 1}", names) for k, p in enumerate(muscle.path.points)]
        if not all(points):
            unwritten.acts.append(f"muscle {muscle.name!r}, with a point whose function is none of OpenSim's")
            continue
        if any(_held_elsewhere(model, p) for p in muscle.path.points):
            unwritten.acts.append(f"the range of a moving point of {muscle.name!r}: in OpenSim it is its coordinate's")
        record = _record(model, muscle.name)
        law, constants, applies = _law(muscle, record)
        idle += [muscle.name] if law == "path" else []
        path = element(
            "GeometryPath",
            objects("PathPointSet", map(str, points)),
            objects("PathWrapSet", map(_path_wrap, muscle.path.wraps)),
            name="path",
        )
        tag = TAGS.get(law, WITHOUT_FORCE)
        inside = _constants(law, constants) + _rest(law, record, muscle.name, unwritten.shows)
        yield element(tag, flag("appliesForce", applies), path, inside, name=muscle.name)
    if idle:
        some = ", ".join(idle[:6]) + (", …" if len(idle) > 6 else "")
        unwritten.shows.append(
            f"the class of {len(idle)} paths without a force ({some}), each a {WITHOUT_FORCE} turned off"
        )


def _held_elsewhere(model: Model, point: PathPoint) -> bool:
    """Whether a moving point stays within another range than that of its coordinate."""
    if point.way is None or point.coordinate is None:
        return False
    ends = model.ranges.get(model.shown_name(point.coordinate))
    return point.range != ends and (ends is not None or point.range != WIDE)


def _record(model: Model, name: str) -> Force | None:
    """What the file from which a model came said of a muscle."""
    forces = () if model.opensim is None else model.opensim.forces
    return next((f for f in forces if f.name == name), None)


def _law(muscle: Muscle, record: Force | None) -> tuple[str, dict[str, Any], bool]:
    """The law of a muscle with its constants, and whether it is turned on; those turned off by the file as it said."""
    if muscle.law != "path":
        return muscle.law, dict(muscle.constants), True
    law, constants = ("path", {}) if record is None else law_of(record)
    return law, constants, False


def _rest(law: str, record: Force | None, name: str, left_out: list[str]) -> str:
    """What the file said besides constants of the law: default activation, default fibre length …"""
    if record is None or CLASSES.get(record.kind) != law:
        return ""
    told = (*LAWS[law], *(CURVES if law == "millard" else ()), *TURNED)
    rest = {tag: x for tag, x in record.properties.items() if tag not in told and x not in ("", ())}
    objects_in = [tag for tag, x in rest.items() if isinstance(x, Component) or (isinstance(x, tuple) and _nested(x))]
    left_out += [f"{tag} of {name!r}" for tag in objects_in]
    return "".join(_property(tag, x) for tag, x in rest.items() if tag not in objects_in)


def _nested(values: tuple) -> bool:
    return any(isinstance(x, Component) for x in values)


def _property(tag: str, value: object) -> str:
    """A flag, a text or numbers."""
    if isinstance(value, bool):
        return flag(tag, value)
    return text(tag, value) if isinstance(value, str) else numbers(tag, value)  # type: ignore[arg-type]


def _constants(law: str, constants: dict[str, Any]) -> str:
    """Constants as properties of the class, those of Millard's curves in the elements of these."""
    curves = {prefix: tag for tag, prefix in CURVES.items()} if law == "millard" else {}
    inside: dict[str, str] = {}
    own = ""
    for name, x in constants.items():
        prefix, _, rest = name.partition("_")
        if name.endswith("_curve"):
            own += element("SimmSpline", numbers("x", x[0]), numbers("y", x[1]), name=name)
        elif prefix in curves and name not in COMMON:
            inside[curves[prefix]] = inside.get(curves[prefix], "") + numbers(rest, x)
        else:
            own += flag(name, bool(x)) if name in FLAGS else numbers(name, x)
    return own + "".join(element(tag, text) for tag, text in inside.items())


def _path_wrap(wrap: PathWrap) -> str:
    inside = text("wrap_object", plain(wrap.wrap_object)) + text("method", wrap.method)
    ends = text("range", f"{wrap.range[0]} {wrap.range[1]}")
    return element("PathWrap", inside, ends, name=f"over_{wrap.wrap_object}")


def _point(model: Model, point: PathPoint, name: str, names: dict[str, str]) -> str | None:
    """A point of a path; None if OpenSim has none like it."""
    body = text("socket_parent_frame", body_path(point.body))
    if point.coordinate is None:
        return element("PathPoint", body, numbers("location", point.location), name=name)
    path = _coordinate_path(model, point.coordinate, names)
    if point.way is None:
        ends = numbers("range", point.range) if point.range is not None else ""
        place = numbers("location", point.location) + text("socket_coordinate", path) + ends
        return element("ConditionalPathPoint", body, place, name=name)
    functions = [written(parts) for parts in _components(point, point.way)]
    if any(f is None for f in functions):
        return None
    inside = "".join(text(f"socket_{axis}_coordinate", path) for axis in AXES)
    inside += "".join(element(f"{axis}_location", f.element) for axis, f in zip(AXES, functions, strict=True) if f)
    return element("MovingPathPoint", body, inside, name=name)


def _coordinate_path(model: Model, coordinate: str, names: dict[str, str]) -> str:
    shown = model.shown_name(coordinate)
    joint = model.bodies[model.place_of(shown)[0]].joint_name
    return f"/jointset/{plain(joint)}/{names[shown]}"


def _components(point: PathPoint, way: Joint) -> list[list[Function]]:
    """The functions whose sum is x, y and z of a moving point in the axes of its body."""
    frame = np.eye(4) if point.frame is None else point.frame
    out: list[list[Function]] = [[constant(float(x))] for x in frame[:3, 3]]
    for direction, function in _said(point) if point.functions else _slides(way):
        for k, weight in enumerate(frame[:3, :3] @ direction):
            out[k] += [scaled(function, float(weight))] if weight else []
    return out


def _said(point: PathPoint) -> Iterator[tuple[np.ndarray, Function]]:
    """Directions and functions as a file had them; what reads no coordinate is at f(0)."""
    for axis, f, name in zip(np.eye(3), point.functions, point.coordinates, strict=True):
        if f is not None and (name is None or not f.coordinates):
            yield axis, constant(float(np.asarray(f(0.0) if f.coordinates else f())))
        elif f is not None:
            yield from ((axis, part) for part in f.parts)


def _slides(way: Joint) -> Iterator[tuple[np.ndarray, Function]]:
    """Directions and functions of a joint of slides."""
    for s in way.segments:
        yield from ((axis, constant(float(x))) for axis, x in zip(np.eye(3), s.poses[0][:3, 3], strict=True) if x)
        yield from ((twist[3:], Function(s.grid, term, "")) for twist, term in zip(s.twists[0], s.terms, strict=True))
