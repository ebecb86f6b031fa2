"""Two hinges with crossing axes.  [LeeTerzopoulos2008, section 4.1]"""

from __future__ import annotations

import numpy as np

from ..errors import BadValue, require
from .axes import revolute_twist
from .functions import linear
from .joint import Joint
from .product import product

__all__ = ["universal"]


def universal(first, second, *, names=("first", "second")) -> Joint:
    """Turn by q_0 [rad] about the axis `first`, then by q_1 about `second`, which moves with the first."""
    twists = [revolute_twist(a, what=f"universal: the {n} axis") for a, n in ((first, "first"), (second, "second"))]
    apart = np.linalg.norm(np.cross(twists[0][:3], twists[1][:3]))
    require(apart > 1e-9, "universal: the axes must not be parallel", BadValue, first=first, second=second)
    return product(twists, [linear(0), linear(1)], coordinates=names, title="universal")
