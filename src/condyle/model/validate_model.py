"""What is given where a model is wanted."""

from __future__ import annotations

import os

from ..errors import BadValue, require
from .model import Model


def require_model(thing: object) -> None:
    """Refuse what was given in place of a model: the name of a file, a builder that was not asked to build."""
    hints = {"ModelBuilder": "; its method build() gives one", "str": "; cd.load opens a file"}
    kind = type(thing).__name__
    hint = hints["str"] if isinstance(thing, os.PathLike) else hints.get(kind, "")
    require(isinstance(thing, Model), f"the first argument must be a cd.Model{hint}", BadValue, got=kind)
