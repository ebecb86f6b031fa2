"""Muscles, paths and wrap objects in files of models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..joints import Joint
from ..model import Model
from ..model.muscle_paths.path_points import SHAPES, wrap_object
from ..model.muscle_paths.paths import Muscle, Path, PathPoint, PathWrap, WrapObject
from .joint_build import built_joint, pose_of
from .schema import MuscleEntry, PathPointEntry, WrapEntry
from .segment_data import described

NAMES = {kind: shape for shape, (kind, _) in SHAPES.items()}


def _said(**values: Any) -> dict[str, Any]:
    """What is not None."""
    return {name: value for name, value in values.items() if value is not None}


def described_wrap(wrap: WrapObject) -> dict[str, Any]:
    """A wrap object as plain data."""
    shape = NAMES[wrap.kind]
    sizes = {name: _plain(wrap.sizes[name]) for name in SHAPES[shape][1]}
    data = {"name": wrap.name, "shape": shape, **_said(body=wrap.body), "pose": wrap.pose, "quadrant": wrap.quadrant}
    return data | ({} if wrap.active else {"active": False}) | {"sizes": sizes}


def _plain(x: Any) -> Any:
    return [float(v) for v in x] if np.ndim(x) else float(x)


def described_muscle(muscle: Muscle) -> dict[str, Any]:
    """A muscle as plain data."""
    wraps = [
        {"wrap": w.wrap_object, "method": w.method, "first": w.range[0], "last": w.range[1]} for w in muscle.path.wraps
    ]
    data = {"name": muscle.name, "law": muscle.law, "points": [_point(p) for p in muscle.path.points]}
    data |= {"wraps": wraps} if wraps else {}
    constants = {name: x if np.ndim(x) == 0 else [list(part) for part in x] for name, x in muscle.constants.items()}
    return data | ({"constants": constants} if constants else {})


def _point(point: PathPoint) -> dict[str, Any]:
    low, high = (None, None) if point.range is None else point.range
    way = None if point.way is None else described(point.way)
    optional = _said(body=point.body, coordinate=point.coordinate, low=low, high=high, way=way, frame=point.frame)
    return {"name": point.name, "at": point.location, **optional}


def with_muscles(
    model: Model, wraps: list[WrapEntry], muscles: list[MuscleEntry], read_file: Callable[[str], Joint]
) -> Model:
    """The model with the muscles and wrap objects of a file."""
    if not (wraps or muscles):
        return model
    objects = tuple(
        replace(wrap_object(w.name, w.shape, w.body, pose_of(w.pose), w.quadrant, _sizes(w)), active=w.active)
        for w in wraps
    )
    return replace(model, wraps=objects, muscles=tuple(_muscle(m, read_file) for m in muscles))


def _sizes(entry: WrapEntry) -> dict[str, Any]:
    return {name: tuple(x) if isinstance(x, list) else x for name, x in entry.sizes.items()}


def _muscle(entry: MuscleEntry, read_file: Callable[[str], Joint]) -> Muscle:
    wraps = tuple(PathWrap(w.wrap, w.method, (w.first, w.last)) for w in entry.wraps)
    points = tuple(_built_point(p, read_file) for p in entry.points)
    constants = {name: tuple(map(tuple, x)) if isinstance(x, list) else x for name, x in entry.constants.items()}
    return Muscle(entry.name, Path(points, wraps), entry.law, constants)


def _built_point(entry: PathPointEntry, read_file: Callable[[str], Joint]) -> PathPoint:
    way = None if entry.way is None else built_joint(entry.way, read_file)
    frame = None if entry.frame is None else np.asarray(pose_of(entry.frame))
    ends = None if entry.low is None or entry.high is None else (float(entry.low), float(entry.high))
    return PathPoint(entry.name, entry.body, np.array(entry.at), entry.coordinate, ends, frame=frame, way=way)
