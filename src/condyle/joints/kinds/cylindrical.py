"""A rod in a sleeve."""

from __future__ import annotations

from ..functions import linear
from ..joint import Joint
from ..validate_axes import prismatic_twist, revolute_twist
from .product import product


def cylindrical(axis, point=None, *, names=("angle", "distance")) -> Joint:
    """Turn by q_0 [rad] about `axis` through `point` and slide by q_1 [m] along it.

    Parameters
    ----------
    axis : "x", "y", "z" or array_like, shape (3,)
        Direction in the parent's frame; need not be of unit length.
    point : array_like, shape (3,), optional
        A point in body axes [m]; the body origin if left out.
    names : sequence of str, optional
        Names of the coordinates.

    Returns
    -------
    Joint
    """
    what = "cylindrical: the axis"
    twists = [revolute_twist(axis, point, what=what), prismatic_twist(axis, what)]
    return product(twists, [linear(0), linear(1)], coordinates=names, title="cylindrical")
