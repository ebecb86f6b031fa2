"""An .osim file as a tree of nodes that answer for their properties, with the line of whatever is wrong."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ...errors import BadFile, NotInModel, require, warn
from ...formats.loose_xml import parse_loose_xml
from ...formats.xml import LinedElement

NEWEST, OLDEST = 40600, 10900
UNSTATED = 10500  # the version of a file whose root is not an OpenSimDocument
NO_DISABLED = 30509  # from this version on isDisabled is not read
LARGEST = 1e50  # a number of a model, so that no square or cube of it overflows
TRUTHS = {"true": True, "1": True, "false": False, "0": False}
COMMAS = re.compile(r"[-+\d.eE]*\d,[-+\d.eE,]*")


@dataclass(frozen=True)
class Document:
    """What all nodes of a file share: its name, its version, and the values that `<defaults>` sets for a class."""

    path: str
    version: int
    defaults: dict[str, LinedElement] = field(default_factory=dict)


def open_document(data: bytes, path: Path) -> Node:
    """The node of the model in a file."""
    return model_in(parse_loose_xml(data, str(path)), path)


def model_in(root: LinedElement, path: Path) -> Node:
    """The node of the model in the root element of a file."""
    version = _version(root, path) if root.tag == "OpenSimDocument" else UNSTATED
    model = root if root.tag == "Model" else root.find("Model")
    if model is None:
        found = ", ".join(f"<{e.tag}>" for e in list(root)[:5]) or "nothing"
        raise BadFile(f"{path}: no <Model> in <{root.tag}>; it holds {found}. cd.load opens models of OpenSim.")
    if model is not root and len(others := root.findall("Model")) > 1:
        warn(f"{path}: {len(others)} models; the first, {model.get('name', '')!r}, is read", NotInModel)
    defaults = {e.tag: e for e in model.findall("defaults/*")}
    return Node(model, Document(str(path), version, defaults))  # type: ignore[arg-type]


def _version(root: LinedElement, path: Path) -> int:
    text = root.get("Version", "").strip()
    require(re.fullmatch(r"\d{1,9}", text), f"{path}, line {root.line}: Version must be a whole number", BadFile,
            got=text[:60])  # fmt: skip
    version = int(text)
    if version > NEWEST:
        warn(f"{path}: version {version} is newer than {NEWEST}, the newest that condyle knows; parts may be misread")
    return version


@dataclass(frozen=True)
class Node:
    """An element of the file: an object of OpenSim with its properties."""

    element: LinedElement
    document: Document

    @property
    def tag(self) -> str:
        """The class of the object, or the name of the property."""
        return self.element.tag

    @property
    def name(self) -> str:
        """The attribute `name`, or nothing."""
        return (self.element.get("name") or "").strip()

    @property
    def version(self) -> int:
        """Of the file."""
        return self.document.version

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        """Raise BadFile with the place."""
        label = f" {self.name!r}" if self.name else ""
        raise BadFile(f"{self.document.path}, line {line or self.element.line}: <{self.tag}>{label}: {message}")

    def require(self, condition: object, message: str) -> None:
        """Raise BadFile with the place unless a condition holds."""
        if not condition:
            self.fail(message)

    def children(self) -> Iterator[Node]:
        """Everything inside."""
        return (Node(e, self.document) for e in self.element)  # type: ignore[arg-type]

    def child(self, *tags: str) -> Node | None:
        """The first of these properties that is there, else as the file's defaults for this class have it."""
        default = self.document.defaults.get(self.tag)
        for source in (self.element, default):
            for tag in tags if source is not None else ():
                if (found := source.find(tag)) is not None:  # type: ignore[union-attr]
                    return Node(found, self.document)  # type: ignore[arg-type]
        return None

    def own_text(self) -> str:
        """The text directly inside."""
        return (self.element.text or "").strip()

    def text(self, *tags: str) -> str:
        """The text of a property; empty if there is none."""
        found = self.child(*tags)
        return "" if found is None else found.own_text()

    def words(self, *tags: str) -> list[str]:
        """The names that a property lists."""
        return self.text(*tags).split()

    def flag(self, tag: str, default: bool) -> bool:
        """A property that is true or false."""
        text = self.text(tag).lower()
        if not text:
            return default
        if text not in TRUTHS:
            self.fail(f"{tag} must be true or false; got {text[:60]!r}")
        return TRUTHS[text]

    def turned_on(self, tag: str) -> bool:
        """Whether a force or constraint acts: by a property of this name, or before version 30509 by isDisabled."""
        old = self.version < NO_DISABLED and self.flag("isDisabled", False)
        return self.flag(tag, not old)

    def numbers(self, *tags: str, largest: float = LARGEST) -> np.ndarray | None:
        """The numbers of a property; None if it is not there or empty."""
        found = self.child(*tags)
        fields = [] if found is None else found.own_text().split()
        values = np.array([self._number(f, found) for f in fields])
        if found is not None and fields and np.abs(values).max() > largest:
            self.fail(
                f"{found.tag}: numbers must be below {largest:g}; got {' '.join(fields)[:60]}", found.element.line
            )
        return values if fields else None

    def _number(self, text: str, node: Node | None) -> float:
        try:
            value = float(text) if "_" not in text else None
        except ValueError:
            value = None
        if value is None or math.isnan(value):
            place: Node = node or self
            hint = "; write decimal points, not commas" if "," in text else ""
            self.fail(f"{place.tag}: expected a number; got {text[:60]!r}{hint}", place.element.line)
        return value

    def vector(self, tag: str, count: int, default: Any) -> np.ndarray:
        """So many finite numbers."""
        found = self.numbers(tag)
        if found is None:
            return np.array(default, dtype=float)
        self.require(len(found) == count, f"{tag} must be {count} numbers; got {len(found)}")
        return found

    def number(self, tag: str, default: float) -> float:
        """One finite number."""
        return float(self.vector(tag, 1, [default])[0])

    def objects(self, *tags: str) -> list[Node]:
        """The objects of a set, or of a list without the element `objects`."""
        found = self.child(*tags)
        return [] if found is None else found.objects_here()

    def objects_here(self) -> list[Node]:
        """The objects inside, in the element `objects` if there is one."""
        inner = self.element.find("objects")
        return list(self.children()) if inner is None else list(Node(inner, self.document).children())  # type: ignore[arg-type]

    def socket(self, name: str, *old: str) -> str:
        """The path of the object that a socket is connected to, in any version's way of saying it; empty if none."""
        if found := self.text(f"socket_{name}", f"socket_{name}_connectee_name"):
            return found
        for connector in self.objects("connectors"):
            if connector.name == name and (found := connector.text("connectee_name")):
                return found
        return self.text(*old) if old else ""


def said_again(element: ET.Element) -> Iterator[LinedElement]:
    """The properties and sets inside an element that it has already said, of which the first alone is read."""
    seen: set[tuple[str, str]] = set()
    for child in element:
        key = child.tag, child.get("name", "")
        if key in seen and (child.tag.endswith("Set") or (child.tag[:1].islower() and not key[1])):
            yield child  # type: ignore[misc]
        seen.add(key)


def scalar(text: str, node: Node) -> Any:
    """What a text says: true or false, a number, several numbers as a tuple, or else the text itself."""
    if text.lower() in ("true", "false"):
        return TRUTHS[text.lower()]
    fields = text.split()
    if fields and all(COMMAS.fullmatch(f) or _is_number(f) for f in fields) and any("," in f for f in fields):
        node.fail(f"expected numbers with decimal points, not commas; got {text[:60]!r}")
    if not fields or not all(map(_is_number, fields)):
        return text
    numbers = tuple(map(float, fields))
    return numbers[0] if len(numbers) == 1 else numbers


def _is_number(text: str) -> bool:
    try:
        return "_" not in text and not math.isnan(float(text))
    except ValueError:
        return False
