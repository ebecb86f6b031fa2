"""`Inertia`: mass, centre of mass and moment of a rigid body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import BadInertia, BadShape, require
from .arrays import floats, frozen
from .frozen import Frozen
from .poses import as_pose
from .so3 import cross_matrix

__all__ = ["Inertia"]

SLACK = 1e-9  # relative; a flat plate meets the triangle inequality with equality, up to round-off


@dataclass(frozen=True, eq=False)
class Inertia(Frozen):
    """A body's `mass` [kg], centre of mass `com` [m] and `moment` [kg m²], in body axes.

    The moment is about the centre of mass: a 3x3 matrix, 3 principal values, or 6 numbers (xx, yy, zz, xy, xz, yz).
    """

    mass: float
    com: Any = (0.0, 0.0, 0.0)  # given as anything like an array; arrays once made
    moment: Any = None

    def __post_init__(self):
        require_mass(self.mass)
        if self.moment is None:
            raise BadInertia(
                "a body needs a moment of inertia: give `moment`, or a shape (Inertia.sphere, box, cylinder, …), "
                "or Inertia.point(mass, com) for a body without size"
            )
        moment = moment_matrix(self.moment)
        require_moment(moment)
        self._fill(self.mass, self.com, moment)

    def _fill(self, mass, com, moment) -> None:
        com = floats(com, (3,), "com")
        require(com.shape == (3,), "com must be three numbers", BadShape, shape=com.shape)
        require(np.isfinite(com).all(), "the centre of mass must be finite", BadInertia, com=com.tolist())
        for name, value in (("mass", float(mass)), ("com", frozen(com)), ("moment", frozen(moment))):
            object.__setattr__(self, name, value)

    @classmethod
    def _made(cls, mass, com, moment) -> Inertia:
        """Without the checks on mass and moment: for bodies without size or mass, made on purpose."""
        made = object.__new__(cls)
        made._fill(mass, com, moment)
        return made

    @classmethod
    def massless(cls) -> Inertia:
        """A body without mass, on purpose: a frame between two joints. Other bodies must follow it outwards."""
        return cls._made(0.0, np.zeros(3), np.zeros((3, 3)))

    @classmethod
    def point(cls, mass: float, com=(0.0, 0.0, 0.0)) -> Inertia:
        """All mass [kg] in one point [m]."""
        require_mass(mass)
        return cls._made(mass, com, np.zeros((3, 3)))

    @classmethod
    def ellipsoid(cls, mass: float, semi_axes, com=(0.0, 0.0, 0.0)) -> Inertia:
        """A solid ellipsoid with three semi-axes [m] along the body axes."""
        return cls(mass, com, _from_squares(mass, lengths(semi_axes, 3, "semi_axes") ** 2 / 5.0))

    @classmethod
    def sphere(cls, mass: float, radius: float, com=(0.0, 0.0, 0.0)) -> Inertia:
        """A solid ball of a radius [m]."""
        r = lengths(radius, 1, "radius")[0]
        return cls.ellipsoid(mass, (r, r, r), com)

    @classmethod
    def box(cls, mass: float, size, com=(0.0, 0.0, 0.0)) -> Inertia:
        """A solid box with three edge lengths [m] along the body axes."""
        return cls(mass, com, _from_squares(mass, lengths(size, 3, "size") ** 2 / 12.0))

    @classmethod
    def cylinder(cls, mass: float, radius: float, length: float, axis: int = 2, com=(0.0, 0.0, 0.0)) -> Inertia:
        """A solid cylinder, radius and length [m], along body axis 0, 1 or 2."""
        r, h = lengths((radius, length), 2, "radius and length")
        return cls(mass, com, _from_squares(mass, _along(axis, h * h / 12.0, r * r / 4.0)))

    @classmethod
    def capsule(cls, mass: float, radius: float, length: float, axis: int = 2, com=(0.0, 0.0, 0.0)) -> Inertia:
        """A solid cylinder, radius and length [m], with a half ball on either end, along body axis 0, 1 or 2."""
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

    def moved(self, pose) -> Inertia:
        """The same body described in another frame, in which the body's own frame has `pose` (SE3 or 4x4)."""
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
        if mass == 0.0:
            return Inertia.massless()
        share = other.mass / mass
        apart = cross_matrix(other.com - self.com)
        reduced = self.mass * share
        moment = self.moment + other.moment - reduced * (apart @ apart)
        return Inertia._made(mass, self.com + share * (other.com - self.com), moment)

    def principal(self) -> tuple[np.ndarray, np.ndarray]:
        """Principal moments (3,), ascending, and the right-handed rotation (3, 3) whose columns are their axes."""
        moments, axes = np.linalg.eigh(self.moment)
        if np.linalg.det(axes) < 0.0:
            axes[:, 0] = -axes[:, 0]
        return moments, axes


def require_mass(mass) -> None:
    """Refuse masses that no body has."""
    real = np.ndim(mass) == 0 and np.issubdtype(np.asarray(mass).dtype, np.number) and not np.iscomplexobj(mass)
    require(real, "a mass must be one number", BadInertia, mass=mass)
    require(
        np.isfinite(mass) and mass > 0,
        "a mass must be positive and finite (Inertia.massless() makes a body without mass on purpose)",
        BadInertia,
        mass=mass,
    )


def moment_matrix(moment) -> np.ndarray:
    """The symmetric matrix of 3 principal values, 6 numbers (xx, yy, zz, xy, xz, yz), or a 3x3 matrix."""
    m = np.asarray(moment, dtype=np.float64)
    require(
        m.shape in ((3,), (6,), (3, 3)),
        f"a moment is a 3x3 matrix, 3 principal values or 6 numbers (xx, yy, zz, xy, xz, yz); got shape {m.shape}",
        BadInertia,
    )
    require(np.isfinite(m).all(), "a moment must be finite", BadInertia, moment=m.tolist())
    if m.shape == (3,):
        return np.diag(m)
    return _from_six(m) if m.shape == (6,) else _symmetric(m)


def _from_six(m: np.ndarray) -> np.ndarray:
    xx, yy, zz, xy, xz, yz = m
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _symmetric(m: np.ndarray) -> np.ndarray:
    gap = np.abs(m - m.T).max()
    require(gap <= SLACK * np.abs(m).max(), "a moment must be symmetric", BadInertia, moment=m.tolist())
    return 0.5 * (m + m.T)


def require_moment(moment: np.ndarray) -> None:
    """Refuse moments that no distribution of mass has."""
    a, b, c = (float(x) for x in np.linalg.eigvalsh(moment))
    require(
        a > 0.0,
        f"a moment must be positive definite; its principal values are {a:.6g}, {b:.6g}, {c:.6g} "
        "(Inertia.point makes a body without size)",
        BadInertia,
    )
    require(
        c <= (a + b) * (1.0 + SLACK),
        "principal moments must satisfy the triangle inequality, for any two sum to at least the third; "
        f"{a:.6g} + {b:.6g} < {c:.6g}. Is the moment about the centre of mass?",
        BadInertia,
    )


def lengths(values, count: int, name: str) -> np.ndarray:
    """So many positive lengths [m]."""
    array = np.atleast_1d(np.asarray(values, dtype=np.float64))
    good = array.shape == (count,) and np.isfinite(array).all() and (array > 0.0).all()
    require(good, f"{name} must be {count} positive finite length{'s' * (count > 1)}", BadInertia, **{"value": values})
    return array


def _from_squares(mass: float, squares) -> np.ndarray:
    """Principal moments from the mean squares of x, y, z."""
    require_mass(mass)
    x, y, z = squares
    return mass * np.array([y + z, x + z, x + y])


def _along(axis: int, along: float, across: float) -> np.ndarray:
    """Mean squares of a body of revolution."""
    require(axis in (0, 1, 2), "axis must be 0, 1 or 2", BadInertia, axis=axis)
    return np.where(np.arange(3) == axis, along, across)
