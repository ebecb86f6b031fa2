"""A coordinate that is a function of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ...errors import BadValue, NotFinite, NotSupported, PrescribedMismatch, require
from ...joints import Joint
from ...joints.canonical_form import factor_segment, normalized
from ...joints.functions import Function, Sum, constant, linear
from ...joints.joint import coordinates_of
from ..model import Model
from ..resolved_constraints import Coupling
from .constraint import Constraint

ALONG_X = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Couple(Constraint):
    """One coordinate is a function of another, or of several.

    Attributes
    ----------
    coordinate : str
        The one that follows.
    others : tuple of str
        Those that it follows.
    function : Function or Sum
        Of the others.
    """

    coordinate: str
    others: tuple[str, ...]
    function: Function | Sum

    def bound(self, model: Model) -> Coupling:
        """One row: coordinate − function(others).

        Parameters
        ----------
        model : Model

        Returns
        -------
        Coupling

        Raises
        ------
        UnknownName
            If a coordinate does not exist.
        BadValue
            If a coordinate is coupled to itself, or named twice.
        PrescribedMismatch
            If all of them are prescribed.
        """
        (q, v), *others = (scalar_place(model, name)[1:] for name in (self.coordinate, *self.others))
        columns, to = {column for _, column in others}, listed(self.others)
        require(
            v not in columns,
            f"couple: coordinate {self.coordinate!r} cannot be coupled to itself; name another",
            BadValue,
        )
        require(len(columns) == len(others), f"couple: {to}: each of the others is named once", BadValue)
        require(
            not {v, *columns} <= model.prescribed_columns,
            f"couple: {self.coordinate!r} and {to} are {'both' if len(others) == 1 else 'all'} prescribed: no force "
            "can couple them; free one",
            PrescribedMismatch,
        )
        slide = slide_along_x(self.function)
        return Coupling(f"coupling of {self.coordinate!r} to {to}", q, v, tuple(others), slide)


def couple(
    coordinate: str,
    other: str | Sequence[str],
    function: Function | Sum | float | None = None,
    ratio: float = 1.0,
    offset: float = 0.0,
) -> Couple:
    """Hold coordinate = ratio · other + offset, or coordinate = function(other), a function of cd.functions.

    A constant function holds the coordinate still. A piecewise-linear one has kinks: where `other` passes one, the rate
    of the coordinate must jump. The jump is that of a plastic impact, the velocity that is nearest in the metric of the
    mass matrix among those that the next piece allows: kinetic energy is lost there, never won. Between kinks, and in
    accelerations and forces, the slope is that of the piece in which `other` is (at a kink the one above it).

    Parameters
    ----------
    coordinate : str
        The coordinate that follows, by any of its names.
    other : str or sequence of str
        What it follows; the function reads several as its coordinates 0, 1, …
    function : Function, Sum or float, optional
        Of cd.functions; a number is a constant. Instead of `ratio` and `offset`.
    ratio : float
        Change of the coordinate for a unit change of the other.
    offset : float
        The coordinate [rad or m] where the other is 0.

    Returns
    -------
    Couple
        For `ModelBuilder.add_constraint`.

    Raises
    ------
    BadValue, NotFinite
        If the function reads other coordinates than those named, or a number is not finite.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.constraints.couple("knee_angle_r_beta", "knee_angle_r").others
    ('knee_angle_r',)
    """
    others = (other,) if isinstance(other, str) else tuple(other)
    if function is None:
        require(len(others) == 1, "couple: several coordinates need a function of them", BadValue, others=others)
        numbers = np.isfinite([ratio, offset]).all()
        require(numbers, "couple: ratio and offset must be finite", NotFinite, ratio=ratio, offset=offset)
        return Couple(coordinate, others, linear(scale=ratio, offset=offset))
    made: Any = constant(float(function)) if isinstance(function, Real) else function
    good = isinstance(made, (Function, Sum)) and set(made.coordinates) in (set(), set(range(len(others))))
    reads = "coordinate 0 alone" if len(others) == 1 else f"coordinates 0 … {len(others) - 1}, one for each name"
    require(good, f"couple: function must be of cd.functions and read {reads}", BadValue, function=function)
    require(ratio == 1.0 and offset == 0.0, "couple: give a function, or a ratio and an offset; not both", ratio=ratio)
    return Couple(coordinate, others, made)


def slide_along_x(function: Function | Sum) -> Joint:
    """The joint that slides along x by the function of its coordinates; without any if it is constant."""
    segments = normalized(factor_segment(np.array(ALONG_X), part) for part in function.parts)
    read = {c for segment in segments for c in coordinates_of(segment)}
    names = tuple(f"q{c}" for c in range(len(function.coordinates))) if read else ()
    return Joint(segments, names, title="coupling")


def listed(names: tuple[str, ...]) -> str:
    """The first names of a list, as an error shows them."""
    shown = ", ".join(map(repr, names[:3]))
    return shown if len(names) <= 3 else f"{shown} … ({len(names)} coordinates)"


def scalar_place(model: Model, name: str) -> tuple[int, int, int]:
    """Where a coordinate that is one number stands."""
    place = model.place_of(name)
    if place[1] in {at for at, _, _ in model.quaternions}:
        raise NotSupported(f"couple: coordinate {name!r} is a quaternion; couple coordinates that are one number each")
    return place
