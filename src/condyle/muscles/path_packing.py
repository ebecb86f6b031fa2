"""The paths of a model as the two arrays that kernels read."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..errors import BadValue, require
from ..joints.packing import TableBuilder
from ..model import Model
from ..model.memo import once_per_model
from ..model.muscle_paths.paths import Muscle, Path, PathPoint, PathWrap, WrapObject, coordinate_source
from ..model.packing.principal_frames import seen_in_inertial_frame
from .kernels import path_layout as at

KINDS = {
    "WrapCylinder": at.CYLINDER,
    "WrapSphere": at.SPHERE,
    "WrapEllipsoid": at.ELLIPSOID,
    "WrapTorus": at.TORUS,
}
QUADRANTS = {f"{sign}{axis}": (k, -1 if sign == "-" else 1) for k, axis in enumerate("xyz") for sign in ("", "+", "-")}


class Packed(NamedTuple):
    """Tables of all paths of a model."""

    codes: np.ndarray
    numbers: np.ndarray


@once_per_model
def packed_paths(model: Model) -> Packed:
    """The arrays `codes` and `numbers` of a model's paths, without points that do nothing."""
    return _packed(model, False)


@once_per_model
def packed_whole_paths(model: Model) -> Packed:
    """The arrays `codes` and `numbers` of a model's paths with all their points."""
    return _packed(model, True)


def _packed(model: Model, whole: bool) -> Packed:
    require(model.muscles, "this model has no muscles: model.muscles is empty. Add them with b.add_muscle, or load an "
            ".osim file that has some", BadValue)  # fmt: skip
    tables = TableBuilder()
    tables.reserve(at.PATHS_SIZE)
    paths = [_path(tables, model, m, whole) for m in model.muscles]
    header = at.PathsHeader(
        paths=len(paths),
        first_path=tables.records(paths),
        work=tables.work,
        vertices=max(p.points + 2 * p.wraps for p in paths),
        wraps=max(p.wraps for p in paths),
    )
    tables.codes[: at.PATHS_SIZE] = header
    return Packed(*tables.arrays())


def active_wraps(model: Model, muscle: Muscle) -> list[WrapObject]:
    """The objects that a path wraps over, in its order."""
    return [found for _, found in _used(model, muscle.path)]


def _used(model: Model, path: Path) -> list[tuple[PathWrap, WrapObject]]:
    wraps = {w.name: w for w in reversed(model.wraps)}  # the first of a name counts
    return [(w, wraps[w.wrap_object]) for w in path.wraps if wraps[w.wrap_object].active]


def _path(tables: TableBuilder, model: Model, muscle: Muscle, whole: bool) -> at.PathRecord:
    path = muscle.path
    used = _used(model, path)
    points = [_point(tables, model, p) for p in path.points]
    records = [_wrap(tables, model, w, o, path) for w, o in used]
    bodies = _bodies(model, {p.slot - 1 for p in points} | {w.slot - 1 for w in records})
    changing = any(p.kind != at.FIXED for p in points)
    steady = _steady_parts(path, points)
    kept = [True] * len(points) if whole or records else _kept(steady)
    constant = sum(steady) if not (changing or records) else _left_out(path, steady, kept)
    points = [p for p, keep in zip(points, kept, strict=True) if keep]
    return at.PathRecord(
        points=len(points),
        first_point=tables.records(points),
        wraps=len(records),
        first_wrap=tables.records(records),
        bodies=len(bodies),
        first_body=tables.records(bodies),
        changing=int(changing),
        constant=tables.floats([constant]),
        left_out=len(path.points) - len(points),
    )


def _steady_parts(path: Path, points: list[at.PointRecord]) -> list[float]:
    """Lengths [m] of the segments whose ends are fixed on one body; 0 for the others."""
    still = at.FIXED, at.FIXED
    return [
        _distance(*ends) if (p.kind, r.kind) == still and p.slot == r.slot else 0.0
        for ends, (p, r) in zip(pairwise(path.points), pairwise(points), strict=True)
    ]


def _distance(a: PathPoint, b: PathPoint) -> float:
    return float(np.linalg.norm(b.location - a.location))


def _kept(steady: list[float]) -> list[bool]:
    """Which points of a path are ends of segments that can change; the first one if there are none."""
    ends = [True, *(x > 0.0 for x in steady), True]
    kept = [not (before and after) for before, after in pairwise(ends)]
    return kept if any(kept) else [True, *kept[1:]]


def _left_out(path: Path, steady: list[float], kept: list[bool]) -> float:
    """By how much a path is longer than the one through the points that are kept."""
    parts = sum(x for x, ends in zip(steady, pairwise(kept), strict=True) if not all(ends))
    chosen = [k for k, keep in enumerate(kept) if keep]
    return parts - sum(_distance(path.points[i], path.points[j]) for i, j in pairwise(chosen) if j > i + 1)


def _bodies(model: Model, touched: set[int]) -> list[tuple[int, int]]:
    """The bodies that move the touched ones against each other, outermost first, and whether the parent is one."""
    above = [set(_ancestors(model, b)) for b in touched]
    common = set.intersection(*above)
    found = sorted(set.union(*above) - common, reverse=True)
    return [(b, int(model.bodies[b].parent in found)) for b in found]


def _ancestors(model: Model, body: int) -> list[int]:
    """A body and all that carry it, the world (−1) last."""
    path = [body]
    while path[-1] >= 0:
        path.append(model.bodies[path[-1]].parent)
    return path


def _body_number(model: Model, name: str | None) -> int:
    return -1 if name is None else model.body_index(name)


def _twelve(T: np.ndarray) -> list[float]:
    return [*T[:3, :3].ravel(), *T[:3, 3]]


def _shifted(x: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x
    return T


def _point(tables: TableBuilder, model: Model, point: PathPoint) -> at.PointRecord:
    body = _body_number(model, point.body)
    place = seen_in_inertial_frame(model, body, _shifted(point.location))[:3, 3]
    if point.coordinate is None:
        return at.PointRecord(at.FIXED, body + 1, tables.floats(place))
    source = coordinate_source(model, point.coordinate)
    low, high = (-np.inf, np.inf) if point.range is None else point.range
    if point.way is None:
        return at.PointRecord(at.CONDITIONAL, body + 1, tables.floats([*place, low, high]), *source)
    frame = seen_in_inertial_frame(model, body, np.eye(4) if point.frame is None else point.frame)
    numbers, segments = tables.floats([*_twelve(frame), low, high]), point.way.segments
    return at.PointRecord(at.MOVING, body + 1, numbers, *source, tables.joint(segments, [(0, 0)]), len(segments))


def _wrap(tables: TableBuilder, model: Model, wrap: PathWrap, found: WrapObject, path: Path) -> at.WrapRecord:
    body = _body_number(model, found.body)
    numbers = [*_twelve(seen_in_inertial_frame(model, body, found.pose)), *_sizes(found)]
    axis, sign = _quadrant(found)
    start, end = wrap.range
    first, last = (start - 1 if start >= 1 else 0), (end - 1 if end >= 1 else len(path.points) - 1)
    return at.WrapRecord(KINDS[found.kind], body + 1, tables.floats(numbers), axis, sign, first, last)


def _sizes(wrap: WrapObject) -> list[float]:
    s = wrap.sizes
    if wrap.kind == "WrapCylinder":
        return [float(s["radius"]), 0.5 * float(s["length"]), 0.0]
    if wrap.kind == "WrapSphere":
        return [float(s["radius"]), 0.0, 0.0]
    if wrap.kind == "WrapTorus":
        return [float(s["inner_radius"]), float(s["outer_radius"]), 0.0]
    return [float(x) for x in s["dimensions"]]


def _quadrant(wrap: WrapObject) -> tuple[int, int]:
    """Axis and sign of the active side; sign 0 if all sides are."""
    name = wrap.quadrant.lower()
    if name in ("all", ""):
        return 0, 0
    known = f"wrap object {wrap.name!r}: the quadrant must be all, x, -x, y, -y, z or -z"
    require(name in QUADRANTS, known, BadValue, got=wrap.quadrant)
    return QUADRANTS[name]
