"""`condyle check`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import numpy as np

from ...dynamics.model_check import Finding, check_model
from ...errors import CondyleError
from ...io.arm_file import is_arm
from ...io.motions.skeleton_file import is_motion
from ...io.motions.torque_file import is_torques
from ...joints import Joint
from ...joints import check as check_rank
from ...model import Model
from ...simulation import Trajectory, stable_steps
from ..common import file_name, model_option, opened, seed
from ..json_output import as_json, print_json
from ..robots import robot_options, truncated_option

FAR = 5.0  # [cm] from the fitted surface: hardly a sample of that arm
DEFAULT = 1e-3  # [s] the step of `simulate`
GAP = 1e-6  # [m] or [rad] that the joints of a skeleton may gape


@click.command(
    help="Check what a FILE holds, above all a model: joints, inertias, energy, inverse dynamics, stable steps. "
    "Exit code 1 if something fails; 'look' is in front of what is allowed and hardly meant."
)
@click.argument("file", type=file_name)
@model_option
@click.option("--samples", default=64, show_default=True, type=click.IntRange(8, 4096), help="Random states.")
@seed
@robot_options
@truncated_option
@as_json
def command(file: str, model: str | None, samples: int, seed: int, as_json: bool) -> int:
    """Print every finding."""
    findings = checked(opened(file, model), samples, seed)
    good = all(f.ok for f in findings)
    if as_json:
        print_json({"ok": good, "findings": [vars(f) for f in findings]})
    else:
        for f in findings:
            word = "FAIL" if not f.ok else "look" if f.doubtful else "ok  "
            click.echo(f"{word} {f.what}: {f.said}")
    return 0 if good else 1


def checked(thing: Any, samples: int, seed: int) -> list[Finding]:
    """The findings about anything that a file can hold."""
    if isinstance(thing, Joint):
        report = check_rank(thing, seed=seed)
        return [Finding("joint: rank", report.ok, str(report))]
    if isinstance(thing, Trajectory):
        return [*_records(thing), *check_model(thing.model, samples, seed), *_steps(thing.model)]
    if is_motion(thing):
        return list(_skeleton(thing))
    if is_torques(thing):
        most = np.abs(thing.tau).max(initial=0.0)
        return [Finding("torques", True, f"{len(thing.t)} keys, finite, of at most {most:.4g} N m or N")]
    if is_arm(thing):
        return [_fit(thing)]
    return [*check_model(thing, samples, seed), *_steps(thing)]


def _steps(model: Model) -> Iterator[Finding]:
    """How long a step may be for springs, dampers, contacts and limits; accuracy may ask for less."""
    if not model.forces:
        return
    try:
        found = stable_steps(model)
    except CondyleError as error:
        yield Finding("stable steps", True, f"not known at the neutral pose: {error}")
        return
    short = 0.0 < found.steps["rk4"] < DEFAULT
    advice = f"; the default step of {1e3 * DEFAULT:g} ms is too long, so give a shorter one" if short else ""
    yield Finding("stable steps", True, f"with limits engaged, near the neutral pose: {found}{advice}")


def _records(run: Trajectory) -> Iterator[Finding]:
    """Whether a run reached its end, and stayed where its joints are known."""
    stops = [str(s) for s in np.array([run.stopped], dtype=object).ravel() if s is not None]
    yield Finding("records", not stops, "; ".join(stops[:5]) or f"{len(run.t)} to t = {run.t[-1]:g} s, none stopped")
    left = [str(o) for o in run.outside]
    yield Finding("domains", not left, "; ".join(left[:5]) or "no coordinate left the domain of its joint")


def _skeleton(motion: Any) -> Iterator[Finding]:
    """Whether a run reached its end, and its joints held."""
    stops = [f"stopped at t = {s.time:g} s: {s.reason}" for s in motion.stops() if s is not None]
    yield Finding("records", not stops, "; ".join(stops[:5]) or f"{len(motion.t)} to t = {motion.t[-1]:g} s")
    drifts = {name: float(np.max(x)) for name, x in motion.report().drifts().items()}
    for name in ("joint gap [m]", "axis error [rad]"):
        yield Finding(name, drifts[name] < GAP, f"at most {drifts[name]:.2e}")


def _fit(arm: Any) -> Finding:
    """Whether the surface of the elbow is where it was measured."""
    if arm.report is None:
        return Finding("surface of the elbow", True, "nothing is known of its samples")
    return Finding("surface of the elbow", arm.report.largest < FAR, str(arm.report))
