"""What a builder has been told so far, and how it finds bodies and coordinates by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import BadValue, NotSupported, require, unknown_name
from ...forces import Element
from ...joints.segments import FACTORS, WIDTHS
from ...spatial.arrays import finite_vector
from ...typing import ArrayLike
from ..body import Body
from ..limits import Rating
from ..motion_types import ROTATIONAL, motion_type, warn_if_degrees
from ..muscle_paths.paths import Muscle, WrapObject
from ..names import CoordinateNames, Place
from ..structure_checks import checked_range


class Collected:
    """Bodies, loads, ranges, ties and muscles in the order in which they were added."""

    def __init__(self, gravity: ArrayLike = (0.0, 0.0, -9.81)) -> None:
        self._gravity = finite_vector(gravity, 3, "gravity [m/s²]")
        self._bodies: list[Body] = []
        self._index: dict[str, int] = {}
        self._joints: set[str] = set()
        self._names = CoordinateNames()
        self._forces: list[Element] = []
        self._force_names: dict[str, int] = {}  # with how many forces have it as a default
        self._prescribed: dict = {}
        self._constraints: list = []
        self._folded: list[int] = []  # numbers of the constraints that become followers
        self._ranges: dict[int, tuple[float, float]] = {}  # by the number of the coordinate
        self._ratings: dict[int, Rating] = {}
        self._defaults: dict[int, float] = {}
        self._muscles: list[Muscle] = []
        self._wraps: list[WrapObject] = []

    @property
    def gravity(self) -> np.ndarray:
        """Gravity in world axes [m/s²], shape (3,)."""
        return self._gravity.copy()

    def has_force(self, name: str) -> bool:
        """Whether a force of this name was added.

        Parameters
        ----------
        name : str

        Returns
        -------
        bool
        """
        return name in self._force_names

    def _body(self, name: str | None) -> int:
        if name is None:
            return -1
        if name not in self._index:
            raise unknown_name("body", name, self._index)
        return self._index[name]

    def _scalar_coordinate(self, name: str, what: str) -> Place:
        place = self._names.places[self._names.find(name)]
        if place.widths != WIDTHS[FACTORS]:
            raise NotSupported(
                f"coordinate {name!r} is a quaternion, which has no {what}; use universal or revolute joints for this "
                "body, or a spring between points"
            )
        return place

    def _checked_range(self, coordinate: str, low: float, high: float, what: str) -> tuple[float, float]:
        """Ends in order; those of an angle that look like degrees are warned of."""
        place = self._scalar_coordinate(coordinate, f"{what}s")
        low, high = checked_range(low, high, f"{what} of {coordinate!r}")
        if motion_type(self._bodies[place.body].joint, place.coordinate) == ROTATIONAL:
            warn_if_degrees(low, high, f"{what} of {coordinate!r}")
        return low, high

    def _range_of(self, number: int) -> tuple[float, float]:
        place = self._names.places[number]
        return self._ranges.get(number, self._bodies[place.body].joint.domain[place.coordinate])


def finite_number(value: Any, name: str) -> float:
    """The number, refused by its name if it is none or not finite."""
    good = isinstance(value, (int, float, np.number)) and np.isfinite(value)
    require(good, f"{name} must be a finite number", BadValue, got=value)
    return float(value)
