"""Paths of files as people give them."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import BadFile, require

__all__ = ["as_path"]


def as_path(path: str | os.PathLike[str]) -> Path:
    """A path given as text or as a path object; anything else is refused."""
    try:
        found = Path(path)
    except TypeError:
        raise BadFile(f"a path is text or a pathlib.Path; got {path!r} ({type(path).__name__})") from None
    require("\0" not in str(found), "a path cannot hold a null character", BadFile, got=str(found))
    try:
        os.fsencode(found)
    except UnicodeEncodeError:
        raise BadFile(f"{str(found)!a}: not the name of a file: it holds half a letter") from None
    return found
