"""Which steps there are in setup files or a folder, and which of them make one trial."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from ...errors import BadFile, require, warn
from ...formats.safe_files import as_path, existing
from ...typing import PathLike
from .opensim_setups import TOOLS, beside, read_setup, tool_of
from .setups import DynamicsStep, KinematicsStep, ScaleStep, Step
from .toml_setups import is_toml_setup, read_toml_setup

SUFFIXES = (".xml", ".toml")
DEEPEST = 3  # folders below the one that is given
MOST = 2000  # files of a folder that are looked at
RESULTS = "results"
DONE = "done.json"  # marks a folder of results
NOT_IN_NAMES, LONGEST = re.compile(r"[^\w .-]+"), 100  # letters


@dataclass(frozen=True)
class TrialPlan:
    """One motion: its inverse kinematics, and inverse dynamics of it, or one of the two."""

    name: str
    kinematics: KinematicsStep | None
    dynamics: tuple[DynamicsStep, ...]


@dataclass(frozen=True)
class Plan:
    """Models that are scaled first, then trials."""

    scalings: tuple[ScaleStep, ...]
    trials: tuple[TrialPlan, ...]
    folder: Path


def plan_of(paths: PathLike | Iterable[PathLike]) -> Plan:
    """The plan of setup files, of folders that hold some, or of both."""
    given = [as_path(p) for p in ([paths] if isinstance(paths, (str, Path)) else paths)]  # type: ignore[list-item]
    require(given, "a trial needs a setup file or a folder that holds some", BadFile)
    steps = [step for path in given for step in _steps(path)]
    first = given[0].resolve()
    scalings = tuple(s for s in steps if isinstance(s, ScaleStep))
    made = {path.name for s in scalings for path in s.outputs}
    return Plan(
        scalings,
        _trials([_found(s, made) for s in steps if not isinstance(s, ScaleStep)]),
        first if first.is_dir() else first.parent,
    )


def _found(step: KinematicsStep | DynamicsStep, made: set[str]) -> KinematicsStep | DynamicsStep:
    """The step with its model beside the setup, if it is not where the setup says and no other setup makes it."""
    return step if step.model.name in made else replace(step, model=beside(step.model, step.source))


def _steps(path: Path) -> list[Step]:
    if path.is_dir():
        files = _setups_in(path)
        words = f"{path}: no setup files in this folder: OpenSim's (.xml) of ScaleTool, InverseKinematicsTool or "
        require(files, words + "InverseDynamicsTool, or a .toml file with a model and trials", BadFile)
        return [step for file in files for step in _steps(file)]
    path = existing(path)
    if path.suffix.lower() == ".toml":
        return read_toml_setup(path)
    require(path.suffix.lower() == ".xml", f"{path}: a setup is an .xml file of OpenSim or a .toml file", BadFile)
    return [read_setup(path)]


def _setups_in(folder: Path) -> list[Path]:
    """Setup files of a folder and those in it, but not in folders of results."""
    found, others = [], []
    for path in sorted(folder.rglob("*"))[:MOST]:
        inside = path.relative_to(folder).parts
        results = any((folder.joinpath(*inside[:k]) / DONE).exists() for k in range(len(inside)))
        if len(inside) > DEEPEST or results or path.suffix.lower() not in SUFFIXES or not path.is_file():
            continue
        if path.suffix.lower() == ".toml":
            found += [path] if is_toml_setup(path) else []
        elif tool := tool_of(path):
            (found if tool in TOOLS else others).append(path)
    if others:
        warn(f"{folder}: setups of tools that condyle does not have, not run: {', '.join(p.name for p in others)}")
    return found


def _trials(steps: list[KinematicsStep | DynamicsStep]) -> tuple[TrialPlan, ...]:
    """Each inverse kinematics with the inverse dynamics of its motion; others by themselves."""
    motions = [s for s in steps if isinstance(s, KinematicsStep)]
    forces = [s for s in steps if isinstance(s, DynamicsStep)]
    made = {s.output: k for k, s in enumerate(motions) if s.output is not None}
    by_name = {path.name: k for path, k in made.items()}
    own: dict[int, list[DynamicsStep]] = {}
    alone: list[DynamicsStep] = []
    for step in forces:
        k = made.get(step.motion)
        if k is None and not step.motion.exists():
            k = by_name.get(step.motion.name)
        alone.append(step) if k is None else own.setdefault(k, []).append(step)
    trials = [TrialPlan(s.name, s, tuple(own.get(k, ()))) for k, s in enumerate(motions)]
    trials += [TrialPlan(s.name, None, (replace(s, motion=beside(s.motion, s.source)),)) for s in alone]
    return tuple(_apart(trials))


def _apart(trials: list[TrialPlan]) -> list[TrialPlan]:
    """Trials with a name of their own each, by which a folder can be called."""
    taken: set[str] = set()
    out = []
    for trial in trials:
        base = name = NOT_IN_NAMES.sub("_", trial.name).strip(". ")[:LONGEST] or "trial"
        number = 2
        while name.lower() in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name.lower())
        out.append(TrialPlan(name, trial.kinematics, trial.dynamics))
    return out
