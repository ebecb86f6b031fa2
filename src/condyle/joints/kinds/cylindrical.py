"""A rod in a sleeve."""

from __future__ import annotations

from collections.abc import Sequence

from ...typing import ArrayLike
from ..functions import linear
from ..joint import Joint
from ..validate_axes import prismatic_twist, revolute_twist
from .product import product


def cylindrical(
    axis: ArrayLike, point: ArrayLike | None = None, *, names: Sequence[str] = ("angle", "distance")
) -> Joint:
    """Turn by q_0 [rad] about `axis` through `point` and slide by q_1 [m] along it.

    Parameters
    ----------
    axis : "x", "y", "z" or array_like, shape (3,)
        Direction in the joint's frame; need not be of unit length.
    point : array_like, shape (3,), optional
        A point of the axis in the joint's frame [m]; the origin if left out.
    names : sequence of str, optional
        Names of the coordinates.

    Returns
    -------
    Joint

    Raises
    ------
    BadValue, BadShape, NotFinite
        If the axis or the point is not what it should be.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.joints.cylindrical("z").pose([0.3, 2.0]).xyz
    array([0., 0., 2.])
    """
    what = "cylindrical: the axis"
    twists = [revolute_twist(axis, point, what=what), prismatic_twist(axis, what)]
    return product(twists, [linear(0), linear(1)], coordinates=names, title="cylindrical")
