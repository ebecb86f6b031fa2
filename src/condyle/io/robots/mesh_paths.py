"""Mesh files of a model that is saved in another folder than it came from."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from ...formats.packages import find_file
from ...model import Model
from ...model.shapes import Shape

__all__ = ["seen_from"]


def seen_from(model: Model, folder: Path) -> Model:
    """The model with the paths of its mesh files from a folder; those that are not found stay as they are."""
    if not any(s.path for b in model.bodies for s in b.shapes):
        return model
    old = model.folder or Path()
    bodies = [replace(b, shapes=tuple(_moved(s, old, folder) for s in b.shapes)) for b in model.bodies]
    return replace(model, bodies=tuple(bodies))


def _moved(shape: Shape, old: Path, new: Path) -> Shape:
    if shape.kind != "mesh" or Path(shape.path).is_absolute():
        return shape
    found, there = find_file(shape.path, old), find_file(shape.path, new)
    if found is None or (there is not None and there.samefile(found)):
        return shape
    return replace(shape, path=Path(os.path.relpath(found, new)).as_posix())
