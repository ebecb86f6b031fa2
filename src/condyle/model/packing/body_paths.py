"""Which bodies carry a body."""

from __future__ import annotations


def carriers(parents: list[int], body: int) -> list[int]:
    """A body and all that carry it; −1, the world, is the last."""
    path = [body]
    while path[-1] >= 0:
        path.append(parents[path[-1]])
    return path


def common_carrier(parents: list[int], a: int, b: int) -> int:
    """The nearest of all bodies that are, or carry, both a and b; −1, the world, carries all."""
    return max(set(carriers(parents, a)) & set(carriers(parents, b)))  # numbers rise outward
