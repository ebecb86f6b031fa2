"""A joint's segments as plain data and back, bit by bit; what is read is checked, because kernels trust it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..errors import BadShape, BadValue, require
from ..joints import Joint
from ..joints.controls import Controls, CurveControls
from ..joints.joint import arrays_of
from ..joints.segments import BALL, ELLIPSE, FACTORS, FREE, POLYNOMIAL, SINUSOID, Grid, Segment, Term
from ..spatial.validate_rotation import rigid_matrix
from .joint_schema import SegmentEntry, Segments, SplineCurve, SplineSurface

KINDS = {"factors": FACTORS, "ball": BALL, "free": FREE}
FUNCTIONS = {"polynomial": POLYNOMIAL, "sinusoid": SINUSOID, "ellipse": ELLIPSE}
NAME_OF_KIND = {code: name for name, code in KINDS.items()}
NAME_OF_FUNCTION = {code: name for name, code in FUNCTIONS.items()}


def described(joint: Joint) -> dict[str, Any]:
    """A joint as plain data with arrays in it."""
    data: dict[str, Any] = {
        "type": "segments",
        "title": joint.title,
        "coordinates": list(joint.coordinates),
        "outside": joint.outside,
        "segments": [_described(s) for s in joint.segments],
    }
    data |= {"corners": [list(c) for c in joint.corners]} if joint.corners else {}
    return data if joint.controls is None else data | {"design": _described_design(joint.controls)}


def _described_design(controls: Controls) -> dict[str, Any]:
    """The arguments of the constructor; knots that were not given are left out."""
    kind = "spline_curve" if isinstance(controls, CurveControls) else "spline_surface"
    data = {field.name: getattr(controls, field.name) for field in fields(controls)}
    data |= {name: list(x) for name, x in data.items() if isinstance(x, tuple)}
    knots = data["knots"]
    given = knots is not None and not (isinstance(knots, list) and any(k is None for k in knots))
    return {"type": kind} | {name: x for name, x in data.items() if name != "knots" or given}


def _described(segment: Segment) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": NAME_OF_KIND[segment.kind]}
    if segment.grid.coordinates:
        data["coordinates"] = list(segment.grid.coordinates)
    if segment.kind != FACTORS:
        return data
    if segment.grid.breaks:
        data |= {"breaks": list(segment.grid.breaks), "periodic": [bool(p) for p in segment.grid.periodic]}
    data["poses"] = segment.poses
    if segment.terms:
        data |= {"twists": segment.twists, "terms": [_described_term(t) for t in segment.terms]}
    return data


def _described_term(term: Term) -> dict[str, Any]:
    names = NAME_OF_FUNCTION[term.code]
    return {"function": names, "coordinates": list(term.coordinates), "constants": term.constants}


def joint_of(form: Segments) -> Joint:
    """The joint, with every shape and number checked."""
    segments = tuple(_segment(s, f"segment {k}") for k, s in enumerate(form.segments))
    corners = tuple(tuple(c) for c in form.corners)
    joint = Joint(segments, tuple(form.coordinates), form.outside, form.title, corners=corners)
    for c, places in enumerate(joint.corners):
        breaks = np.concatenate([b for b, _ in joint._axes(c)] or [np.zeros(0)])
        good = all(len(breaks) and np.abs(breaks - x).min() == 0.0 for x in places) and list(places) == sorted(places)
        require(good, "corners are rising breaks of a segment that looks their coordinate up", BadValue, corners=places)
    return joint


def with_design(joint: Joint, made: Joint, written: SplineCurve | SplineSurface) -> Joint:
    """The joint with what it was designed by, as written; what was `made` from that must be the same joint."""
    ours, others = ([a for s in j.segments for a in arrays_of(s)] for j in (joint, made))
    same = len(ours) == len(others) and all(a.shape == b.shape for a, b in zip(ours, others, strict=True))
    same = same and all(np.allclose(a, b, rtol=1e-6, atol=1e-9) for a, b in zip(ours, others, strict=True))
    require(same, "its design makes another joint than its segments; leave one of them out", BadValue)
    poses = ((name, getattr(written, name, None)) for name in ("frames", "pose"))
    exact = {name: x for name, x in poses if isinstance(x, np.ndarray)}  # checking a rotation may change its last bit
    return replace(joint, controls=replace(made.controls, **exact))  # type: ignore[type-var]


def _segment(entry: SegmentEntry, what: str) -> Segment:
    """A segment as written; the joint checks whether its parts go together."""
    kind, grid = KINDS[entry.kind], Grid(tuple(entry.coordinates), tuple(entry.breaks), tuple(entry.periodic))
    if kind != FACTORS:
        spare = entry.breaks or entry.terms or entry.periodic or entry.poses is not None or entry.twists is not None
        require(not spare, f"{what}: a quaternion has no poses, twists, terms or grid", BadShape)
        return Segment(np.zeros((0, 4, 4)), np.zeros((0, 0, 6)), (), grid, kind)
    poses = np.eye(4)[None] if entry.poses is None else entry.poses
    good = poses.ndim == 3 and poses.shape[1:] == (4, 4)
    require(good, f"{what}: poses must have shape (rows, 4, 4)", BadShape, shape=poses.shape)
    rigid_matrix(poses, f"{what}: pose ")
    twists = np.zeros((len(poses), 0, 6)) if entry.twists is None else entry.twists
    terms = tuple(Term(FUNCTIONS[t.function], tuple(t.coordinates), t.constants) for t in entry.terms)
    return Segment(poses, twists, terms, grid)
