"""The text of an MJCF file."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors import NotSupported, require
from ....model import Body, Model
from ....model.look.shapes import Shape
from ....spatial import SE3
from .coordinate_laws import Law
from .joint_moves import Move, Moves
from .robot_xml import element, numbers, solid

LEAST = 1e-12  # [kg m²]: MuJoCo refuses moments of zero
FIRM = {"solref": "0.002 1", "solimp": "0.999 0.9999 0.001"}  # couplings as firm as steps of a millisecond bear


def mjcf_text(model: Model, written: Any) -> str:
    """Bodies with their joints, couplings, gravity; contact is switched off."""
    inside = "".join(_body(model, i, written) for i, body in enumerate(model.bodies) if body.parent < 0)
    option = element("option", element("flag", contact="disable"), gravity=numbers(model.gravity), timestep="0.001")
    compiler = element("compiler", angle="radian", autolimits="true", inertiafromgeom="false")
    ties = "".join(_tie(m) for form in written.forms if isinstance(form, Moves) for m in form.moves if m.follows)
    world = element("worldbody", inside or "\n")
    return element("mujoco", "\n", compiler, option, world, element("equality", ties) if ties else "", model="condyle")


def _body(model: Model, i: int, written: Any) -> str:
    body, form = model.bodies[i], written.forms[i]
    base = form.base if isinstance(form, Moves) else body.placement.as_matrix()
    children = "".join(_body(model, k, written) for k, other in enumerate(model.bodies) if other.parent == i)
    geoms = "".join(filter(None, map(_geom, body.shapes)))
    if isinstance(form, Moves):
        moves = "".join(_joint(m, m.name in _stopped(model), written.laws.get(m.name, Law())) for m in form.moves)
    else:
        own = written.laws.get(model.coordinates[[p.body for p in model.coordinate_places].index(i)], Law())
        moves = element("joint", type=form, name=body.joint_name, **_constants(own))
    where = SE3.from_matrix(base)
    inside = ("\n", _inertial(body, moving=bool(moves), written=written), moves, geoms, children)
    return element("body", *inside, name=body.name, pos=numbers(where.xyz), quat=numbers(where.wxyz))


def _inertial(body: Body, moving: bool, written: Any) -> str:
    inertia = body.inertia
    words = f"body {body.name!r} moves and has no mass, which MuJoCo refuses; give it some"
    require(inertia.mass > 0.0 or not moving, words, NotSupported)
    if inertia.mass == 0.0:
        return ""
    m = np.array(inertia.moment)
    if np.linalg.eigvalsh(m)[0] < LEAST:
        m = m + LEAST * np.eye(3)
        written.unwritten.acts.append(f"moments of inertia of zero (of {body.name!r}, raised by {LEAST:g} kg m²)")
    six = [m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]]
    return element("inertial", pos=numbers(inertia.com), mass=repr(float(inertia.mass)), fullinertia=numbers(six))


def _stopped(model: Model) -> set[str]:
    """Coordinates that have a force at their limits; the ranges of others are for sliders only."""
    at = {f.at.q for f in model.coordinate_forces if f.declared.limit}
    return {name for name, p in zip(model.coordinates, model.coordinate_places, strict=True) if p.q in at}


def _joint(move: Move, stopped: bool, law: Law) -> str:
    at = numbers(move.at) if move.hinge else None
    ends = None if move.range is None else numbers(move.range)
    return element("joint", name=move.name, type="hinge" if move.hinge else "slide", axis=numbers(move.axis), pos=at,
                   range=ends, limited=str(stopped).lower() if ends else None, **_constants(law))  # fmt: skip


def _constants(law: Law) -> dict[str, str]:
    """Attributes of a joint for its spring, damper and armature."""
    spring = {"stiffness": repr(law.stiffness), "springref": repr(law.rest)} if law.stiffness else {}
    others = {"damping": law.damping, "armature": law.armature}
    return spring | {key: repr(float(x)) for key, x in others.items() if x}


def _tie(move: Move) -> str:
    assert move.follows is not None
    driver, coefficients = move.follows
    return element("joint", joint1=move.name, joint2=driver, polycoef=numbers(coefficients), **FIRM)


def _geom(shape: Shape) -> str | None:
    """A shape that is seen and nothing else."""
    found = solid(shape)
    if found is None:
        return None
    kind, size = found
    halved = [
        x if kind in ("sphere", "ellipsoid") or (k == 0 and kind != "box") else 0.5 * x for k, x in enumerate(size)
    ]
    where = SE3.from_matrix(shape.pose)
    return element("geom", type=kind, size=numbers(halved), pos=numbers(where.xyz), quat=numbers(where.wxyz),
                   rgba=numbers((*shape.color, 1.0)), contype=0, conaffinity=0, group=1, mass=0)  # fmt: skip
