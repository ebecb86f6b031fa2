"""A leg with a spline knee swings from a fixed hip."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..gallery import leg
from ..simulation import simulate
from .outcome import Outcome, motion_files
from .registry import DEMOS

__all__ = ["run"]

START = (0.9, -1.4, 0.0)  # hip, knee, ankle


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Let it go with the knee bent."""
    swing = simulate(leg(), START, duration=2.0, step=1e-3, record=5e-3, progress=progress)
    knee, lost = swing["knee"], np.ptp(swing.energy().total)
    place = swing.model.bodies[1].joint.pose(knee).xyz[:, :2]
    glides = 1e3 * np.ptp(place, axis=0)
    summary = (
        f"The knee bends between {knee.min():.2f} and {knee.max():.2f} rad; the tibia glides {glides[0]:.1f} mm "
        f"forward and {glides[1]:.1f} mm up on the way. Its stop and the ankle take {lost:.1f} J."
    )
    return Outcome(summary, motion_files(swing, folder, name, DEMOS[name].about))
