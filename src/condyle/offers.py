"""What lower layers call and upper ones have: offered by the package, loaded when asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_finders: dict[str, Callable[[], Any]] = {}


def offer(name: str, find: Callable[[], Any]) -> None:
    """What goes by a name is what `find` finds."""
    _finders[name] = find


def offered(name: str) -> Any:
    """What goes by a name: a writer of files (object, path), or a package of functions."""
    return _finders[name]()
