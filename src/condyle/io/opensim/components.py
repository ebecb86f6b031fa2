"""Any object of an .osim file as plain data."""

from __future__ import annotations

from typing import Any

from .osim_document import Node, scalar
from .osim_records import Component

DRAWN = ("VisibleObject", "Appearance", "attached_geometry", "display", "display_preference", "FrameGeometry")
FUNCTIONS = ("SimmSpline", "NaturalCubicSpline", "natCubicSpline", "GCVSpline", "PiecewiseLinearFunction", "Constant")


def component_of(node: Node) -> Component:
    """A node with its class, name and properties."""
    return Component(node.tag, node.name, properties_of(node), node.element.line)


def properties_of(node: Node, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """The properties of a node, completed by the file's defaults for its class; how it is drawn is left out."""
    default = node.document.defaults.get(node.tag)
    inherited = {} if default is None else {e.tag: Node(e, node.document) for e in default}  # type: ignore[arg-type]
    nodes = inherited | {_key(child): child for child in node.children()}
    return {tag: _value(child) for tag, child in nodes.items() if tag not in DRAWN and tag not in without}


def _key(node: Node) -> str:
    """The name of a property; a function that is one stands under its own name, as an object may have several."""
    return node.name if node.tag in FUNCTIONS and node.name else node.tag


def _value(node: Node) -> Any:
    """What a property holds: the value of its text, the objects of a set or list, or an object."""
    inside = list(node.children())
    if not inside:
        return scalar(node.own_text(), node)
    if node.element.find("objects") is not None:
        return tuple(component_of(child) for child in Node(node.element.find("objects"), node.document).children())  # type: ignore[arg-type]
    if node.tag[:1].isupper():
        return component_of(node)
    parts = tuple(component_of(child) for child in inside)
    return parts[0] if len(parts) == 1 else parts
