"""How often a run returns from compiled code: for Ctrl-C, and for a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Pace", "progress_bar"]

SECONDS = 0.1  # of compiled steps between two returns to Python, where signals are seen
FASTER = 8  # how much longer than the last one a stretch of steps may become


class Pace:
    """The number of steps to take at once, from how long the last ones took."""

    def __init__(self, first: int = 1) -> None:
        self.steps = first

    def took(self, steps: int, seconds: float) -> None:
        """Learn from a stretch of steps."""
        affordable = int(steps * SECONDS / max(seconds, 1e-9))
        self.steps = max(1, min(FASTER * self.steps, affordable))


@contextmanager
def progress_bar(total: int, shown: bool) -> Iterator[Callable[[int], None]]:
    """A function that moves a bar on standard error, if that is a terminal; else it does nothing."""
    if not (shown and sys.stderr is not None and sys.stderr.isatty()):
        yield lambda steps: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("simulating", total=total)
        yield lambda steps: bar.advance(task, steps)
