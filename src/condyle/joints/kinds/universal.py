"""Two hinges with crossing axes.  [LeeTerzopoulos2008, section 4.1]"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import BadValue, require
from ...typing import ArrayLike
from ..functions import linear
from ..joint import Joint
from ..validate_axes import revolute_twist
from .product import product


def universal(
    first: ArrayLike,
    second: ArrayLike,
    point: ArrayLike | None = None,
    second_point: ArrayLike | None = None,
    *,
    names: Sequence[str] = ("first", "second"),
) -> Joint:
    """Turn by q_0 [rad] about the axis `first`, then by q_1 about `second`, which moves with the first.

    Parameters
    ----------
    first, second : array_like, shape (3,), or "x", "y", "z"
        Directions of the axes in F at q = 0; they must not be parallel.
    point : array_like, shape (3,), optional
        A point of the first axis [m], by default the origin. The second axis passes through it too, unless
        `second_point` says otherwise.
    second_point : array_like, shape (3,), optional
        A point of the second axis at q = 0 [m], for axes that do not meet.
    names : tuple of str
        Names of the two coordinates.

    Returns
    -------
    Joint
        G(q) = exp(ŝ_1 q_0) exp(ŝ_2 q_1).

    Raises
    ------
    BadValue
        If the axes are parallel.

    Examples
    --------
    >>> import condyle as cd
    >>> cd.joints.universal("x", "y").coordinates
    ('first', 'second')
    """
    second_point = point if second_point is None else second_point
    axes = ((first, point, "first"), (second, second_point, "second"))
    twists = [revolute_twist(axis, through, what=f"universal: the {n} axis") for axis, through, n in axes]
    apart = np.linalg.norm(np.cross(twists[0][:3], twists[1][:3]))
    require(apart > 1e-9, "universal: the axes must not be parallel", BadValue, first=first, second=second)
    return product(twists, [linear(0), linear(1)], coordinates=names, title="universal")
