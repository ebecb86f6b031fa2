"""The mechanisms of the gallery, run from their starts."""

from __future__ import annotations

from pathlib import Path

from ..gallery import SCENES
from .outcome import Outcome, motion_files

__all__ = ["run"]


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Simulate the scene of that name and draw it with its wires and surfaces."""
    scene = SCENES[name]()
    motion = scene.run(record=1.0 / 120.0, progress=progress)
    return Outcome(repr(motion), motion_files(motion, folder, name, name, scene.drawn))
