"""One trial: its steps one after the other, and its files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..errors import BadFile, require, unknown_name, warn
from ..formats.doubts import files_read
from ..formats.tables.table_files import read_table
from ..io import load
from ..io.opensim.omissions import brief
from ..model import Model
from .acting_forces import with_forces_of
from .external_loads.force_plates import plate_loads, read_force_plates
from .external_loads.ground_reactions import ExternalLoads
from .inverse_dynamics import Dynamics, inverse_dynamics
from .inverse_kinematics import CoordinateTask, Kinematics, inverse_kinematics
from .measured_markers import turn_markers
from .results.column_names import columns
from .results.fingerprint import fingerprint, is_done, say_done
from .results.finished_steps import FinishedSteps
from .results.outputs import PAGE_NAME, scaling_notes, write_dynamics, write_kinematics, write_numbers, write_pictures
from .setup_files.opensim_setups import read_external_loads
from .setup_files.plan import TrialPlan
from .setup_files.setups import DynamicsStep, KinematicsStep, LoadsSource, Tasks
from .time_series import LEAST, TimeSpline, checked_series

UNDRAWN = "mesh files"  # notes about what is not drawn do not matter here
HELD_EXACTLY = (
    "constraint_weight is finite: OpenSim weighs constraints against markers, condyle holds them exactly, as with Inf"
)


@dataclass(frozen=True, eq=False)
class TrialResult:
    """What became of a trial.

    Attributes
    ----------
    name : str
    folder : Path
        Where its files are.
    kinematics : Kinematics or None
    dynamics : Dynamics or None
        None as well if it was computed in another process, or before.
    files : tuple of Path
    notes : tuple of str
        What was assumed.
    said : str
        The result in a sentence.
    skipped : bool
        Whether it was complete already.
    error : str
        What went wrong; empty if nothing did.
    """

    name: str
    folder: Path
    kinematics: Kinematics | None = None
    dynamics: Dynamics | None = None
    files: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    said: str = ""
    skipped: bool = False
    error: str = ""


class How(NamedTuple):
    """Whether to leave out what is complete, whether to write a page, and what to do with tables that are cut off."""

    resume: bool = False
    report: bool = True
    truncated: str | None = None


@dataclass
class _Work:
    """What a trial has so far."""

    notes: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    kinematics: Kinematics | None = None
    dynamics: Dynamics | None = None


def run_trial(trial: TrialPlan, made: dict[Path, Path], folder: Path, how: How) -> TrialResult:
    """Run a trial and write its files; `done.json` comes last."""
    mark = fingerprint(trial, made)
    if how.resume and is_done(folder, mark) and (not how.report or (folder / PAGE_NAME).is_file()):
        return TrialResult(trial.name, folder, said="complete already", skipped=True)
    folder.mkdir(parents=True, exist_ok=True)
    work, finished = _Work(), FinishedSteps(folder, how.resume)
    if trial.kinematics is not None:
        with files_read(truncated=trial.kinematics.truncated or how.truncated):
            _do_kinematics(trial.kinematics, made, folder, work, finished)
    for step in trial.dynamics:
        with files_read(truncated=step.truncated or how.truncated):
            _do_dynamics(step, fingerprint((trial.kinematics, step), made), made, folder, work, finished)
    work.files.append(write_numbers(folder / f"{trial.name}.npz", work.kinematics, work.dynamics))
    notes = tuple(dict.fromkeys(work.notes))
    if how.report:
        work.files += write_pictures(folder, trial.name, work.kinematics, work.dynamics, notes)
    say_done(folder, mark, work.files)
    said = "; ".join(str(x) for x in (work.kinematics, work.dynamics) if x is not None)
    return TrialResult(trial.name, folder, work.kinematics, work.dynamics, tuple(work.files), notes, said)


def _do_kinematics(
    step: KinematicsStep, made: dict[Path, Path], folder: Path, work: _Work, finished: FinishedSteps
) -> None:  # fmt: skip
    model, notes = with_tasks(_model(step.model, made, work), step.tasks)
    work.notes += notes
    if step.soft_constraints and (model.constraints or model.followers):
        work.notes.append(HELD_EXACTLY)
        warn(f"{step.source}: {HELD_EXACTLY}")

    def compute() -> Kinematics:
        tasks = coordinate_tasks(step.tasks, model)
        seen = step.markers if step.rotation is None else turn_markers(step.markers, step.rotation)
        return inverse_kinematics(model, seen, weights=step.tasks.weights, coordinates=tasks, span=step.span)

    found = finished.done(Kinematics, model, fingerprint(step, made), compute)
    work.kinematics = found
    work.notes += [] if step.rotation is None else ["markers are turned from the axes of the laboratory to the model's"]
    work.notes += [f"markers from {step.markers.name}", *found.notes]
    work.files += write_kinematics(found, folder, step.output.stem if step.output else step.name)


def _do_dynamics(
    step: DynamicsStep, mark: str, made: dict[Path, Path], folder: Path, work: _Work, finished: FinishedSteps
) -> None:  # fmt: skip
    model = _model(step.model, made, work)
    model, notes = with_forces_of(step, model)
    work.notes += notes
    motion = step.motion if work.kinematics is None else work.kinematics

    def compute() -> Dynamics:
        return inverse_dynamics(model, motion, loads=_loads(step), cutoff=step.cutoff, span=step.span)

    found = finished.done(Dynamics, model, mark, compute)
    work.dynamics = found
    work.notes += found.notes
    work.files += write_dynamics(found, folder, step.output.stem if step.output else step.name)


def _loads(step: DynamicsStep) -> ExternalLoads | None:
    if isinstance(step.loads, LoadsSource) and step.loads.plates:
        return plate_loads(read_force_plates(step.loads.table, rotation=step.loads.rotation), dict(step.loads.plates))
    if isinstance(step.loads, LoadsSource):
        return ExternalLoads(step.loads.forces, read_table(step.loads.table))
    return None if step.loads is None else read_external_loads(step.loads)


def _model(path: Path, made: dict[Path, Path], work: _Work) -> Model:
    """The model that a setup names: one that was scaled before, or a file."""
    actual = made.get(path, path)
    if actual == path and not path.exists():
        named = {p for declared, p in made.items() if declared.name == path.name}
        require(len(named) == 1, f"{path}: there is no such file, and no setup for scaling here makes it", BadFile)
        actual = named.pop()
    model = load(actual)
    require(isinstance(model, Model), f"{actual}: a trial needs a model", BadFile)
    work.notes += scaling_notes(actual)
    work.notes += [f"model {actual.name}: {brief(note)}" for note in model.notes if UNDRAWN not in note]
    return model


def with_tasks(model: Model, tasks: Tasks) -> tuple[Model, list[str]]:
    """A model whose coordinates are all that tasks name: couplers are constraints where one names a follower."""
    named = [f.name for f in model.followers if tasks.coordinates.get(f.name, (0.0,))[0] > 0]
    if not named:
        return model, []
    return model.unfolded(), [f"couplers are held as constraints, because coordinate tasks name {', '.join(named)}"]


def coordinate_tasks(tasks: Tasks, model: Model) -> dict[str, CoordinateTask]:
    """The coordinates that a setup keeps near values."""
    out = {name: CoordinateTask(*pair) for name, pair in tasks.coordinates.items()}
    for name in tasks.from_file:
        require(tasks.file is not None, f"coordinate task {name!r} is from a file, and no coordinate_file is named",
                BadFile)  # fmt: skip
        out[name] = CoordinateTask(out[name].weight, _values_from_file(model, tasks.file, name))  # type: ignore[arg-type]
    return out


def _values_from_file(model: Model, path: Path, name: str) -> Callable[[np.ndarray], np.ndarray]:
    """A coordinate as a function of times, from a column of a .mot, .sto or .csv file [rad or m]."""
    table = read_table(path)
    if name not in table:
        raise unknown_name("column", name, table.names, str(path))
    column = next((c for c in columns(model) if c.name == name), None)
    if column is None:
        raise unknown_name("coordinate", name, [c.name for c in columns(model)], "the model")
    values = np.radians(table[name]) if table.in_degrees and column.rotational else table[name]
    if len(table) == 1:
        return lambda times: np.full(len(times), values[0])
    require(len(table) >= LEAST, f"{path}: a coordinate over time needs 1 or at least {LEAST} rows", BadFile,
            rows=len(table))  # fmt: skip
    t, x = checked_series(table.times, values)
    spline = TimeSpline(t, x)

    def of_times(times: np.ndarray) -> np.ndarray:
        good = t[0] - 1e-6 <= times[0] and times[-1] <= t[-1] + 1e-6
        require(good, f"{path}: values from {t[0]:g} to {t[-1]:g} s do not cover the markers", BadFile)
        return spline(times)[:, 0]

    return of_times
