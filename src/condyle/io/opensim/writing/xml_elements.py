"""Elements of an .osim file as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from ....typing import ArrayLike


def plain(name: str) -> str:
    """A name without the characters that OpenSim refuses in names."""
    return re.sub(r"[\\*+/\s]", "_", name)


def body_path(name: str | None) -> str:
    """Where a body is in a file; None is the ground."""
    return "/ground" if name is None else f"/bodyset/{plain(name)}"


def element(tag: str, *inside: str, name: str | None = None) -> str:
    """An element around others."""
    start = tag if name is None else f"{tag} name={quoteattr(plain(name))}"
    return f"<{start}>{''.join(inside)}</{tag}>"


def text(tag: str, value: str) -> str:
    """An element with words in it."""
    return element(tag, escape(value))


def flag(tag: str, value: bool) -> str:
    """An element that is true or false."""
    return element(tag, "true" if value else "false")


def numbers(tag: str, values: ArrayLike) -> str:
    """An element with numbers, without loss."""
    return element(tag, " ".join(repr(float(x)) for x in np.ravel(np.asarray(values, dtype=float))))


def objects(tag: str, items: Iterable[str]) -> str:
    """A set of objects; nothing if it is empty."""
    found = "".join(items)
    return element(tag, element("objects", found)) if found else ""


def angles(R: np.ndarray) -> np.ndarray:
    """Body-fixed angles about x, y and z of rotations (..., 3, 3): R = Rx(a) Ry(b) Rz(c)."""
    b = np.arctan2(R[..., 0, 2], np.hypot(R[..., 0, 0], R[..., 0, 1]))
    straight = np.hypot(R[..., 0, 0], R[..., 0, 1]) > 1e-12
    a = np.where(straight, np.arctan2(-R[..., 1, 2], R[..., 2, 2]), np.arctan2(R[..., 2, 1], R[..., 1, 1]))
    c = np.where(straight, np.arctan2(-R[..., 0, 1], R[..., 0, 0]), 0.0)
    return np.stack([a, b, c], axis=-1)


def offset_frame(name: str, parent: str, pose: np.ndarray, *inside: str) -> str:
    """A frame at a pose in another one, given by its path."""
    place = numbers("translation", pose[:3, 3]) + numbers("orientation", angles(pose[:3, :3]))
    return element("PhysicalOffsetFrame", text("socket_parent", parent), *inside, place, name=name)
