"""A hinge."""

from __future__ import annotations

from .axes import revolute_twist
from .functions import linear
from .joint import Joint
from .product import product

__all__ = ["revolute"]


def revolute(axis, point=None, *, name: str = "angle") -> Joint:
    """Turn by q [rad] about `axis`, through `point` [m] (default: the origin)."""
    return product([revolute_twist(axis, point)], [linear()], coordinates=(name,), title="revolute")
