"""Frames of a model by their paths: ground, bodies, and frames at an offset from another, in any number of steps."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...spatial.twists import pose_matrix
from .omissions import Report
from .osim_document import Node

GROUND = "ground"
LONGEST = 200  # frames in a chain


class Frame(NamedTuple):
    """A frame fixed to a body (None: ground) at a pose in the body's frame."""

    body: str | None
    pose: np.ndarray


def on_body(frame: Frame, node: Node, report: Report) -> Frame:
    """The body of a frame, for classes that have their points there even where they name a frame at an offset."""
    if not np.array_equal(frame.pose, np.eye(4)):
        report.add(node.tag, node.name, "points are in the axes of the body, not of the frame named, as in OpenSim")
    return Frame(frame.body, np.eye(4))


class Offset(NamedTuple):
    """A frame at an offset from another."""

    node: Node
    parent: str  # as the file says
    pose: np.ndarray


def euler_pose(translation, angles) -> np.ndarray:
    """A pose with R = Rx(a) Ry(b) Rz(c), the body-fixed angles of all orientations in OpenSim."""
    (a, b, c), T = angles, np.eye(4)
    ca, sa, cb, sb, cc, sc = np.cos(a), np.sin(a), np.cos(b), np.sin(b), np.cos(c), np.sin(c)
    T[:3, :3] = [
        [cb * cc, -cb * sc, sb],
        [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
        [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb],
    ]
    T[:3, 3] = translation
    return T


class Frames:
    """All frames of a model; `resolve` follows a path of the file, as an object at `owner` wrote it."""

    def __init__(self) -> None:
        self._known: dict[str, Frame | Offset | Node] = {f"/{GROUND}": Frame(None, np.eye(4))}
        self._stations: dict[str, tuple[str, np.ndarray]] = {}
        self._twice: set[str] = set()  # paths that two frames have
        self._open: set[str] = set()  # frames through stations that are being resolved
        self._last: dict[str, list[str]] = {GROUND: [f"/{GROUND}"]}

    def add_body(self, name: str, path: str) -> None:
        """The frame of a body."""
        self._add(path, Frame(name, np.eye(4)))

    def add_inside(self, owner: Node, path: str) -> None:
        """All frames and stations that a component owns."""
        for below, node in _owned(owner):
            own = f"{path}{below}/{node.name}"
            if node.tag == "PhysicalOffsetFrame":
                pose = euler_pose(node.vector("translation", 3, [0.0] * 3), node.vector("orientation", 3, [0.0] * 3))
                self._add(own, Offset(node, node.socket("parent", "parent"), pose))
            elif node.tag == "StationDefinedFrame":
                self._add(own, node)
            elif node.tag in ("Station", "Marker"):
                self.add_station(own, node)
            self.add_inside(node, own)

    def add_station(self, path: str, node: Node) -> None:
        """A point fixed to a frame: a station or, of the same kind, a marker."""
        self._stations[path] = node.socket("parent_frame", "body"), node.vector("location", 3, [0.0] * 3)

    def _add(self, path: str, frame: Frame | Offset | Node) -> None:
        if path in self._known:
            self._twice.add(path)
            return
        self._last.setdefault(posixpath.basename(path), []).append(path)
        self._known[path] = frame

    def offsets(self) -> Iterator[tuple[Node, Frame]]:
        """Every frame at an offset, and what it is fixed to; those that are fixed to nothing are refused."""
        for path, found in self._known.items():
            if isinstance(found, Offset):
                yield found.node, self.resolve(path, "", found.node)

    def resolve(self, text: str, owner: str, node: Node) -> Frame:
        """The frame that `text` means to an object at the path `owner`; refused with its line if it is none or two."""
        pose, seen = np.eye(4), 0
        while True:
            path = self._path(text, owner, node)
            node.require(path not in self._twice, f"there are two frames {path!r}")
            found = self._known[path]
            if isinstance(found, Frame):
                return Frame(found.body, found.pose @ pose)
            if isinstance(found, Node):
                return self._by_stations(found, path, pose)
            seen += 1
            if seen > LONGEST:
                found.node.fail("its frames hang on each other in a ring")
            if not found.parent:
                found.node.fail("it does not say the frame that it is fixed to")
            pose, text, owner, node = found.pose @ pose, found.parent, path, found.node

    def _path(self, text: str, owner: str, node: Node) -> str:
        """The path of a known frame: as written from the root or from the owner, else by its last name if unique."""
        last = posixpath.basename(text.rstrip("/"))
        inside = f"{owner}/{text}"
        for path in (inside, posixpath.normpath(inside), posixpath.normpath(f"/{text}"), text):
            if path in self._known and path != owner:
                return path
        named = [p for p in self._last.get(last, []) if p != owner]
        if len(named) > 1:
            named = [p for p in named if isinstance(self._known[p], Frame)]
        if len(named) == 1:
            return named[0]
        several = f"several frames are called {last!r}, and {text!r} does not say which"
        return node.fail(several if self._last.get(last) else f"there is no body or frame {text[:200]!r}")

    def _by_stations(self, node: Node, path: str, pose: np.ndarray) -> Frame:
        """A frame through four stations of one body: x along a to b (or as it says), z across a, b and c."""
        node.require(path not in self._open, "its frames hang on each other in a ring")
        self._open.add(path)
        points = [self._station(node, path, socket) for socket in ("point_a", "point_b", "point_c", "origin_point")]
        self._open.remove(path)
        bodies = {frame.body for frame in points}
        node.require(len(bodies) == 1, "its points must be of one body")
        a, b, c, origin = (frame.pose[:3, 3] for frame in points)
        axes = [self._axis(node, tag, default) for tag, default in (("ab_axis", "+x"), ("ab_x_ac_axis", "+y"))]
        first, across = b - a, np.cross(b - a, c - a)
        node.require(np.linalg.norm(across) > 1e-12, "its points a, b and c must not be on a line")
        R = np.zeros((3, 3))
        for (axis, sign), direction in zip(axes, (first, across), strict=True):
            R[:, axis] = sign * direction / np.linalg.norm(direction)
        i, j = axes[0][0], axes[1][0]
        node.require(i != j, "ab_axis and ab_x_ac_axis must differ")
        k = 3 - i - j
        R[:, k] = np.cross(R[:, (k + 1) % 3], R[:, (k + 2) % 3])
        return Frame(points[0].body, pose_matrix(R, origin) @ pose)

    def _station(self, node: Node, path: str, socket: str) -> Frame:
        text = node.socket(socket)
        for candidate in (posixpath.normpath(f"{path}/{text}"), posixpath.normpath(f"/{text}"), text):
            if candidate in self._stations:
                parent, location = self._stations[candidate]
                frame = self.resolve(parent, candidate, node)
                return Frame(frame.body, frame.pose @ euler_pose(location, np.zeros(3)))
        return node.fail(f"there is no station {text[:200]!r}")

    @staticmethod
    def _axis(node: Node, tag: str, default: str) -> tuple[int, float]:
        text = (node.text(tag) or default).lower()
        letter = text.lstrip("+-")
        node.require(letter in ("x", "y", "z") and len(text) <= 2, f"{tag} must be an axis; got {text[:20]!r}")
        return "xyz".index(letter), -1.0 if text.startswith("-") else 1.0


def _owned(owner: Node) -> Iterator[tuple[str, Node]]:
    """What a component owns, in the lists that versions have for it, and the path from it to there."""
    for tag, below in (("frames", ""), ("components", ""), ("FrameSet", ""), ("ComponentSet", "/componentset")):
        yield from ((below, node) for node in owner.objects(tag))
