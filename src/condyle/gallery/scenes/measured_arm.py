"""A person's reach: an invented subject measured, fitted, and every way to hold the wrist where it is."""

from __future__ import annotations

import numpy as np

from ...io import save
from ...model import Model, ModelBuilder
from ...model.look.shapes import box
from ...simulation import Trajectory
from ...spatial import Inertia
from ...workspace import Arm, ArmSamples, fit_arm, synthetic_subject, write_samples
from ...workspace.arm_model import arm_builder
from ...workspace.arm_overlays import elbow_sheet, posture_lines, reach_lines
from ..scene import Scene

RED, DOT = (0.78, 0.24, 0.16), 0.006  # how measured elbows are drawn [m]


def arm_scene() -> Scene:
    """Fit the male subject and swing its arm about a wrist before the chest; surface, samples and all solutions."""
    samples = synthetic_subject("male")
    arm = fit_arm(samples)
    builder, goal = arm_builder(arm), goal_of(arm)
    add_samples(builder, samples)
    motion = self_motion(arm, goal, builder.build())
    lines = (*posture_lines(arm.solutions(goal)[::2]), *reach_lines(arm, goal))
    found = {"motion": lambda: motion, "words": lambda run: _told(arm, goal)}
    extras = {
        "arm.toml": lambda run, path: save(arm, path),
        "arm_samples.csv": lambda run, path: write_samples(samples, path, path.with_stem(f"{path.stem}_trials")),
        "arm_samples_trials.csv": lambda run, path: None,  # written with the samples
    }
    return Scene("arm", motion.model, motion.q[0], motion.v[0], lines, (elbow_sheet(arm),), 6.0, **found, extras=extras)


def goal_of(arm: Arm) -> np.ndarray:
    """A wrist position with a long elbow curve."""
    return arm.forward(np.radians(70.0), np.radians(30.0), 0.5, flexion=1.2).wrist


def _told(arm: Arm, goal: np.ndarray) -> str:
    everything, best = arm.solutions(goal), arm.solve(goal)
    angles = " ".join(f"{x:.0f}" for x in np.degrees(best.angles))
    where = ", ".join(f"{x:.3f}" for x in goal)
    return (
        f"{arm.report}\nwrist at ({where}) m: {len(everything)} solutions drawn, "
        f"{int(everything.feasible.sum())} within all limits; the most comfortable has joint angles {angles} degrees"
    )


def add_samples(b: ModelBuilder, samples: ArmSamples) -> None:
    """Measured elbows as small boxes on a body that never moves."""
    poses = np.tile(np.eye(4), (len(samples), 1, 1))
    poses[:, :3, 3] = samples.elbow
    b.add_body("samples", inertia=Inertia.point(1.0), shapes=[box((DOT,) * 3, pose, RED) for pose in poses])


def self_motion(arm: Arm, goal, model: Model, seconds: float = 6.0, rate: float = 30.0) -> Trajectory:
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


def check() -> None:
    """The wrist stays where it is while the elbow swings."""
    run = arm_scene().run()
    wrist = run.poses()[:, run.model.body_index("hand")].xyz
    assert np.ptp(wrist, axis=0).max() < 1e-9
    assert np.ptp(run.q[:, :9], axis=0).max() > 0.1
