"""A person's reach: an invented subject measured, fitted, and every way to hold the wrist where it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from rich.progress import Progress

from ..gallery.reach import elbow_sheet, reach_lines, samples_body, self_motion
from ..io import save
from ..view import export
from ..workspace import Arm, ArmSamples, fit_arm, synthetic_subject, write_samples
from ..workspace.model import arm_builder
from .outcome import Outcome

__all__ = ["run"]

TITLE = "Every way to hold the wrist at one place (synthetic subject)"


def run(name: str, folder: Path, progress: bool) -> Outcome:
    """Fit the male subject, choose a goal in front of the chest, draw."""
    with Progress(transient=True, disable=not progress) as bar:
        task = bar.add_task("measuring", total=3)
        samples = synthetic_subject("male")
        bar.update(task, advance=1, description="fitting")
        arm = fit_arm(samples)
        bar.update(task, advance=1, description="drawing")
        files = drawn(arm, samples, folder, name)
    return Outcome(summary(arm), files)


def goal_of(arm: Arm) -> np.ndarray:
    """A wrist position with a long elbow curve."""
    return arm.forward(np.radians(60.0), np.radians(70.0), 0.5, flexion=1.5).wrist


def drawn(arm: Arm, samples: ArmSamples, folder: Path, name: str) -> tuple[Path, ...]:
    """The player and a picture with surface, samples, curve and all solutions; the arm and its samples as files."""
    builder, goal = arm_builder(arm), goal_of(arm)
    samples_body(builder, samples)
    motion = self_motion(arm, goal, builder.build())
    beside = [elbow_sheet(arm), *reach_lines(arm, goal)]
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
