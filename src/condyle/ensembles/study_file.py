"""Studies in a TOML file: a model or a function, a design, outputs."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..errors import BadFile, CondyleError, require, unknown_name
from ..formats.safe_files import existing
from ..io.load import load
from ..io.problems import Problems
from ..io.toml_text import read_toml
from ..model import Model
from ..typing import PathLike, Progress
from . import designs
from .designs import Design
from .ensemble import ensemble
from .ensemble_result import Ensemble


class SimulateEntry(BaseModel):
    """How a model is simulated: times [s], and where it starts [rad or m]."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)
    duration: float
    step: float = 1e-3
    record: float | None = None
    integrator: str = "rk4"
    start: dict[str, float] = Field(default_factory=dict)


class StudyFile(BaseModel):
    """A study: what is run, what varies, what is kept."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)
    model: str | None = None
    function: str | None = None
    design: Literal["grid", "latin hypercube", "sobol", "sensitivity", "samples"] = "latin hypercube"
    members: int | None = None
    seed: int = 0
    outputs: list[str] | None = None
    vary: dict[str, list[Any]]
    simulate: SimulateEntry | None = None


def run_study(
    path: PathLike,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    record_to: PathLike | None = None,
    resume: bool = False,
    progress: Progress = False,
) -> Ensemble:
    """Run the ensemble that a TOML file describes; docs/ensembles shows one.

    Parameters
    ----------
    path : str or Path
        The file. A model is named from its folder; a function as "module:name", with the module there, which is
        imported: its code runs, so run only studies that you trust.
    workers, scheduler, record_to, resume, progress
        As `cd.ensemble` has them.

    Returns
    -------
    Ensemble

    Raises
    ------
    BadFile
        If the file is not a study; all its errors come at once.
    CondyleError
        As `cd.ensemble` raises them, with the name of the file.
    """
    path = existing(path)
    given = {"workers": workers, "scheduler": scheduler, "record_to": record_to, "resume": resume, "progress": progress}
    try:
        return _run(_read(path), path, given)
    except CondyleError as error:
        if str(path) not in str(error) and len(error.args) == 1:
            error.args = (f"{path}: {error}",)
        raise


def _run(study: StudyFile, path: Path, given: dict[str, Any]) -> Ensemble:
    """The ensemble of a study."""
    design = _design(study, path)
    if study.function is not None:
        return ensemble(_function(study.function, path), design, seed=study.seed, **given)
    model = load(path.parent / str(study.model))
    require(isinstance(model, Model), f"{path}: {study.model} is not a model", BadFile)
    s = study.simulate
    assert s is not None
    q = model.neutral()
    for name, value in s.start.items():
        q[model.q_index(name)] = value
    times = {"duration": s.duration, "step": s.step, "record": s.record, "integrator": s.integrator}
    return ensemble(model, design, outputs=study.outputs, seed=study.seed, q=q, **times, **given)


def _read(path: Path) -> StudyFile:
    study = Problems(str(path), read_toml(path)).validated(StudyFile)
    require((study.model is None) != (study.function is None), f"{path}: a study has a model or a function", BadFile)
    words = (
        f"{path}: a study of a model says how it is simulated, [simulate] with a duration; one of a function does not"
    )
    require((study.model is None) == (study.simulate is None), words, BadFile)
    return study


def _design(study: StudyFile, path: Path) -> Design:
    make = getattr(designs, study.design.replace(" ", "_"))
    drawn = study.design not in ("grid", "samples")
    words = "needs how many (members = 64)" if drawn else "has as many members as values: leave `members` out"
    require(drawn == (study.members is not None), f"{path}: a design {study.design!r} {words}", BadFile)
    return make(study.vary, study.members, seed=study.seed) if drawn else make(study.vary)


def _function(name: str, path: Path) -> Any:
    """The function of a module beside the study, or of one that is installed."""
    module, _, attribute = name.partition(":")
    require(module and attribute, f"{path}: function = module:name in quotes", BadFile, got=name)
    folder = str(path.parent.resolve())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        found = import_module(module)
    except ImportError as error:
        raise BadFile(f"{path}: the module {module!r} cannot be imported: {error}") from None
    if not hasattr(found, attribute):
        raise unknown_name("function", attribute, [n for n in dir(found) if not n.startswith("_")], module)
    return getattr(found, attribute)
