"""A knee fitted to poses without and with smoothing, side by side, and a foot that follows a target.

[LeeTerzopoulos2008, section 7 and figure 3]. The poses are synthetic (`knee_poses`): a published knee with noise.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .. import ik
from ..design import CurveFit, fit_curve
from ..model import Model, ModelBuilder
from ..model.shapes import BONE
from ..simulation import Trajectory
from ..spatial import SE3
from ..view.overlays import Frames, Line
from .knee import add_leg, knee, knee_poses, leg
from .scene import PALETTE, Scene, path_of

__all__ = ["draw_fits", "fitted_knees", "foot", "foot_path", "knees", "pedalling"]

START = (0.9, -1.4, 0.0)  # hip, knee, ankle [rad]: thigh forward, knee bent
APART = 0.3  # [m] from leg to leg


def fitted_knees(poses: int = 60, frames: int = 30) -> tuple[CurveFit, CurveFit]:
    """The knee from noisy poses with many control frames: as near as it gets, and smoothed by cross-validation."""
    angle, measured = knee_poses(poses)
    options = {"frames": frames, "metric": 0.1, "name": "angle"}
    return fit_curve(measured, angle, **options), fit_curve(measured, angle, smoothing="auto", **options)


def draw_fits(path) -> None:
    """Save a picture of the tibia's path by both fits side by side, over the poses and the truth, and of |dS/dq|."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.0, 4.0), layout="constrained")
    FigureCanvasAgg(figure)
    *panels, bending = figure.subplots(1, 3)
    measured, q = knee_poses()[1], np.linspace(-2.0, 0.1, 400)
    for k, (axes, fit) in enumerate(zip(panels, fitted_knees(), strict=True)):
        axes.plot(*(1e3 * measured.xyz[:, :2].T), ".", color="0.7", label="poses (synthetic noise)")
        axes.plot(*(1e3 * knee().pose(q).xyz[:, :2].T), color="0.2", linestyle="--", label="without noise")
        axes.plot(*(1e3 * fit.joint.pose(q).xyz[:, :2].T), color=PALETTE[k], label="fitted")
        axes.set(title=("before smoothing", "after smoothing")[k], xlabel="tibia forward [mm]", ylabel="tibia up [mm]")
        axes.legend(fontsize=8)
        bending.semilogy(q, np.linalg.norm(fit.joint.hessian(q[:, None])[:, :, 0, 0], axis=1), color=PALETTE[k])
    bending.set(title="|dS/dq|: how fast the joint's axis moves", xlabel="knee angle [rad]")
    figure.savefig(Path(path), dpi=100)


def knees() -> Scene:
    """Two legs let go together: the knee as near to noisy poses as it gets (`rough`), and smoothed (`smooth`)."""
    b, drawn, arrows = ModelBuilder(gravity=(0.0, -9.81, 0.0)), [], []
    for side, at, fit in zip(("rough_", "smooth_"), (-0.5 * APART, 0.5 * APART), fitted_knees(), strict=True):
        color = PALETTE[len(drawn)]
        add_leg(b, fit.joint, side=side, at=at, color=tuple(0.6 * np.array(BONE) + 0.4 * np.array(color)))
        q = np.linspace(*fit.joint.domain[0], 6)[:, None]
        arrows.append(Frames(f"{side}thigh", fit.joint.pose(q).as_matrix(), 0.05))
        drawn.append(Line(f"{side}thigh", path_of(fit.joint), color))
    model = b.build()
    return Scene("knees", model, np.tile(START, 2), np.zeros(6), tuple(drawn), frames=tuple(arrows), duration=2.0)


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
