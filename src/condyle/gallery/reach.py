"""An arm to look at: the surface of its elbow, every elbow of a goal, postures, samples, motions of its skeleton."""

from __future__ import annotations

import numpy as np

from ..model import ModelBuilder
from ..model.shapes import box
from ..simulation import Trajectory
from ..spatial import Inertia
from ..view.drawn import Drawn, Line, Sheet
from ..workspace import Arm, ArmSamples, Posture
from ..workspace.directions import hexagon_from_disc

__all__ = ["elbow_sheet", "posture_lines", "reach_lines", "samples_body", "self_motion"]

RED, GREEN, GREY, BLUE = (0.78, 0.24, 0.16), (0.45, 0.65, 0.5), (0.82, 0.82, 0.82), (0.62, 0.7, 0.8)
DOT = 0.006  # m


def elbow_sheet(arm: Arm, around: int = 72, out: int = 14) -> Sheet:
    """The surface of all elbow positions, by circles around its middle."""
    turn, radius = np.meshgrid(np.linspace(0, 2 * np.pi, around + 1), np.linspace(0, 1, out + 1), indexing="ij")
    disc = 0.999 * radius[..., None] * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    return Sheet(None, arm.rigid_elbow(hexagon_from_disc(disc)), BLUE)


def reach_lines(arm: Arm, goal) -> list[Drawn]:
    """The elbow curves of a goal, and every posture along them: green inside all limits, grey outside."""
    curves = arm.elbow_curves(goal)
    lines = [Line(None, np.vstack([c.elbows, c.elbows[:1]]) if c.closed else c.elbows, RED) for c in curves]
    return [*posture_lines(arm.solutions(goal)), *lines]


def posture_lines(postures: Posture) -> list[Drawn]:
    """Shoulder, elbow, wrist of each posture."""
    joints = np.stack([postures.shoulder, postures.elbow, postures.wrist], axis=1)
    return [Line(None, points, GREEN if kept else GREY) for points, kept in zip(joints, postures.feasible, strict=True)]


def samples_body(b: ModelBuilder, samples: ArmSamples) -> None:
    """Measured elbows as small boxes on a body that never moves."""
    poses = np.tile(np.eye(4), (len(samples), 1, 1))
    poses[:, :3, 3] = samples.elbow
    b.add_body("samples", inertia=Inertia.point(1.0), shapes=[box((DOT,) * 3, pose, RED) for pose in poses])


def self_motion(arm: Arm, goal, model, seconds: float = 6.0, rate: float = 30.0) -> Trajectory:
    """The skeleton swinging along the feasible part of a goal's elbow curve and back, its wrist at rest.

    `model` begins with the nine coordinates of `Arm.as_model`.
    """
    best = arm.solve(goal)
    curve = arm.elbow_curves(goal)[int(best.curve)]
    fine = curve.postures(np.arange(0, len(curve) - 1, 0.1))
    kept = _run_around(fine.feasible, int(np.linalg.norm(fine.place - best.place, axis=1).argmin()))
    t = np.arange(0, seconds, 1 / rate)
    share = 0.5 - 0.5 * np.cos(2 * np.pi * t / seconds)
    q = np.unwrap(fine.angles[kept][np.round(share * (len(kept) - 1)).astype(int)], axis=0)
    q = np.hstack([q, np.zeros((len(t), model.nq - 9))])
    return Trajectory(model, t, q, np.zeros((len(t), model.nv)))


def _run_around(good: np.ndarray, start: int) -> np.ndarray:
    """The unbroken run of good places around `start`."""
    low = high = start
    while low > 0 and good[low - 1]:
        low -= 1
    while high < len(good) - 1 and good[high + 1]:
        high += 1
    return np.arange(low, high + 1)
