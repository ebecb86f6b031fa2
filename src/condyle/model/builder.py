"""`ModelBuilder`: checks everything a person says about a model, then builds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import BadTree, BadValue, NotSupported, PrescribedMismatch, require, unknown_name
from ..joints import Joint, weld
from ..joints.functions import Function, Sum
from ..joints.segments import FACTORS, WIDTHS
from ..spatial import Inertia
from ..spatial.arrays import finite_vector
from ..typing import ArrayLike
from .body import Body, Bushing, CoordinateLoad, Spring, body_pose
from .constraints import Constraint, couple, one_pose
from .followers import fold
from .kernels.layout import CONSTANT, DAMPER, LIMIT, SOFT_LIMIT, SPRING_DAMPER
from .limits import Rating, rating
from .model import Model
from .muscle_laws import check_law
from .names import CoordinateNames, Place
from .path_points import point_of, wrap_object, wrap_of
from .paths import Muscle, Path, WrapObject
from .prescribed import Prescribed, prescribed_motion
from .shapes import Shape
from .validate_model import checked_range


class ModelBuilder:
    """Collects bodies, loads, prescribed motion and constraints; `build()` makes the frozen model.

    The world is not a body: a body with `parent=None` hangs on it. The methods return the builder, so that calls can
    be chained.

    Parameters
    ----------
    gravity : array_like, shape (3,), optional
        In world axes [m/s²]; by default (0, 0, −9.81).

    Raises
    ------
    BadShape
        If gravity is not three numbers.
    NotFinite
        If it is not finite.

    Examples
    --------
    A pendulum of length 1 m, and how it starts to fall from the horizontal:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder()
    >>> b = b.add_body("bob", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(2.0, (0, 0, -1)))
    >>> model = b.build()
    >>> cd.forward_dynamics(model, [np.pi / 2], [0.0]).round(6)
    array([-9.81])
    """

    def __init__(self, gravity: ArrayLike = (0.0, 0.0, -9.81)) -> None:
        self._gravity = finite_vector(gravity, 3, "gravity [m/s²]")
        self._bodies: list[Body] = []
        self._index: dict[str, int] = {}
        self._joints: set[str] = set()
        self._names = CoordinateNames()
        self._coordinate_loads: list[CoordinateLoad] = []
        self._springs: list[Spring] = []
        self._bushings: list[Bushing] = []
        self._prescribed: dict = {}
        self._constraints: list = []
        self._folded: list[int] = []  # numbers of the constraints that become followers
        self._ranges: dict[int, tuple[float, float]] = {}  # by the number of the coordinate
        self._ratings: dict[int, Rating] = {}
        self._defaults: dict[int, float] = {}
        self._muscles: list[Muscle] = []
        self._wraps: list[WrapObject] = []

    def add_body(
        self,
        name: str,
        parent: str | None = None,
        joint: Joint | None = None,
        inertia: Inertia | None = None,
        placement: ArrayLike | None = None,
        offset: ArrayLike | None = None,
        joint_name: str | None = None,
        shapes: Sequence[Shape] = (),
    ) -> ModelBuilder:
        """Add a body carried by `joint`: X_PB = placement · G(q) · offset⁻¹.

        Parameters
        ----------
        name : str
            Of the body; without a dot, and not yet taken.
        parent : str, optional
            The body that carries it, added before; None is the world.
        joint : Joint, optional
            Of `condyle.joints`; welded by default.
        inertia : Inertia
            Mass, centre of mass and moment in body axes; `Inertia.massless()` for a mere frame.
        placement : SE3 or array_like, shape (4, 4), optional
            X_PF: the joint's frame in the parent; the identity by default.
        offset : SE3 or array_like, shape (4, 4), optional
            X_BM: the moving frame in the body; the identity by default.
        joint_name : str, optional
            Name of the joint; by default the body's.
        shapes : sequence of Shape, optional
            Of `condyle.shapes`; for drawing only.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadTree
            If the name is taken, or the body is its own parent.
        UnknownName
            If the parent has not been added.
        BadValue
            If joint, inertia or shapes are not what they should be.

        Examples
        --------
        >>> import condyle as cd
        >>> rod = cd.Inertia.point(1.0, (0, 0, -1))
        >>> down = cd.SE3.from_translation([0, 0, -1])
        >>> b = cd.ModelBuilder().add_body("upper", joint=cd.joints.revolute("y"), inertia=rod)
        >>> model = b.add_body("lower", "upper", cd.joints.revolute("y"), rod, placement=down).build()
        >>> cd.forward_kinematics(model, [0.0, 0.0])[1].xyz
        array([ 0.,  0., -1.])
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
        if not isinstance(inertia, Inertia):
            raise BadValue(f"body {name!r}: inertia must be a cd.Inertia; got {type(inertia).__name__}")
        placement, offset = (body_pose(x, name, what) for x, what in ((placement, "placement"), (offset, "offset")))
        drawn = all(isinstance(s, Shape) for s in shapes)
        require(drawn, f"body {name!r}: shapes must come from cd.shapes", got=[type(s).__name__ for s in shapes])
        index = -1 if parent is None else self._index[parent]
        self._names.add(len(self._bodies), joint_name, joint)
        self._index[name] = len(self._bodies)
        self._joints.add(joint_name)
        self._bodies.append(Body(name, index, joint_name, joint, inertia, placement, offset, tuple(shapes)))
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
        self,
        body_a: str | None,
        point_a: ArrayLike,
        body_b: str | None,
        point_b: ArrayLike,
        *,
        stiffness: float,
        length: float,
        damping: float = 0.0,
    ) -> ModelBuilder:
        """A spring between a point of one body and a point of another (None: the world), each in its body's frame.

        `stiffness` [N/m], rest `length` [m], `damping` [N s/m] along the line between the points.

        Parameters
        ----------
        body_a : str or None
            Name of the first body; None is the world.
        point_a : array_like, shape (3,)
            Its point, in its own frame [m].
        body_b : str or None
            Name of the second body; None is the world.
        point_b : array_like, shape (3,)
            Its point, in its own frame [m].
        stiffness : float
            [N/m], not negative.
        length : float
            At rest [m], not negative.
        damping : float, optional
            Along the line between the points [N s/m], not negative.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If a body has not been added.
        BadValue
            If both bodies are the same, or a constant is negative.

        Examples
        --------
        A block of 2 kg on a spring of 50 N/m that is stretched by 0.4 m:

        >>> import condyle as cd
        >>> block = cd.Inertia.point(2.0)
        >>> b = cd.ModelBuilder(gravity=(0, 0, 0)).add_body("block", joint=cd.joints.prismatic("x"), inertia=block)
        >>> model = b.add_spring(None, (0, 0, 0), "block", (0, 0, 0), stiffness=50.0, length=1.0).build()
        >>> cd.forward_dynamics(model, [1.4], [0.0]).round(6)
        array([-10.])
        """
        a, b = self._body(body_a), self._body(body_b)
        require(a != b, "a spring needs two different bodies", body_a=body_a, body_b=body_b)
        k, c, l = (_not_negative(x, w) for x, w in ((stiffness, "stiffness"), (damping, "damping"), (length, "length")))
        self._springs.append(
            Spring(a, finite_vector(point_a, 3, "point_a"), b, finite_vector(point_b, 3, "point_b"), k, c, l)
        )
        return self

    def add_bushing(
        self,
        body_a: str | None,
        frame_a: ArrayLike | None,
        body_b: str | None,
        frame_b: ArrayLike | None,
        *,
        stiffness: ArrayLike,
        damping: ArrayLike = 0.0,
    ) -> ModelBuilder:
        """Springs and dampers of all six motions between a frame of one body and a frame of another (None: the world).

        The frame of b is turned from that of a by Rx(α) Ry(β) Rz(γ) and shifted by p in the axes of a; the generalised
        forces on (α, β, γ, p) are −(stiffness · x + damping · ẋ). β must stay clear of ±90°.

        Parameters
        ----------
        body_a : str or None
            Name of the first body; None is the world.
        frame_a : SE3, array_like, shape (4, 4), or None
            Frame on the first body; None is its own.
        body_b : str or None
            Name of the second body; None is the world.
        frame_b : SE3, array_like, shape (4, 4), or None
            Frame on the second body; None is its own.
        stiffness : array_like, shape (6,)
            Of three turns [N m/rad], then of three shifts [N/m], not negative.
        damping : array_like, shape (6,), optional
            Of three turns [N m s/rad], then of three shifts [N s/m], not negative.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If a body has not been added.
        BadValue
            If both bodies are the same, or a constant is negative.

        Examples
        --------
        >>> import condyle as cd
        >>> b = cd.ModelBuilder(gravity=(0, 0, 0))
        >>> b = b.add_body("arm", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(2.0, (1, 0, 0)))
        >>> model = b.add_bushing(None, None, "arm", None, stiffness=(0, 0, 5, 0, 0, 0)).build()
        >>> cd.forward_dynamics(model, [0.4], [0.0]).round(6)
        array([-1.])
        """
        a, b = self._body(body_a), self._body(body_b)
        require(a != b, "a bushing needs two different bodies", body_a=body_a, body_b=body_b)
        frames = (one_pose(frame, name) for frame, name in ((frame_a, "frame_a"), (frame_b, "frame_b")))
        constants = [np.broadcast_to(np.asarray(x, dtype=float), (6,)) for x in (stiffness, damping)]
        for values, name in zip(constants, ("stiffness", "damping"), strict=True):
            for x in values:
                _not_negative(x, name)
        self._bushings.append(Bushing(a, next(frames), b, next(frames), *constants))
        return self

    def add_damping(self, coordinate: str, damping: float) -> ModelBuilder:
        """A force −damping · rate on a coordinate [N m s/rad or N s/m]; all velocities of a quaternion.

        Parameters
        ----------
        coordinate : str
            All velocities of it, if it is a quaternion.
        damping : float
            [N m s/rad or N s/m], not negative.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        BadValue
            If the damping is negative.
        """
        place, damping = self._names.places[self._names.find(coordinate)], _not_negative(damping, "damping")
        for k in range(place.widths[1]):
            self._add_load(DAMPER, place._replace(v=place.v + k), damping)
        return self

    def add_stiffness(self, coordinate: str, stiffness: float, rest: float = 0.0, damping: float = 0.0) -> ModelBuilder:
        """A spring on a coordinate: −stiffness · (q − rest) − damping · rate.

        Parameters
        ----------
        coordinate : str
        stiffness : float
            [N m/rad or N/m], not negative.
        rest : float, optional
            Where it pulls to [rad or m].
        damping : float, optional
            [N m s/rad or N s/m], not negative.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        NotSupported
            If the coordinate is a quaternion.
        """
        place = self._scalar_coordinate(coordinate, "stiffness")
        constants = (_not_negative(stiffness, "stiffness"), _number(rest, "rest"), _not_negative(damping, "damping"))
        return self._add_load(SPRING_DAMPER, place, *constants)

    def add_limit(
        self,
        coordinate: str,
        low: float | None = None,
        high: float | None = None,
        *,
        stiffness: float,
        damping: float = 0.0,
    ) -> ModelBuilder:
        """Push back beyond [low, high] (default: the coordinate's range) with stiffness and damping, never pull.

        Parameters
        ----------
        coordinate : str
        low, high : float, optional
            Where it begins to push [rad or m]; by default the ends of the coordinate's range.
        stiffness : float
            [N m/rad or N/m], not negative.
        damping : float, optional
            [N m s/rad or N s/m], not negative; acts only beyond the ends.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        NotSupported
            If the coordinate is a quaternion.
        BadValue
            If neither end is finite, or they are in the wrong order.

        Examples
        --------
        >>> import condyle as cd
        >>> door = cd.Inertia.box(20.0, (0.8, 0.04, 2.0), com=(0.4, 0, 0))
        >>> b = cd.ModelBuilder().add_body("door", joint=cd.joints.revolute("z"), inertia=door)
        >>> model = b.add_limit("door", 0.0, 1.6, stiffness=500.0).build()
        >>> cd.inverse_dynamics(model, [1.7], [0.0], [0.0]).round(6)  # what holds it 0.1 rad beyond
        array([50.])
        """
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

    def add_soft_limit(
        self,
        coordinate: str,
        low: float,
        high: float,
        *,
        stiffness: float | tuple[float, float],
        transition: float,
        damping: float = 0.0,
    ) -> ModelBuilder:
        """Push back beyond [low, high] by a stiffness and a damping that rise smoothly over a transition.

        With S(u) = u³ (10 − 15 u + 6 u²) of u between 0 and 1, the force above `high` is
        −S((q − high)/transition) (stiffness · (q − high) + damping · q̇), below `low` likewise: it is as smooth as
        integrators of high order need, and it is the law of OpenSim's CoordinateLimitForce.

        Parameters
        ----------
        coordinate : str
        low, high : float
            Where it begins to push [rad or m].
        stiffness : float or pair of float
            Of both sides, or below and above [N m/rad or N/m], not negative.
        transition : float
            Over which stiffness and damping rise [rad or m], above zero.
        damping : float, optional
            [N m s/rad or N s/m], not negative.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        NotSupported
            If the coordinate is a quaternion.
        BadValue
            If the ends are in the wrong order or not finite, or a constant is negative.

        Examples
        --------
        >>> import condyle as cd
        >>> door = cd.Inertia.box(20.0, (0.8, 0.04, 2.0), com=(0.4, 0, 0))
        >>> b = cd.ModelBuilder().add_body("door", joint=cd.joints.revolute("z"), inertia=door)
        >>> model = b.add_soft_limit("door", 0.0, 1.6, stiffness=500.0, transition=0.1).build()
        >>> cd.inverse_dynamics(model, [[1.65], [1.8]], [[0.0]], [[0.0]])[:, 0].round(6)  # half-way, and beyond
        array([ 12.5, 100. ])
        """
        place = self._scalar_coordinate(coordinate, "limits")
        low, high = checked_range(low, high, f"limit of {coordinate!r}")
        require(np.isfinite([low, high]).all(), f"limit of {coordinate!r}: its ends are finite", low=low, high=high)
        below, above = stiffness if isinstance(stiffness, tuple) else (stiffness, stiffness)
        good = np.isfinite(transition) and transition > 0
        require(good, f"limit of {coordinate!r}: the transition is above zero", BadValue, got=transition)
        push = (_not_negative(below, "stiffness"), _not_negative(above, "stiffness"), _not_negative(damping, "damping"))
        return self._add_load(SOFT_LIMIT, place, low, high, *push, float(transition))

    def _range_of(self, number: int) -> tuple[float, float]:
        place = self._names.places[number]
        return self._ranges.get(number, self._bodies[place.body].joint.domain[place.coordinate])

    def add_force(self, coordinate: str, force: float) -> ModelBuilder:
        """A constant generalised force on a coordinate [N m or N].

        Parameters
        ----------
        coordinate : str
        force : float
            [N m or N]

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        NotSupported
            If the coordinate is a quaternion.
        """
        place = self._scalar_coordinate(coordinate, "constant force")
        return self._add_load(CONSTANT, place, _number(force, "force"))

    def set_range(self, coordinate: str, low: float, high: float) -> ModelBuilder:
        """The range of a coordinate for sliders and inverse kinematics; forces at its ends come from add_limit.

        Equal ends hold the coordinate still there.

        Parameters
        ----------
        coordinate : str
        low, high : float
            Ends of the range [rad or m]; they may be infinite.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        NotSupported
            If the coordinate is a quaternion.
        BadValue
            If the ends are in the wrong order.
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

    def prescribe(
        self,
        coordinate: str,
        motion: float | Callable | Prescribed | tuple,
        rate: float | Callable | None = None,
        acceleration: Callable | None = None,
    ) -> ModelBuilder:
        """Give the motion of a coordinate: f(t), a number, or (times, values); its forces follow from the dynamics.

        Rate and acceleration of f are computed (an f that takes complex numbers: to 1e-12) unless given as functions.
        A number stays what it is, or with a number as `rate` it is value + rate · t.

        Parameters
        ----------
        coordinate : str
        motion : callable, float or pair of arrays
            f(t), a number, or (times [s], values), which become a spline of order 6.
        rate : callable or float, optional
            ḟ(t); beside a number, a constant rate.
        acceleration : callable, optional
            f̈(t).

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If no coordinate has this name.
        NotSupported
            If the coordinate is a quaternion.
        PrescribedMismatch
            If it is prescribed already.

        Examples
        --------
        >>> import condyle as cd
        >>> b = cd.ModelBuilder().add_body("wheel", joint=cd.joints.revolute("z"), inertia=cd.Inertia.sphere(1.0, 0.1))
        >>> model = b.prescribe("wheel", lambda t: np.sin(3 * t)).build()
        >>> run = cd.simulate(model, model.neutral(), duration=0.5)
        >>> run.v[-1].round(6)  # 3 cos 1.5
        array([0.212212])
        """
        v = self._scalar_coordinate(coordinate, "prescribed motion").v
        require(v not in self._prescribed, f"coordinate {coordinate!r} is prescribed already", PrescribedMismatch)
        self._prescribed[v] = prescribed_motion(motion, rate, acceleration, coordinate)
        return self

    def add_constraint(self, constraint: Constraint) -> ModelBuilder:
        """Close a loop, couple coordinates or roll: a value of cd.constraints.

        Parameters
        ----------
        constraint : Constraint
            What `cd.constraints.point`, `weld`, `couple` or `roll` returns.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue
            If it is anything else. Names of bodies and coordinates are checked by `build`.

        Examples
        --------
        Two wheels, of which the second turns twice as fast:

        >>> import condyle as cd
        >>> wheel = cd.Inertia.cylinder(1.0, 0.1, 0.02)
        >>> b = cd.ModelBuilder().add_body("small", joint=cd.joints.revolute("z"), inertia=wheel)
        >>> b = b.add_body("large", joint=cd.joints.revolute("z"), inertia=wheel)
        >>> model = b.add_constraint(cd.constraints.couple("large", "small", ratio=2.0)).build()
        >>> a = cd.forward_dynamics(model, [0.0, 0.0], [0.0, 0.0], tau=[0.025, 0.0])
        >>> a.round(6)
        array([1., 2.])
        """
        require(
            isinstance(constraint, Constraint),
            "add_constraint takes what cd.constraints.point, weld, couple or roll returns",
            got=type(constraint).__name__,
        )
        self._constraints.append(constraint)
        return self

    def add_coupler(
        self,
        coordinate: str,
        other: str,
        function: Function | Sum | float | None = None,
        ratio: float = 1.0,
        offset: float = 0.0,
    ) -> ModelBuilder:
        """Make a coordinate a function of another one: it follows exactly, and is no coordinate of the model any more.

        The motion is that of `add_constraint(cd.constraints.couple(…))` without a constraint to hold, and without
        drift. The other coordinate may belong to the same joint or to any other, and may follow a third one. Loads
        on the coordinate act on. `Model.followers` has what follows what, `Model.unfolded` the model with constraints.

        Parameters
        ----------
        coordinate : str
            The coordinate that follows, by any of its names.
        other : str
            The one that it follows.
        function : Function, Sum or float, optional
            Of cd.functions, of one coordinate and without kinks; a number is a constant. Instead of `ratio` and
            `offset`.
        ratio : float
            Change of the coordinate for a unit change of the other.
        offset : float
            The coordinate [rad or m] where the other is 0.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue, NotFinite
            As `cd.constraints.couple` does. `build` refuses coordinates that do not exist, that follow twice or in a
            circle, that are prescribed, or that other constraints use.

        Examples
        --------
        Two wheels, of which the second turns twice as fast:

        >>> import condyle as cd
        >>> wheel = cd.Inertia.cylinder(1.0, 0.1, 0.02)
        >>> b = cd.ModelBuilder().add_body("small", joint=cd.joints.revolute("z"), inertia=wheel)
        >>> b = b.add_body("large", joint=cd.joints.revolute("z"), inertia=wheel)
        >>> model = b.add_coupler("large", "small", ratio=2.0).build()
        >>> model.coordinates, cd.forward_dynamics(model, [0.0], [0.0], tau=[0.025]).round(6)
        (('small',), array([1.]))
        """
        self._folded.append(len(self._constraints))
        return self.add_constraint(couple(coordinate, other, function, ratio, offset))

    def add_wrap(
        self,
        name: str,
        shape: str,
        body: str | None = None,
        pose: ArrayLike | None = None,
        *,
        quadrant: str = "all",
        **sizes: Any,
    ) -> ModelBuilder:
        """Add an object on a body that paths can wrap over.

        Parameters
        ----------
        name : str
        shape : {"cylinder", "sphere", "ellipsoid", "torus"}
            A cylinder is about z; the circle of a torus is in the plane z = 0.
        body : str, optional
            That carries it; None is the world.
        pose : SE3 or array_like, shape (4, 4), optional
            Of its frame in the body; the identity by default.
        quadrant : str, optional
            The side on which paths may go round: "all", "x", "-x", "y", "-y", "z" or "-z".
        **sizes : float
            `radius` and `length` of a cylinder, `radius` of a sphere, `dimensions` (three radii) of an ellipsoid,
            `inner_radius` (of the tube) and `outer_radius` (of its circle) of a torus [m].

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue
            If the shape is not one of these or has other sizes. `build` refuses bodies that do not exist.
        """
        self._wraps.append(wrap_object(name, shape, body, pose, quadrant, sizes))
        return self

    def add_path(self, name: str, points: Sequence[Any], *, wraps: Sequence[Any] = ()) -> ModelBuilder:
        """Add a path without a force: its length and moment arms are those of `condyle.muscles`.

        Parameters
        ----------
        name : str
        points : sequence
            At least two, each (body, place in body axes [m]) with None for the world, or what
            `condyle.muscles.conditional_point` and `moving_point` give.
        wraps : sequence, optional
            Names of wrap objects, or (name, (first, last)) where it counts between these points only, counted from 1.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue
            If a point or a wrap is none of these. `build` refuses names that do not exist.
        """
        return self.add_muscle(name, points, "path", wraps=wraps)

    def add_muscle(
        self, name: str, points: Sequence[Any], law: str = "thelen", *, wraps: Sequence[Any] = (), **constants: float
    ) -> ModelBuilder:
        """Add a muscle, or what else pulls along a path.

        Parameters
        ----------
        name : str
        points : sequence
            As for `add_path`.
        law : str, optional
            A name of `condyle.muscles.LAWS`: "thelen", "millard", "de_groote_fregly", "path_spring", …
        wraps : sequence, optional
            As for `add_path`.
        **constants : float
            Of the law, by OpenSim's names: `max_isometric_force` [N], `optimal_fiber_length` [m],
            `tendon_slack_length` [m], `pennation_angle_at_optimal` [rad], …

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue, UnknownName
            If a constant is not one of the law, or not a number that it can have.
        """
        owner = f"muscle {name!r}"
        check_law(owner, law, constants)
        path = Path(
            tuple(point_of(p, name, k + 1) for k, p in enumerate(points)), tuple(wrap_of(w, owner) for w in wraps)
        )
        self._muscles.append(Muscle(name, path, law, constants))
        return self

    def build(self) -> Model:
        """The frozen model, checked as a whole.

        Returns
        -------
        Model

        Raises
        ------
        BadTree
            If there is no body.
        UnknownName
            If a constraint names a body or a coordinate that does not exist.
        """
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
            bushings=tuple(self._bushings),
        )
        bound = tuple(c.bound(model) for c in self._constraints)
        model = replace(model, constraints=bound) if bound else model
        if self._muscles or self._wraps:
            model = replace(model, muscles=tuple(self._muscles), wraps=tuple(self._wraps))
        return fold(model, self._folded) if self._folded else model


def _number(value: Any, name: str) -> float:
    good = isinstance(value, (int, float, np.number)) and np.isfinite(value)
    require(good, f"{name} must be a finite number", BadValue, got=value)
    return float(value)


def _not_negative(value, name: str) -> float:
    require(_number(value, name) >= 0, f"{name} must not be negative", BadValue, got=value)
    return float(value)
