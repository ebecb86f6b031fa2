"""The six axes of a CustomJoint: three rotations after three translations, each by a function of coordinates."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .... import joints
from ....joints import Joint
from ....joints.functions import Function, Sum
from ....joints.segments import POLYNOMIAL
from ....model.motion_types import COUPLED, ROTATIONAL, TRANSLATIONAL
from ..osim_document import Node
from .functions import function_in, function_of

SLOTS = ("rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3")


class Motion(NamedTuple):
    """A joint, how OpenSim calls the motion of each coordinate, and the coordinates that move nothing."""

    joint: Joint
    types: dict[str, str]
    idle: tuple[str, ...] = ()


class Axis(NamedTuple):
    """A function of some coordinates, along or about an axis."""

    node: Node
    slot: int  # 0 … 2: rotations, 3 … 5: translations
    direction: np.ndarray
    coordinates: tuple[str, ...]
    function: Function | Sum
    plain: bool  # a linear function of slope 1 or −1


def custom_motion(node: Node, listed: list[str]) -> Motion:
    """The motion of a CustomJoint: G = Π translations · Π rotations, all axes in the parent's frame."""
    axes = [_axis(axis, slot) for slot, axis in axes_of(node)]
    order = tuple(dict.fromkeys(c for axis in axes for c in axis.coordinates))
    moving = {c for axis in axes for part in axis.function.parts for c in _read(part, axis)}
    names = tuple(c for c in order if c in moving)
    arranged = [a for a in axes if a.slot >= 3] + [a for a in axes if a.slot < 3]
    functions = [_renumbered(a, names) for a in arranged]
    twists = [np.concatenate([np.zeros(3), a.direction] if a.slot >= 3 else [a.direction, np.zeros(3)])
              for a in arranged]  # fmt: skip
    joint = joints.product(twists, functions, coordinates=names, title="custom") if arranged else joints.weld()
    types = {c: _type(c, axes) for c in names}
    return Motion(joint, types, tuple(c for c in dict.fromkeys([*listed, *order]) if c not in names))


def axes_of(node: Node) -> list[tuple[int, Node]]:
    """The axes that there are, with their slots; before version 10901 they are a set, sorted by what they do."""
    transform = node.child("SpatialTransform")
    if transform is not None:
        found = {child.name: child for child in transform.children() if child.tag == "TransformAxis"}
        unnamed = [child for child in transform.children() if child.tag == "TransformAxis" and child.name not in SLOTS]
        for child in unnamed:
            child.fail(f"an axis must be named one of {', '.join(SLOTS)}")
        return [(k, found[slot]) for k, slot in enumerate(SLOTS) if slot in found]
    free = {True: iter(range(3)), False: iter(range(3, 6))}
    out = []
    for axis in node.objects("TransformAxisSet"):
        slot = next(free[axis.flag("is_rotation", True)], None)
        if slot is None:
            axis.fail("a joint has three rotations and three translations at most")
        out.append((slot, axis))
    return sorted(out, key=lambda pair: pair[0])


def _axis(node: Node, slot: int) -> Axis:
    direction = node.vector("axis", 3, [1.0, 0.0, 0.0])
    length = float(np.linalg.norm(direction))
    node.require(length > 0.0, "the axis must not be zero")
    names = tuple(node.words("coordinates", "coordinate"))
    names = () if names == ("Unassigned",) else names
    node.require(len(set(names)) == len(names), f"coordinates must be named once each; got {' '.join(names)[:200]}")
    inner = function_in(node)
    if inner is None:
        return Axis(node, slot, direction / length, names, joints.functions.constant(0.0), False)
    function = function_of(inner, len(names))
    kinked = any(part.kinked for part in function.parts)
    inner.require(not kinked, "a function of a joint must have no kinks: its body would jump in velocity")
    return Axis(node, slot, direction / length, names, function, _is_plain(inner, names))


def _is_plain(node: Node, names: tuple[str, ...]) -> bool:
    if node.tag != "LinearFunction" or len(names) != 1:
        return False
    c = node.numbers("coefficients")
    return c is None or abs(float(c[0])) == 1.0  # by default the slope is 1


def _read(part: Function, axis: Axis) -> tuple[str, ...]:
    """The coordinates by which a part of a function changes."""
    polynomial = part.term.code == POLYNOMIAL and not part.grid.breaks
    flat = part.weight == 0.0 or (polynomial and not part.term.constants.reshape(-1)[1:].any())
    return () if flat else tuple(axis.coordinates[k] for k in part.term.coordinates)


def _renumbered(axis: Axis, names: tuple[str, ...]) -> Function | Sum:
    """The function of an axis, reading the coordinates of the joint; parts that do not change are numbers."""
    parts = []
    for part in axis.function.parts:
        if not _read(part, axis):
            parts.append(joints.functions.constant(part.weight * float(part.term.constants.reshape(-1)[0])))
            continue
        to = {k: names.index(axis.coordinates[k]) for k in part.term.coordinates}
        grid = replace(part.grid, coordinates=tuple(to[k] for k in part.grid.coordinates))
        term = replace(part.term, coordinates=tuple(to[k] for k in part.term.coordinates))
        parts.append(replace(part, grid=grid, term=term))
    return parts[0] if len(parts) == 1 else Sum(tuple(parts))


def _type(coordinate: str, axes: list[Axis]) -> str:
    """The last axis that goes by the coordinate itself decides; without one it is coupled."""
    plain = [axis for axis in axes if axis.plain and axis.coordinates == (coordinate,)]
    if not plain:
        return COUPLED
    return ROTATIONAL if plain[-1].slot < 3 else TRANSLATIONAL
