"""The chain of letters that touch along both outlines, with what is to be known of its contacts."""

from __future__ import annotations

from pathlib import Path

from ..gallery import letters
from ..gallery.crossings import crossings
from ..gallery.letters import relative_curvature
from ..simulation import Trajectory
from .mechanisms import told
from .outcome import Outcome, motion_files
from .registry import DEMOS

__all__ = ["run"]

EVERY = 6  # records between looks for crossings


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Let the chain go, and look at its contacts and for letters that run into each other elsewhere."""
    scene = letters(2)
    motion = scene.run(record=1.0 / 120.0, progress=progress)
    words = f"Every contact keeps its rank: κ_A + κ_B is at least {relative_curvature(motion.q).min():.1f} 1/m."
    summary = "\n".join([told(scene, motion), words, _crossed(motion)])
    return Outcome(summary, motion_files(motion, folder, name, DEMOS[name].about, scene.drawn))


def _crossed(motion: Trajectory) -> str:
    """Which letters run into each other away from their contacts, and when."""
    found = [(motion.t[k], pair) for k in range(0, len(motion.t), EVERY) for pair in crossings(motion, k)]
    if not found:
        return "No letter runs into another away from the contacts."
    return "\n".join(f"t = {t:.2f} s: a part of {a} is inside {b}." for t, (a, b) in found)
