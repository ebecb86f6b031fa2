"""Two legs with knees fitted to noisy poses, before and after smoothing, and a picture of both fits."""

from __future__ import annotations

from pathlib import Path

from ..gallery import knees
from ..gallery.knees import draw_fits
from .mechanisms import told
from .outcome import Outcome, motion_files
from .registry import DEMOS

__all__ = ["run"]


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Let both legs go, and draw the paths of both knees."""
    scene = knees()
    motion = scene.run(record=1.0 / 120.0, progress=progress)
    files = motion_files(motion, folder, name, DEMOS[name].about, scene.drawn)
    draw_fits(folder / "smoothing.png")
    summary = (
        f"{told(scene, motion)}\nRed is before, blue after smoothing; smoothing.png shows the paths of both knees."
    )
    return Outcome(summary, (*files, folder / "smoothing.png"))
