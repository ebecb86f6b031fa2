"""How a fit tells where it is: `watch(stage, done, total)`, with "iteration" or "smoothing weight" as the stage."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Watch", "silent"]

Watch = Callable[[str, int, int], None]


def silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""
