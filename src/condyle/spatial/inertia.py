"""`Inertia`: mass, centre of mass and moment of a rigid body."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import BadInertia, BadShape, CondyleWarning, require
from ..typing import ArrayLike
from .arrays import floats, frozen
from .frozen import Frozen
from .inertia_checks import ROUND_OFF, SLACK, lengths, needed_moment, refuse, require_mass, require_number
from .se3 import as_pose
from .second_moments import nearest_moment, principal_moments, shortfall
from .so3 import cross_matrix


@dataclass(frozen=True, eq=False)
class Inertia(Frozen):
    """A body's `mass` [kg], centre of mass `com` [m] and `moment` [kg m²], in body axes.

    The moment is about the centre of mass: a 3x3 matrix, 3 principal values, or 6 numbers (xx, yy, zz, xy, xz, yz).
    Bodies are all that is the limit of distributed mass: the mass is not negative, nor is a principal moment, and two
    principal moments sum to at least the third. Points, thin rods, plates and bodies without mass are among them.

    Parameters
    ----------
    mass : float
        [kg], not negative.
    com : array_like (3,)
        Centre of mass [m] in body axes; the origin by default.
    moment : array_like (3,), (6,) or (3, 3)
        Moment of inertia [kg m²] about the centre of mass.

    Raises
    ------
    BadInertia
        If no body has this mass or moment. `Inertia.nearest` gives the nearest that one has. A moment within 1e-9 of
        one is replaced by it with a warning.

    Examples
    --------
    >>> import condyle as cd
    >>> rod = cd.Inertia(1.0, (0, 0, 0.5), (1 / 12, 1 / 12, 0))
    >>> round(float(rod.spatial()[0, 0]), 6)  # about its end: m l² / 3
    0.333333
    """

    mass: float
    com: Any = (0.0, 0.0, 0.0)  # given as anything like an array; arrays once made
    moment: Any = None

    def __post_init__(self):
        require_mass(self.mass)
        moment = needed_moment(self.moment)
        lack = shortfall(moment)
        if lack > SLACK:
            refuse(moment)
        if lack > ROUND_OFF:
            mended = nearest_moment(moment)
            change = np.abs(mended - moment).max()
            warnings.warn(
                f"the moment of inertia of a body of {self.mass:.6g} kg is replaced by the nearest that a body has, "
                f"{change:.3g} kg m² away",
                CondyleWarning,
                stacklevel=3,
            )
            moment = mended
        self._fill(self.mass, self.com, moment)

    def _fill(self, mass, com, moment) -> None:
        com = floats(com, (3,), "com")
        require(com.shape == (3,), "com must be three numbers", BadShape, shape=com.shape)
        require(np.isfinite(com).all(), "the centre of mass must be finite", BadInertia, com=com.tolist())
        for name, value in (("mass", float(mass)), ("com", frozen(com)), ("moment", frozen(moment))):
            object.__setattr__(self, name, value)

    @classmethod
    def _made(cls, mass, com, moment) -> Inertia:
        """Without the checks on mass and moment: for what is a body by its making."""
        made = object.__new__(cls)
        made._fill(mass, com, moment)
        return made

    @classmethod
    def massless(cls) -> Inertia:
        """A body without mass or moments: a frame between two joints, or at the end of a chain.

        Its poses, velocities and Jacobians are those of any body. Accelerations need inertia behind every free
        coordinate: forward dynamics raises `RankLost` for a joint that carries nothing but such bodies.
        """
        return cls._made(0.0, np.zeros(3), np.zeros((3, 3)))

    @classmethod
    def nearest(cls, mass: float, com: ArrayLike = (0.0, 0.0, 0.0), moment: ArrayLike | None = None) -> Inertia:
        """The body nearest to a mass and a moment that none may have, with the same centre of mass.

        Near is meant in second moments: of all bodies, the one whose matrix ∫ x xᵀ dm about the centre of mass differs
        least from ½ tr(I) 1 − I in the sum of squares of its entries, which does not depend on the axes. A negative
        mass becomes zero.

        Parameters
        ----------
        mass : float
            [kg], any finite number.
        com : array_like (3,)
            Centre of mass [m].
        moment : array_like (3,), (6,) or (3, 3)
            Moment of inertia [kg m²] about the centre of mass, any symmetric matrix of finite numbers.

        Returns
        -------
        Inertia

        Examples
        --------
        >>> cd.Inertia.nearest(1.0, moment=(1, 1, 3)).moment.diagonal()
        array([1.5, 1.5, 3. ])
        """
        require_number(mass)
        given = needed_moment(moment)
        return cls._made(max(float(mass), 0.0), com, given if shortfall(given) <= ROUND_OFF else nearest_moment(given))

    @classmethod
    def point(cls, mass: float, com: ArrayLike = (0.0, 0.0, 0.0)) -> Inertia:
        """All mass [kg] in one point [m].

        Parameters
        ----------
        mass : float
            [kg], not negative.
        com : array_like, shape (3,), optional
            Where it is, in body axes [m]; the origin by default.

        Returns
        -------
        Inertia

        Raises
        ------
        BadInertia
            If the mass is negative or not finite.
        """
        require_mass(mass)
        return cls._made(mass, com, np.zeros((3, 3)))

    @classmethod
    def ellipsoid(cls, mass: float, semi_axes: ArrayLike, com: ArrayLike = (0.0, 0.0, 0.0)) -> Inertia:
        """A solid ellipsoid with three semi-axes [m] along the body axes.

        Parameters
        ----------
        mass : float
            [kg]
        semi_axes : array_like, shape (3,)
            [m]
        com : array_like, shape (3,), optional
            Centre of mass in body axes [m]; the origin by default.

        Returns
        -------
        Inertia

        Raises
        ------
        BadInertia
            If the mass is negative, or a length is not positive.
        """
        return cls(mass, com, _from_squares(mass, lengths(semi_axes, 3, "semi_axes") ** 2 / 5.0))

    @classmethod
    def sphere(cls, mass: float, radius: float, com: ArrayLike = (0.0, 0.0, 0.0)) -> Inertia:
        """A solid ball of a radius [m].

        Parameters
        ----------
        mass : float
            [kg]
        radius : float
            [m]
        com : array_like, shape (3,), optional
            Centre of mass in body axes [m]; the origin by default.

        Returns
        -------
        Inertia

        Raises
        ------
        BadInertia
            If the mass is negative, or the radius is not positive.

        Examples
        --------
        >>> cd.Inertia.sphere(5.0, 1.0).moment.diagonal()  # 2/5 m r²
        array([2., 2., 2.])
        """
        r = lengths(radius, 1, "radius")[0]
        return cls.ellipsoid(mass, (r, r, r), com)

    @classmethod
    def box(cls, mass: float, size: ArrayLike, com: ArrayLike = (0.0, 0.0, 0.0)) -> Inertia:
        """A solid box with three edge lengths [m] along the body axes.

        Parameters
        ----------
        mass : float
            [kg]
        size : array_like, shape (3,)
            Edge lengths [m].
        com : array_like, shape (3,), optional
            Centre of mass in body axes [m]; the origin by default.

        Returns
        -------
        Inertia

        Raises
        ------
        BadInertia
            If the mass is negative, or a length is not positive.

        Examples
        --------
        >>> cd.Inertia.box(12.0, (1, 2, 3)).moment.diagonal()
        array([13., 10.,  5.])
        """
        return cls(mass, com, _from_squares(mass, lengths(size, 3, "size") ** 2 / 12.0))

    @classmethod
    def cylinder(
        cls, mass: float, radius: float, length: float, axis: int = 2, com: ArrayLike = (0.0, 0.0, 0.0)
    ) -> Inertia:
        """A solid cylinder, radius and length [m], along body axis 0, 1 or 2.

        Parameters
        ----------
        mass : float
            [kg]
        radius : float
            [m]
        length : float
            [m]
        axis : {0, 1, 2}, optional
            The body axis along which it lies; z by default.
        com : array_like, shape (3,), optional
            Centre of mass in body axes [m]; the origin by default.

        Returns
        -------
        Inertia

        Raises
        ------
        BadInertia
            If the mass is negative, or a length is not positive.
        """
        r, h = lengths((radius, length), 2, "radius and length")
        return cls(mass, com, _from_squares(mass, _along(axis, h * h / 12.0, r * r / 4.0)))

    @classmethod
    def capsule(
        cls, mass: float, radius: float, length: float, axis: int = 2, com: ArrayLike = (0.0, 0.0, 0.0)
    ) -> Inertia:
        """A solid cylinder, radius and length [m], with a half ball on either end, along body axis 0, 1 or 2.

        Parameters
        ----------
        mass : float
            [kg]
        radius : float
            Of the cylinder and the half balls [m].
        length : float
            Of the cylinder without the half balls [m].
        axis : {0, 1, 2}, optional
            The body axis along which it lies; z by default.
        com : array_like, shape (3,), optional
            Centre of mass in body axes [m]; the origin by default.

        Returns
        -------
        Inertia

        Raises
        ------
        BadInertia
            If the mass is negative, or a length is not positive.

        Examples
        --------
        >>> cd.Inertia.capsule(3.0, 0.05, 0.4).mass
        3.0
        """
        r, h = lengths((radius, length), 2, "radius and length")
        ends = 4.0 * r / (4.0 * r + 3.0 * h)  # the balls' share of the volume
        along = (1.0 - ends) * h * h / 12.0 + ends * (h * h / 4.0 + 3.0 * h * r / 8.0 + r * r / 5.0)
        across = (1.0 - ends) * r * r / 4.0 + ends * r * r / 5.0
        return cls(mass, com, _from_squares(mass, _along(axis, along, across)))

    def spatial(self) -> np.ndarray:
        """J (6, 6) about the body origin, for twists [ω; v]: kinetic energy ½ VᵀJV.  [LeeTerzopoulos2008, eq. 8]"""
        c = self.mass * cross_matrix(self.com)
        corner = self.moment - c @ cross_matrix(self.com)
        return np.block([[corner, c], [c.T, self.mass * np.eye(3)]])

    def moved(self, pose: ArrayLike) -> Inertia:
        """The same body described in another frame, in which the body's own frame has `pose`.

        Parameters
        ----------
        pose : SE3 or array_like, shape (4, 4)

        Returns
        -------
        Inertia

        Raises
        ------
        BadShape
            If it is not a single pose.

        Examples
        --------
        >>> cd.Inertia.point(2.0).moved(cd.SE3.from_translation([0, 0, 1])).com
        array([0., 0., 1.])
        """
        T = as_pose(pose, "pose")
        require(T.shape == (4, 4), "moved takes a single pose", BadShape, shape=T.shape)
        R = T[:3, :3]
        moment = R @ self.moment @ R.T
        return Inertia._made(self.mass, R @ self.com + T[:3, 3], 0.5 * (moment + moment.T))

    def __add__(self, other: Inertia) -> Inertia:
        """Two bodies welded together, both described in one frame."""
        if not isinstance(other, Inertia):
            return NotImplemented
        mass = self.mass + other.mass
        share = other.mass / mass if mass > 0.0 else 0.0
        apart = cross_matrix(other.com - self.com)
        reduced = self.mass * share
        moment = self.moment + other.moment - reduced * (apart @ apart)
        return Inertia._made(mass, self.com + share * (other.com - self.com), moment)

    def principal(self) -> tuple[np.ndarray, np.ndarray]:
        """Principal moments (3,), ascending, and the right-handed rotation (3, 3) whose columns are their axes.

        The moment of a rod about itself is zero, not what round-off leaves of it.
        """
        moments, axes = principal_moments(self.moment)
        return np.maximum(moments, 0.0), axes


def _from_squares(mass: float, squares) -> np.ndarray:
    """Principal moments from the mean squares of x, y, z."""
    require_mass(mass)
    x, y, z = squares
    return mass * np.array([y + z, x + z, x + y])


def _along(axis: int, along: float, across: float) -> np.ndarray:
    """Mean squares of a body of revolution."""
    require(axis in (0, 1, 2), "axis must be 0, 1 or 2", BadInertia, axis=axis)
    return np.where(np.arange(3) == axis, along, across)
