"""The same as OpenSim's setup files in a small TOML file: a model, how it is scaled, and trials."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...errors import BadFile, require
from ...formats.safe_files import file_path, read_bytes
from ...io.problems import Problems
from ...io.toml_text import read_toml
from ..external_loads.ground_reactions import GROUND, ExternalForce
from ..scaling import ORDER, Measurement
from .setups import DynamicsStep, KinematicsStep, LoadsSource, PlacementStep, Rotation, ScaleStep, Step, Tasks

Truncated = Literal["error", "warn"]  # what is done with tables that are cut off


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=False, allow_inf_nan=False)


class CoordinateEntry(_Part):
    """A coordinate that is kept near a value [rad or m], by default that of the model."""

    weight: float
    value: float | None = None


class MarkersEntry(_Part):
    """A file of markers, their weights and a span of time [s]."""

    markers: str
    span: tuple[float, float] | None = None
    weights: dict[str, float] | None = None
    coordinates: dict[str, CoordinateEntry] = Field(default_factory=dict)

    def tasks(self) -> Tasks:
        """As setups have them."""
        return Tasks(self.weights, {n: (c.weight, c.value) for n, c in self.coordinates.items()})


class MeasurementEntry(_Part):
    """Pairs of markers, and the bodies and axes that their distances scale."""

    name: str
    pairs: list[tuple[str, str]]
    bodies: dict[str, str]


class ScaleEntry(_Part):
    """Scaling by measurements of a static trial and by given factors."""

    markers: str | None = None
    span: tuple[float, float] | None = None
    marker_set: str | None = None
    mass: float | None = None
    keep_mass_distribution: bool = False
    measurement: list[MeasurementEntry] = Field(default_factory=list)
    factors: dict[str, float | tuple[float, float, float]] = Field(default_factory=dict)
    place_markers: MarkersEntry | None = None


class ForceEntry(_Part):
    """An external force: a body, and what the names of its columns begin with, or the number of a force plate."""

    name: str = ""
    body: str
    force: str = ""
    point: str = ""
    torque: str = ""
    force_in: str = GROUND
    point_in: str = GROUND
    plate: int | None = None


class TrialEntry(MarkersEntry):
    """A trial: markers, and for inverse dynamics loads and a cutoff [Hz]; files are named after it."""

    name: str = Field(pattern=r"^\w[\w .-]*$", max_length=100)
    dynamics: bool = True
    cutoff: float | None = None
    rotation: Rotation | None = None
    loads: str | None = None
    force: list[ForceEntry] = Field(default_factory=list)
    truncated: Truncated | None = None


class TrialFile(_Part):
    """A model, how it is scaled, and trials; `truncated` is for all that do not say it themselves."""

    model: str
    truncated: Truncated | None = None
    scale: ScaleEntry | None = None
    trial: list[TrialEntry] = Field(default_factory=list)


def is_toml_setup(path: Path) -> bool:
    """Whether a TOML file is about trials: it names a model file and has trials or a scaling."""
    try:
        tree = read_toml(path)
    except BadFile:  # one that is damaged is said to be when it is read
        return any(mark in read_bytes(path) for mark in (b"[[trial]]", b"[scale]"))
    return isinstance(tree.get("model"), str) and bool({"trial", "scale"} & set(tree))


def read_toml_setup(path: Path) -> list[Step]:
    """The steps that a TOML file describes."""
    problems = Problems(str(path), read_toml(path))
    file = problems.validated(TrialFile)
    source = path.resolve()
    model = _beside(source, file.model)
    steps: list[Step] = []
    if file.scale is not None:
        steps.append(replace(_scale(file.scale, source, model), truncated=file.truncated))
        model = steps[0].output or model
    for k, entry in enumerate(file.trial):
        with problems.at("trial", k):
            truncated = entry.truncated or file.truncated
            steps += [replace(step, truncated=truncated) for step in _trial(entry, source, model)]
    problems.check()
    return steps


def _beside(source: Path, name: str) -> Path:
    return file_path(source.parent / name, source)


def _maybe(source: Path, name: str | None) -> Path | None:
    return None if name is None else _beside(source, name)


def _scale(entry: ScaleEntry, source: Path, model: Path) -> ScaleStep:
    place = entry.place_markers
    placement = None if place is None else PlacementStep(_beside(source, place.markers), place.tasks(), place.span)
    factors: dict[str, tuple[float, float, float]] = {
        body: factor if isinstance(factor, tuple) else (factor, factor, factor)
        for body, factor in entry.factors.items()
    }
    measurements = tuple(Measurement(m.name, tuple(m.pairs), m.bodies) for m in entry.measurement)
    return ScaleStep(
        source.stem, source, model, _maybe(source, entry.markers), _maybe(source, entry.marker_set), entry.mass,
        measurements, factors, ORDER, entry.keep_mass_distribution, entry.span,
        source.with_name(f"{model.stem}_scaled.osim"), placement,
    )  # fmt: skip


def _trial(entry: TrialEntry, source: Path, model: Path) -> list[Step]:
    """Inverse kinematics, and inverse dynamics of what it finds."""
    motion = source.with_name(f"{entry.name}_ik.mot")
    first = KinematicsStep(entry.name, source, model, _beside(source, entry.markers), entry.tasks(),
                           entry.span, motion, entry.rotation)  # fmt: skip
    if not entry.dynamics:
        return [first]
    forces = source.with_name(f"{entry.name}_id.sto")
    return [first, DynamicsStep(f"{entry.name}_id", source, model, motion, _loads(entry, source), entry.cutoff, None,
                                forces)]  # fmt: skip


def _loads(entry: TrialEntry, source: Path) -> Any:
    """External loads: a file of OpenSim's, or a table with forces that are described here."""
    require(entry.loads or not entry.force, "`loads` must name the table of the forces", BadFile)
    if entry.loads is None:
        return None
    path = _beside(source, entry.loads)
    if path.suffix.lower() == ".xml":
        require(not entry.force, f"{path.name} describes its forces itself; leave [[trial.force]] out", BadFile)
        return path
    require(entry.force, f"say with [[trial.force]] what the columns of {path.name} are", BadFile)
    if path.suffix.lower() == ".c3d":
        words = f"{path.name}: say with `plate`, and nothing else, on which force plate each body stands"
        alone = all(f.plate is not None and not (f.force or f.point or f.torque) for f in entry.force)
        require(alone, words, BadFile)
        return LoadsSource((), path, tuple((f.plate, f.body) for f in entry.force if f.plate), entry.rotation)
    require(all(f.plate is None for f in entry.force), f"{path.name}: `plate` is for .c3d files", BadFile)
    forces = tuple(
        ExternalForce(f.name or f.body, f.body, f.force, f.point, f.torque, f.force_in, f.point_in) for f in entry.force
    )
    return LoadsSource(forces, path)
