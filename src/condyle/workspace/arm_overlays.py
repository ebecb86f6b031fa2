"""An arm to look at: the surface of its elbow, every elbow of a goal and every posture that puts it there."""

from __future__ import annotations

import numpy as np

from ..model.look.overlays import Line, Sheet
from . import Arm, Posture
from .directions import hexagon_from_disc

RED, GREEN, GRAY, BLUE = (0.78, 0.24, 0.16), (0.25, 0.55, 0.35), (0.66, 0.66, 0.66), (0.62, 0.7, 0.8)


def elbow_sheet(arm: Arm, around: int = 72, out: int = 14) -> Sheet:
    """The surface of all elbow positions, by circles around its middle."""
    turn, radius = np.meshgrid(np.linspace(0, 2 * np.pi, around + 1), np.linspace(0, 1, out + 1), indexing="ij")
    disc = 0.999 * radius[..., None] * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    return Sheet(None, arm.rigid_elbow(hexagon_from_disc(disc)), BLUE, 0.35)


def reach_lines(arm: Arm, goal) -> list[Line]:
    """The elbow curves of a goal."""
    curves = arm.elbow_curves(goal)
    return [Line(None, np.vstack([c.elbows, c.elbows[:1]]) if c.closed else c.elbows, RED) for c in curves]


def posture_lines(postures: Posture) -> list[Line]:
    """Shoulder, elbow, wrist of each posture: green inside all limits, grey outside."""
    joints = np.stack([postures.shoulder, postures.elbow, postures.wrist], axis=1)
    return [Line(None, points, GREEN if kept else GRAY) for points, kept in zip(joints, postures.feasible, strict=True)]
