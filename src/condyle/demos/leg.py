"""A leg with a spline knee swings from a fixed hip."""

from __future__ import annotations

from pathlib import Path

from ..gallery import leg
from ..simulation import simulate
from .outcome import Outcome, motion_files

__all__ = ["run"]

START = (0.9, -1.4, 0.0)  # hip, knee, ankle


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Let it go with the knee bent."""
    swing = simulate(leg(), START, duration=2.0, step=1e-3, record=5e-3, progress=progress)
    return Outcome(repr(swing), motion_files(swing, folder, name, "A leg whose knee rolls and glides"))
