"""Constraints of OpenSim that condyle has: couplers, points, welds, distances, lines; the others are reported."""

from __future__ import annotations

from ...model import constraints
from ...model.constraints import Constraint
from .joints.functions import function_in, function_of
from .omissions import Report
from .osim_document import Node
from .physical_frames import Frame, Frames, euler_pose, on_body

NOT_ENFORCED = "not held by the model, which moves as if there were none"
ROLLING = (
    "not held by the model, which moves as if there were none, as in OpenSim: that turns it off when it opens a file"
)
COUPLER = "CoordinateCouplerConstraint"


def constraint_of(
    node: Node, owner: str, frames: Frames, moving: dict[str, str], report: Report
) -> Constraint | None:  # fmt: skip
    """The constraint of a node; None, and reported, where condyle has none like it or the file turns it off.

    `moving` has joint.coordinate for the name of each coordinate.
    """
    if not enforced(node):
        report.add(node.tag, node.name, "turned off in the file", quiet=True)
        return None
    if node.tag == COUPLER:
        return _coupler(node, moving, report)
    if node.tag in ("PointConstraint", "WeldConstraint"):
        a, b = (_frame(node, k, owner, frames, report) for k in (1, 2))
        if node.tag == "PointConstraint":
            return constraints.point(a.body, a.pose[:3, 3], b.body, b.pose[:3, 3])
        return constraints.weld(a.body, a.pose, b.body, b.pose)
    if node.tag == "ConstantDistanceConstraint":
        return _distance(node, owner, frames, report)
    if node.tag == "PointOnLineConstraint":
        return _line(node, owner, frames, report)
    report.add(node.tag, node.name, ROLLING if node.tag == "RollingOnSurfaceConstraint" else NOT_ENFORCED)
    return None


def _distance(node: Node, owner: str, frames: Frames, report: Report) -> Constraint:
    """Two points at a constant distance."""
    a, b = (_body(node, f"body_{k}", owner, frames, report) for k in (1, 2))
    x, y = (node.vector(f"location_body_{k}", 3, [0.0] * 3) for k in (1, 2))
    return constraints.distance(a, x, b, y, node.number("constant_distance", 0.0))


def _line(node: Node, owner: str, frames: Frames, report: Report) -> Constraint:
    """A point of the follower on a line of another body."""
    fixed, follower = (_body(node, name, owner, frames, report) for name in ("line_body", "follower_body"))
    tags = ("point_on_follower", "point_on_line", "line_direction_vec")
    point, start, along = (node.vector(tag, 3, [0.0] * 3) for tag in tags)
    return constraints.line(follower, point, fixed, start, along)


def _body(node: Node, name: str, owner: str, frames: Frames, report: Report) -> str | None:
    text = node.socket(name, name)
    if not text:
        node.fail(f"it does not say its {name}")
    return on_body(frames.resolve(text, owner, node), node, report).body


def enforced(node: Node) -> bool:
    """Whether the file turns a constraint on."""
    return node.turned_on("isEnforced")


def _coupler(node: Node, moving: dict[str, str], report: Report) -> Constraint | None:
    """dependent = scale_factor · f(independent ones)."""
    others = node.words("independent_coordinate_names")
    dependent = node.text("dependent_coordinate_name")
    inner = function_in(node, "coupled_coordinates_function") or function_in(node)
    if inner is None or not others or not dependent:
        node.fail("it needs a function, independent coordinates and a dependent one")
    function = function_of(inner, len(others)) * node.number("scale_factor", 1.0)
    if still := [name for name in (dependent, *others) if name not in moving]:
        report.add(node.tag, node.name, f"not held: {', '.join(still)} moves nothing or is not of this model")
        return None
    full = [moving[name] for name in others]
    return constraints.couple(moving[dependent], full, function if function.coordinates else float(function()))


def _frame(node: Node, number: int, owner: str, frames: Frames, report: Report) -> Frame:
    """The frame of a constraint on its first or second body."""
    text = node.socket(f"frame{number}") or node.socket(f"body_{number}", f"body_{number}")
    if not text:
        node.fail(f"it does not say its body {number}")
    frame = frames.resolve(text, owner, node)
    frame = on_body(frame, node, report) if node.tag == "PointConstraint" else frame
    place = node.vector(f"location_body_{number}", 3, [0.0] * 3)
    offset = euler_pose(place, node.vector(f"orientation_body_{number}", 3, [0.0] * 3))
    return Frame(frame.body, frame.pose @ offset)
