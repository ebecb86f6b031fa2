"""What ties bodies and coordinates together beyond the tree: loops closed, coordinates coupled, surfaces rolling.

Each value says what it is in names; `bound(model)` checks it against a model and turns names into numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ..errors import BadShape, BadValue, NotFinite, NotSupported, PrescribedMismatch, require, unknown_name
from ..joints import Joint
from ..joints.canonical_form import factor_segment, normalized
from ..joints.functions import Function, Sum, constant, linear
from ..joints.joint import coordinates_of
from ..spatial import as_pose
from ..spatial.arrays import finite_vector
from ..spatial.frozen import Frozen
from ..spatial.twists import pose_matrix
from ..typing import ArrayLike
from .kernels.layout import DISTANCE, LINE, POINT, WELD
from .model import Model
from .resolved_constraints import Coupling, Loop, Rolling

__all__ = [
    "Constraint",
    "Couple",
    "Distance",
    "Line",
    "Point",
    "Roll",
    "Weld",
    "couple",
    "distance",
    "line",
    "point",
    "roll",
    "weld",
]

ALONG_X = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Constraint:
    """A value that `ModelBuilder.add_constraint` takes."""

    def bound(self, model: Model) -> Loop | Coupling | Rolling:
        """The constraint with its names resolved in a model, checked.

        Parameters
        ----------
        model : Model

        Returns
        -------
        Loop, Coupling or Rolling

        Raises
        ------
        UnknownName
            If the model does not have a body or a coordinate that the constraint names.
        NotImplementedError
            By this class itself.
        """
        raise NotImplementedError


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
class Weld(Frozen, Constraint):
    """A frame of one body stays on a frame of another (None: the world).

    Attributes
    ----------
    body_a, body_b : str or None
        Names of the bodies; None is the world.
    frame_a, frame_b : ndarray, shape (4, 4)
        Frames in the bodies.
    """

    body_a: str | None
    frame_a: np.ndarray
    body_b: str | None
    frame_b: np.ndarray

    def __post_init__(self) -> None:
        self._keep(frame_a=self.frame_a, frame_b=self.frame_b)

    def bound(self, model: Model) -> Loop:
        """Six rows in world axes: how frame a is turned from frame b, and where its origin is from that of b.

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
        a, b = two_bodies(model, "weld", self.body_a, self.body_b)
        return Loop(WELD, f"weld of {said(self.body_a)} to {said(self.body_b)}", a, self.frame_a, b, self.frame_b)


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
        frame = pose_matrix(axes_along(self.direction), self.point_b)
        return Loop(LINE, label, a, pose_matrix(np.eye(3), self.point_a), b, frame)


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


@dataclass(frozen=True, eq=False)
class Roll(Constraint):
    """A body rolls on its parent without slip at a moving contact frame C of the joint's frame F.

    Attributes
    ----------
    body : str
        The body that rolls.
    contact : Joint
        X_FC as a function of the joint's coordinates.
    tangents : tuple of int
        Axes of the contact frame along which there is no slip.
    """

    body: str
    contact: Joint
    tangents: tuple[int, ...]

    def bound(self, model: Model) -> Rolling:
        """One row for each tangent: the relative velocity of the two material points at the contact, along it.

        Parameters
        ----------
        model : Model

        Returns
        -------
        Rolling

        Raises
        ------
        UnknownName
            If the body, or a coordinate that the contact reads, does not exist.
        BadShape
            If a coordinate is a quaternion in the joint or in the contact, but not in both.
        """
        i = model.body_index(self.body)
        joint, name = model.bodies[i].joint, model.bodies[i].joint_name
        offsets = []
        for c, widths in zip(self.contact.coordinates, self.contact.widths, strict=True):
            if c not in joint.coordinates:
                raise unknown_name("coordinate", c, joint.coordinates, f"joint {name!r}, which the contact must read")
            k = joint.coordinates.index(c)
            require(
                joint.widths[k] == widths,
                f"roll of {self.body!r}: coordinate {c!r} is a quaternion in the joint or in the contact, not in both;"
                " make the contact from the parts that the joint is composed of",
                BadShape,
            )
            offsets.append(joint.offsets[k])
        return Rolling(f"rolling of {self.body!r}", i, self.contact, tuple(offsets), self.tangents)


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


def axes_along(direction: np.ndarray) -> np.ndarray:
    """A rotation whose third column is along a direction."""
    z = direction / np.linalg.norm(direction)
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def weld(body_a: str | None, frame_a: ArrayLike | None, body_b: str | None, frame_b: ArrayLike | None) -> Weld:
    """Hold a frame of `body_a` on a frame of `body_b` (None: the world); frames are SE3, 4x4, or None at the origin.

    Parameters
    ----------
    body_a : str or None
        Name of the first body; None is the world.
    frame_a : SE3, array_like, shape (4, 4), or None
        Frame on the first body.
    body_b : str or None
        Name of the second body; None is the world.
    frame_b : SE3, array_like, shape (4, 4), or None
        Frame on the second body.

    Returns
    -------
    Weld
        To be given to `ModelBuilder.add_constraint`.
    """
    return Weld(body_a, one_pose(frame_a, "frame_a"), body_b, one_pose(frame_b, "frame_b"))


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


def roll(body: str, contact: Joint, tangents: Sequence[int] = (0, 1)) -> Roll:
    """No slip between a body and its parent at the contact frame X_FC = `contact`, along its axes `tangents`.

    The contact is a joint whose coordinates are named as (some of) those of the body's own joint: for a joint
    compose(surface, other.inverse()) it is the first part. F is the joint's frame in the parent (`placement`).

    Parameters
    ----------
    body : str
        Name of the body that rolls on its parent.
    contact : Joint
        The contact frame as a function of the joint's coordinates.
    tangents : pair of int, optional
        Axes of the contact frame along which there is no slip.

    Returns
    -------
    Roll
        To be given to `ModelBuilder.add_constraint`.

    Raises
    ------
    BadValue
        If `contact` is not a joint, or the tangents are not different axes.
    """
    require(isinstance(contact, Joint), "roll: contact must come from cd.joints", BadValue, got=type(contact).__name__)
    axes = tuple(tangents)
    good = axes and set(axes) <= {0, 1, 2} and len(set(axes)) == len(axes)
    require(good, "roll: tangents must be different axes of the contact frame, 0, 1 or 2", BadValue, tangents=axes)
    return Roll(body, contact, axes)


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


def said(body: str | None) -> str:
    """A body's name, or the world, as an error shows it."""
    return "the world" if body is None else repr(body)


def two_bodies(model: Model, kind: str, body_a: str | None, body_b: str | None) -> tuple[int, int]:
    """The numbers of two different bodies, −1 for the world."""
    a, b = (-1 if body is None else model.body_index(body) for body in (body_a, body_b))
    require(a != b, f"{kind}: a constraint needs two different bodies", BadValue, body_a=body_a, body_b=body_b)
    return a, b


def scalar_place(model: Model, name: str) -> tuple[int, int, int]:
    """Where a coordinate that is one number stands."""
    place = model.place_of(name)
    if place[1] in {at for at, _, _ in model.quaternions}:
        raise NotSupported(f"couple: coordinate {name!r} is a quaternion; couple coordinates that are one number each")
    return place


def one_pose(value, name: str) -> np.ndarray:
    """A frame."""
    T = as_pose(value, name)
    require(T.shape == (4, 4), f"{name} must be one pose", BadShape, shape=T.shape)
    return T


def __dir__() -> list[str]:
    return sorted(__all__)
