"""An .osim file that is changed and written again, in the words it has."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from ...formats.loose_xml import parse_loose_xml
from ...formats.xml import LinedElement
from ...model import Model
from .links import JointNode, body_nodes, frames_of, joint_nodes
from .osim_document import Node, model_in
from .osim_model import model_of
from .physical_frames import Frames


class EditedFile:
    """The tree of a file, its bodies, joints and frames; `text` is what it has become."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.path = path
        self.root = parse_loose_xml(data, str(path))
        self.model = model_in(self.root, path)
        self.bodies: dict[str, Node] = body_nodes(self.model)
        self.joints: list[JointNode] = joint_nodes(self.model, self.bodies)
        self.frames: Frames = frames_of(self.model, self.bodies, self.joints)

    @property
    def text(self) -> str:
        """The file as it is now."""
        return '<?xml version="1.0" encoding="UTF-8" ?>\n' + ElementTree.tostring(self.root, encoding="unicode") + "\n"

    def load(self, geometry: Iterable[Path] = ()) -> Model:
        """The model of the file as it is now, its couplers folded."""
        return model_of(model_in(self.root, self.path), self.path, None, geometry, "fold")


def written(values: float | Iterable[float]) -> str:
    """Numbers with all their digits."""
    return " ".join(repr(float(x)) for x in np.ravel(values))  # type: ignore[arg-type]


def set_property(node: Node, tag: str, values) -> None:
    """Write numbers or a text into a property, which is added if it is not there."""
    found = node.element.find(tag)
    if found is None:
        found = add_child(node.element, tag)
    found.text = values if isinstance(values, str) else written(values)


def add_child(parent: LinedElement, tag: str, text: str | None = None, name: str | None = None) -> LinedElement:
    """A new element at the end of another."""
    child = LinedElement(tag, {} if name is None else {"name": name})
    child.text, child.tail = text, "\n"
    parent.append(child)
    return child


def multiply(node: Node, tags: Iterable[str], factors) -> None:
    """Multiply those of some properties that the node has."""
    for tag in tags:
        numbers = node.numbers(tag)
        if numbers is not None and len(numbers) == np.size(factors):
            set_property(node, tag, numbers * np.asarray(factors))


def multiply_function(node: Node, function: Node, factor: float) -> None:
    """Put a function of a property into a MultiplierFunction; one that is there gets another factor."""
    if factor == 1.0:
        return
    if function.tag == "MultiplierFunction":
        set_property(function, "scale", function.number("scale", 1.0) * factor)
        return
    parent = next(e for e in node.element.iter() if function.element in list(e))
    wrapped = LinedElement("MultiplierFunction", dict(function.element.attrib))
    wrapped.tail = function.element.tail
    parent[list(parent).index(function.element)] = wrapped
    add_child(wrapped, "function").append(function.element)
    add_child(wrapped, "scale", written(factor))
