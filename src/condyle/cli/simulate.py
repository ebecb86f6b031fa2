"""`condyle simulate`."""

from __future__ import annotations

import signal
import sys
import warnings
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
import numpy as np

from ..formats.files import require_writable
from ..io import save
from ..model import Model
from ..simulation import Trajectory
from ..simulation import simulate as run
from .common import as_json, file_name, load_model, print_json, seed, start, state
from .robots import robot_options

__all__ = ["command"]


@click.command(help="Simulate the MODEL of a file and save the trajectory. Ctrl-C keeps what is finished.")
@click.argument("model", type=file_name)
@click.option("--duration", default=2.0, show_default=True, help="[s]")
@click.option("--step", default=1e-3, show_default=True, help="[s]")
@click.option("--record", default=None, type=float, help="Seconds between records (default: a hundredth of the run).")
@click.option(
    "--integrator", default="rk4", show_default=True, help="euler, semi-implicit, rk4, adaptive, variational."
)
@start
@click.option("--velocity", multiple=True, metavar="COORDINATE=VALUE", help="Start velocity; may be repeated.")
@click.option("--members", default=1, show_default=True, type=click.IntRange(1), help="Runs at once.")
@click.option("--spread", default=0.1, show_default=True, help="Random spread of the members' starts [rad or m].")
@click.option(
    "--out",
    default=None,
    type=file_name,
    help="Trajectory file (.npz, .csv, .sto); default: the model's name with .npz.",
)
@seed
@robot_options
@as_json
def command(model, duration, step, record, integrator, start, velocity, members, spread, out, seed, as_json) -> int:
    """Run and save."""
    loaded = load_model(model)
    path = require_writable(out or Path(model).with_suffix(".npz"))
    if members > 1 and path.suffix != ".npz":
        raise click.UsageError(f"{path}: only an .npz file holds several members")
    q, v = state(loaded, start, velocity)
    notes = out_of_range(loaded, q)
    if members > 1:
        q = q + np.zeros((members, 1))
        plain = loaded.plain_places[0]
        q[:, plain] += np.random.default_rng(seed).normal(scale=spread, size=(members, len(plain)))
    record = duration / 100 if record is None else record
    with interruptible() as pressed, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what left its domain is said below
        result = run(
            loaded, q, v, duration=duration, step=min(step, duration), record=max(record, step), integrator=integrator,
            stop=lambda t, q, v: np.full(q.shape[:-1], bool(pressed)), progress=not as_json and sys.stdout.isatty(),
        )  # fmt: skip
    result = finished(result) if pressed else result
    return report(result, save(result, path), notes, bool(pressed), as_json)


def out_of_range(model: Model, q: np.ndarray) -> list[str]:
    """What to say of coordinates that start outside the ranges set for them; 90 for 90° is the usual cause."""
    starts = {name: q[model.q_index(name)] for name in model.ranges}
    return [
        f"{name} starts at {starts[name]:g}, outside its range {low:g} … {high:g}; units are radians and metres"
        for name, (low, high) in model.ranges.items()
        if not low <= starts[name] <= high
    ]


@contextmanager
def interruptible():
    """Ctrl-C fills the list that is given, so that a run can end at its next record."""
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def finished(result: Trajectory) -> Trajectory:
    """The records before the run was interrupted."""
    good = np.isfinite(result.q).all(axis=-1).reshape(-1, len(result.t)).any(axis=0)
    return replace(result, t=result.t[good], q=result.q[..., good, :], v=result.v[..., good, :])


def report(result: Trajectory, path: Path, notes: list[str], interrupted: bool, as_json: bool) -> int:
    """Say what came out, with notes on the start; 130 if interrupted, 1 if a member stopped."""
    stops = [s for s in np.array([result.stopped], dtype=object).ravel() if s is not None]
    energy = result.energy().total.reshape(-1, len(result.t))[0]
    data = {
        "file": path, "records": len(result.t), "end": result.t[-1], "interrupted": interrupted,
        "stopped": [str(s) for s in stops], "outside": [str(o) for o in result.outside],
        "energy": [energy[0], energy[-1]], "notes": notes,
    }  # fmt: skip
    if as_json:
        print_json(data)
    else:
        click.echo(f"{len(result.t)} records to t = {result.t[-1]:g} s in {path}")
        click.echo(f"energy {energy[0]:.6g} J at the start, {energy[-1]:.6g} J at the end")
        for line in (*notes, *data["stopped"], *data["outside"]):
            click.echo(line)
        click.echo("interrupted: what was finished is saved" if interrupted else f"look at it: condyle view {path}")
    return 130 if interrupted else 1 if stops else 0
