"""What runs along paths in an .osim file, as muscles of the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from ...errors import CondyleError, require
from ...joints import Joint
from ...model import Model
from ...model.muscle_paths.muscle_laws import check_law
from ...model.muscle_paths.path_points import point_way
from ...model.muscle_paths.paths import Muscle, Path, PathPoint, WrapObject, check_muscle, check_wrap
from ...muscles.elastic_energy import is_stretched
from .forces import ACTUATORS
from .joints.osim_coordinates import Coordinate
from .muscle_classes import law_of
from .omissions import Report
from .osim_records import Force

PULLED = "in model.muscles, no force by themselves: they pull where an activation or excitations are given"
STRETCHED = "in model.muscles: they pull in trials and where an activation or excitations are given, not elsewhere"
NO_LAW = "in model.muscles as paths: lengths and moment arms, but no force, as condyle has no law of this class"
PATH_ONLY = "in model.muscles as a path: length and moment arms, but no force, as its numbers make no law"
TURNED_OFF = "turned off in the file, so in model.muscles as paths: lengths and moment arms, but no force"
WIDE = (-10.0, 10.0)  # the range of a coordinate of which a file says none


def with_muscles(
    model: Model,
    forces: Iterable[Force],
    wraps: tuple[WrapObject, ...],
    known: Mapping[str, Coordinate],
    report: Report,
) -> Model:
    """The model with a muscle for each force along a path; what it does not do, or cannot be, is reported."""
    used = {w.wrap_object for f in forces if f.path for w in f.path.wraps}
    named = {w.name: w for w in reversed(wraps) if w.name in used and _is_sound(model, w, report)}
    model = replace(model, wraps=tuple(named[name] for name in sorted(named)))
    found: list[Muscle] = []
    for force in forces:
        if force.path is None:
            continue
        try:
            muscle = _with_a_law(_muscle(force, known), force, report)
            check_muscle(model, muscle)
            require(muscle.name not in {m.name for m in found}, "another force has this name")
            found.append(muscle)
            _tell(force, muscle, report)
        except CondyleError as error:
            report.add("paths", force.name, f"left out of model.muscles: {error}")
    return replace(model, muscles=tuple(found))


def _is_sound(model: Model, wrap: WrapObject, report: Report) -> bool:
    """Whether a wrap object can be one of the model; reported if not."""
    try:
        check_wrap(model, wrap)
    except CondyleError as error:
        report.add("wrap objects", wrap.name, f"left out of model.wraps: {error}")
        return False
    return True


def _muscle(force: Force, known: Mapping[str, Coordinate]) -> Muscle:
    assert force.path is not None
    points = tuple(p for p in (_point(p, known) for p in force.path.points) if p is not None)
    return Muscle(force.name, Path(points, force.path.wraps), *(law_of(force) if force.applies else ("path", {})))


def _with_a_law(muscle: Muscle, force: Force, report: Report) -> Muscle:
    """The muscle, or its path alone where the file's numbers make no law."""
    try:
        check_law(f"muscle {muscle.name!r}", muscle.law, muscle.constants)
    except CondyleError as error:
        report.add("paths", force.name, f"{PATH_ONLY}: {error}")
        return replace(muscle, law="path", constants={})
    return muscle


def _tell(force: Force, muscle: Muscle, report: Report) -> None:
    """Report what a muscle of the model does not do."""
    what = "muscles" if force.is_muscle else force.kind
    if not force.applies:
        report.add(what, force.name, TURNED_OFF)
    elif muscle.law == "path":
        if law_of(force)[0] == "path":
            report.add(force.kind, force.name, NO_LAW)
    else:
        meaning = STRETCHED if is_stretched(muscle) else PULLED
        report.add(what, force.name, meaning, quiet=force.kind in ACTUATORS)


def _point(point: PathPoint, known: Mapping[str, Coordinate]) -> PathPoint | None:
    """The point as the model has it."""
    if point.functions:
        return _moving(point, known)
    if point.range is None:
        return point
    c = known.get(point.coordinate or "")
    require(c is not None, f"point {point.name!r} depends on a coordinate that there is not", got=point.coordinate)
    assert c is not None and point.range is not None
    if c.motion_type:
        return replace(point, coordinate=f"{c.joint}.{c.name}")
    low, high = point.range
    counts = low <= c.default <= high  # the coordinate moves nothing, so it stays where it is
    return replace(point, coordinate=None, range=None) if counts else None


def _moving(point: PathPoint, known: Mapping[str, Coordinate]) -> PathPoint:
    read = sorted({name for name in point.coordinates if name})
    require(len(read) == 1, f"point {point.name!r} must move with one coordinate", got=read)
    c = known.get(read[0])
    require(c is not None, f"point {point.name!r} moves with a coordinate that there is not", got=read[0])
    assert c is not None
    if not c.motion_type:
        at = np.clip(c.default, *(c.range or WIDE))
        frame = np.eye(4) if point.frame is None else point.frame
        place = frame[:3, :3] @ _way(point).pose([at]).xyz + frame[:3, 3]
        return replace(point, location=place, functions=(), coordinates=())
    return replace(
        point,
        coordinate=f"{c.joint}.{c.name}",
        range=c.range or WIDE,
        way=_way(point),
    )


def _way(point: PathPoint) -> Joint:
    """Slides along x, y and z by the functions of a moving point; one that reads no coordinate stays at f(0)."""
    functions = []
    for f, name in zip(point.functions, point.coordinates, strict=True):
        if f is None:
            functions.append(0.0)
        elif name is None or not f.coordinates:
            functions.append(float(np.asarray(f(0.0) if f.coordinates else f())))
        else:
            functions.append(f)
    return point_way(functions, f"way of point {point.name!r}")
