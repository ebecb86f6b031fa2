"""The text of a URDF file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ....model import Body, Model
from ....model.look.shapes import Shape
from ....spatial.twists import pose_inverse, pose_matrix
from ...unwritten import armed
from .coordinate_laws import Law
from .joint_moves import Move, Moves
from .robot_xml import element, numbers, solid

WORLD = "world"
USUAL = (0.0, 0.0, -9.81)  # gravity that readers of URDF take
STRONG = 1e6  # effort and velocity that a joint with limits must state, and that bound nothing here


def urdf_text(model: Model, written: Any) -> str:
    """Links and joints; a joint of several coordinates has links without mass between them."""
    if not np.allclose(model.gravity, USUAL, rtol=0.0, atol=1e-12):
        written.unwritten.acts += [f"the gravity {tuple(map(float, model.gravity))}, which URDF cannot say"]
    written.unwritten.acts += armed(model)
    if any(shape.kind == "ellipsoid" for body in model.bodies for shape in body.shapes):
        written.unwritten.shows.append("ellipsoids, which URDF does not have")
    links = [element("link", name=WORLD), *(_link(body, model.collisions.get(body.name, ())) for body in model.bodies)]
    joints = [
        x
        for body, form in zip(model.bodies, written.forms, strict=True)
        for x in _joints(model, body, form, written.laws)
    ]
    return '<?xml version="1.0"?>\n' + element("robot", "\n", *links, *joints, name="condyle")


def _joints(model: Model, body: Body, form: Moves | str, laws: dict[str, Law]) -> Iterator[str]:
    """The joints from a body's parent to it, and the links between them."""
    parent = WORLD if body.parent < 0 else model.bodies[body.parent].name
    if isinstance(form, str):
        yield _joint(body.joint_name, "floating", parent, body.name, body.placement.as_matrix())
        return
    at, moves = form.base, form.moves
    for k, move in enumerate(moves):
        anchor = np.eye(4)
        anchor[:3, 3] = move.at
        last = k + 1 == len(moves) and not move.at.any()
        child = body.name if last else f"{body.name}_{k + 1}"
        if not last:
            yield element("link", name=child)
        yield _joint(move.name, _kind(move), parent, child, at @ anchor, move, laws.get(move.name, Law()))
        parent, at = child, pose_inverse(anchor)
    if parent != body.name:
        yield _joint(f"{body.joint_name}_fixed" if moves else body.joint_name, "fixed", parent, body.name, at)


def _kind(move: Move) -> str:
    if not move.hinge:
        return "prismatic"
    return "continuous" if move.range is None else "revolute"


def _joint(
    name: str, kind: str, parent: str, child: str, origin: np.ndarray, move: Move | None = None, law: Law | None = None
) -> str:
    ends = element("parent", link=parent), element("child", link=child), _origin(origin)
    if move is None:
        return element("joint", *ends, name=name, type=kind)
    low, high = move.range or (-STRONG, STRONG)
    law = law or Law()
    drive = {key: x if np.isfinite(x := getattr(law.rating, key)) else STRONG for key in ("effort", "velocity")}
    limit = element("limit", lower=repr(low), upper=repr(high), **drive)
    axis = element("axis", xyz=numbers(move.axis))
    told = kind != "continuous" or min(law.rating.effort, law.rating.velocity) < np.inf
    more = [limit if told else ""]
    if law.damping or law.rating.friction:
        more.append(element("dynamics", damping=repr(law.damping), friction=repr(law.rating.friction)))
    if move.follows is not None:
        offset, slope = map(repr, map(float, move.follows[1][:2]))
        more.append(element("mimic", joint=move.follows[0], multiplier=slope, offset=offset))
    return element("joint", *ends, axis, *more, name=name, type=kind)


def _origin(pose: np.ndarray) -> str:
    """Place and angles: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    R = pose[:3, :3]
    pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    straight = np.hypot(R[0, 0], R[1, 0]) > 1e-9
    roll = np.arctan2(R[2, 1], R[2, 2]) if straight else np.arctan2(-R[1, 2], R[1, 1])
    yaw = np.arctan2(R[1, 0], R[0, 0]) if straight else 0.0
    return element("origin", xyz=numbers(pose[:3, 3]), rpy=numbers((roll, pitch, yaw)))


def _link(body: Body, collisions: Sequence[Shape]) -> str:
    m, place = body.inertia.moment, np.eye(4)
    place[:3, 3] = body.inertia.com
    six = {k: repr(float(m[i, j])) for k, (i, j) in {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2), "ixy": (0, 1),
                                                     "ixz": (0, 2), "iyz": (1, 2)}.items()}  # fmt: skip
    mass = element("mass", value=repr(float(body.inertia.mass)))
    inertial = element("inertial", _origin(place), mass, element("inertia", **six)) if body.inertia.mass > 0.0 else ""
    seen = (x for k, shape in enumerate(body.shapes) for x in _visuals(shape, f"{body.name}_{k + 1}"))
    touching = (x for k, shape in enumerate(collisions) for x in _visuals(shape, "", "collision"))
    return element("link", "\n", inertial, *seen, *touching, name=body.name)


def _visuals(shape: Shape, name: str, tag: str = "visual") -> Iterator[str]:
    """A shape as URDF knows it, seen or touching: a capsule is a cylinder and two balls."""
    found = solid(shape)
    if found is None or found[0] == "ellipsoid":
        return
    kind, size = found
    color = element("material", element("color", rgba=numbers((*shape.color, 1.0))), name=name) if name else ""
    if kind == "capsule":
        for end in (-0.5, 0.5):
            shift = pose_matrix(np.eye(3), np.array([0.0, 0.0, end * size[1]]))
            yield _visual(tag, shape.pose @ shift, element("sphere", radius=repr(size[0])), color)
        kind = "cylinder"
    sizes = {"radius": repr(size[0])} | ({"length": repr(size[1])} if len(size) > 1 else {})
    form = element("box", size=numbers(size)) if kind == "box" else element(kind, **sizes)
    yield _visual(tag, shape.pose, form, color)


def _visual(tag: str, pose: np.ndarray, inside: str, color: str) -> str:
    return element(tag, _origin(pose), element("geometry", inside), color)
