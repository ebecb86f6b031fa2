"""What is to be done with a trial: the steps, as setup files of OpenSim and TOML files say them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ..external_loads.ground_reactions import ExternalForce
from ..scaling import ORDER, Measurement

Span = tuple[float, float]
Axis = tuple[float, float, float]
Rotation = tuple[Axis, Axis, Axis]  # axes of the model from those of the laboratory


@dataclass(frozen=True)
class Tasks:
    """Weights of markers (None: all alike), and of coordinates: (weight, value, or None for the default).

    Coordinates in `from_file` take their values from the file of coordinates.
    """

    weights: dict[str, float] | None = None
    coordinates: dict[str, tuple[float, float | None]] = field(default_factory=dict)
    from_file: tuple[str, ...] = ()
    file: Path | None = None


@dataclass(frozen=True)
class PlacementStep:
    """Place the markers of a scaled model by a static trial."""

    static: Path
    tasks: Tasks
    span: Span | None = None
    output: Path | None = None


@dataclass(frozen=True)
class ScaleStep:
    """Scale a model; `output` is where the file says the model goes, by which later steps name it."""

    name: str
    source: Path
    model: Path
    static: Path | None = None
    marker_set: Path | None = None
    mass: float | None = None
    measurements: tuple[Measurement, ...] = ()
    factors: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    order: tuple[str, ...] = ORDER
    keep_mass_distribution: bool = False
    span: Span | None = None
    output: Path | None = None
    placement: PlacementStep | None = None
    truncated: str | None = None  # what is done with tables that are cut off, as `cd.read_table` takes it

    @property
    def outputs(self) -> tuple[Path, ...]:
        """Every name by which later steps may mean the scaled model."""
        placed = None if self.placement is None else self.placement.output
        return tuple(p for p in (self.output, placed) if p is not None)


@dataclass(frozen=True)
class KinematicsStep:
    """Inverse kinematics of markers."""

    name: str
    source: Path
    model: Path
    markers: Path
    tasks: Tasks = field(default_factory=Tasks)
    span: Span | None = None
    output: Path | None = None
    rotation: Rotation | None = None
    soft_constraints: bool = False  # whether the setup weighs constraints against markers; here they hold exactly
    truncated: str | None = None


@dataclass(frozen=True)
class LoadsSource:
    """External forces and the table that holds their numbers; or force plates of a C3D file, by number, and bodies."""

    forces: tuple[ExternalForce, ...]
    table: Path
    plates: tuple[tuple[int, str], ...] = ()
    rotation: Rotation | None = None


@dataclass(frozen=True)
class DynamicsStep:
    """Inverse dynamics of a motion, which a file holds or inverse kinematics makes."""

    name: str
    source: Path
    model: Path
    motion: Path
    loads: Path | LoadsSource | None = None
    cutoff: float | None = None
    span: Span | None = None
    output: Path | None = None
    without_forces: bool = False
    excluded: tuple[str, ...] = ()  # forces of the model that do not act, by name
    muscles_meant: bool = False  # whether the setup does not exclude muscles, which exert no forces here
    truncated: str | None = None


Step = ScaleStep | KinematicsStep | DynamicsStep
