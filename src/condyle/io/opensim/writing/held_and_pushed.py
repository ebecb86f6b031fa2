"""Constraints and loads of a model in the classes of OpenSim."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....forces import Element, OnCoordinate
from ....joints.functions import Function
from ....model import Bushing, Model, Spring
from ....model.followers import slide_parts
from ....model.kernels.layout import DISTANCE, LINE, POINT
from ....model.resolved_constraints import Coupling, Loop
from ...unwritten import Unwritten
from .written_contacts import contact_elements, contacts_of
from .written_functions import simm_element, written
from .written_muscles import muscle_elements
from .xml_elements import body_path, element, numbers, offset_frame, text

WRITTEN_LAWS = ("spring", "bushing")  # between bodies; those on coordinates are written one by one
POINTS = 257  # of the spline that stands for a function that OpenSim does not have


def constraint_elements(model: Model, names: dict[str, str], left_out: list[str]) -> Iterator[str]:
    """Points, welds, distances, lines and couplers; what rolls is left out."""
    for k, c in enumerate(model.constraints):
        if isinstance(c, Loop):
            yield _loop(model, c, f"constraint_{k + 1}")
        elif isinstance(c, Coupling):
            yield _coupler(model, c, names, f"coupler_{k + 1}", left_out)
        else:
            left_out.append(f"the {c.label}")


def _path(model: Model, body: int) -> str:
    return body_path(None if body < 0 else model.bodies[body].name)


def _loop(model: Model, c: Loop, name: str) -> str:
    ends = ((1, c.a, c.frame_a), (2, c.b, c.frame_b))
    if c.kind == POINT:
        inside = "".join(text(f"socket_body_{k}", _path(model, b)) for k, b, _ in ends)
        inside += "".join(numbers(f"location_body_{k}", T[:3, 3]) for k, _, T in ends)
        return element("PointConstraint", inside, name=name)
    if c.kind == DISTANCE:
        inside = "".join(text(f"socket_body_{k}", _path(model, b)) for k, b, _ in ends)
        inside += "".join(numbers(f"location_body_{k}", T[:3, 3]) for k, _, T in ends)
        return element("ConstantDistanceConstraint", inside, numbers("constant_distance", c.length), name=name)
    if c.kind == LINE:
        inside = text("socket_line_body", _path(model, c.b)) + text("socket_follower_body", _path(model, c.a))
        inside += numbers("line_direction_vec", c.frame_b[:3, 2]) + numbers("point_on_line", c.frame_b[:3, 3])
        return element("PointOnLineConstraint", inside, numbers("point_on_follower", c.frame_a[:3, 3]), name=name)
    frames = "".join(offset_frame(f"{name}_{k}", _path(model, b), T) for k, b, T in ends)
    sockets = "".join(text(f"socket_frame{k}", f"{name}_{k}") for k, _, _ in ends)
    return element("WeldConstraint", sockets, element("frames", frames), name=name)


def _coupler(model: Model, c: Coupling, names: dict[str, str], name: str, left_out: list[str]) -> str:
    shown = {model.v_index(n): names[n] for n in model.coordinates}
    parts, others = slide_parts(c.slide), [shown[v] for _, v in c.others]
    found = written(parts)
    if found is None:
        left_out.append(f"the exact function of the {c.label}, which is a spline of {POINTS} points")
    function = _sampled(model, c, parts) if found is None else found.element
    read = others[:1] if found is None or not found.coordinates else [others[k] for k in found.coordinates]
    return element(
        "CoordinateCouplerConstraint",
        element("coupled_coordinates_function", function),
        text("independent_coordinate_names", " ".join(read)),
        text("dependent_coordinate_name", shown[c.v]),
        name=name,
    )


def _sampled(model: Model, c: Coupling, parts: list[Function]) -> str:
    """A SimmSpline over the range of the driver."""
    driver = next(n for n in model.coordinates if model.v_index(n) == c.others[0][1])
    low, high = (end if np.isfinite(end) else default for end, default in
                 zip(model.range_of(driver), (-np.pi, np.pi), strict=True))  # fmt: skip
    x = np.linspace(low, high, POINTS)
    return simm_element(x, np.sum([f(x) if f.coordinates else np.full_like(x, f()) for f in parts], axis=0))


def force_elements(model: Model, names: dict[str, str], turning: set[str], unwritten: Unwritten) -> Iterator[str]:
    """Muscles, springs and soft limits on coordinates, springs between points, bushings; other loads are left out.

    `turning` are the coordinates that the file has as angles, so that their limits are in degrees.
    """
    yield from muscle_elements(model, names, unwritten)
    left_out = unwritten.acts
    shown = {model.v_index(n): n for n in model.coordinates}
    for k, force in enumerate(model.coordinate_forces):
        name = shown.get(force.at.v, "")
        if force.law == "soft_limit" and name in names:
            yield _soft_limit(force, name in turning, names[name], f"load_{k + 1}")
        else:
            yield from _coordinate_force(force, name, names, f"load_{k + 1}", left_out)
    for k, spring in enumerate(model.springs):
        yield _spring(model, spring, f"spring_{k + 1}", left_out)
    for k, bushing in enumerate(model.bushings):
        yield _bushing(model, bushing, f"bushing_{k + 1}")
    yield from contact_elements(model)
    written = contacts_of(model)
    left_out += [f"the force {f.name!r} (law {f.law!r})" for f in model.forces
                 if f.law not in WRITTEN_LAWS and f not in written and not isinstance(f.at, OnCoordinate)]  # fmt: skip


def _bushing(model: Model, x: Bushing, name: str) -> str:
    ends = ((1, x.a, x.frame_a), (2, x.b, x.frame_b))
    frames = "".join(offset_frame(f"{name}_{k}", _path(model, b), T) for k, b, T in ends)
    inside = "".join(text(f"socket_frame{k}", f"{name}_{k}") for k, _, _ in ends) + element("frames", frames)
    for what, values in (("stiffness", x.stiffness), ("damping", x.damping)):
        inside += numbers(f"rotational_{what}", values[:3]) + numbers(f"translational_{what}", values[3:])
    return element("BushingForce", inside, name=name)


def _soft_limit(force: Element, turns: bool, coordinate: str, name: str) -> str:
    unit = np.pi / 180 if turns else 1.0
    low, high, below, above, damping, width = force.constants
    lengths = (("upper_limit", high), ("lower_limit", low), ("transition", width))
    rates = (("upper_stiffness", above), ("lower_stiffness", below), ("damping", damping))
    inside = "".join(numbers(tag, x / unit) for tag, x in lengths) + "".join(numbers(t, x * unit) for t, x in rates)
    return element("CoordinateLimitForce", text("coordinate", coordinate), inside, name=name)


def _coordinate_force(
    force: Element, name: str, names: dict[str, str], written_name: str, left_out: list[str]
) -> Iterator[str]:
    linear = force.law in ("coordinate_spring", "damper")
    if not linear or name not in names:
        left_out.append(f"a {force.declared.words} on {name!r}" if name else "a damper on a quaternion")
        return
    stiffness, rest, damping = (force.named.get(key, 0.0) for key in ("stiffness", "rest", "damping"))
    inside = text("coordinate", names[name]) + numbers("stiffness", stiffness) + numbers("rest_length", rest)
    yield element("SpringGeneralizedForce", inside, numbers("viscosity", damping), name=written_name)


def _spring(model: Model, spring: Spring, name: str, left_out: list[str]) -> str:
    if spring.damping:
        left_out.append("the damping of springs between points")
    ends = "".join(text(f"socket_body{k}", _path(model, b)) for k, b in ((1, spring.a), (2, spring.b)))
    ends += numbers("point1", spring.point_a) + numbers("point2", spring.point_b)
    inside = numbers("stiffness", spring.stiffness) + numbers("rest_length", spring.length)
    return element("PointToPointSpring", ends, inside, name=name)
