"""Which bodies carry a body."""

from __future__ import annotations


def carriers(parents: list[int], body: int) -> list[int]:
    """A body and all that carry it; −1, the world, is the last."""
    path = [body]
    while path[-1] >= 0:
        path.append(parents[path[-1]])
    return path
