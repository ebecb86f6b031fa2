"""`ModelBuilder`: checks everything a person says about a model, then builds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from ...errors import BadTree, BadValue, require, require_plain, unknown_name
from ...joints import Joint, weld
from ...spatial import Inertia
from ...typing import ArrayLike
from ..body import Body, body_pose
from ..followers import fold
from ..look.shapes import Shape
from ..model import Model
from .coordinate_methods import CoordinateMethods
from .load_methods import LoadMethods
from .muscle_methods import MuscleMethods
from .spring_methods import SpringMethods
from .tie_methods import TieMethods


class ModelBuilder(SpringMethods, LoadMethods, CoordinateMethods, TieMethods, MuscleMethods):
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
    ) -> Self:
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
        require_plain(name, "body")
        require(name not in self._index, f"there is already a body named {name!r}; body names must differ", BadTree)
        if parent == name:
            raise BadTree(f"body {name!r} cannot be its own parent; bodies form a tree. Close loops with a constraint.")
        if parent is not None and parent not in self._index:
            raise unknown_name("body", parent, self._index, f"this model yet, so it cannot carry {name!r}")
        joint_name = name if joint_name is None else joint_name
        require(isinstance(joint_name, str) and joint_name, f"body {name!r}: a joint name is a string", got=joint_name)
        require_plain(joint_name, "joint")
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
            tuple(self._forces),
            self._prescribed,
            ranges={self._names.full(number): ends for number, ends in self._ranges.items()},
            ratings={self._names.full(number): found for number, found in self._ratings.items()},
            defaults={self._names.full(number): value for number, value in self._defaults.items()},
        )
        bound = tuple(c.bound(model) for c in self._constraints)
        model = replace(model, constraints=bound) if bound else model
        if self._muscles or self._wraps:
            model = replace(model, muscles=tuple(self._muscles), wraps=tuple(self._wraps))
        return fold(model, self._folded) if self._folded else model
