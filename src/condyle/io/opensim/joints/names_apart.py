"""Coordinates of one name in several joints, kept apart by the names of their joints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from ..osim_document import Node
from .osim_coordinates import described

LISTED = ("SpatialTransform", "coordinates")


def keep_apart(model: Node, joints: Iterable[tuple[str, Node]]) -> Iterator[tuple[str, str, str]]:
    """Rename coordinates whose name an earlier joint has, and what means them; (joint, old name, new name) of each.

    A name alone means the first of them, as in OpenSim, and a path the one of its joint.
    """
    found = [(joint, node, element.name) for joint, node in joints for element in described(node)]
    taken = {name for _, _, name in found}
    first: dict[str, Element] = {}
    for joint, node, name in found:
        if first.setdefault(name, node.element) is node.element:
            continue
        new = f"{joint}_{name}"
        while new in taken:
            new += "_"
        taken.add(new)
        _rename(node, name, new)
        _turn_paths(model.element, f"/{node.name}/{name}", f"/{node.name}/{new}")
        yield joint, name, new


def _rename(joint: Node, name: str, new: str) -> None:
    """Inside of the joint: the coordinate, and the axes that it moves."""
    for coordinate in described(joint):
        if coordinate.name == name:
            coordinate.element.set("name", new)
    for transform in joint.element.iter(LISTED[0]):
        for listed in transform.iter(LISTED[1]):
            listed.text = " ".join(new if word == name else word for word in (listed.text or "").split())


def _turn_paths(model: Element, end: str, new: str) -> None:
    """Paths that end so, anywhere in the file."""
    for element in model.iter():
        text = (element.text or "").strip()
        if text.endswith(end):
            element.text = text.removesuffix(end) + new
