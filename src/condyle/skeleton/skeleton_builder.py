"""`SkeletonBuilder`: bodies and joints by name, placed in the world as they start."""

from __future__ import annotations

import numpy as np

from ..errors import BadValue, require, require_plain, unknown_name
from ..model.motion_types import warn_if_degrees
from ..spatial import Inertia
from ..spatial.arrays import finite_vector
from ..spatial.so3 import axis_frame
from ..spatial.validate_rotation import rotation_matrix
from ..typing import ArrayLike
from .old_arguments import WORLD, renamed_arguments
from .skeleton import Skeleton
from .springs_and_limits import Limit, Spring
from .state import State


class SkeletonBuilder:
    """Collects bodies and joints; `build()` checks them as a whole. Joints are given where they are at the start.

    Bodies are named; the world is None, as in `cd.ModelBuilder`. `gravity` [m/s²] is in world axes.

    Parameters
    ----------
    gravity : array_like, shape (3,), optional
        In world axes [m/s²]; by default (0, 0, −9.81).
    """

    def __init__(self, gravity: ArrayLike = (0.0, 0.0, -9.81)) -> None:
        self._gravity = np.array(gravity, float)
        self._bodies: dict[str, tuple] = {}
        self._joints: dict[str, tuple] = {}
        self._springs: dict[str, tuple] = {}
        self._limits: list[tuple] = []
        self._torques: dict[str, float] = {}
        self._dampings: dict[str, float] = {}

    def add_body(
        self,
        name: str,
        inertia: Inertia,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
    ) -> SkeletonBuilder:
        """A body whose frame stands at `position` [m], turned by `rotation` (3x3), and moves.

        `velocity` [m/s] is of the frame's origin in world axes, `angular_velocity` [rad/s] in body axes.

        Parameters
        ----------
        name : str
        inertia : Inertia
        position : array_like, shape (3,), optional
            Of the body's frame in the world at the start [m].
        rotation : array_like, shape (3, 3), optional
            Of the body's frame in the world at the start; not turned by default.
        velocity : array_like, shape (3,), optional
            World axes [m/s].
        angular_velocity : array_like, shape (3,), optional
            Body axes [rad/s].

        Returns
        -------
        SkeletonBuilder

        Raises
        ------
        BadTree, BadValue, BadShape
            If the name is taken or is that of the world, or an argument is not what it should be.
        """
        require_plain(name, "body")
        require(name != WORLD, "'world' is not a body; join one to None, and it is anchored", name=name)
        require(name not in self._bodies, f"there is already a body named {name!r}; body names must differ")
        require(
            isinstance(inertia, Inertia), f"body {name!r}: inertia must be a cd.Inertia", got=type(inertia).__name__
        )
        R = np.eye(3) if rotation is None else rotation_matrix(rotation, f"body {name!r}: rotation")
        w, r = _vector(angular_velocity, f"body {name!r}: angular velocity"), R @ inertia.com
        p = _vector(position, f"body {name!r}: position") + r
        v = _vector(velocity, f"body {name!r}: velocity") + np.cross(R @ w, r)
        self._bodies[name] = (inertia, p, R, v, w)
        return self

    @renamed_arguments(first="body_a", second="body_b")
    def add_hinge(
        self,
        body_a: str | None,
        body_b: str | None,
        at: ArrayLike,
        axis: ArrayLike,
        *,
        friction: float = 0.0,
        name: str | None = None,
    ) -> SkeletonBuilder:
        """Join two bodies by a hinge. A motor's positive torque drives `body_a` ahead of `body_b` about +axis.

        Parameters
        ----------
        body_a, body_b : str or None
            Names of the bodies; None is the world.
        at : array_like, shape (3,)
            A point of the axis [m], in world axes at the start.
        axis : array_like, shape (3,)
            Its direction, in world axes at the start.
        friction : float
            Torque −friction · rate [N m s/rad].
        name : str, optional
            By default the names of both bodies.

        Returns
        -------
        SkeletonBuilder
            Itself.

        Raises
        ------
        UnknownName
            If a body has not been added.
        BadValue
            If the axis is not a direction, both bodies are the same, or the name is taken.
        """
        z = _vector(axis, "axis")
        length = np.linalg.norm(z)
        ends = f"{_said(body_a)!r} and {_said(body_b)!r}"
        require(length > 0, f"the hinge between {ends} needs an axis that is not zero", BadValue)
        return self._join(body_a, body_b, at, axis_frame(z / length), 2, friction, name)

    @renamed_arguments(first="body_a", second="body_b")
    def add_ball(
        self, body_a: str | None, body_b: str | None, at: ArrayLike, *, friction: float = 0.0, name: str | None = None
    ) -> SkeletonBuilder:
        """Join two bodies by a ball joint.

        Parameters
        ----------
        body_a, body_b : str or None
            Names of the bodies; None is the world.
        at : array_like, shape (3,)
            The point that both share [m], in world axes at the start.
        friction : float
            Torque −friction · relative angular velocity [N m s/rad].
        name : str, optional
            By default the names of both bodies.

        Returns
        -------
        SkeletonBuilder
            Itself.
        """
        return self._join(body_a, body_b, at, np.eye(3), 0, friction, name)

    @renamed_arguments(first="body_a", second="body_b")
    def add_weld(
        self, body_a: str | None, body_b: str | None, at: ArrayLike = (0.0, 0.0, 0.0), *, name: str | None = None
    ) -> SkeletonBuilder:
        """Fix two bodies to each other.

        Parameters
        ----------
        body_a, body_b : str or None
            Names of the bodies; None is the world.
        at : array_like, shape (3,)
            The point of the reactions [m], in world axes at the start.
        name : str, optional
            By default the names of both bodies.

        Returns
        -------
        SkeletonBuilder
            Itself.
        """
        return self._join(body_a, body_b, at, np.eye(3), 3, 0.0, name)

    @renamed_arguments(first="body_a", second="body_b", start="point_a", end="point_b")
    def add_spring(
        self,
        body_a: str | None,
        point_a: ArrayLike,
        body_b: str | None,
        point_b: ArrayLike,
        *,
        stiffness: float,
        length: float | None = None,
        damping: float = 0.0,
        name: str | None = None,
    ) -> SkeletonBuilder:
        """A spring between a point of one body and a point of another.

        Parameters
        ----------
        body_a, body_b : str or None
            Names of the bodies; None is the world.
        point_a, point_b : array_like, shape (3,)
            Its ends [m], in world axes as they are at the start (`ModelBuilder` has them in the bodies' frames).
        stiffness : float
            [N/m].
        length : float, optional
            At rest [m]; by default the distance of both points, so that it is slack at the start.
        damping : float
            Along the line between the points [N s/m].
        name : str, optional
            By default the names of both bodies.

        Returns
        -------
        SkeletonBuilder
            Itself.

        Raises
        ------
        UnknownName
            If a body has not been added.
        BadValue
            If both bodies are the same, or a constant is negative.
        """
        self._known(body_a, body_b)
        name = name or f"{_said(body_a)}-{_said(body_b)}"
        require(name not in self._springs, f"there is already a spring named {name!r}; give the other one a name")
        ends = ((point_a, "point_a"), (point_b, "point_b"))
        points = [_vector(x, f"spring {name!r}: {what}") for x, what in ends]
        rest = float(np.linalg.norm(points[1] - points[0])) if length is None else float(length)
        self._springs[name] = ((body_a, body_b), points, float(stiffness), rest, float(damping))
        return self

    def add_damping(self, joint: str, damping: float) -> SkeletonBuilder:
        """A torque −damping · rate in a hinge or a ball, as their friction, which it adds to.

        Parameters
        ----------
        joint : str
        damping : float
            [N m s/rad].

        Returns
        -------
        SkeletonBuilder
            Itself.
        """
        self._joint(joint)
        self._dampings[joint] = self._dampings.get(joint, 0.0) + float(damping)
        return self

    def add_stiffness(self, joint: str, stiffness: float, rest: float = 0.0, damping: float = 0.0) -> SkeletonBuilder:
        """A torsion spring −stiffness · (angle − rest) [N m/rad, rad] in a hinge; the angle is 0 at the start.

        `damping` [N m s/rad] adds to the hinge's friction.

        Parameters
        ----------
        joint : str
            Name of a hinge.
        stiffness : float
            [N m/rad]
        rest : float, optional
            [rad]
        damping : float, optional
            [N m s/rad]

        Returns
        -------
        SkeletonBuilder
        """
        self._hinge(joint, "a torsion spring")
        self._limits.append((joint, float(rest), float(rest), float(stiffness), 0.0))
        return self.add_damping(joint, damping)

    def add_limit(
        self, joint: str, low: float = -np.inf, high: float = np.inf, *, stiffness: float, damping: float = 0.0
    ) -> SkeletonBuilder:
        """Push a hinge back into [low, high] [rad], turns counted, the angle 0 at the start; it never pulls.

        The torque is stiffness [N m/rad] times how far it is beyond, plus damping [N m s/rad] times its rate.

        Parameters
        ----------
        joint : str
            Name of a hinge.
        low, high : float, optional
            Where it begins to push [rad].
        stiffness : float
            [N m/rad]
        damping : float, optional
            While beyond [N m s/rad].

        Returns
        -------
        SkeletonBuilder

        Raises
        ------
        BadValue, UnknownName
            If there is no such hinge, or no end, or they are in the wrong order.
        """
        self._hinge(joint, "a limit")
        require(low < high, f"limit of joint {joint!r}: low must be below high [rad]", low=low, high=high)
        warn_if_degrees(low, high, f"limit of joint {joint!r}")
        self._limits.append((joint, float(low), float(high), float(stiffness), float(damping)))
        return self

    def add_torque(self, joint: str, torque: float) -> SkeletonBuilder:
        """A constant torque [N m] of a hinge that drives its first body ahead of its second about +axis.

        Parameters
        ----------
        joint : str
            Name of a hinge.
        torque : float
            On the first body [N m].

        Returns
        -------
        SkeletonBuilder
        """
        self._hinge(joint, "a constant torque")
        self._torques[joint] = self._torques.get(joint, 0.0) + float(torque)
        return self

    def _joint(self, name: str) -> None:
        if name not in self._joints:
            raise unknown_name("joint", name, self._joints, "this skeleton yet")

    def _hinge(self, name: str, what: str) -> None:
        self._joint(name)
        hinge = self._joints[name][4] == 2
        require(hinge, f"joint {name!r} is not a hinge: only a hinge has an angle, which {what} needs")

    def _known(self, *bodies: str | None) -> None:
        for body in bodies:
            if body is not None and body not in self._bodies:
                raise unknown_name("body", body, self._bodies, "this skeleton yet")

    def _join(self, body_a, body_b, at, frame, locked, friction, name) -> SkeletonBuilder:
        self._known(body_a, body_b)
        name = name or f"{_said(body_a)}-{_said(body_b)}"
        require(name not in self._joints, f"there is already a joint named {name!r}; give the other one a name")
        self._joints[name] = (body_a, body_b, _vector(at, f"joint {name!r}: at"), frame, locked, float(friction))
        return self

    def build(self) -> Skeleton:
        """The frozen skeleton, checked."""
        names, bodies, joints = list(self._bodies), list(self._bodies.values()), list(self._joints.values())
        points, frames = np.zeros((len(joints), 2, 3)), np.zeros((len(joints), 2, 3, 3))
        for j, (first, second, at, frame, _, _) in enumerate(joints):
            for k, body in enumerate((first, second)):
                points[j, k], frames[j, k] = self._seen(body, at), self._pose(body)[1].T @ frame
        p, R, v, w = (np.array([body[k] for body in bodies]) for k in (1, 2, 3, 4))
        index = {**{name: i for i, name in enumerate(names)}, None: -1}
        return Skeleton(
            masses=np.array([body[0].mass for body in bodies], float),
            inertias=np.array([body[0].moment for body in bodies], float).reshape(-1, 3, 3),
            pairs=np.array([(index[j[0]], index[j[1]]) for j in joints], int).reshape(-1, 2),
            points=points,
            frames=frames,
            locked=np.array([j[4] for j in joints], int),
            friction=np.array([j[5] + self._dampings.get(name, 0.0) for name, j in self._joints.items()], float),
            gravity=self._gravity,
            body_names=tuple(names),
            joint_names=tuple(self._joints),
            initial=State.checked(p.reshape(-1, 3), R.reshape(-1, 3, 3), v.reshape(-1, 3), w.reshape(-1, 3)),
            springs=tuple(self._spring(name, index) for name in self._springs),
            limits=tuple(Limit(list(self._joints).index(name), *rest) for name, *rest in self._limits),
            constant_torques=np.array([self._torques.get(name, 0.0) for name in self._joints], float),
        )

    def _spring(self, name: str, index: dict[str | None, int]) -> Spring:
        (first, second), points, stiffness, length, damping = self._springs[name]
        seen = np.array([self._seen(body, x) for body, x in zip((first, second), points, strict=True)])
        return Spring(name, (index[first], index[second]), seen, stiffness, length, damping)

    def _pose(self, body: str | None) -> tuple[np.ndarray, np.ndarray]:
        """Where the centre of mass of a body starts, and its rotation."""
        if body is None:
            return np.zeros(3), np.eye(3)
        _, p, R, _, _ = self._bodies[body]
        return p, R

    def _seen(self, body: str | None, at: np.ndarray) -> np.ndarray:
        """A world point in the axes of a body, from its centre of mass."""
        p, R = self._pose(body)
        return R.T @ (at - p)


def _said(body: str | None) -> str:
    return WORLD if body is None else body


def _vector(x, what: str) -> np.ndarray:
    return np.zeros(3) if x is None else finite_vector(x, 3, what)
