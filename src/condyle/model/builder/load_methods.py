"""Loads of a builder on coordinates: springs, dampers, limits and constant forces."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from ...errors import BadValue, require
from ...forces import OnCoordinate
from ...forces.element import complete_constants
from ...forces.kernels.laws.damper import DAMPER
from ...joints.kinds.compliant import given_way
from ...spatial.arrays import real_numbers
from ...typing import ArrayLike
from ..structure_checks import checked_range
from .force_methods import ForceMethods


class LoadMethods(ForceMethods):
    """What pushes and pulls coordinates: the methods of a builder that add such loads."""

    def add_compliance(self, body: str, *, stiffness: ArrayLike, damping: ArrayLike = 0.0) -> Self:
        """Springs and dampers on what gives in the joint of a body (`cd.joints.compliant`), pulling to its own motion.

        Their energy ½ Σ stiffness · give² is part of the potential energy of the model.

        Parameters
        ----------
        body : str
            Whose joint is compliant.
        stiffness : array_like, shape (6,), or float
            About and along the child's axes: of three turns [N m/rad], then of three shifts [N/m], above zero; those of
            directions in which the joint moves by itself are not used. Of a joint with twists of its own (`across=`)
            one number for each.
        damping : array_like, shape (6,), or float, optional
            Of three turns [N m s/rad], then of three shifts [N s/m], not negative.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        UnknownName
            If there is no such body.
        BadValue
            If its joint does not give, or a constant is not of its sign.

        Examples
        --------
        A door of 20 kg on hinges that give by 1 mm per 100 N sinks by 2 mm:

        >>> import condyle as cd
        >>> b = cd.ModelBuilder()
        >>> door = cd.Inertia.box(20.0, (0.8, 0.04, 2.0))
        >>> b = b.add_body("door", joint=cd.joints.compliant(cd.joints.revolute("z")), inertia=door)
        >>> model = b.add_compliance("door", stiffness=[5e3, 5e3, 5e3, 1e5, 1e5, 1e5]).build()
        >>> q = model.neutral()
        >>> q[model.coordinates.index("door.give_z")] = -20.0 * 9.81 / 1e5
        >>> bool(abs(cd.forward_dynamics(model, q, 0 * q)).max() < 1e-9)
        True
        """
        number = self._body(body)
        require(number >= 0, "add_compliance: the world has no joint", BadValue)
        names = given_way(self._bodies[number].joint.coordinates)
        expected = f"add_compliance: the joint of {body!r} does not give; make it cd.joints.compliant(joint)"
        require(bool(names), expected, BadValue, coordinates=self._bodies[number].joint.coordinates)
        size, title = max(names.values()) + 1 if "give_1" in names else 6, self._bodies[number].joint_name
        k, c = (np.broadcast_to(real_numbers(x, "add_compliance"), (size,)) for x in (stiffness, damping))
        for name, i in names.items():
            require(bool(k[i] > 0.0), f"add_compliance: the stiffness of {name} is above zero", BadValue, got=k[i])
            self.add_stiffness(f"{title}.{name}", float(k[i]), damping=float(c[i]))
        return self

    def add_damping(self, coordinate: str, damping: float) -> Self:
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
        place = self._names.places[self._names.find(coordinate)]
        numbers = complete_constants(DAMPER, {"damping": damping}, "")
        for k in range(place.widths[1]):
            self._add("damper", OnCoordinate(place.q, place.v + k), numbers, f"damper@{coordinate}")
        return self

    def add_stiffness(self, coordinate: str, stiffness: float, rest: float = 0.0, damping: float = 0.0) -> Self:
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
        constants: dict[str, Any] = {"stiffness": stiffness, "rest": rest, "damping": damping}
        return self.add_force("coordinate_spring", coordinate, **constants)

    def add_limit(
        self,
        coordinate: str,
        low: float | None = None,
        high: float | None = None,
        *,
        stiffness: float,
        damping: float = 0.0,
        damping_depth: float | None = None,
    ) -> Self:
        """Push back beyond [low, high] (default: the coordinate's range) with stiffness and damping, never pull.

        The damping begins with a jump of the force, damping · rate, as soon as the limit is passed, or, with a
        `damping_depth`, rises in proportion to how far it is passed. Only then is the force continuous, and only
        then are gradients through time those of the motion (see `simulate_vjp`).

        Parameters
        ----------
        coordinate : str
        low, high : float, optional
            Where it begins to push [rad or m]; by default the ends of the coordinate's range.
        stiffness : float
            [N m/rad or N/m], not negative.
        damping : float, optional
            [N m s/rad or N s/m], not negative; acts only beyond the ends.
        damping_depth : float, optional
            How far beyond the ends the damping is whole [rad or m], above zero; by default at once.

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
        self._scalar_coordinate(coordinate, "limits")
        default = self._range_of(self._names.find(coordinate))
        low, high = (end if given is None else given for given, end in zip((low, high), default, strict=True))
        low, high = checked_range(low, high, f"limit of {coordinate!r}")
        constants: dict[str, Any] = {"low": low, "high": high, "stiffness": stiffness, "damping": damping}
        if damping_depth is None:
            return self.add_force("limit", coordinate, **constants)
        return self.add_force("gradual_limit", coordinate, **constants, damping_depth=damping_depth)

    def add_soft_limit(
        self,
        coordinate: str,
        low: float,
        high: float,
        *,
        stiffness: float | tuple[float, float],
        transition: float,
        damping: float = 0.0,
    ) -> Self:
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
        below, above = stiffness if isinstance(stiffness, tuple) else (stiffness, stiffness)
        constants: dict[str, Any] = {"low": low, "high": high, "stiffness_below": below, "stiffness_above": above}
        return self.add_force("soft_limit", coordinate, **constants, damping=damping, transition=transition)

    def add_constant_force(self, coordinate: str, force: float) -> Self:
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
        return self.add_force("constant_force", coordinate, force=force)
