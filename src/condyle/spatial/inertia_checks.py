"""Masses, moments and lengths as people give them: checked, and moments as matrices."""

from __future__ import annotations

import numpy as np

from ..errors import BadInertia, require
from .second_moments import principal_moments

ROUND_OFF = 1e-12  # relative; what arithmetic leaves of a rod or a plate is taken as it is
SLACK = 1e-9  # relative; what is within this of a body is mended with a warning


def require_number(mass) -> None:
    """Refuse what is not one finite number."""
    real = np.ndim(mass) == 0 and np.issubdtype(np.asarray(mass).dtype, np.number) and not np.iscomplexobj(mass)
    require(real, "a mass must be one number", BadInertia, mass=mass)
    require(np.isfinite(mass), "a mass must be finite and not negative", BadInertia, mass=mass)


def require_mass(mass) -> None:
    """Refuse masses that no body has."""
    require_number(mass)
    require(mass >= 0, "a mass must be finite and not negative", BadInertia, mass=mass)


def needed_moment(moment) -> np.ndarray:
    """The matrix of a moment that must be given."""
    if moment is None:
        raise BadInertia(
            "a body needs a moment of inertia: give `moment`, or a shape (Inertia.sphere, box, cylinder, …), "
            "or Inertia.point(mass, com) for a body without size"
        )
    return moment_matrix(moment)


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


def refuse(moment: np.ndarray) -> None:
    """Say why no distribution of mass has a moment."""
    a, b, c = (float(x) for x in principal_moments(moment)[0])
    way_out = "Is the moment about the centre of mass?"
    if a < 0.0:
        raise BadInertia(f"principal moments must not be negative; they are {a:.6g}, {b:.6g}, {c:.6g}. {way_out}")
    raise BadInertia(
        "principal moments must satisfy the triangle inequality, for any two sum to at least the third; "
        f"{a:.6g} + {b:.6g} < {c:.6g}. {way_out}"
    )


def lengths(values, count: int, name: str) -> np.ndarray:
    """So many positive lengths [m]."""
    array = np.atleast_1d(np.asarray(values, dtype=np.float64))
    good = array.shape == (count,) and np.isfinite(array).all() and (array > 0.0).all()
    require(good, f"{name} must be {count} positive finite length{'s' * (count > 1)}", BadInertia, **{"value": values})
    return array
