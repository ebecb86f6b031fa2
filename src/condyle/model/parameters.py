"""Parameters of a model by name: one vocabulary for changed copies, for batches of models and for gradients."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import BadShape, NotFinite, NotSupported, require, unknown_name
from ..forces import Element, checked_constant
from ..joints import Joint
from ..joints.controls import CurveControls
from ..spatial import SE3, Inertia
from ..spatial.arrays import real_numbers
from .memo import once_per_model

if TYPE_CHECKING:
    from .body import Body
    from .model import Model

INERTIAL = {"mass": (), "com": (3,), "moment": (3, 3)}
POSES = {"placement": (4, 4), "offset": (4, 4)}
BODY_SHAPES = {**INERTIAL, **POSES}
POINTS = ("point_a", "point_b")  # of a force along the line between two points
CONSTANT = "constant "  # before the name of a constant of a force's law
FRAMES = {"point_a": "frame_a", "point_b": "frame_b"}
ALL = "bodies"  # "bodies.mass" are the masses of all bodies
ENTRY = re.compile(r"^(?P<name>.*)\[(?P<index>\d+(?:, ?\d+)*)\]$")


class Parameter(NamedTuple):
    """A parameter: its name, the number of the body or force that has it (−1: all, or the model), and which it is."""

    name: str
    number: int
    field: str


@once_per_model
def parameters_of(model: Model) -> dict[str, Parameter]:
    """All parameters by name: gravity, of bodies, of springs, and control frames of joints that are spline curves."""
    return {p.name: p for p in _all_parameters(model)}


def _all_parameters(model: Model) -> list[Parameter]:
    known = [Parameter("gravity", -1, "gravity"), *(Parameter(f"{ALL}.{f}", -1, f) for f in BODY_SHAPES)]
    known += [Parameter(f"{b.name}.{f}", i, f) for i, b in enumerate(model.bodies) for f in BODY_SHAPES]
    known += _force_parameters(model)
    curves = [(i, b) for i, b in enumerate(model.bodies) if isinstance(b.joint.controls, CurveControls)]
    return known + [Parameter(f"{b.joint_name}.frames", i, "frames") for i, b in curves]


def _force_parameters(model: Model) -> list[Parameter]:
    """Constants of laws by the names of forces; those of springs between points also by their number, and points."""
    found, springs = [], 0
    for i, force in enumerate(model.forces):
        found += [Parameter(f"{force.name}.{c}", i, CONSTANT + c) for c in force.declared.constants]
        if force.law == "spring":
            title, springs = f"springs[{springs}]", springs + 1
            found += [Parameter(f"{title}.{c}", i, CONSTANT + c) for c in force.declared.constants]
            found += [Parameter(f"{title}.{f}", i, f) for f in POINTS]
    return found


def shape_of(model: Model, parameter: Parameter) -> tuple[int, ...]:
    """The shape of a parameter's numbers."""
    _, number, field = parameter
    if field == "gravity":
        return (3,)
    if field == "frames":
        return model.bodies[number].joint.controls.frames.shape  # type: ignore[union-attr]
    if field.startswith(CONSTANT) or field in POINTS:
        return (3,) if field in POINTS else ()
    return (model.nbodies, *BODY_SHAPES[field]) if number < 0 else BODY_SHAPES[field]


def value_of(model: Model, parameter: Parameter) -> np.ndarray:
    """The numbers of a parameter."""
    _, number, field = parameter
    if field == "gravity":
        return model.gravity
    if field == "frames":
        return model.bodies[number].joint.controls.frames  # type: ignore[union-attr]
    if field in POINTS:
        return np.array(getattr(model.forces[number].at, FRAMES[field])[:3, 3])
    if field.startswith(CONSTANT):
        return np.array(model.forces[number].named[field.removeprefix(CONSTANT)])
    bodies = model.bodies if number < 0 else (model.bodies[number],)
    values = np.array([getattr(b.inertia if field in INERTIAL else b, field) for b in bodies], dtype=float)
    return values if number < 0 else values[0]


def named_entry(model: Model, name: str) -> tuple[Parameter, tuple[int, ...] | None]:
    """The parameter of a name, and which of its numbers is meant: "shank.com[2]" is one, "shank.com" are all."""
    known = parameters_of(model)
    if name in known:
        return known[name], None
    found = ENTRY.match(name) if isinstance(name, str) else None
    if found is None or found["name"] not in known:
        raise unknown_name("parameter", name, known, "this model")
    parameter, index = known[found["name"]], tuple(int(k) for k in found["index"].split(","))
    shape = shape_of(model, parameter)
    require(parameter.field not in (*POSES, "frames"), f"{name!r}: a pose is given as a whole, not number by number",
            NotSupported)  # fmt: skip
    inside = len(index) == len(shape) and all(k < n for k, n in zip(index, shape, strict=True))
    require(inside, f"{name!r}: {parameter.name!r} has shape {shape}", BadShape, index=list(index))
    return parameter, index


def checked_values(model: Model, name: str, value: Any) -> tuple[Parameter, tuple[int, ...] | None, np.ndarray]:
    """What a name means, and its numbers (..., shape), finite."""
    parameter, index = named_entry(model, name)
    shape = () if index is not None else shape_of(model, parameter)
    x = real_numbers(value.as_matrix() if isinstance(value, SE3) else value, f"parameter {name!r}")
    fits = x.ndim >= len(shape) and x.shape[x.ndim - len(shape) :] == shape
    require(fits, f"parameter {name!r} must have shape (..., {', '.join(map(str, shape))})", BadShape, shape=x.shape)
    require(np.isfinite(x).all(), f"parameter {name!r} must be finite", NotFinite)
    return parameter, index, x


def with_parameters(model: Model, parameters: Mapping[str, Any]) -> Model:
    """A copy of a model with some of its parameters changed; see `Model.with_parameters`."""
    for name, value in parameters.items():
        parameter, index, x = checked_values(model, name, value)
        shape = () if index is not None else shape_of(model, parameter)
        require(x.shape == shape, f"parameter {name!r} of one model has shape {shape}; a batch of models is for "
                "cd.simulate and the dynamics functions (parameters=…)", BadShape, shape=x.shape)  # fmt: skip
        if index is not None:
            x = _entered(value_of(model, parameter), index, float(x), parameter.field)
        try:
            model = _changed(model, parameter, x)
        except ValueError as error:
            raise type(error)(f"parameter {name!r}: {error}") from None
    return model


def _entered(whole: np.ndarray, index: tuple[int, ...], x: float, field: str) -> np.ndarray:
    """A parameter with one number changed; a moment stays symmetric."""
    whole = np.array(whole)
    whole[index] = x
    if field == "moment":
        whole[(*index[:-2], index[-1], index[-2])] = x
    return whole


def _changed(model: Model, parameter: Parameter, x: np.ndarray) -> Model:
    """A copy with one parameter changed."""
    _, number, field = parameter
    if field == "gravity":
        return replace(model, gravity=x)
    if field in POINTS or field.startswith(CONSTANT):
        return replace(model, forces=_put(model.forces, number, lambda f: _new_force(f, field, x)))
    if number >= 0:
        return replace(model, bodies=_put(model.bodies, number, lambda b: _new_body(b, field, x)))
    return replace(model, bodies=tuple(_new_body(b, field, x[i]) for i, b in enumerate(model.bodies)))


def _put(items: Iterable, number: int, change: Callable) -> tuple:
    return tuple(change(item) if i == number else item for i, item in enumerate(items))


def _new_force(force: Element, field: str, x: np.ndarray) -> Element:
    if field in POINTS:
        frame = np.array(getattr(force.at, FRAMES[field]))
        frame[:3, 3] = x
        return replace(force, at=replace(force.at, **{FRAMES[field]: frame}))
    name = field.removeprefix(CONSTANT)
    return force.changed(**{name: checked_constant(force.declared, name, float(x), repr(force.name))})


def _new_body(body: Body, field: str, x: np.ndarray) -> Body:
    if field == "frames":
        return replace(body, joint=_new_joint(body.joint, x))
    if field in POSES:
        return replace(body, **{field: x})
    old = body.inertia
    values = {"mass": old.mass, "com": old.com, "moment": old.moment, field: float(x) if field == "mass" else x}
    return replace(body, inertia=Inertia(**values))


def _new_joint(joint: Joint, frames: np.ndarray) -> Joint:
    """A spline curve through other control frames, with its knots and its name."""
    from ..joints import spline_curve

    c = joint.controls
    assert isinstance(c, CurveControls)
    return spline_curve(frames, c.knots, c.order, c.periodic, joint.outside, name=joint.coordinates[0])
