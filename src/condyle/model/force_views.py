"""Forces of a model by the port that they act at."""

from __future__ import annotations

from functools import cached_property

from ..forces import BetweenFrames, Element, OnCoordinate
from ..forces.kernels.declaration import GAP, LINE, TURNS
from ..forces.registry import READINGS
from .body import Bushing, Spring


class ForceViews:
    """What a model has of each kind of force, from its one list."""

    forces: tuple[Element, ...]

    @cached_property
    def coordinate_forces(self) -> tuple[Element[OnCoordinate], ...]:
        """Forces on coordinates, followers among them, in the order in which they were added."""
        return tuple(f for f in self.forces if isinstance(f.at, OnCoordinate))

    @cached_property
    def line_forces(self) -> tuple[Element[BetweenFrames], ...]:
        """Forces along the line between two points."""
        return tuple(f for f in self.forces if READINGS[f.law] == LINE)

    @cached_property
    def pair_forces(self) -> tuple[Element[BetweenFrames], ...]:
        """Forces between two frames that turn and shift, or between two surfaces."""
        return tuple(f for f in self.forces if READINGS[f.law] in (TURNS, GAP))

    @cached_property
    def springs(self) -> tuple[Spring, ...]:
        """Springs between points of bodies, as numbered in the names of parameters."""
        return tuple(Spring.of(f) for f in self.line_forces if f.law == "spring")

    @cached_property
    def bushings(self) -> tuple[Bushing, ...]:
        """Springs and dampers of all six motions between frames of two bodies."""
        return tuple(Bushing.of(f) for f in self.pair_forces if f.law == "bushing")
