"""The same bodies hung on the world by another one: joints on the way between the two roots are inverted."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from ..errors import NotSupported, require, warn
from ..forces import renumber
from ..joints import free
from ..joints.joint import Joint
from ..joints.segments import FACTORS
from .body import Body
from .followers import SAID
from .resolved_constraints import Coupling, Loop, Rolling

if TYPE_CHECKING:
    from .model import Model


def reroot(model: Model, body: str | int, joint: Joint | None, placement, offset) -> Model:
    """A copy whose root is `body`, hung on the world by `joint`."""
    way = way_to_root(model, model.body_index(body))
    base = model.bodies[way[-1]]
    _check_base(model, way[-1])
    _check_rolling(model, way)
    order = [*way, *(i for i in range(model.nbodies) if i not in way)]
    at = {old: new for new, old in enumerate(order)} | {-1: -1}
    owner = {i: at[i] for i in order} | {child: at[parent] for child, parent in pairwise(way)}
    del owner[way[-1]]  # the joint of the old root is gone
    first = model.bodies[way[0]]
    joint = free() if joint is None else joint
    root = replace(first, parent=-1, joint_name=base.joint_name, joint=joint, placement=placement, offset=offset)
    turned = [_turned(model, child, parent, at) for child, parent in pairwise(way)]
    kept = [replace(model.bodies[i], parent=at[model.bodies[i].parent]) for i in order[len(way) :]]
    return _with_loads(model, (root, *turned, *kept), at, owner, way[-1])


def way_to_root(model: Model, body: int) -> list[int]:
    """A body, its parent, …, the root that carries it."""
    way = [body]
    while model.bodies[way[-1]].parent >= 0:
        way.append(model.bodies[way[-1]].parent)
    return way


def _turned(model: Model, child: int, parent: int, at: dict[int, int]) -> Body:
    """What was the parent, carried by what was its child: X_BP = X_BM · G⁻¹ · X_PF⁻¹."""
    old, body = model.bodies[parent], model.bodies[child]
    joint = body.joint if is_quaternion(body.joint) else body.joint.inverse()
    return replace(old, parent=at[child], joint_name=body.joint_name, joint=joint,
                   placement=body.offset, offset=body.placement)  # fmt: skip


def is_quaternion(joint: Joint) -> bool:
    """Whether a joint is `ball` or `free` alone: its inverse is one too, with the inverse turn and motion."""
    return len(joint.segments) == 1 and joint.segments[0].kind != FACTORS


def _check_base(model: Model, base: int) -> None:
    """Refuse or tell what is said of coordinates of the joint that goes."""
    name = model.bodies[base].joint_name
    lost = {p.v + k for p in model.coordinate_places if p.body == base for k in range(p.widths[1])}
    ties = [c.label for c in model.constraints if isinstance(c, Coupling) and lost & {c.v, *(v for _, v in c.others)}]
    ties += [f"follower {f.name!r}" for f in model.followers if base in (f.body, f.driver_place[0])]
    ties += ["prescribed motion"] if lost & model.prescribed_columns else []
    refused = f"rerooted: the joint {name!r} of the old root goes, but it has {', '.join(ties)}"
    require(not ties, f"{refused}; take them away first, or tie the body by a constraint", NotSupported)
    if gone := _lost_with(model, base):
        warn(f"rerooted: with the joint {name!r} of the old root go {'; '.join(gone)}. The copy does not have "
             "them; springs and bushings between points of bodies and the world stay")  # fmt: skip


def _lost_with(model: Model, base: int) -> list[str]:
    """What acts on the coordinates of a joint, by coordinate: loads with their constants, and armature."""
    out = []
    for name, place in zip(model.coordinates, model.coordinate_places, strict=True):
        if place.body != base:
            continue
        for force in model.coordinate_forces:
            if force.at.v - place.v in range(place.widths[1]):
                numbers = ", ".join(f"{k} {x:g}" for k, x in force.named.items())
                out.append(f"a {force.declared.words} of {name!r} ({numbers})")
        rating = model.ratings.get(name)
        out += [f"the armature of {name!r} ({rating.armature:g})"] if rating and rating.armature else []
    return out


def _check_rolling(model: Model, way: list[int]) -> None:
    rolls = [c.label for c in model.constraints if isinstance(c, Rolling) and c.body in way]
    require(not rolls, f"rerooted: {', '.join(rolls)} is on the way to the new root and cannot be turned", NotSupported)


def _with_loads(model: Model, bodies: tuple[Body, ...], at: dict, owner: dict, base: int) -> Model:
    """Loads, constraints, limits and names of a model on its bodies in their new order."""
    gone = {name for name, p in zip(model.coordinates, model.coordinate_places, strict=True) if p.body == base}
    said = {key: {c: x for c, x in getattr(model, key).items() if c not in gone} for key in SAID}
    followers = tuple(
        replace(f, body=owner[f.body], driver_place=(owner[f.driver_place[0]], f.driver_place[1]))
        for f in model.followers
    )
    bare = replace(model, bodies=bodies, forces=(), prescribed={}, constraints=(),
                   followers=followers, muscles=(), wraps=(), **said)  # fmt: skip
    q, v = _places(model, bare, owner)
    return replace(
        bare,
        forces=renumber(model.forces, q, v, at),
        prescribed={v[k]: motion for k, motion in model.prescribed.items()},
        constraints=tuple(_moved(c, at, q, v) for c in model.constraints),
        muscles=model.muscles,
        wraps=model.wraps,
    )


def _places(model: Model, other: Model, owner: dict[int, int]) -> tuple[dict[int, int], dict[int, int]]:
    """Old → new index in q and in v, of all joints but that of the old root; followers come after, as in loads."""
    now = {(p.body, p.coordinate): p for p in other.coordinate_places}
    q, v = ({}, {})
    for p in (p for p in model.coordinate_places if p.body in owner):
        new = now[owner[p.body], p.coordinate]
        q |= {p.q + k: new.q + k for k in range(p.widths[0])}
        v |= {p.v + k: new.v + k for k in range(p.widths[1])}
    for k in range(len(model.followers)):
        q[model.nq + k], v[model.nv + k] = other.nq + k, other.nv + k
    return q, v


def _moved(c: Loop | Coupling | Rolling, at: dict, q: dict, v: dict) -> Loop | Coupling | Rolling:
    if isinstance(c, Loop):
        return replace(c, a=at[c.a], b=at[c.b])
    if isinstance(c, Rolling):
        return replace(c, body=at[c.body])
    return replace(c, q=q[c.q], v=v[c.v], others=tuple((q[a], v[b]) for a, b in c.others))
