"""A person's reach: an invented subject measured, fitted, and every way to hold the wrist where it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress

from ..io import save
from ..model import Model, ModelBuilder
from ..model.shapes import box
from ..simulation import Trajectory
from ..spatial import Inertia
from ..view import export
from ..view.arm_overlays import elbow_sheet, posture_lines, reach_lines
from ..workspace import Arm, ArmSamples, fit_arm, synthetic_subject, write_samples
from ..workspace.arm_model import arm_builder
from .outcome import Outcome

__all__ = ["run"]

RED, DOT = (0.78, 0.24, 0.16), 0.006  # how measured elbows are drawn [m]
TITLE = "Every way to hold the wrist at one place (synthetic subject)"


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Fit the male subject, choose a goal in front of the chest, draw."""
    with Progress(console=Console(stderr=True), transient=True, disable=not progress) as bar:
        task = bar.add_task("measuring", total=3)
        samples = synthetic_subject("male")
        bar.update(task, advance=1, description="fitting")
        arm = fit_arm(samples)
        bar.update(task, advance=1, description="drawing")
        files = drawn(arm, samples, folder, name)
    return Outcome(summary(arm), files)


def goal_of(arm: Arm) -> np.ndarray:
    """A wrist position with a long elbow curve."""
    return arm.forward(np.radians(70.0), np.radians(30.0), 0.5, flexion=1.2).wrist


def drawn(arm: Arm, samples: ArmSamples, folder: Path, name: str) -> tuple[Path, ...]:
    """The player and a picture with surface, samples, curve and all solutions; the arm and its samples as files."""
    builder, goal = arm_builder(arm), goal_of(arm)
    add_samples(builder, samples)
    motion = self_motion(arm, goal, builder.build())
    beside = [elbow_sheet(arm), *posture_lines(arm.solutions(goal)[::2]), *reach_lines(arm, goal)]
    shown = [export(motion, folder / f"{name}{end}", title=TITLE, drawn=beside) for end in (".html", ".png", ".glb")]
    positions, trials = folder / f"{name}_samples.csv", folder / f"{name}_samples_trials.csv"
    write_samples(samples, positions, trials)
    return (*shown, save(arm, folder / f"{name}.toml"), positions, trials)


def summary(arm: Arm) -> str:
    goal = goal_of(arm)
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
