"""A point of one body held on a point, at a distance from a point, or on a line of another."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np

from ...errors import BadValue, require
from ...spatial.arrays import finite_vector
from ...spatial.frozen import Frozen
from ...spatial.so3 import axis_frame
from ...spatial.twists import pose_matrix
from ...typing import ArrayLike
from ..kernels.layout import DISTANCE, LINE, POINT
from ..model import Model
from ..resolved_constraints import Loop
from .constraint import Constraint, said, two_bodies


@dataclass(frozen=True, eq=False)
class Point(Frozen, Constraint):
    """A point of one body stays on a point of another (None: the world); each in its body's frame [m].

    Attributes
    ----------
    body_a, body_b : str or None
        Names of the bodies; None is the world.
    point_a, point_b : ndarray, shape (3,)
        Points in the frames of the bodies [m].
    """

    body_a: str | None
    point_a: np.ndarray
    body_b: str | None
    point_b: np.ndarray

    def __post_init__(self) -> None:
        self._keep(point_a=self.point_a, point_b=self.point_b)

    def bound(self, model: Model) -> Loop:
        """Three rows: where the point of a is less where the point of b is, in world axes.

        Parameters
        ----------
        model : Model

        Returns
        -------
        Loop

        Raises
        ------
        UnknownName
            If a body does not exist.
        """
        a, b = two_bodies(model, "point", self.body_a, self.body_b)
        label = f"point of {said(self.body_a)} on {said(self.body_b)}"
        return Loop(POINT, label, a, pose_matrix(np.eye(3), self.point_a), b, pose_matrix(np.eye(3), self.point_b))


@dataclass(frozen=True, eq=False)
class Distance(Point):
    """A point of one body stays at a distance from a point of another (None: the world), as at the ends of a rod.

    Attributes
    ----------
    length : float
        The distance [m].
    """

    length: float

    def bound(self, model: Model) -> Loop:
        """One row: the distance of the points less the length.

        Parameters
        ----------
        model : Model

        Returns
        -------
        Loop

        Raises
        ------
        UnknownName
            If a body does not exist.
        """
        a, b = two_bodies(model, "distance", self.body_a, self.body_b)
        label = f"distance of {said(self.body_a)} from {said(self.body_b)}"
        frames = (pose_matrix(np.eye(3), p) for p in (self.point_a, self.point_b))
        return Loop(DISTANCE, label, a, next(frames), b, next(frames), self.length)


@dataclass(frozen=True, eq=False)
class Line(Point):
    """A point of one body stays on a straight line of another (None: the world).

    Attributes
    ----------
    direction : ndarray, shape (3,)
        Of the line, through `point_b`, in the axes of the second body.
    """

    direction: np.ndarray

    def __post_init__(self) -> None:
        self._keep(point_a=self.point_a, point_b=self.point_b, direction=self.direction)

    def bound(self, model: Model) -> Loop:
        """Two rows: how far the point is from the line, along two axes across it.

        Parameters
        ----------
        model : Model

        Returns
        -------
        Loop

        Raises
        ------
        UnknownName
            If a body does not exist.
        """
        a, b = two_bodies(model, "line", self.body_a, self.body_b)
        label = f"point of {said(self.body_a)} on a line of {said(self.body_b)}"
        frame = pose_matrix(axis_frame(self.direction / np.linalg.norm(self.direction)), self.point_b)
        return Loop(LINE, label, a, pose_matrix(np.eye(3), self.point_a), b, frame)


def point(body_a: str | None, point_a: ArrayLike, body_b: str | None, point_b: ArrayLike) -> Point:
    """Hold a point of `body_a` on a point of `body_b` (None: the world), each in its body's frame [m].

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

    Returns
    -------
    Point
        To be given to `ModelBuilder.add_constraint`.

    Examples
    --------
    A pendulum whose bob is also held by the world: nothing is left to move.

    >>> import condyle as cd
    >>> bob = cd.Inertia.sphere(1.0, 0.1, com=(0, 0, -1))
    >>> b = cd.ModelBuilder().add_body("bob", joint=cd.joints.ball(), inertia=bob)
    >>> model = b.add_constraint(cd.constraints.point("bob", (0, 0, -1), None, (0, 0, -1))).build()
    >>> cd.forward_dynamics(model, [1, 0, 0, 0], [0, 0, 0]).round(6) + 0.0
    array([0., 0., 0.])
    """
    return Point(body_a, finite_vector(point_a, 3, "point_a"), body_b, finite_vector(point_b, 3, "point_b"))


def distance(
    body_a: str | None, point_a: ArrayLike, body_b: str | None, point_b: ArrayLike, length: float
) -> Distance:  # fmt: skip
    """Hold a point of `body_a` at a distance from a point of `body_b` (None: the world), as a rod without mass does.

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
    length : float
        The distance [m], above zero; `point` holds points together.

    Returns
    -------
    Distance
        To be given to `ModelBuilder.add_constraint`.

    Raises
    ------
    BadValue
        If the length is not a positive number.

    Examples
    --------
    A point mass that could fly anywhere is a pendulum on a rod of 2 m:

    >>> import condyle as cd
    >>> slides = cd.joints.compose(cd.joints.prismatic("x"), cd.joints.prismatic("z"))
    >>> b = cd.ModelBuilder().add_body("bob", joint=slides, inertia=cd.Inertia.point(1.0))
    >>> model = b.add_constraint(cd.constraints.distance("bob", (0, 0, 0), None, (0, 0, 0), 2.0)).build()
    >>> cd.forward_dynamics(model, [0, -2], [1, 0]).round(6) + 0.0  # v²/l towards the pivot
    array([0. , 0.5])
    """
    good = isinstance(length, Real) and np.isfinite(length) and length > 0
    require(good, "distance: the length is a positive number [m]", BadValue, got=length)
    a, b = finite_vector(point_a, 3, "point_a"), finite_vector(point_b, 3, "point_b")
    return Distance(body_a, a, body_b, b, float(length))


def line(
    body_a: str | None, point_a: ArrayLike, body_b: str | None, point_b: ArrayLike, direction: ArrayLike
) -> Line:  # fmt: skip
    """Hold a point of `body_a` on a straight line of `body_b` (None: the world).

    Parameters
    ----------
    body_a : str or None
        Name of the body with the point; None is the world.
    point_a : array_like, shape (3,)
        Point in the axes of the first body [m].
    body_b : str or None
        Name of the body with the line; None is the world.
    point_b : array_like, shape (3,)
        A point of the line, in the axes of the second body [m].
    direction : array_like, shape (3,)
        Of the line, in the axes of the second body, of any length but zero.

    Returns
    -------
    Line
        To be given to `ModelBuilder.add_constraint`.

    Raises
    ------
    BadValue
        If the direction is zero.
    """
    along = finite_vector(direction, 3, "direction")
    require(np.linalg.norm(along) > 0, "line: the direction is not zero", BadValue, got=along.tolist())
    a, b = finite_vector(point_a, 3, "point_a"), finite_vector(point_b, 3, "point_b")
    return Line(body_a, a, body_b, b, along)
