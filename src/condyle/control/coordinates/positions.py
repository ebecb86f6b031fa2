"""Coordinates that are places: points, distances, the centre of mass, and the momentum that moves it."""

from __future__ import annotations

import numpy as np

from ...errors import require
from ...spatial.arrays import finite_vector
from ...typing import ArrayLike
from .coordinate import Coordinate, Place, axis_numbers
from .jets import Jet, norm
from .pose_jet import Posture


def point(
    body: str,
    at: ArrayLike = (0.0, 0.0, 0.0),
    *,
    axes: str = "xyz",
    seen_from: str | None = None,
    name: str | None = None,
) -> Coordinate:
    """World position [m] of a point given in body axes, or its position in the axes of the body `seen_from`.

    Parameters
    ----------
    body : str
        Name of the body.
    at : array_like, shape (3,), optional
        A point in body axes [m]; the body origin if left out.
    axes : str, optional
        Which components: letters of "xyz".
    seen_from : str, optional
        Body in whose axes the position is taken; the world if left out.
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Coordinate

    Examples
    --------
    >>> import condyle as cd
    >>> cd.control.point("hand", (0, 0, 0.08), axes="xz").labels
    ('hand.point.x', 'hand.point.z')
    """
    rows = axis_numbers(axes)
    name = f"{body}.point" if name is None else name

    def formula(posture: Posture) -> Jet:
        p = posture.point(body, at)
        if seen_from is not None:
            p = _turned_back(posture.rotation(seen_from), p - posture.point(seen_from))
        return p[:, rows]

    x = tuple(finite_vector(at, 3, "a point of a body [m]").tolist())
    place = Place(body, x, tuple(rows)) if seen_from is None and body is not None else None
    return Coordinate(name, tuple(f"{name}.{a}" for a in axes), formula, place=place)


def _turned_back(R: Jet, p: Jet) -> Jet:
    """Rᵀ p."""
    return (R * p[:, :, None]).sum(axis=1)


def distance(
    body_a: str, point_a: ArrayLike, body_b: str | None, point_b: ArrayLike, *, name: str | None = None
) -> Coordinate:
    """Distance [m] between points of two bodies (None: the world), each in its body's axes.

    Parameters
    ----------
    body_a : str or None
        Name of the first body; None is the world.
    point_a : array_like, shape (3,)
        Point in the axes of the first body [m].
    body_b : str or None
        Name of the second body; None is the world.
    point_b : array_like, shape (3,)
        Point in the axes of the second body [m].
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Coordinate
    """
    name = f"{body_a}-{body_b or 'world'}.distance" if name is None else name
    return Coordinate(name, (name,), lambda x: norm(x.point(body_a, point_a) - x.point(body_b, point_b)))


def center_of_mass(*, axes: str = "xyz", name: str = "center_of_mass") -> Coordinate:
    """The centre of mass of all bodies [m]: balance as a coordinate.

    Parameters
    ----------
    axes : str, optional
        Which components: letters of "xyz".
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Coordinate
    """
    rows = axis_numbers(axes)
    labels, place = tuple(f"{name}.{a}" for a in axes), Place(None, (0.0, 0.0, 0.0), tuple(rows))
    return Coordinate(name, labels, lambda posture: posture.center_of_mass()[:, rows], place=place)


def momentum(part: str = "angular", *, axes: str = "xyz", name: str | None = None) -> Coordinate:
    """Momentum as a rate: "linear" [N s] or "angular" about the centre of mass [N m s], world axes. No value.

    Parameters
    ----------
    part : {"angular", "linear"}
    axes : str, optional
        Which components: letters of "xyz".
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Coordinate

    Raises
    ------
    BadValue
        If the part or an axis does not exist.
    """
    require(part in ("angular", "linear"), "part must be 'angular' or 'linear'", part=part)
    rows = np.array(axis_numbers(axes)) + (3 if part == "linear" else 0)
    name = f"{part}_momentum" if name is None else name
    labels = tuple(f"{name}.{a}" for a in axes)
    return Coordinate(name, labels, lambda x: x.rates_only(x.momentum_columns()[:, rows]), has_value=False)
