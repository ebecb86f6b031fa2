"""A slider."""

from __future__ import annotations

from ..functions import linear
from ..joint import Joint
from ..validate_axes import prismatic_twist
from .product import product


def prismatic(axis, *, name: str = "distance") -> Joint:
    """Slide by q [m] along `axis`.

    Parameters
    ----------
    axis : "x", "y", "z" or array_like, shape (3,)
        Direction in the parent's frame; need not be of unit length.
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Joint
    """
    return product([prismatic_twist(axis)], [linear()], coordinates=(name,), title="prismatic")
