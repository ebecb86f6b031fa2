"""How often a run returns from compiled code: for Ctrl-C, and for a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..progress import reporting
from ..typing import Progress

SECONDS = 0.1  # of compiled steps between two returns to Python, where signals are seen
FASTER = 8  # how much longer than the last one a stretch of steps may become


class Pace:
    """The number of steps to take at once, from how long the last ones took."""

    def __init__(self, first: int = 1) -> None:
        self.steps, self.seconds = first, SECONDS

    def took(self, steps: int, seconds: float) -> None:
        """Learn from a stretch of steps."""
        affordable = int(steps * self.seconds / max(seconds, 1e-9))
        self.steps = max(1, min(FASTER * self.steps, affordable))


@contextmanager
def progress_bar(total: int, progress: Progress) -> Iterator[Callable[[int], None]]:
    """A function that is told of further steps and reports how many of `total` are done."""
    done = 0
    with reporting(progress) as report:

        def advanced(steps: int) -> None:
            nonlocal done
            done += steps
            report("simulating", done, total)

        yield advanced
