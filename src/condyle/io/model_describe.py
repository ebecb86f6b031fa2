"""From a model to a file's tables, exactly, with the paths of its mesh files as seen from the file's folder."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import NotSupported
from ..formats.packages import find_file
from ..model import Body, Marker, Model, Rating
from ..model.look.shapes import Shape
from ..model.prescribed import Constant, Prescribed, Steady
from ..spatial import Inertia
from ..spatial.inertia_checks import ROUND_OFF
from ..spatial.second_moments import shortfall
from .constraint_file import described_constraint
from .force_file import described_forces
from .muscle_file import described_muscle, described_wrap
from .schema import VERSION
from .segment_data import described as described_joint


def described_model(model: Model) -> dict[str, Any]:
    """A model as plain data with arrays in it; followers are written as the couplings that they are of coordinates."""
    followers, model = len(model.followers), model.unfolded()
    data: dict[str, Any] = {"condyle": VERSION, "kind": "model", "units": "SI", "gravity": model.gravity}
    data["bodies"] = [_body(model, body) for body in model.bodies]
    loads, forces = described_forces(model, _names(model))
    limits = [_limits(name, found, name in model.limits) for name, found in model.ratings.items()]
    ranges = [_range(name, *ends) for name, ends in model.ranges.items()]
    prescribed = [_prescribed(model, k, motion) for k, motion in model.prescribed.items()]
    held = [described_constraint(model, c) for c in model.constraints]
    held = held[: len(held) - followers] + [c | {"fold": True} for c in held[len(held) - followers :]]
    tables = (("loads", loads), ("forces", forces), ("ranges", ranges), ("limits", limits), ("prescribed", prescribed),
              ("constraints", held), ("notes", list(model.notes)), *_said_beside(model))  # fmt: skip
    for key, items in tables:
        data |= {key: items} if items else {}
    return data


def _said_beside(model: Model) -> list[tuple[str, list[dict[str, Any]]]]:
    """Defaults, motion types, markers, and what runs along paths."""
    return [
        ("defaults", [{"coordinate": name, "value": x} for name, x in model.defaults.items()]),
        ("motion_types", [{"coordinate": name, "type": kind} for name, kind in model.motion_types.items()]),
        ("markers", [_marker(marker) for marker in model.markers]),
        ("wraps", [described_wrap(wrap) for wrap in model.wraps]),
        ("muscles", [described_muscle(muscle) for muscle in model.muscles]),
    ]


def _marker(marker: Marker) -> dict[str, Any]:
    body = {} if marker.body is None else {"body": marker.body}
    return {"name": marker.name, **body, "at": marker.at} | ({"fixed": True} if marker.fixed else {})


def _body(model: Model, body: Body) -> dict[str, Any]:
    data: dict[str, Any] = {"name": body.name}
    if body.parent >= 0:
        data["parent"] = model.bodies[body.parent].name
    if body.joint_name != body.name:
        data["joint_name"] = body.joint_name
    for key, pose in (("placement", body.placement), ("offset", body.offset)):
        data |= {} if np.array_equal(pose, np.eye(4)) else {key: {"xyz": pose.xyz, "wxyz": pose.wxyz}}
    data |= {"inertia": _inertia(body.inertia), "joint": described_joint(body.joint)}
    return data | ({"shapes": [_shape(s) for s in body.shapes]} if body.shapes else {})


def _inertia(inertia: Inertia) -> dict[str, Any]:
    m = inertia.moment
    symmetric = np.array_equal(m, m.T)
    six = np.array([m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]])
    kept = {"keep": True} if shortfall(m) > ROUND_OFF else {}
    return {"mass": inertia.mass, "com": inertia.com, "moment": six if symmetric else m} | kept


def _shape(shape: Shape) -> dict[str, Any]:
    data: dict[str, Any] = {"type": shape.kind, "size": list(shape.size), "color": list(shape.color)}
    data |= {"path": shape.path} if shape.path else {}
    return data | ({} if np.array_equal(shape.pose, np.eye(4)) else {"pose": shape.pose})


def _names(model: Model) -> dict[int, str]:
    """Velocity index → coordinate."""
    return {model.v_index(name): name for name in model.coordinates}


def _range(name: str, low: float, high: float) -> dict[str, Any]:
    """Infinite ends are left out."""
    return {"coordinate": name} | {key: x for key, x in (("low", low), ("high", high)) if np.isfinite(x)}


def _limits(name: str, found: Rating, single: bool) -> dict[str, Any]:
    """What is said of a coordinate; infinity says nothing, and of several numbers only the armature is known."""
    said = {key: x for key, x in vars(found).items() if np.isfinite(x) and (single or key == "armature")}
    return {"coordinate": name} | {key: x for key, x in said.items() if key != "armature" or x}


def _prescribed(model: Model, k: int, motion: Prescribed) -> dict[str, Any]:
    name = _names(model)[k]
    if isinstance(motion.value, Constant):
        return {"coordinate": name, "value": motion.value.value}
    if isinstance(motion.value, Steady):
        return {"coordinate": name, "value": motion.value.value, "rate": motion.value.rate}
    value: Any = motion.value
    if getattr(value, "k", 0) == 5 and hasattr(value, "t"):  # the spline that prescribe() made of samples
        return {"coordinate": name, "knots": value.t, "coefficients": value.c}
    raise NotSupported(
        f"coordinate {name!r} is prescribed by a Python function, which no file can hold. A number or samples can be "
        f"saved: t = np.linspace(0, 2, 201); builder.prescribe({name!r}, (t, f(t))) makes a smooth spline of them"
    )


def seen_from(model: Model, folder: Path) -> Model:
    """The model with the paths of its mesh files from a folder; those that are not found stay as they are."""
    if not any(s.path for b in model.bodies for s in b.shapes):
        return model
    old = model.folder or Path()
    bodies = [replace(b, shapes=tuple(_moved(s, old, folder) for s in b.shapes)) for b in model.bodies]
    return replace(model, bodies=tuple(bodies))


def _moved(shape: Shape, old: Path, new: Path) -> Shape:
    if shape.kind != "mesh" or Path(shape.path).is_absolute():
        return shape
    found, there = find_file(shape.path, old), find_file(shape.path, new)
    if found is None or (there is not None and there.samefile(found)):
        return shape
    return replace(shape, path=Path(os.path.relpath(found, new)).as_posix())
