"""A knee fitted to poses without and with smoothing, side by side, and a foot that follows a target.

[LeeTerzopoulos2008, section 7 and figure 3]. The poses are synthetic (`knee_poses`): a published knee with noise.
"""

from __future__ import annotations

import numpy as np

from .. import ik
from ..design import CurveFit, fit_curve
from ..model import Model, ModelBuilder
from ..simulation import Trajectory
from ..spatial import SE3
from ..view.drawn import Frames, Line
from .knee import add_leg, knee_poses, leg
from .scene import PALETTE, Scene, path_of

__all__ = ["fitted_knees", "foot", "foot_path", "knees", "pedalling"]

START = (0.9, -1.4, 0.0)  # hip, knee, ankle [rad]: thigh forward, knee bent
APART = 0.3  # [m] from leg to leg


def fitted_knees(poses: int = 60, frames: int = 30) -> tuple[CurveFit, CurveFit]:
    """The knee from noisy poses with many control frames: as near as it gets, and smoothed by cross-validation."""
    angle, measured = knee_poses(poses)
    options = {"frames": frames, "metric": 0.1, "name": "angle"}
    return fit_curve(measured, angle, **options), fit_curve(measured, angle, smoothing="auto", **options)


def knees() -> Scene:
    """Two legs let go together: the knee as near to noisy poses as it gets (`rough`), and smoothed (`smooth`)."""
    b, drawn, arrows = ModelBuilder(gravity=(0.0, -9.81, 0.0)), [], []
    for side, at, fit in zip(("rough_", "smooth_"), (-0.5 * APART, 0.5 * APART), fitted_knees(), strict=True):
        add_leg(b, fit.joint, side=side, at=at)
        q = np.linspace(*fit.joint.domain[0], 15)[:, None]
        arrows.append(Frames(f"{side}thigh", fit.joint.pose(q), 0.04))
        drawn.append(Line(f"{side}thigh", path_of(fit.joint), PALETTE[len(drawn)]))
    model = b.build()
    return Scene("knees", model, np.tile(START, 2), np.zeros(6), tuple(drawn), frames=tuple(arrows), duration=2.0)


def foot_path(times: np.ndarray, period: float = 1.6) -> np.ndarray:
    """A target for the foot, poses (N, 4, 4): its ankle around an ellipse below the hip, its toes up and down."""
    turn = 2.0 * np.pi * np.asarray(times) / period
    x, y = 0.18 + 0.16 * np.cos(turn), -0.62 + 0.09 * np.sin(turn)
    pitch = 0.15 + 0.25 * np.cos(turn + 0.6)
    places = SE3.from_translation(np.stack([x, y, np.zeros_like(x)], axis=1))
    return (places @ SE3.exp(pitch[:, None] * (0, 0, 1, 0, 0, 0))).as_matrix()


def pedalling(model: Model, times: np.ndarray) -> ik.Solution:
    """Hip, knee and ankle that put the foot on its moving target, each from the one before."""
    return ik.follow(model, ik.pose("foot", foot_path(times)), START)


def foot(duration: float = 3.2, rate: float = 120.0) -> tuple[Scene, Trajectory]:
    """A leg whose foot follows a moving target, as a scene and its motion; velocities are differences."""
    times = np.arange(0.0, duration + 0.5 / rate, 1.0 / rate)
    model = leg()
    q = pedalling(model, times).q
    target = foot_path(times)
    path = Line(None, target[:, :3, 3])
    scene = Scene(
        "foot", model, q[0], np.zeros(3), (path,), frames=(Frames(None, target[::12], 0.05),), duration=duration
    )
    return scene, Trajectory(model, times, q, np.gradient(q, times, axis=0))
