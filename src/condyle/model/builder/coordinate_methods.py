"""What a builder is told of single coordinates: ranges, defaults, ratings and prescribed motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Self

from ...errors import NotSupported, PrescribedMismatch, require
from ..limits import Rating, rating
from ..prescribed import Prescribed, prescribed_motion
from .collected import Collected, finite_number


class CoordinateMethods(Collected):
    """The methods of a builder that say where a coordinate may go, begins, and moves."""

    def set_range(self, coordinate: str, low: float, high: float) -> Self:
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
        ends = self._checked_range(coordinate, low, high, "range")
        self._ranges[self._names.find(coordinate)] = ends
        return self

    def set_default(self, coordinate: str, value: float) -> Self:
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
        self._defaults[self._names.find(coordinate)] = finite_number(value, f"default of {coordinate!r}")
        return self

    def set_limits(
        self,
        coordinate: str,
        *,
        velocity: float | None = None,
        effort: float | None = None,
        friction: float | None = None,
    ) -> Self:
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
        number = self._names.find(coordinate)
        kept = self._ratings.get(number, Rating()).armature
        self._ratings[number] = rating(coordinate, velocity, effort, friction, kept)
        return self

    def set_armature(self, coordinate: str, inertia: float) -> Self:
        """Give a coordinate inertia of its own, of what turns with it and is no body: a motor's rotor and its gears.

        It is added to the diagonal of the mass matrix: a rotor of inertia I behind gears of ratio n has n² I. Gravity
        and the other bodies do not see it, and `cd.momentum` does not count it.

        Parameters
        ----------
        coordinate : str
            One number, or a ball (then about every axis).
        inertia : float
            [kg m² or kg], not negative.

        Returns
        -------
        ModelBuilder

        Raises
        ------
        BadValue
            If the inertia is negative or not finite.
        NotSupported
            For a free joint, whose six velocities are one body's twist.

        Examples
        --------
        >>> import condyle as cd
        >>> bob = cd.Inertia.point(2.0, (0, 0, -1))
        >>> b = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob)
        >>> cd.mass_matrix(b.set_armature("bob", 0.5).build(), [0.0]).round(6)
        array([[2.5]])
        """
        number = self._names.find(coordinate)
        free = self._names.places[number].widths == (7, 6)
        require(not free, f"armature of {coordinate!r}: a free joint has none; add a body", NotSupported)
        known = self._ratings.get(number, Rating())
        self._ratings[number] = replace(known, armature=rating(coordinate, armature=inertia).armature)
        return self

    def prescribe(
        self,
        coordinate: str,
        motion: float | Callable | Prescribed | tuple,
        rate: float | Callable | None = None,
        acceleration: Callable | None = None,
    ) -> Self:
        """Give the motion of a coordinate: f(t), a number, or (times, values); its forces follow from the dynamics.

        Splines of scipy.interpolate and `cd.functions` have their own rate and acceleration, those of any other f are
        computed (an f that takes complex numbers: to 1e-12), unless given as functions. An acceleration that jumps, as
        that of a PCHIP spline does at its knots, costs integrators with fixed steps their order there.
        A number stays what it is, or with a number as `rate` it is value + rate · t.

        Parameters
        ----------
        coordinate : str
        motion : callable, float or pair of arrays
            f(t), which may be one of SciPy's splines or of `cd.functions`, a number, or (times [s], values), which
            become a spline of order 6.
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
