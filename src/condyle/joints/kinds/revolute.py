"""A hinge."""

from __future__ import annotations

from ..functions import linear
from ..joint import Joint
from ..validate_axes import revolute_twist
from .product import product


def revolute(axis, point=None, *, name: str = "angle") -> Joint:
    """Turn by q [rad] about `axis`, through `point` [m] (default: the origin).

    Parameters
    ----------
    axis : "x", "y", "z" or array_like, shape (3,)
        Direction in the parent's frame; need not be of unit length.
    point : array_like, shape (3,), optional
        A point in body axes [m]; the body origin if left out.
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Joint
    """
    return product([revolute_twist(axis, point)], [linear()], coordinates=(name,), title="revolute")
