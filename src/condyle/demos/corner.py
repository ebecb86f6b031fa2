"""Beads on a wire with a sharp corner and on one with a round bend."""

from __future__ import annotations

from pathlib import Path

from ..gallery import corners
from .outcome import Outcome, motion_files
from .registry import DEMOS

__all__ = ["run"]


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Let both go and tell what the corner took."""
    scene, motion, impacts = corners()
    lines = [f"t = {x.time:.4f} s: the corner takes {x.lost:.4f} J." for x in impacts]
    left = motion.energy().total[-1] - motion.energy().total[0] + sum(x.lost for x in impacts)
    lines.append(f"The bend takes nothing: what both lost beside that is {left:.1e} J.")
    return Outcome("\n".join(lines), motion_files(motion, folder, name, DEMOS[name].about, scene.drawn))
