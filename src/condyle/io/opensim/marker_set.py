"""The markers of an .osim file, and files of markers alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from ...errors import BadFile
from ...formats.loose_xml import parse_loose_xml
from ...formats.safe_files import read_bytes
from ...formats.xml import LinedElement
from ...model import Marker
from .edited import EditedFile, add_child, set_property, written
from .osim_document import Document, Node
from .physical_frames import GROUND

CONNECTORS, SOCKETS = 30501, 30517  # from these versions on a marker names its frame by a connector, by a socket


def read_marker_set(path: Path) -> tuple[Marker, ...]:
    """The markers of an XML file with a MarkerSet; the body is as the file names it."""
    root = parse_loose_xml(read_bytes(path), str(path))
    found = root if root.tag == "MarkerSet" else root.find(".//MarkerSet")
    if found is None:
        raise BadFile(f"{path}: no <MarkerSet> in <{root.tag}>; a file of markers is expected")
    nodes = Node(found, Document(str(path), 0)).objects_here()  # type: ignore[arg-type]
    return tuple(_marker(node) for node in nodes if node.tag == "Marker")


def _marker(node: Node) -> Marker:
    body = node.socket("parent_frame", "body").rstrip("/").rpartition("/")[2]
    node.require(body, "a marker names its body")
    at, fixed = node.vector("location", 3, [0.0] * 3), node.flag("fixed", False)
    return Marker(node.name, None if body == GROUND else body, at, fixed)


def put_markers(file: EditedFile, markers: Iterable[Marker]) -> None:
    """Add markers to a file; those of the same name are replaced."""
    holder = _holder(file)
    by_name = {(e.get("name") or "").strip(): e for e in holder if e.tag == "Marker"}
    for marker in markers:
        body = marker.body or GROUND
        if body != GROUND and body not in file.bodies:
            raise BadFile(f"{file.path}: marker {marker.name!r} is on body {body!r}, which the model does not have")
        if marker.name in by_name:
            holder.remove(by_name[marker.name])
        element = add_child(holder, "Marker", name=marker.name)
        _name_body(element, body, file.model.version)
        add_child(element, "location", written(marker.at))
        add_child(element, "fixed", "true" if marker.fixed else "false")


def _name_body(element: LinedElement, body: str, version: int) -> None:
    """Say the body of a marker as files of a version do."""
    if version >= SOCKETS:
        add_child(element, "socket_parent_frame", f"/{GROUND}" if body == GROUND else f"/bodyset/{body}")
    elif version >= CONNECTORS:
        connector = add_child(add_child(element, "connectors"), "Connector_PhysicalFrame_", name="parent_frame")
        add_child(connector, "connectee_name", f"../../{body}" if body == GROUND else f"../../bodyset/{body}")
    else:
        add_child(element, "body", body)


def _holder(file: EditedFile) -> LinedElement:
    """The element that holds the markers, made if there is none."""
    found = file.model.element.find("MarkerSet")
    if found is None:
        found = add_child(file.model.element, "MarkerSet")
    inner = found.find("objects")
    return add_child(found, "objects") if inner is None else inner  # type: ignore[return-value, arg-type]


def move_markers(file: EditedFile, places: Mapping[str, np.ndarray], kept: Iterable[str]) -> None:
    """Set where markers are in the axes of their frames, and delete those that are not to be kept."""
    holder, keep = _holder(file), set(kept)
    for node in file.model.objects("MarkerSet"):
        if node.tag != "Marker":
            continue
        if node.name not in keep:
            holder.remove(node.element)
        elif node.name in places:
            frame = file.frames.resolve(node.socket("parent_frame", "body"), f"/markerset/{node.name}", node)
            set_property(node, "location", frame.pose[:3, :3].T @ (places[node.name] - frame.pose[:3, 3]))
