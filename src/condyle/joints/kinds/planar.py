"""A block on a table."""

from __future__ import annotations

from ..functions import linear
from ..joint import Joint
from .product import product

X, Y, TURN_Z = (0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 0, 1, 0, 0, 0)


def planar(*, names=("x", "y", "angle")) -> Joint:
    """Move by q_0, q_1 [m] along x and y of the parent, then turn by q_2 [rad] about z.

    Parameters
    ----------
    names : sequence of str, optional
        Names of the coordinates.

    Returns
    -------
    Joint
    """
    return product([X, Y, TURN_Z], [linear(0), linear(1), linear(2)], coordinates=names, title="planar")
