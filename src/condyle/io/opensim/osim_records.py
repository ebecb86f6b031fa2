"""What an .osim file says beyond bodies and joints, as plain data: muscles, paths, wraps, contact, controllers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...model.look.shapes import Shape
from ...model.muscle_paths.paths import Path, WrapObject
from .joints.osim_coordinates import Coordinate


@dataclass(frozen=True)
class Component:
    """An object of the file: its class, name and properties as numbers, tuples of numbers, texts and components."""

    kind: str
    name: str
    properties: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0  # of the file

    def get(self, name: str, default: Any = None) -> Any:
        """A property, or a default where the file does not say it."""
        return self.properties.get(name, default)


@dataclass(frozen=True)
class Force(Component):
    """A force of the file; `acts` says whether the model of condyle has it, `applies` whether the file turns it on."""

    path: Path | None = None
    applies: bool = True
    acts: bool = False

    @property
    def is_muscle(self) -> bool:
        """Whether it is a muscle."""
        return "Muscle" in self.kind


@dataclass(frozen=True, eq=False)
class OpenSim:
    """All of an .osim file that bodies, joints, markers and constraints of a model do not hold.

    `coordinates` are by name. `forces` has muscles, springs, actuators and contact; `constraints` all constraints of
    the file, also those that act in the model; `others` what has no place of its own (controllers, probes …).
    """

    name: str
    version: int
    coordinates: Mapping[str, Coordinate] = field(default_factory=dict)
    forces: tuple[Force, ...] = ()
    constraints: tuple[Component, ...] = ()
    wraps: tuple[WrapObject, ...] = ()
    contact_geometry: tuple[Component, ...] = ()
    others: tuple[Component, ...] = ()
    ground_shapes: tuple[Shape, ...] = ()

    @property
    def muscles(self) -> tuple[Force, ...]:
        """The forces that are muscles."""
        return tuple(force for force in self.forces if force.is_muscle)
