"""A leg whose foot follows a moving target, by inverse kinematics through the knee's spline."""

from __future__ import annotations

from pathlib import Path

from ..gallery import foot
from .outcome import Outcome, motion_files

__all__ = ["run"]


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Follow the target twice around."""
    scene, motion = foot()
    low, high = (motion["knee"].min(), motion["knee"].max())
    summary = f"{len(motion.t)} targets reached; the knee bends between {low:.2f} and {high:.2f} rad."
    return Outcome(summary, motion_files(motion, folder, name, "A foot that follows a moving target.", scene.drawn))
