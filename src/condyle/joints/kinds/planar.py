"""A block on a table."""

from __future__ import annotations

from collections.abc import Sequence

from ..functions import linear
from ..joint import Joint
from .product import product

X, Y, TURN_Z = (0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 0, 1, 0, 0, 0)


def planar(*, names: Sequence[str] = ("x", "y", "angle")) -> Joint:
    """Move by q_0, q_1 [m] along x and y of the parent, then turn by q_2 [rad] about z.

    Parameters
    ----------
    names : sequence of str, optional
        Names of the coordinates.

    Returns
    -------
    Joint

    Examples
    --------
    >>> import condyle as cd
    >>> cd.joints.planar().pose([1.0, 2.0, 0.3]).xyz
    array([1., 2., 0.])
    """
    return product([X, Y, TURN_Z], [linear(0), linear(1), linear(2)], coordinates=names, title="planar")
