"""From a file's tables to the model, all errors at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..errors import BadInertia, BadShape, BadValue, require
from ..joints import Joint
from ..model import Marker, Model, ModelBuilder
from ..model.followers import fold
from ..model.look.shapes import BONE, Shape
from ..model.prescribed import Prescribed
from ..spatial import Inertia
from .constraint_file import built_constraint, exact_constraint
from .force_file import add_force, add_load
from .inertias import WAY_OUT, checked_way, file_inertia
from .joint_build import built_joint, placed, pose_of
from .muscle_file import with_muscles
from .problems import Problems
from .schema import (
    BodyEntry,
    CoupleEntry,
    InertiaEntry,
    MarkerEntry,
    ModelFile,
    PrescribedEntry,
    RangeEntry,
    ShapeEntry,
)


def built_model(
    entry: ModelFile, problems: Problems, read_file: Callable[[str], Joint], inertias: str | None = None
) -> Model:
    """The model; what cannot be built is collected in `problems` and raised together. `inertias` as in `load`."""
    way = checked_way(inertias)
    builder = ModelBuilder(gravity=entry.gravity)
    for i, body in enumerate(entry.bodies):
        _add_body(builder, i, body, problems, read_file, way)
    problems.check()  # what follows names bodies, so they must all be there
    for i, load in enumerate(entry.loads):
        with problems.at("loads", i):
            add_load(builder, load)
    for i, item in enumerate(entry.forces):
        with problems.at("forces", i):
            add_force(builder, item)
    for i, item in enumerate(entry.ranges):
        with problems.at("ranges", i):
            builder.set_range(item.coordinate, *_ends(item))
    for i, item in enumerate(entry.limits):
        with problems.at("limits", i):
            said = any(x is not None for x in (item.velocity, item.effort, item.friction))
            if said or item.armature is None:
                builder.set_limits(item.coordinate, velocity=item.velocity, effort=item.effort, friction=item.friction)
            if item.armature:
                builder.set_armature(item.coordinate, item.armature)
    for i, item in enumerate(entry.defaults):
        with problems.at("defaults", i):
            builder.set_default(item.coordinate, item.value)
    for i, item in enumerate(entry.prescribed):
        with problems.at("prescribed", i):
            builder.prescribe(item.coordinate, _motion(item), rate=item.rate)
    for i, item in enumerate(entry.constraints):
        with problems.at("constraints", i):
            builder.add_constraint(built_constraint(item, read_file))
    problems.check()
    return problems.built(lambda: exact(builder.build(), entry, read_file))


def exact(model: Model, entry: ModelFile, read_file) -> Model:
    """The model with the frames of its constraints as in the file, bit by bit; checking moved their last digits."""
    both = zip(model.constraints, entry.constraints, strict=True)
    constraints = tuple(exact_constraint(c, item, read_file) for c, item in both)
    types = {item.coordinate: item.type for item in entry.motion_types}
    markers = tuple(_marker(item) for item in entry.markers)
    model = replace(model, constraints=constraints, notes=tuple(entry.notes), motion_types=types, markers=markers)
    model = with_muscles(model, entry.wraps, entry.muscles, read_file)
    chosen = [k for k, item in enumerate(entry.constraints) if isinstance(item, CoupleEntry) and item.fold]
    return fold(model, chosen) if chosen else model


def _marker(item: MarkerEntry) -> Marker:
    return Marker(item.name, item.body, np.array(item.at), item.fixed)


def _add_body(builder: ModelBuilder, i: int, body: BodyEntry, problems: Problems, read_file, way: str) -> None:
    """Each part is tried by itself, so that one file shows all its errors."""
    joint, inertia, shapes = None, Inertia.massless(), []
    before = len(problems.found)
    with problems.at("bodies", i, "joint"):
        joint = None if body.joint is None else built_joint(body.joint, read_file)
    with problems.at("bodies", i, "inertia"):
        inertia = inertia_of(body.inertia, body.name, way)
    for k, shape in enumerate(body.shapes):
        with problems.at("bodies", i, "shapes", k):
            shapes.append(_shape(shape))
    joint = joint if len(problems.found) == before else None
    with problems.at("bodies", i):
        builder.add_body(
            body.name, body.parent, joint, inertia, placed(body.placement), placed(body.offset), body.joint_name,
            shapes,
        )  # fmt: skip


def inertia_of(entry: InertiaEntry, body: str, way: str = "check") -> Inertia:
    """The inertia of a body; without mass it needs no moment."""
    moment = np.zeros(3) if entry.moment is None and entry.mass == 0.0 else entry.moment
    require(moment is not None, "a body with a mass needs `moment`; zeros make it a point", BadInertia)
    way, tell = ("keep", lambda words: None) if entry.keep else (way, None)
    try:
        return file_inertia(entry.mass, entry.com, moment, f"body {body!r}", way, tell=tell)
    except BadInertia as error:
        raise BadInertia(f"{error}; {WAY_OUT}") from None


def _shape(entry: ShapeEntry) -> Shape:
    require(entry.type != "mesh" or entry.path, "a mesh needs a path", BadValue, path=entry.path)
    color = BONE if entry.color is None else tuple(entry.color)
    pose = pose_of(entry.pose)
    return Shape(entry.type, tuple(entry.size), np.eye(4) if pose is None else pose, color, entry.path)  # type: ignore[arg-type]


def _ends(entry: RangeEntry) -> tuple[float, float]:
    """Where a range begins and ends; what is left out is no end."""
    return -np.inf if entry.low is None else entry.low, np.inf if entry.high is None else entry.high


def _motion(item: PrescribedEntry):
    ways = [item.value is not None, item.times is not None, item.knots is not None]
    require(sum(ways) == 1, "give one of `value`, `times` with `values`, or `knots` with `coefficients`", BadValue)
    require(item.rate is None or item.value is not None, "`rate` goes with `value`", BadValue)
    if item.value is not None:
        return item.value
    if item.times is not None:
        require(item.values is not None, "`times` need `values`", BadValue)
        return item.times, item.values
    return _spline(item.knots, item.coefficients)


def _spline(knots, coefficients) -> Prescribed | tuple:
    """The order-6 spline that prescribe() made of samples, from its own numbers."""
    from scipy.interpolate import BSpline

    require(coefficients is not None, "`knots` need `coefficients`", BadValue)
    good = knots.ndim == 1 and coefficients.ndim == 1 and len(coefficients) >= 6 and len(knots) == len(coefficients) + 6
    require(good, "an order-6 spline has 6 more knots than coefficients, which are 6 or more", BadShape)
    require((np.diff(knots) >= 0).all() and knots[5] < knots[-6], "knots must not decrease", BadValue)
    spline = BSpline(knots, coefficients, 5)
    return Prescribed(spline, spline.derivative(1), spline.derivative(2), (float(knots[5]), float(knots[-6])))
