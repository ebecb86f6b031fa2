"""`run`: all trials of setup files or a folder, from scaling to the page."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from ..errors import BadFile, CondyleError, CondyleWarning, NotInModel, require, warn
from ..formats.doubts import files_read
from ..progress import reporting
from ..typing import PathLike, Progress
from .marker_placement import place_markers
from .results.fingerprint import fingerprint, is_done, say_done
from .results.outputs import write_kinematics, write_scaling
from .scaling import ScaledModel, scale
from .setup_files.plan import RESULTS, Plan, TrialPlan, plan_of
from .setup_files.setups import ScaleStep
from .trial_steps import How, TrialResult, coordinate_tasks, run_trial, with_tasks


@dataclass(frozen=True, eq=False)
class Run:
    """What became of all trials.

    Attributes
    ----------
    scaled : dict of str to ScaledModel
        Scaled models by the name of their setup; those that were complete already are left out.
    trials : tuple of TrialResult
    folder : Path
        Of all results.
    files : tuple of Path
        Those of scaled models.
    """

    scaled: dict[str, ScaledModel]
    trials: tuple[TrialResult, ...]
    folder: Path
    files: tuple[Path, ...] = ()

    @property
    def failed(self) -> tuple[TrialResult, ...]:
        """The trials that went wrong."""
        return tuple(t for t in self.trials if t.error)


def run(
    setup: PathLike | Iterable[PathLike],
    out: PathLike | None = None,
    *,
    jobs: int = 1,
    resume: bool = False,
    report: bool = True,
    truncated: str | None = None,
    progress: Progress = False,
) -> Run:
    """Run what setup files say: scale models, then inverse kinematics and inverse dynamics of every trial.

    A model that one setup scales, and a motion that one computes, is used by the setups that name it as their input.

    Parameters
    ----------
    setup : str, path or several
        Setup files of OpenSim (ScaleTool, InverseKinematicsTool, InverseDynamicsTool), a .toml file, or a folder that
        holds some. Files are named from the folder of their setup.
    out : str or path, optional
        Where results go; the folder `results` beside the setup by default. Each trial gets a folder in it.
    jobs : int, optional
        So many trials at once, each in a process of its own.
    resume : bool, optional
        Leave out trials whose results are there and were made from the same inputs; of a trial that was interrupted or
        killed, the steps that are finished.
    report : bool, optional
        Whether to draw pictures and write the page, which takes longer than all else.
    truncated : {"error", "warn"}, optional
        What to do with tables that are cut off, where the setup does not say it, as in `cd.read_table`.
    progress : bool or function, optional
        True for a bar in a terminal, or a function of (stage, done, total).

    Returns
    -------
    Run

    Raises
    ------
    BadFile
        If a setup or a file that it names is not there or not what it should be.
    CondyleError
        If the only trial goes wrong; of several, the others go on and `failed` says which did not.

    Warns
    -----
    CondyleWarning
        For each of several trials that goes wrong.
    """
    require(isinstance(jobs, int) and jobs >= 1, "jobs: a whole number from 1 on", got=jobs)
    plan = plan_of(setup)
    folder = Path(plan.folder / RESULTS if out is None else out)
    folder.mkdir(parents=True, exist_ok=True)
    with reporting(progress) as tell, warnings.catch_warnings():
        warnings.simplefilter("ignore", NotInModel)  # it is said in the report
        total = len(plan.scalings) + len(plan.trials)
        made, scaled, files = _scaled_models(plan, folder, resume, truncated)
        tell("trials", len(plan.scalings), total)
        results = []
        for result in _results(plan, made, folder, jobs, How(resume, report, truncated)):
            results.append(result)
            tell("trials", len(plan.scalings) + len(results), total)
    order = {trial.name: k for k, trial in enumerate(plan.trials)}
    results.sort(key=lambda r: order[r.name])
    for result in results:
        if result.error:
            warn(f"trial {result.name!r}: {result.error}")
    return Run(scaled, tuple(results), folder, tuple(files))


def _scaled_models(
    plan: Plan, folder: Path, resume: bool, truncated: str | None
) -> tuple[dict[Path, Path], dict[str, ScaledModel], list[Path]]:  # fmt: skip
    """Scale models; where each name by which setups mean one really is."""
    made: dict[Path, Path] = {}
    scaled: dict[str, ScaledModel] = {}
    files = []
    for step in plan.scalings:
        name = (step.outputs[-1] if step.outputs else step.model).stem
        place = folder / name
        place.mkdir(exist_ok=True)
        path, mark = place / f"{name}.osim", fingerprint(step, {})
        if not (resume and is_done(place, mark)):
            with files_read(truncated=step.truncated or truncated):
                found = scaled[step.name] = scaled_by(step)
            written = [found.save(path), write_scaling(found, place), *_static_pose(found, place, name)]
            say_done(place, mark, written)
            files += written
        made |= dict.fromkeys(step.outputs, path)
    return made, scaled, files


def scaled_by(step: ScaleStep) -> ScaledModel:
    """The model that a setup scales, with its markers placed."""
    missing = f"{step.source}: the model that it scales, {step.model}, is not there; put it beside the setup"
    require(step.model.is_file(), missing, BadFile)
    found = scale(
        step.model, static=step.static, mass=step.mass, measurements=step.measurements, factors=step.factors,
        order=step.order, keep_mass_distribution=step.keep_mass_distribution, span=step.span, markers=step.marker_set,
    )  # fmt: skip
    if step.placement is None:
        return found
    tasks = step.placement.tasks
    model, notes = with_tasks(found.model, tasks)
    found = replace(found, model=model, notes=(*found.notes, *notes))
    return place_markers(found, step.placement.static, weights=tasks.weights,
                         coordinates=coordinate_tasks(tasks, model), span=step.placement.span)  # fmt: skip


def _static_pose(found: ScaledModel, place: Path, name: str) -> list[Path]:
    return [] if found.pose is None else write_kinematics(found.pose, place, f"{name}_static")


def _results(plan: Plan, made: dict[Path, Path], folder: Path, jobs: int, how: How) -> Iterator[TrialResult]:
    """Each trial when it is complete."""
    if jobs == 1 or len(plan.trials) < 2:
        for trial in plan.trials:
            yield _attempted(trial, made, folder, how, alone=len(plan.trials) == 1)
        return
    threads = max(1, (os.cpu_count() or 1) // jobs)
    with ProcessPoolExecutor(jobs, get_context("spawn"), _use_threads, (threads,)) as pool:
        waiting = [pool.submit(_elsewhere, trial, made, folder, how) for trial in plan.trials]
        for done in as_completed(waiting):
            result, said = done.result()
            for message in said:
                warn(message)
            yield result


def _use_threads(count: int) -> None:
    os.environ.setdefault("CONDYLE_THREADS", str(count))


def _elsewhere(trial: TrialPlan, made: dict[Path, Path], folder: Path, how: How) -> tuple[TrialResult, list[str]]:
    """A trial in another process: the result without its arrays, which are on disk, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CondyleWarning)
        warnings.simplefilter("ignore", NotInModel)
        found = _attempted(trial, made, folder, how, alone=False)
    said = [str(w.message) for w in caught if issubclass(w.category, CondyleWarning)]
    slim = TrialResult(found.name, found.folder, None, None, found.files, found.notes, found.said, found.skipped,
                       found.error)  # fmt: skip
    return slim, said


def _attempted(trial: TrialPlan, made: dict[Path, Path], folder: Path, how: How, alone: bool) -> TrialResult:
    """The result of a trial; what goes wrong is said in it, or raised if there is no other trial."""
    try:
        return run_trial(trial, made, folder / trial.name, how)
    except CondyleError as error:
        if alone:
            raise
        return TrialResult(trial.name, folder / trial.name, error=f"{type(error).__name__}: {error}")
