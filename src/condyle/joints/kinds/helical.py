"""A screw.  [LeeTerzopoulos2008, section 4.1]"""

from __future__ import annotations

from ...typing import ArrayLike
from ..functions import linear
from ..joint import Joint
from ..validate_axes import finite_number, revolute_twist
from .product import product


def helical(axis: ArrayLike, pitch: float, point: ArrayLike | None = None, *, name: str = "angle") -> Joint:
    """Turn by q [rad] about `axis` through `point` while moving `pitch` · q along it; `pitch` in metres per radian.

    Parameters
    ----------
    axis : "x", "y", "z" or array_like, shape (3,)
        Direction in the joint's frame; need not be of unit length.
    pitch : float
        [m/rad]
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
        If axis, pitch or point is not what it should be.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.joints.helical("z", pitch=0.1).pose([2.0]).xyz
    array([0. , 0. , 0.2])
    """
    twist = revolute_twist(axis, point, finite_number(pitch, "helical: the pitch"), "helical: the axis")
    return product([twist], [linear()], coordinates=(name,), title="helical")
