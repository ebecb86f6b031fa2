"""A knee fitted to poses without and with smoothing, side by side, and a foot that follows a target.

[LeeTerzopoulos2008, section 7 and figure 3]. The poses are synthetic (`knee_poses`): a published knee with noise.
"""

from __future__ import annotations

import numpy as np

from ... import ik
from ...design import CurveFit, fit_curve, pose_errors
from ...model import Model, ModelBuilder
from ...model.look.overlays import Frames, Line
from ...model.look.shapes import BONE
from ...plots import Curve, Panel, draw_chart
from ...simulation import Trajectory
from ...spatial import SE3
from ..scene import PALETTE, Scene, path_of
from .knee import add_leg, knee, knee_poses, leg

START = (0.9, -1.4, 0.0)  # hip, knee, ankle [rad]: thigh forward, knee bent
APART = 0.3  # [m] from leg to leg


def fitted_knees(poses: int = 60, frames: int = 30) -> tuple[CurveFit, CurveFit]:
    """The knee from noisy poses with many control frames: as near as it gets, and smoothed by cross-validation."""
    angle, measured = knee_poses(poses)
    options = {"frames": frames, "metric": 0.1, "name": "angle"}
    return fit_curve(measured, angle, **options), fit_curve(measured, angle, smoothing="auto", **options)


def truth_errors(fit: CurveFit) -> np.ndarray:
    """Root mean square angle [deg] and distance [mm] of a fitted knee from the one without noise."""
    q = np.linspace(-2.0, 0.1, 200)
    return np.array([np.sqrt(np.mean(x**2)) for x in pose_errors(fit.joint, q, knee().pose(q))])


def draw_fits(path) -> None:
    """Save a picture of the tibia's path by both fits side by side, over the poses and the truth, and of |dS/dq|."""
    measured, q = knee_poses()[1], np.linspace(-2.0, 0.1, 400)
    panels, bending = [], []
    for k, fit in enumerate(fitted_knees()):
        paths = [
            _way(measured, "poses (synthetic noise)", ".", "0.7"),
            _way(knee().pose(q), "without noise", "--", "0.2"),
            _way(fit.joint.pose(q), "fitted", "-", PALETTE[k]),
        ]
        title = ("before smoothing", "after smoothing")[k]
        panels.append(Panel(title, paths, "tibia forward [mm]", "tibia up [mm]"))
        bent = np.linalg.norm(fit.joint.hessian(q[:, None])[:, :, 0, 0], axis=1)
        bending.append(Curve(q, bent, color=PALETTE[k]))
    panels.append(Panel("|dS/dq|: how fast the joint's axis moves", bending, "knee angle [rad]", log="y"))
    draw_chart(panels, path, size=(13.0, 4.0), dpi=100)


def _way(poses: SE3, label: str, style: str, color) -> Curve:
    """The tibia forward and up [mm]."""
    x, y = 1e3 * poses.xyz[:, :2].T
    return Curve(x, y, label, style, color)


def knees() -> Scene:
    """Two legs let go together: the knee as near to noisy poses as it gets (`rough`), and smoothed (`smooth`)."""
    b, drawn, arrows = ModelBuilder(gravity=(0.0, -9.81, 0.0)), [], []
    for side, at, fit in zip(("rough_", "smooth_"), (-0.5 * APART, 0.5 * APART), fitted_knees(), strict=True):
        color = PALETTE[len(drawn)]
        add_leg(b, fit.joint, side=side, at=at, color=tuple(0.6 * np.array(BONE) + 0.4 * np.array(color)))
        q = np.array(fit.joint.domain[0])[:, None]  # where the shank is at both ends
        arrows.append(Frames(f"{side}thigh", fit.joint.pose(q).as_matrix(), 0.06))
        drawn.append(Line(f"{side}thigh", path_of(fit.joint), color))
    model = b.build()
    shown = {"lines": tuple(drawn), "frames": tuple(arrows), "camera": (10, -60), "moments": (0.0, 0.75, 1.5)}
    extras = {"smoothing.png": lambda run, path: draw_fits(path)}
    return Scene("knees", model, np.tile(START, 2), np.zeros(6), duration=2.0, extras=extras, **shown)


def foot_path(times: np.ndarray, period: float = 1.6) -> SE3:
    """A target for the foot, N poses: its ankle around an ellipse below the hip, its toes up and down."""
    turn = 2.0 * np.pi * np.asarray(times) / period
    x, y = 0.18 + 0.16 * np.cos(turn), -0.62 + 0.09 * np.sin(turn)
    pitch = 0.15 + 0.25 * np.cos(turn + 0.6)
    places = SE3.from_translation(np.stack([x, y, np.zeros_like(x)], axis=1))
    return places @ SE3.exp(pitch[:, None] * (0, 0, 1, 0, 0, 0))


def pedalling(model: Model, times: np.ndarray) -> ik.Solution:
    """Hip, knee and ankle that put the foot on its moving target, each from the one before."""
    return ik.follow(model, ik.pose("foot", foot_path(times)), START, tolerance=1e-12)


def foot_scene(duration: float = 3.2, rate: float = 120.0) -> Scene:
    """A leg whose foot follows a moving target; velocities are differences."""
    times = np.arange(0.0, duration + 0.5 / rate, 1.0 / rate)
    model, target = leg(), foot_path(times)
    q = pedalling(model, times).q
    motion = Trajectory(model, times, q, np.gradient(q, times, axis=0))
    low, high = motion["knee"].min(), motion["knee"].max()
    words = f"{len(times)} targets reached; the knee bends between {low:.2f} and {high:.2f} rad."
    shown = {"lines": (Line(None, target[:, :3, 3]),), "frames": (Frames(None, target[::12], 0.05),)}
    seen = {"camera": (10, -80), "moments": (0.0, 0.55, 1.05)}
    return Scene("foot", model, q[0], np.zeros(3), motion=lambda: motion, words=lambda run: words, **shown, **seen)


def foot(duration: float = 3.2, rate: float = 120.0) -> tuple[Scene, Trajectory]:
    """The scene of a foot that follows a target, and its motion."""
    scene = foot_scene(duration, rate)
    return scene, scene.run()


def check() -> None:
    """Smoothing brings the knee nearer to the truth."""
    rough, smooth = map(truth_errors, fitted_knees())
    assert np.all(smooth < 0.6 * rough)
