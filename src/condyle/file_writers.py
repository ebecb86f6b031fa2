"""Writers of files that lower layers need and upper ones have: offered by the package, loaded when asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Writer = Callable[[Any, Any], Any]  # (object, path)
_offered: dict[str, Callable[[], Writer]] = {}


def offer_writer(kind: str, find: Callable[[], Writer]) -> None:
    """Objects of a kind are written by what `find` finds."""
    _offered[kind] = find


def writer_of(kind: str) -> Writer:
    """What writes objects of a kind to a path."""
    return _offered[kind]()
