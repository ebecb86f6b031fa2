"""A joint's segments as plain data and back, bit by bit; what is read is checked, because kernels trust it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..errors import BadShape, BadValue, require
from ..joints import Joint
from ..joints.controls import Controls, CurveControls
from ..joints.form import BALL, ELLIPSE, FACTORS, FREE, POLYNOMIAL, SINUSOID, WIDTHS, Grid, Segment, Term
from ..joints.joint import arrays_of
from ..spatial.rigid import rigid_matrix
from .joint_schema import SegmentEntry, Segments, SplineCurve, SplineSurface, TermEntry

__all__ = ["described", "joint_of", "with_design"]

KINDS = {"factors": FACTORS, "ball": BALL, "free": FREE}
FUNCTIONS = {"polynomial": POLYNOMIAL, "sinusoid": SINUSOID, "ellipse": ELLIPSE}
NAME_OF_KIND = {code: name for name, code in KINDS.items()}
NAME_OF_FUNCTION = {code: name for name, code in FUNCTIONS.items()}
LONGEST = 64  # coefficients of a polynomial along one coordinate
AXES = 4  # coordinates that a grid looks up


def described(joint: Joint) -> dict[str, Any]:
    """A joint as plain data with arrays in it."""
    data: dict[str, Any] = {
        "type": "segments",
        "title": joint.title,
        "coordinates": list(joint.coordinates),
        "outside": joint.outside,
        "segments": [_described(s) for s in joint.segments],
    }
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
    require(form.segments, "a joint needs at least one segment", BadShape)
    count = len(form.coordinates)
    segments = tuple(_segment(s, count, f"segment {k}") for k, s in enumerate(form.segments))
    _check_quaternions(segments)
    return Joint(segments, tuple(form.coordinates), form.outside, form.title)


def with_design(joint: Joint, made: Joint, written: SplineCurve | SplineSurface) -> Joint:
    """The joint with what it was designed by, as written; what was `made` from that must be the same joint."""
    ours, others = ([a for s in j.segments for a in arrays_of(s)] for j in (joint, made))
    same = len(ours) == len(others) and all(a.shape == b.shape for a, b in zip(ours, others, strict=True))
    same = same and all(np.allclose(a, b, rtol=1e-6, atol=1e-9) for a, b in zip(ours, others, strict=True))
    require(same, "its design makes another joint than its segments; leave one of them out", BadValue)
    poses = ((name, getattr(written, name, None)) for name in ("frames", "pose"))
    exact = {name: x for name, x in poses if isinstance(x, np.ndarray)}  # checking a rotation may change its last bit
    return replace(joint, controls=replace(made.controls, **exact))  # type: ignore[type-var]


def _segment(entry: SegmentEntry, count: int, what: str) -> Segment:
    require(all(0 <= c < count for c in entry.coordinates), f"{what}: coordinates are numbers 0 … {count - 1}",
            BadValue, coordinates=entry.coordinates)  # fmt: skip
    if KINDS[entry.kind] != FACTORS:
        require(len(entry.coordinates) == 1, f"{what}: a quaternion is one coordinate", BadShape)
        spare = entry.breaks or entry.terms or entry.periodic or entry.poses is not None or entry.twists is not None
        require(not spare, f"{what}: a quaternion has no poses, twists, terms or grid", BadShape)
        return Segment(np.zeros((0, 4, 4)), np.zeros((0, 0, 6)), (), Grid(tuple(entry.coordinates)), KINDS[entry.kind])
    grid = _grid(entry, what)
    poses = np.eye(4)[None] if entry.poses is None else entry.poses
    require(poses.shape == (grid.rows, 4, 4), f"{what}: poses must have shape ({grid.rows}, 4, 4)", BadShape,
            shape=poses.shape)  # fmt: skip
    rigid_matrix(poses, f"{what}: pose ")
    m = len(entry.terms)
    twists = np.zeros((grid.rows, 0, 6)) if entry.twists is None else entry.twists
    require(twists.shape == (grid.rows, m, 6), f"{what}: twists must have shape ({grid.rows}, {m}, 6)", BadShape,
            shape=twists.shape)  # fmt: skip
    terms = tuple(_term(t, grid, count, f"{what}, term {k}") for k, t in enumerate(entry.terms))
    return Segment(poses, twists, terms, grid)


def _grid(entry: SegmentEntry, what: str) -> Grid:
    n = len(entry.breaks)
    require(len(entry.coordinates) == n == len(entry.periodic),
            f"{what}: a grid has one array of breaks and one periodic flag for each of its coordinates", BadShape,
            coordinates=len(entry.coordinates), breaks=n, periodic=len(entry.periodic))  # fmt: skip
    require(n <= AXES and len(set(entry.coordinates)) == n, f"{what}: a grid has at most {AXES} different coordinates",
            BadShape, coordinates=entry.coordinates)  # fmt: skip
    for b in entry.breaks:
        good = b.ndim == 1 and len(b) >= 2 and bool((np.diff(b) > 0).all())
        require(good, f"{what}: breaks must be two or more increasing numbers", BadValue)
    return Grid(tuple(entry.coordinates), tuple(entry.breaks), tuple(entry.periodic))


def _term(entry: TermEntry, grid: Grid, count: int, what: str) -> Term:
    code, read = FUNCTIONS[entry.function], entry.coordinates
    good = read and len(set(read)) == len(read) and all(0 <= c < count for c in read)
    require(good, f"{what}: coordinates are different numbers 0 … {count - 1}", BadValue, coordinates=read)
    shape = entry.constants.shape
    require(shape[:1] in ((1,), (grid.rows,)), f"{what}: constants must have {grid.rows} rows", BadShape, shape=shape)
    if code == POLYNOMIAL:
        expected = f"{what}: constants must have one axis for the rows and one of 1 … {LONGEST} for each coordinate"
        good = len(shape) == 1 + len(read) and all(1 <= n <= LONGEST for n in shape[1:])
    else:
        width = 4 if code == SINUSOID else 2
        expected = f"{what}: a {entry.function} has {width} constants in each row and one coordinate"
        good = shape[1:] == (width,) and len(read) == 1
    require(good, expected, BadShape, shape=shape)
    require(code != ELLIPSE or (entry.constants > 0).all(), f"{what}: an ellipse needs positive semi-axes", BadValue)
    return Term(code, tuple(read), entry.constants)


def _check_quaternions(segments: tuple[Segment, ...]) -> None:
    """A quaternion is read by its own segment alone."""
    quaternions = [s.grid.coordinates[0] for s in segments if WIDTHS[s.kind] != WIDTHS[FACTORS]]
    factors = [s for s in segments if s.kind == FACTORS]
    read = {c for s in factors for c in (*s.grid.coordinates, *(c for t in s.terms for c in t.coordinates))}
    clash = read.intersection(quaternions)
    require(len(set(quaternions)) == len(quaternions) and not clash, "a quaternion's coordinate is read once only",
            BadValue, coordinates=sorted(clash) or quaternions)  # fmt: skip
