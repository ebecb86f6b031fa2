"""From the entry of a file to the joint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.interpolate import NdBSpline

from .. import joints
from ..errors import BadValue, require
from ..joints import Joint, functions
from ..spatial import SE3
from . import joint_schema as js
from .segment_data import joint_of, with_design

POSES = ("pose", "frames")
ALONG = ("frame", "up", "coordinate", "crossings", "outside", "name")
PLURAL = ("names", "coordinates")


def placed(entry) -> SE3 | np.ndarray | None:
    """A pose from a position and quaternion, bit by bit; a matrix as it is."""
    return SE3(np.array(entry.wxyz), np.array(entry.xyz)) if isinstance(entry, js.Position) else entry


def pose_of(entry) -> np.ndarray | None:
    """A 4x4 matrix from an array or a position and quaternion."""
    pose = placed(entry)
    return pose.as_matrix() if isinstance(pose, SE3) else pose


def built_joint(form, read_file: Callable[[str], Joint]) -> Joint:
    """The joint that a form describes; `read_file` loads the joint of another file."""
    if isinstance(form, js.Segments):
        joint, design = joint_of(form), form.design
        return joint if design is None else with_design(joint, built_joint(design, read_file), design)
    if isinstance(form, js.Compose):
        parts = [built_joint(j, read_file) for j in form.joints]
        return joints.compose(*parts, names=None if form.names is None else tuple(form.names))
    if isinstance(form, js.Inverse):
        return built_joint(form.joint, read_file).inverse()
    if isinstance(form, js.JointInFile):
        return read_file(form.path)
    if isinstance(form, js.Contact):
        parent, child = (built_joint(j, read_file) for j in (form.parent, form.child))
        names = None if form.names is None else tuple(form.names)
        return joints.contact(parent, child, touching=form.touching, names=names)
    if isinstance(form, js.Compliant):
        return joints.compliant(built_joint(form.joint, read_file), across=form.across)
    if isinstance(form, js.On):
        names = {} if form.names is None else {"names": tuple(form.names)}
        return joints.on(_surface(form), crossings=form.crossings, outside=form.outside, **names)
    if isinstance(form, js.Along):
        return joints.along(_curve(form), **{k: getattr(form, k) for k in ALONG if getattr(form, k) is not None})
    if isinstance(form, js.Track):
        named = {} if form.name is None else {"name": form.name}
        return joints.track(form.points, closed=form.closed, outside=form.outside, **named)
    arguments = _arguments(form)
    if isinstance(form, js.SplineSurface):
        arguments["base"] = {b.coordinate: built_joint(b.joint, read_file) for b in form.base}
    return getattr(joints, form.type)(**arguments)


def _curve(form: js.Along) -> joints.Curve:
    """The curve of an `along`, from the one shape that was given."""
    given = [key for key in ("points", "lonlat", "svg") if getattr(form, key) is not None]
    require(len(given) == 1, "along: give one of points, lonlat and svg", BadValue, given=given)
    if form.points is not None:
        return joints.Curve.from_points(form.points, closed=form.closed, rounding=form.rounding, scale=form.scale)
    if form.lonlat is not None:
        require(form.radius is not None, "along: lonlat needs the radius of its sphere [m]", BadValue)
        return joints.Curve.from_lonlat(form.lonlat, form.radius or 0.0, closed=form.closed)
    return joints.Curve.from_svg(form.svg or "", scale=form.scale, rounding=form.rounding, part=form.part)


def _surface(form: js.On) -> joints.Surface:
    """The surface of an `on`, from heights or control points."""
    if form.heights is not None and form.controls is None:
        require(form.x is not None and form.y is not None, "on: heights need x and y", BadValue)
        return joints.Surface.from_heights(form.x, form.y, form.heights)  # pyright: ignore[reportArgumentType]
    given = form.controls is not None and form.heights is None and form.knots is not None and len(form.knots) == 2
    require(given, "on: give x, y and heights, or two arrays of knots and controls", BadValue)
    return joints.Surface.from_spline(NdBSpline(tuple(form.knots or ()), form.controls, form.order - 1))


def _arguments(form) -> dict[str, Any]:
    """The fields that were given, as the constructor takes them."""
    out = {}
    for key in type(form).model_fields:
        value = getattr(form, key)
        if key == "type" or (value is None and key != "knots"):
            continue
        out[key] = _argument(key, value)
    if form.type == "spline_surface":
        out["knots"] = out["knots"] or (None,) * (form.controls.ndim - 1)
        require(len(out["knots"]) == form.controls.ndim - 1, "one array of knots for each coordinate", BadValue)
    return out


def _argument(key: str, value) -> Any:
    if key == "pose":
        return pose_of(value)
    if key == "frames" and isinstance(value, list):
        return np.array([pose_of(f) for f in value])
    if key == "functions":
        return [built_function(f) for f in value]
    return tuple(value) if key in PLURAL or (key in ("knots", "periodic") and isinstance(value, list)) else value


def built_function(entry):
    """The function that an entry describes."""
    fields = {k: getattr(entry, k) for k in type(entry).model_fields if k != "type"}
    require(fields.get("coordinate", 0) in range(64), "a coordinate is a number 0 … 63", BadValue, **{
        "coordinate": fields.get("coordinate", 0)})  # fmt: skip
    return getattr(functions, entry.type)(**fields)
