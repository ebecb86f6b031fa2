"""A slider."""

from __future__ import annotations

from ...typing import ArrayLike
from ..functions import linear
from ..joint import Joint
from ..validate_axes import prismatic_twist
from .product import product


def prismatic(axis: ArrayLike, *, name: str = "distance") -> Joint:
    """Slide by q [m] along `axis`.

    Parameters
    ----------
    axis : "x", "y", "z" or array_like, shape (3,)
        Direction in the joint's frame; need not be of unit length.
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Joint

    Raises
    ------
    BadValue, BadShape, NotFinite
        If the axis is not what it should be.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.joints.prismatic((0, 3, 4)).pose([5.0]).xyz
    array([0., 3., 4.])
    """
    return product([prismatic_twist(axis)], [linear()], coordinates=(name,), title="prismatic")
