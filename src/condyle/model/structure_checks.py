"""Whether the parts of a model fit together: kernels trust the numbers of bodies and coordinates in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..errors import BadShape, BadTree, BadValue, NotFinite, require, unknown_name
from ..forces import BetweenFrames, Element
from ..joints import Joint
from .body import Body
from .kernels.layout import ROLL
from .markers import Marker
from .prescribed import Prescribed
from .resolved_constraints import LOOP_AXES, Coupling, Loop, Rolling

if TYPE_CHECKING:
    from .model import Model


def check_structure(model: Model) -> None:
    """Refuse numbers of bodies and coordinates that the model does not have."""
    require(model.gravity.shape == (3,), "gravity must be three numbers [m/s²]", BadShape, shape=model.gravity.shape)
    require(np.isfinite(model.gravity).all(), "gravity must be finite", NotFinite, gravity=model.gravity.tolist())
    _check_bodies(model.bodies)
    _check_markers(model)
    if not (model.forces or model.prescribed or model.constraints):
        return
    plain = set(zip(*(places.tolist() for places in model.plain_places), strict=True))
    follow = {(model.nq + k, model.nv + k) for k in range(len(model.followers))}
    for k, force in enumerate(model.forces):
        _check_force(force, k, plain | follow, model)
    _check_different((force.name for force in model.forces), "force")
    columns = {v for _, v in plain}
    for v, motion in model.prescribed.items():
        good = v in columns and isinstance(motion, Prescribed)
        require(good, "prescribed motion is a Prescribed for the velocity of a plain coordinate", BadValue, number=v)
    for k, constraint in enumerate(model.constraints):
        require(type(constraint) in _CHECKS, f"constraint {k} must be bound to a model", BadValue, got=constraint)
        _CHECKS[type(constraint)](constraint, plain, model)


def checked_range(low, high, what: str) -> tuple[float, float]:
    """Two numbers, the first not above the second: equal ones hold still, an infinite one is no end on that side."""
    try:
        low, high = float(low), float(high)
    except (TypeError, ValueError):
        raise BadValue(f"{what}: low and high must be numbers; got low = {low!r}, high = {high!r}") from None
    good = low <= high and low < np.inf and high > -np.inf
    require(good, f"{what}: low must not be above high", BadValue, low=low, high=high)
    return low, high


def _check_bodies(bodies: tuple[Body, ...]) -> None:
    require(bodies, "a model needs at least one body", BadTree)
    for i, body in enumerate(bodies):
        require(isinstance(body, Body), f"body {i} must be a Body", BadValue, got=body)
        before = isinstance(body.parent, (int, np.integer)) and -1 <= body.parent < i
        require(before, f"body {body.name!r}: its parent is the number of a body before it, or −1", BadTree,
                parent=body.parent)  # fmt: skip
    _check_different((body.name for body in bodies), "body")
    _check_different((body.joint_name for body in bodies), "joint")


def _check_markers(model: Model) -> None:
    names = {body.name for body in model.bodies} if model.markers else set()
    for marker in model.markers:
        require(isinstance(marker, Marker), "markers must be of cd.Marker", BadValue, got=marker)
        if marker.body is not None and marker.body not in names:
            raise unknown_name("body", marker.body, names, f"this model, for marker {marker.name!r}")


def _check_different(names: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        require(name not in seen, f"there are two things with the {what} name {name!r}; names must differ", BadTree)
        seen.add(name)


def _check_force(force: Element, k: int, plain: set[tuple[int, int]], model: Model) -> None:
    require(isinstance(force, Element), f"force {k} must be an Element of condyle.forces", BadValue, got=force)
    at, title = force.at, f"force {k} ({force.name!r})"
    if isinstance(at, BetweenFrames):
        _check_two(at.a, at.b, len(model.bodies), title)
        return
    inside = 0 <= at.q < model.nq and 0 <= at.v < model.nv
    good = (at.q, at.v) in plain or (inside and force.law == "damper")  # which acts on quaternions too
    require(good, f"{title} acts on a coordinate that the model does not have", BadValue, q=at.q, v=at.v)


def _check_two(a: int, b: int, count: int, what: str) -> None:
    good = a != b and all(isinstance(i, (int, np.integer)) and -1 <= i < count for i in (a, b))
    require(good, f"{what} needs the numbers of two different bodies, 0 … {count - 1} or −1", BadValue, a=a, b=b)


def _check_loop(loop: Loop, plain: set[tuple[int, int]], model: Model) -> None:
    words = f"{loop.label}: a loop is closed by a point, a weld, a distance or a line"
    require(loop.kind in LOOP_AXES, words, BadValue, kind=loop.kind)
    _check_two(loop.a, loop.b, len(model.bodies), loop.label)
    good = loop.frame_a.shape == loop.frame_b.shape == (4, 4)
    require(good, f"{loop.label}: frames are 4x4 arrays", BadShape, got=(loop.frame_a.shape, loop.frame_b.shape))


def _check_coupling(coupling: Coupling, plain: set[tuple[int, int]], model: Model) -> None:
    places, count = {(coupling.q, coupling.v), *coupling.others}, len(coupling.others)
    good = count > 0 and places <= plain and len(places) == count + 1
    require(good, f"{coupling.label}: it needs different plain coordinates of the model", BadValue, places=places)
    read = len(coupling.slide.coordinates) if isinstance(coupling.slide, Joint) else -1
    good = read in (0, count) and read in (0, coupling.slide.nv)
    require(good, f"{coupling.label}: its function reads {count} coordinates, or none", BadShape, got=read)


def _check_rolling(rolling: Rolling, plain: set[tuple[int, int]], model: Model) -> None:
    label = rolling.label
    require(rolling.kind == ROLL and 0 <= rolling.body < len(model.bodies), f"{label}: no such body", BadValue,
            body=rolling.body)  # fmt: skip
    joint = model.bodies[rolling.body].joint
    places = dict(zip(joint.offsets, joint.widths, strict=True))
    same = [places.get(offset) for offset in rolling.offsets] == rolling.contact.widths
    require(same, f"{label}: the contact reads coordinates of the body's joint", BadValue, offsets=rolling.offsets)
    good = len(set(rolling.tangents)) == len(rolling.tangents) and set(rolling.tangents) <= {0, 1, 2}
    require(good, f"{label}: tangents are different axes 0, 1 or 2", BadValue, tangents=rolling.tangents)


_CHECKS = {Loop: _check_loop, Coupling: _check_coupling, Rolling: _check_rolling}
