"""A rod in a sleeve."""

from __future__ import annotations

from .axes import prismatic_twist, revolute_twist
from .functions import linear
from .joint import Joint
from .product import product

__all__ = ["cylindrical"]


def cylindrical(axis, point=None, *, names=("angle", "distance")) -> Joint:
    """Turn by q_0 [rad] about `axis` through `point` and slide by q_1 [m] along it."""
    what = "cylindrical: the axis"
    twists = [revolute_twist(axis, point, what=what), prismatic_twist(axis, what)]
    return product(twists, [linear(0), linear(1)], coordinates=names, title="cylindrical")
