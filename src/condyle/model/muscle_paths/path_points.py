"""Points, wraps and sizes of paths as a person says them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import BadValue, require
from ...joints import Joint
from ...joints.kinds.product import as_parts, assembled_product
from ...spatial import as_pose
from ...spatial.arrays import finite_vector
from ...typing import ArrayLike
from .paths import PathPoint, PathWrap, WrapObject

SHAPES = {
    "cylinder": ("WrapCylinder", ("radius", "length")),
    "sphere": ("WrapSphere", ("radius",)),
    "ellipsoid": ("WrapEllipsoid", ("dimensions",)),
    "torus": ("WrapTorus", ("inner_radius", "outer_radius")),
}
SLIDES = np.eye(6)[3:]


def conditional_point(
    body: str | None, at: ArrayLike, coordinate: str, range: tuple[float, float], *, name: str = ""
) -> PathPoint:
    """A point that a path goes through only while a coordinate is in a range.

    Parameters
    ----------
    body : str or None
        That carries it; None is the world.
    at : array_like, shape (3,)
        Its place in body axes [m].
    coordinate : str
    range : pair of float
        Of the coordinate [rad or m].
    name : str, optional

    Returns
    -------
    PathPoint
    """
    low, high = range
    return PathPoint(name, body, finite_vector(at, 3, "a point of a path [m]"), coordinate, (float(low), float(high)))


def moving_point(
    body: str | None,
    functions: Sequence[Any],
    coordinate: str,
    *,
    range: tuple[float, float] | None = None,
    name: str = "",
) -> PathPoint:
    """A point whose place on its body is a function of a coordinate.

    Parameters
    ----------
    body : str or None
        That carries it; None is the world.
    functions : sequence of three Function or float
        Of `condyle.functions`: x, y and z in body axes [m]. Where one is piecewise linear, the moment arm jumps at its
        knots.
    coordinate : str
    range : pair of float, optional
        Beyond it the point stays where it is at its end [rad or m].
    name : str, optional

    Returns
    -------
    PathPoint
    """
    way = point_way(functions, f"moving point {name!r} on {body!r}")
    ends = None if range is None else (float(range[0]), float(range[1]))
    return PathPoint(name, body, np.zeros(3), coordinate, ends, way=way)


def point_way(functions: Sequence[Any], who: str) -> Joint:
    """Slides along x, y and z [m] by functions of one coordinate. A point may turn a corner, as a body may not."""
    parts = [as_parts(f, k, who) for k, f in enumerate(functions)]
    return assembled_product(SLIDES, parts, ("along",), None, "extend", who)


def point_of(given: Any, owner: str, number: int) -> PathPoint:
    """A point of a path from what was given: a PathPoint, or a body and a place on it."""
    if isinstance(given, PathPoint):
        return given
    pair = isinstance(given, (tuple, list)) and len(given) == 2 and (given[0] is None or isinstance(given[0], str))
    require(
        pair, f"{owner}: point {number} must be (body, place), conditional_point or moving_point", BadValue, got=given
    )
    return PathPoint(f"{owner}-P{number}", given[0], finite_vector(given[1], 3, f"{owner}: point {number} [m]"))


def wrap_of(given: Any, owner: str) -> PathWrap:
    """A wrap of a path from what was given: a name, or a name and the first and last point between which it counts."""
    if isinstance(given, PathWrap):
        return given
    if isinstance(given, str):
        return PathWrap(given)
    pair = isinstance(given, (tuple, list)) and len(given) == 2 and isinstance(given[0], str)
    require(pair, f"{owner}: a wrap must be a name, or (name, (first, last))", BadValue, got=given)
    first, last = given[1]
    return PathWrap(given[0], range=(int(first), int(last)))


def wrap_object(
    name: str, shape: str, body: str | None, pose: ArrayLike | None, quadrant: str, sizes: dict[str, Any]
) -> WrapObject:
    """What paths can wrap over."""
    who = f"wrap object {name!r}"
    require(shape in SHAPES, f"{who}: the shape must be one of {', '.join(SHAPES)}", BadValue, got=shape)
    kind, wanted = SHAPES[shape]
    require(set(sizes) == set(wanted), f"{who}: a {shape} needs {' and '.join(wanted)}", BadValue, got=tuple(sizes))
    return WrapObject(name, kind, body, np.asarray(as_pose(pose, f"{who}: pose")), sizes, quadrant)
