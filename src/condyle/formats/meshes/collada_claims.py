"""What a COLLADA file claims to hold: polygons of corners that are there, nodes that do not multiply without end."""

from __future__ import annotations

import io
import zipfile
from xml.etree.ElementTree import Element

from ...errors import BadFile, require
from ..bounds import PARTS, TRIANGLES
from ..xml import parse_xml

PRIMITIVES = ("triangles", "polylist", "polygons", "trifans", "tristrips", "lines", "linestrips")


def check_collada(data: bytes, name: str) -> bytes:
    """The file, if what its nodes show is no more than condyle draws."""
    require(not zipfile.is_zipfile(io.BytesIO(data)), f"{name}: a packed file is not opened", BadFile)
    root = parse_xml(data, name)
    geometries = {e.get("id"): _primitives(e) for e in root.iter() if _tag(e) == "geometry"}
    nodes = {e.get("id"): e for e in root.iter() if _tag(e) == "node"}
    scenes = [e for e in root.iter() if _tag(e) == "visual_scene"]
    corners = {key: sum(_numbers(p, f"{name}: geometry {key!r}") for p in found) for key, found in geometries.items()}
    parts = {key: len(found) for key, found in geometries.items()}
    for what, of, most in (("corners of triangles", corners, 3 * TRIANGLES), ("parts", parts, PARTS)):
        known: dict[int, int] = {}
        total = sum(_shown(e, nodes, of, known, (), name) for e in scenes)
        require(total <= most, f"{name}: its nodes show {total} {what}, more than condyle draws ({most})", BadFile)
    return data


def _tag(element: Element) -> str:
    """Without its namespace."""
    return element.tag.rpartition("}")[2] or element.tag.rpartition(" ")[2]


def _primitives(geometry: Element) -> list[Element]:
    return [e for e in geometry.iter() if _tag(e) in PRIMITIVES]


def _numbers(primitive: Element, said: str) -> int:
    """How many numbers of corners a primitive lists; its polygons must have no more."""
    listed = sum(len((e.text or "").split()) for e in primitive.iter() if _tag(e) == "p")
    for counts in (e for e in primitive if _tag(e) == "vcount"):
        _check_polygons((counts.text or "").split(), listed, said)
    return listed


def _check_polygons(counts: list[str], listed: int, said: str) -> None:
    try:
        corners = [int(x) for x in counts]
    except ValueError:
        raise BadFile(f"{said}: the corners of its polygons are not counted in whole numbers") from None
    require(min(corners, default=0) >= 0, f"{said}: a polygon of less than no corner", BadFile)
    words = f"{said}: its polygons claim {sum(corners)} corners and list {listed} numbers"
    require(sum(corners) <= listed, words, BadFile)


def _shown(element: Element, nodes: dict, of: dict, known: dict[int, int], above: tuple, name: str) -> int:
    """What a node shows, with all below it: the sum of `of`, by geometry."""
    key = id(element)
    require(key not in above, f"{name}: node {element.get('id')!r} holds itself", BadFile)
    if key not in known:
        known[key] = sum(_of_child(child, nodes, of, known, (*above, key), name) for child in element)
    return known[key]


def _of_child(child: Element, nodes: dict, of: dict, known: dict[int, int], above: tuple, name: str) -> int:
    target = (child.get("url") or "").lstrip("#")
    if _tag(child) == "node":
        return _shown(child, nodes, of, known, above, name)
    if _tag(child) == "instance_node" and target in nodes:
        return _shown(nodes[target], nodes, of, known, above, name)
    return of.get(target, 0) if _tag(child) == "instance_geometry" else 0
