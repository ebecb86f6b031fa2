"""A hinge."""

from __future__ import annotations

from ...typing import ArrayLike
from ..functions import linear
from ..joint import Joint
from ..validate_axes import revolute_twist
from .product import product


def revolute(axis: ArrayLike, point: ArrayLike | None = None, *, name: str = "angle") -> Joint:
    """Turn by q [rad] about `axis`, through `point` [m] (default: the origin).

    Parameters
    ----------
    axis : "x", "y", "z" or array_like, shape (3,)
        Direction in the joint's frame; need not be of unit length.
    point : array_like, shape (3,), optional
        A point of the axis in the joint's frame [m]; the origin if left out.
    name : str, optional
        Name of the coordinate.

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
    >>> cd.joints.revolute("z", point=(1, 0, 0)).pose([np.pi]).xyz.round(6)
    array([2., 0., 0.])
    """
    return product([revolute_twist(axis, point)], [linear()], coordinates=(name,), title="revolute")
