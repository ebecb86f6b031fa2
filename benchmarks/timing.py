"""Two programs timed side by side: repeats interleaved, processor time of this process, one thread."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["REPEATS", "Pace", "Timed", "compare", "seconds"]

REPEATS = 9


@dataclass(frozen=True)
class Timed:
    """Something to run and how many units of work one run does."""

    run: Callable
    units: int
    before: Callable = lambda: None  # not timed: puts the state back


@dataclass(frozen=True)
class Pace:
    """Seconds per unit of both, and how many times as fast the first is: the median over repeats of each ratio."""

    first: float
    second: float
    ratio: float


def seconds(timed):
    """Processor seconds per unit of one run."""
    timed.before()
    start = time.process_time()
    timed.run()
    return (time.process_time() - start) / timed.units


def compare(first, second, repeats=REPEATS):
    """Warm both up, then run them in turn."""
    seconds(first), seconds(second)
    times = np.array([[seconds(first), seconds(second)] for _ in range(repeats)])
    return Pace(*np.median(times, axis=0).tolist(), float(np.median(times[:, 1] / times[:, 0])))
