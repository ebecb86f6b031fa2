"""Constraints in a file: how they are written, read and made exact again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import BadValue, require
from ..joints import Joint
from ..joints.functions import linear
from ..model import Model
from ..model import constraints as cs
from ..model.kernels.layout import DISTANCE, LINE, POINT, WELD
from ..model.resolved_constraints import Coupling, Loop, Rolling
from .joint_build import built_function, built_joint, pose_of
from .schema import CoupleEntry, DistanceEntry, LineEntry, PointEntry, RollEntry, WeldEntry
from .segment_data import described as described_joint

LOOPS = {POINT: ("point", "ab"), WELD: ("weld", ""), DISTANCE: ("distance", "ab"), LINE: ("line", "a")}  # ends: points


def described_constraint(model: Model, bound: Loop | Coupling | Rolling) -> dict[str, Any]:
    """A bound constraint as plain data."""
    if isinstance(bound, Rolling):
        contact = described_joint(bound.contact)
        tangents = list(bound.tangents)
        return {"type": "roll", "body": model.bodies[bound.body].name, "tangents": tangents, "contact": contact}
    if isinstance(bound, Coupling):
        names = {model.v_index(c): c for c in model.coordinates}
        others = [names[v] for _, v in bound.others]
        ends = {"coordinate": names[bound.v], "other": others[0] if len(others) == 1 else others}
        return {"type": "couple", **ends, "slide": described_joint(bound.slide)}
    return _described_loop(model, bound)


def _described_loop(model: Model, bound: Loop) -> dict[str, Any]:
    kind, pointed = LOOPS[bound.kind]
    data: dict[str, Any] = {"type": kind}
    for end, body, frame in (("a", bound.a, bound.frame_a), ("b", bound.b, bound.frame_b)):
        data |= {f"body_{end}": model.bodies[body].name} if body >= 0 else {}
        data |= {f"point_{end}": frame[:3, 3]} if end in pointed else {f"frame_{end}": frame}
    return data | ({"length": bound.length} if bound.kind == DISTANCE else {})


def built_constraint(entry, read_file: Callable[[str], Joint]) -> cs.Constraint:
    """The constraint that an entry describes."""
    if isinstance(entry, PointEntry):
        return cs.point(entry.body_a, entry.point_a, entry.body_b, entry.point_b)
    if isinstance(entry, WeldEntry):
        return cs.weld(entry.body_a, pose_of(entry.frame_a), entry.body_b, pose_of(entry.frame_b))
    if isinstance(entry, DistanceEntry):
        return cs.distance(entry.body_a, entry.point_a, entry.body_b, entry.point_b, entry.length)
    if isinstance(entry, LineEntry):
        frame = cs.one_pose(pose_of(entry.frame_b), "frame_b")
        return cs.line(entry.body_a, entry.point_a, entry.body_b, frame[:3, 3], frame[:3, 2])
    if isinstance(entry, RollEntry):
        return cs.roll(entry.body, built_joint(entry.contact, read_file), tuple(entry.tangents))
    return _built_coupling(entry)


def _built_coupling(entry: CoupleEntry) -> cs.Constraint:
    """By a function, or by a ratio; where a slide is given, `exact_constraint` puts it in place of any function."""
    others = [entry.other] if isinstance(entry.other, str) else entry.other
    require(entry.function is None or entry.slide is None, "give `function` or `slide`, not both", BadValue)
    function = None if entry.function is None else built_function(entry.function)
    if entry.slide is not None and len(others) > 1:
        function = sum((linear(k) for k in range(1, len(others))), start=linear(0))
    return cs.couple(entry.coordinate, others, function, ratio=entry.ratio, offset=entry.offset)


def exact_constraint(bound, entry, read_file: Callable[[str], Joint]):
    """The bound constraint with the file's own numbers, bit by bit."""
    if isinstance(entry, (WeldEntry, LineEntry)):
        given = {"frame_a": pose_of(getattr(entry, "frame_a", None)), "frame_b": pose_of(entry.frame_b)}
        return replace(bound, **{k: x for k, x in given.items() if isinstance(x, np.ndarray)})
    if isinstance(entry, CoupleEntry) and entry.slide is not None:
        return replace(bound, slide=built_joint(entry.slide, read_file))
    return bound
