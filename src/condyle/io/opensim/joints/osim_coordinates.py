"""What a file says of a coordinate."""

from __future__ import annotations

from dataclasses import dataclass

from ....joints.functions import Function, Sum
from ..osim_document import Node
from .functions import function_in, function_of


@dataclass(frozen=True)
class Coordinate:
    """A coordinate as the file has it [rad or m].

    `range` is None if the file does not say it. A `clamped` one is held in its range by inverse kinematics, a `locked`
    one stays at its default, a `prescribed` one follows `function` of time.
    """

    name: str
    default: float = 0.0
    default_speed: float = 0.0
    range: tuple[float, float] | None = None
    clamped: bool = False
    locked: bool = False
    prescribed: bool = False
    function: Function | Sum | None = None
    motion_type: str = ""
    joint: str = ""


def coordinate_of(node: Node) -> Coordinate:
    """The record of a `<Coordinate>`."""
    ends = node.numbers("range", largest=float("inf"))
    if ends is not None:
        node.require(len(ends) == 2, f"range must be two numbers; got {len(ends)}")
        node.require(ends[0] <= ends[1], f"range: the first must not be above the second; got {ends.tolist()}")
    default = node.number("default_value", 0.0)
    clamped = node.flag("clamped", False)
    low, high = (-10.0, 10.0) if ends is None else ends
    if clamped and not low <= default <= high:
        node.fail(f"default_value {default:g} is outside of the range {low:g} … {high:g} to which it is clamped")
    inner = function_in(node, "prescribed_function")
    prescribed = node.flag("prescribed", False) and inner is not None
    return Coordinate(
        node.name,
        default,
        node.number("default_speed_value", 0.0),
        None if ends is None else (float(ends[0]), float(ends[1])),
        clamped,
        node.flag("locked", False),
        prescribed,
        function_of(inner) if prescribed and inner is not None else None,
    )


def coordinates_of(joint: Node, joint_name: str, count: int | None) -> list[Coordinate]:
    """The coordinates of a joint in the order of the file; those that are not described have OpenSim's names."""
    nodes = described(joint)
    found = [coordinate_of(node) for node in nodes]
    for node, coordinate in zip(nodes, found, strict=True):
        node.require(coordinate.name, "a coordinate needs a name")
    if count is None:
        return found
    joint.require(len(found) <= count, f"it has {count} coordinates; got {len(found)}")
    return found + [Coordinate(f"{joint_name}_coord_{k}") for k in range(len(found), count)]


def described(joint: Node) -> list[Node]:
    """The coordinates that a joint describes, in either way of listing them."""
    return [n for n in [*joint.objects("coordinates"), *joint.objects("CoordinateSet")] if n.tag == "Coordinate"]
