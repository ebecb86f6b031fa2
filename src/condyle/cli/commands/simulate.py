"""`condyle simulate`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any

import click
import numpy as np

from ...dynamics.muscle_calls import idle_muscles
from ...errors import CondyleError, IdleMuscles, Interrupted, amount, require, unknown_name, warn
from ...io.motions.trajectory_file import MUSCLES
from ...io.save import require_savable
from ...model import Model
from ...muscles import MuscleTrajectory
from ...progress import in_terminal
from ...simulation import Trajectory
from ...simulation import simulate as run
from ...simulation.events import described_stops
from ..common import assignment, file_name, load_model, seed, start, state, vector
from ..json_output import as_json, print_json
from ..rescue import save_somewhere
from ..robots import robot_options, truncated_option
from ..signals import ends, kept_from_signals
from ..spoken_warnings import warnings_in_words
from . import recorded_simulation


@click.command(
    help="Simulate the MODEL of a file and save the trajectory. Ctrl-C, SIGTERM and SIGHUP end the run and save what "
    "was computed."
)
@click.argument("model", type=file_name)
@click.option("--duration", default=2.0, show_default=True, help="[s]")
@click.option("--step", default=1e-3, show_default=True, help="[s]")
@click.option("--record", default=None, type=float, help="Seconds between records (default: a hundredth of the run).")
@click.option(
    "--integrator", default="rk4", show_default=True, help="euler, semi-implicit, rk4, adaptive, variational."
)
@start
@click.option("--velocity", multiple=True, metavar="COORDINATE=VALUE", help="Start velocity; may be repeated.")
@click.option(
    "--excitation",
    multiple=True,
    metavar="[MUSCLE=]VALUE",
    help="Drive the muscles, by numbers from 0 to 1: of one muscle, or of all; may be repeated. Others are at rest.",
)
@click.option("--members", default=1, show_default=True, type=click.IntRange(1, 10**6), help="Runs at once.")
@click.option("--spread", default=0.1, show_default=True, help="Random spread of the members' starts [rad or m].")
@click.option(
    "--out",
    default=None,
    type=file_name,
    help="Trajectory file (.npz, .csv, .sto); default: the model's name with .npz.",
)
@click.option(
    "--record-to",
    default=None,
    type=file_name,
    help="A folder that records go to while the run goes on, instead of a file at its end: memory holds a part of it, "
    "and what is there is never lost.",
)
@click.option("--resume", is_flag=True, help="Go on with the run that was begun in the folder of --record-to.")
@seed
@robot_options
@truncated_option
@as_json
def command(
    model, duration, step, record, integrator, start, velocity, excitation, members, spread, out, record_to, resume,
    seed, as_json,
) -> int:  # fmt: skip
    """Run and save."""
    if record_to is not None and out is not None:
        raise click.UsageError(
            "--out is a file at the end of the run, --record-to a folder meanwhile: give one of them"
        )
    if resume and record_to is None:
        raise click.UsageError("--resume needs the folder that the run was begun in (--record-to)")
    loaded = load_model(model)
    path = Path(model).with_suffix(".npz") if out is None else Path(out)
    if record_to is None:
        path = require_savable("trajectory", path)
    if record_to is None and members > 1 and path.suffix != ".npz":
        raise click.UsageError(f"{path}: only an .npz file holds several members")
    q, v = state(loaded, start, velocity)
    notes = out_of_range(loaded, q)
    if members > 1:
        q = spread_out(loaded, q, members, spread, seed)
    record = duration / 100 if record is None else record
    options = {"duration": duration, "step": min(step, duration), "record": record, "integrator": integrator}
    options |= {"excitations": excitations(loaded, excitation)} if excitation else {}
    if record_to is not None:
        folder = {"record_to": record_to, "resume": resume}
        with spoken(loaded, options):
            kept = recorded_simulation.record(loaded, q, v, progress=not as_json and in_terminal(), **folder, **options)
        return recorded_simulation.report(*kept, notes, as_json)
    with kept_from_signals() as caught, spoken(loaded, options):  # which are said when the run is saved
        result = simulated(loaded, q, v, caught, progress=not as_json and in_terminal(), **options)
        save_somewhere(result, path, ".npz")
    if caught:
        with suppress(OSError):  # a terminal that is gone hears nothing
            report(result, path, notes, True, as_json)
        return ends(caught)
    return report(result, path, notes, False, as_json)


@contextmanager
def spoken(model: Model, options: dict[str, Any]) -> Iterator[None]:
    """Warnings in words; that muscles do not act names the option with which they do."""
    idle = "" if "excitations" in options else idle_muscles(model)
    with warnings_in_words(but=(IdleMuscles,)):
        if idle:
            warn(f"{idle}: drive them with --excitation VALUE, or one with --excitation MUSCLE=VALUE")
        yield


def excitations(model: Model, given: tuple[str, ...]) -> np.ndarray:
    """Excitations of all muscles, from [MUSCLE=]VALUE."""
    names = [m.name for m in model.muscles]
    out = np.zeros(len(names))
    for text in given:
        name, values = assignment(text) if "=" in text else ("", vector(text, text))
        require(len(values) == 1, "--excitation takes one number from 0 to 1", got=text)
        if name and name not in names:
            raise unknown_name("muscle", name, names)
        out[names.index(name) if name else slice(None)] = values[0]
    return out


def simulated(model: Model, q: np.ndarray, v: np.ndarray, caught: list[int], **options) -> Trajectory:
    """The run, or what there is of it when a signal was caught: in the middle of it, or before it began."""
    try:
        result = run(model, q, v, stop=lambda t, q, v: np.full(q.shape[:-1], bool(caught)), **options)
        return finished(result) if caught else result
    except Interrupted as interrupted:
        return interrupted.trajectory


def finished(result: Trajectory) -> Trajectory:
    """The records of a run that have a state."""
    good = good_records(result)
    parts = ("q", "v", *(MUSCLES if isinstance(result, MuscleTrajectory) else ()))
    return replace(result, t=result.t[good], **{name: getattr(result, name)[..., good, :] for name in parts})


def good_records(result: Trajectory) -> np.ndarray:
    """Which records hold a state of any member, (T,)."""
    return np.asarray(np.isfinite(result.q).all(axis=-1).reshape(-1, len(result.t)).any(axis=0))


def spread_out(model: Model, q: np.ndarray, members: int, spread: float, seed: int) -> np.ndarray:
    """Starts (members, nq) that differ at random in all but quaternions."""
    require(np.isfinite(spread) and spread >= 0.0, "--spread must be a finite number, not negative", got=spread)
    q = q + np.zeros((members, 1))
    plain = model.plain_places[0]
    q[:, plain] += np.random.default_rng(seed).normal(scale=spread, size=(members, len(plain)))
    return q


def out_of_range(model: Model, q: np.ndarray) -> list[str]:
    """What to say of coordinates that start outside the ranges set for them; 90 for 90° is the usual cause."""
    starts = {name: q[model.q_index(name)] for name in model.ranges}
    return [
        f"{name} starts at {starts[name]:g}, outside its range {low:g} … {high:g}; units are radians and metres"
        for name, (low, high) in model.ranges.items()
        if not low <= starts[name] <= high
    ]


def report(result: Trajectory, path: Path, notes: list[str], interrupted: bool, as_json: bool) -> int:
    """Say what came out, with notes on the start; 1 if a member stopped by itself."""
    stops, beyond, times = stops_of(result), result.beyond_range, result.t[good_records(result)]
    told, of = energy_told(result), [0] * len(result.batch)
    data = {
        "file": path, "records": len(times), "end": times[-1], "interrupted": interrupted,
        "stopped": stops, "outside": [str(o) for o in result.outside],
        "beyond_range": [
            {"coordinate": x.coordinate, "range": x.domain, "time": x.time, "reached": x.reached} for x in beyond
        ],
        "energy": [e for _, e in told], "energy_member": of, "notes": notes,
    }  # fmt: skip
    if as_json:
        print_json(data)
    else:
        click.echo(f"{amount(len(times), 'record')} to t = {times[-1]:g} s in {path}")
        (_, first), (end, last) = told
        whose = f" of member {', '.join(map(str, of))}" if of else ""
        click.echo(f"energy{whose} {first:.6g} J at the start, {last:.6g} J at t = {end:g} s")
        stopped = described_stops(result.stopped)
        for line in (*notes, *([stopped] if stopped else []), *result.outside, *beyond):
            click.echo(line)
        look = f"look at it: condyle view {quote(str(path))}"
        click.echo("interrupted: what was finished is saved" if interrupted else look)
    return 1 if stops else 0


def stops_of(result: Trajectory) -> list[dict[str, Any]]:
    """Which members stopped, when and why; the number of a single run is empty."""
    ends = np.full(result.batch, None, dtype=object)
    ends[...] = result.stopped
    found = [(member, stop) for member, stop in np.ndenumerate(ends) if stop is not None]
    return [{"member": list(member), "time": stop.time, "reason": stop.reason} for member, stop in found]


def energy_told(result: Trajectory) -> list[tuple[float, float]]:
    """Time and energy of the first member's first record, and of its last that has one."""
    energy = np.full(len(result.t), np.nan)
    with suppress(CondyleError):  # states beyond all numbers
        energy = result.energy().total.reshape(-1, len(result.t))[0]
    last = np.flatnonzero(np.isfinite(energy))[-1:].tolist() or [-1]
    return [(result.t[k], energy[k]) for k in (0, *last)]
