"""`ModelBuilder`: checks everything a person says about a model, then builds it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import BadTree, BadValue, NotSupported, PrescribedMismatch, require, unknown_name
from ..joints import Joint, weld
from ..joints.segments import FACTORS, WIDTHS
from ..spatial import Inertia
from ..spatial.arrays import finite_vector
from .body import Body, CoordinateLoad, Spring
from .constraints import Constraint, one_pose
from .kernels.layout import CONSTANT, DAMPER, LIMIT, SPRING_DAMPER
from .limits import Rating, rating
from .model import Model
from .names import CoordinateNames, Place
from .prescribed import prescribed_motion
from .shapes import Shape
from .validate_model import checked_range


class ModelBuilder:
    """Collects bodies, loads, prescribed motion and constraints; `build()` makes the frozen model.

    `gravity` [m/s²] is in world axes. The world is not a body: a body with `parent=None` hangs on it.
    """

    def __init__(self, gravity=(0.0, 0.0, -9.81)) -> None:
        self._gravity = finite_vector(gravity, 3, "gravity [m/s²]")
        self._bodies: list[Body] = []
        self._index: dict[str, int] = {}
        self._joints: set[str] = set()
        self._names = CoordinateNames()
        self._coordinate_loads: list[CoordinateLoad] = []
        self._springs: list[Spring] = []
        self._prescribed: dict = {}
        self._constraints: list = []
        self._ranges: dict[int, tuple[float, float]] = {}  # by the number of the coordinate
        self._ratings: dict[int, Rating] = {}
        self._defaults: dict[int, float] = {}

    def add_body(
        self,
        name: str,
        parent: str | None = None,
        joint: Joint | None = None,
        inertia: Inertia | None = None,
        placement=None,
        offset=None,
        joint_name: str | None = None,
        shapes=(),
    ) -> ModelBuilder:
        """Add a body carried by `joint` (default: welded): X_PB = placement · G(q) · offset⁻¹.

        `placement` (X_PF) is the joint's frame in the parent, `offset` (X_BM) the moving frame in the body; both 4x4 or
        SE3, identity by default. The joint's name is the body's unless given. `shapes` (of cd.shapes) are for drawing.
        """
        require(isinstance(name, str) and name and "." not in name, "a body name is a string without a dot", name=name)
        require(name not in self._index, f"there is already a body named {name!r}; body names must differ", BadTree)
        if parent == name:
            raise BadTree(f"body {name!r} cannot be its own parent; bodies form a tree. Close loops with a constraint.")
        if parent is not None and parent not in self._index:
            raise unknown_name("body", parent, self._index, f"this model yet, so it cannot carry {name!r}")
        joint_name = name if joint_name is None else joint_name
        require(isinstance(joint_name, str) and joint_name, f"body {name!r}: a joint name is a string", got=joint_name)
        require(joint_name not in self._joints, f"there is already a joint named {joint_name!r}", BadTree)
        joint = weld() if joint is None else joint
        require(isinstance(joint, Joint), f"body {name!r}: joint must come from cd.joints", got=type(joint).__name__)
        require(
            isinstance(inertia, Inertia), f"body {name!r}: inertia must be a cd.Inertia", got=type(inertia).__name__
        )
        poses = [one_pose(x, f"body {name!r}: {what}") for x, what in ((placement, "placement"), (offset, "offset"))]
        drawn = all(isinstance(s, Shape) for s in shapes)
        require(drawn, f"body {name!r}: shapes must come from cd.shapes", got=[type(s).__name__ for s in shapes])
        index = -1 if parent is None else self._index[parent]
        self._names.add(len(self._bodies), joint_name, joint)
        self._index[name] = len(self._bodies)
        self._joints.add(joint_name)
        self._bodies.append(Body(name, index, joint_name, joint, inertia, *poses, tuple(shapes)))  # type: ignore[arg-type]
        return self

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

    def _add_load(self, kind: int, place: Place, *constants: float) -> ModelBuilder:
        self._coordinate_loads.append(CoordinateLoad(kind, place.q, place.v, constants))
        return self

    def add_spring(
        self, body_a: str | None, point_a, body_b: str | None, point_b, *, stiffness, length, damping=0.0
    ) -> ModelBuilder:
        """A spring between a point of one body and a point of another (None: the world), each in its body's frame.

        `stiffness` [N/m], rest `length` [m], `damping` [N s/m] along the line between the points.
        """
        a, b = self._body(body_a), self._body(body_b)
        require(a != b, "a spring needs two different bodies", body_a=body_a, body_b=body_b)
        k, c, l = (_not_negative(x, w) for x, w in ((stiffness, "stiffness"), (damping, "damping"), (length, "length")))
        self._springs.append(
            Spring(a, finite_vector(point_a, 3, "point_a"), b, finite_vector(point_b, 3, "point_b"), k, c, l)
        )
        return self

    def add_damping(self, coordinate: str, damping: float) -> ModelBuilder:
        """A force −damping · rate on a coordinate [N m s/rad or N s/m]; all velocities of a quaternion."""
        place, damping = self._names.places[self._names.find(coordinate)], _not_negative(damping, "damping")
        for k in range(place.widths[1]):
            self._add_load(DAMPER, place._replace(v=place.v + k), damping)
        return self

    def add_stiffness(self, coordinate: str, stiffness: float, rest: float = 0.0, damping: float = 0.0) -> ModelBuilder:
        """A spring on a coordinate: −stiffness · (q − rest) − damping · rate."""
        place = self._scalar_coordinate(coordinate, "stiffness")
        constants = (_not_negative(stiffness, "stiffness"), _number(rest, "rest"), _not_negative(damping, "damping"))
        return self._add_load(SPRING_DAMPER, place, *constants)

    def add_limit(
        self, coordinate: str, low=None, high=None, *, stiffness: float, damping: float = 0.0
    ) -> ModelBuilder:
        """Push back beyond [low, high] (default: the coordinate's range) with stiffness and damping, never pull."""
        place = self._scalar_coordinate(coordinate, "limits")
        default = self._range_of(self._names.find(coordinate))
        low, high = (end if given is None else given for given, end in zip((low, high), default, strict=True))
        low, high = checked_range(low, high, f"limit of {coordinate!r}")
        require(
            np.isfinite(low) or np.isfinite(high),
            f"limit of {coordinate!r}: it has no range, so give low, high or both",
            low=low,
            high=high,
        )
        push = (_not_negative(stiffness, "stiffness"), _not_negative(damping, "damping"))
        return self._add_load(LIMIT, place, low, high, *push)

    def _range_of(self, number: int) -> tuple[float, float]:
        place = self._names.places[number]
        return self._ranges.get(number, self._bodies[place.body].joint.domain[place.coordinate])

    def add_force(self, coordinate: str, force: float) -> ModelBuilder:
        """A constant generalised force on a coordinate [N m or N]."""
        place = self._scalar_coordinate(coordinate, "constant force")
        return self._add_load(CONSTANT, place, _number(force, "force"))

    def set_range(self, coordinate: str, low: float, high: float) -> ModelBuilder:
        """The range of a coordinate for sliders and inverse kinematics; forces at its ends come from add_limit.

        Equal ends hold the coordinate still there.
        """
        self._scalar_coordinate(coordinate, "range")
        self._ranges[self._names.find(coordinate)] = checked_range(low, high, f"range of {coordinate!r}")
        return self

    def set_default(self, coordinate: str, value: float) -> ModelBuilder:
        """Say where a coordinate is in `Model.neutral`.

        Parameters
        ----------
        coordinate : str
        value : float
            [rad or m]

        Returns
        -------
        ModelBuilder
        """
        self._scalar_coordinate(coordinate, "default")
        self._defaults[self._names.find(coordinate)] = _number(value, f"default of {coordinate!r}")
        return self

    def set_limits(
        self,
        coordinate: str,
        *,
        velocity: float | None = None,
        effort: float | None = None,
        friction: float | None = None,
    ) -> ModelBuilder:
        """State what the drive and the bearings of a coordinate can do: kept in `model.limits`, acting on nothing.

        Parameters
        ----------
        coordinate : str
        velocity : float, optional
            Largest velocity [rad/s or m/s].
        effort : float, optional
            Largest force of its drive [N m or N].
        friction : float, optional
            Coulomb friction [N m or N].

        Returns
        -------
        ModelBuilder
        """
        self._scalar_coordinate(coordinate, "limits")
        self._ratings[self._names.find(coordinate)] = rating(coordinate, velocity, effort, friction)
        return self

    def prescribe(self, coordinate: str, motion, rate=None, acceleration=None) -> ModelBuilder:
        """Give the motion of a coordinate: f(t), a number, or (times, values); its forces follow from the dynamics.

        Rate and acceleration of f are computed (an f that takes complex numbers: to 1e-12) unless given as functions.
        A number stays what it is, or with a number as `rate` it is value + rate · t.
        """
        v = self._scalar_coordinate(coordinate, "prescribed motion").v
        require(v not in self._prescribed, f"coordinate {coordinate!r} is prescribed already", PrescribedMismatch)
        self._prescribed[v] = prescribed_motion(motion, rate, acceleration, coordinate)
        return self

    def add_constraint(self, constraint) -> ModelBuilder:
        """Close a loop, couple coordinates or roll: a value of cd.constraints."""
        require(
            isinstance(constraint, Constraint),
            "add_constraint takes what cd.constraints.point, weld, couple or roll returns",
            got=type(constraint).__name__,
        )
        self._constraints.append(constraint)
        return self

    def build(self) -> Model:
        """The frozen model, checked as a whole."""
        require(self._bodies, "a model needs at least one body; call add_body first", BadTree)
        model = Model(
            tuple(self._bodies),
            self._gravity,
            tuple(self._coordinate_loads),
            tuple(self._springs),
            self._prescribed,
            ranges={self._names.full(number): ends for number, ends in self._ranges.items()},
            ratings={self._names.full(number): found for number, found in self._ratings.items()},
            defaults={self._names.full(number): value for number, value in self._defaults.items()},
        )
        bound = tuple(c.bound(model) for c in self._constraints)
        return replace(model, constraints=bound) if bound else model


def _number(value: Any, name: str) -> float:
    good = isinstance(value, (int, float, np.number)) and np.isfinite(value)
    require(good, f"{name} must be a finite number", BadValue, got=value)
    return float(value)


def _not_negative(value, name: str) -> float:
    require(_number(value, name) >= 0, f"{name} must not be negative", BadValue, got=value)
    return float(value)
