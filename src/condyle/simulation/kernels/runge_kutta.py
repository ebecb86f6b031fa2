"""Explicit Runge-Kutta methods: their tableaus, and the sums that their stages and steps are made of.

The classical method of order 4 needs the slope of the stage before only: stage k stands PARTS[k] of the step along it,
and the step goes along the mean of all slopes by their WEIGHTS, whose sum is TOTAL. The pair of Dormand and Prince has
orders 5 and 4: stage s stands TIMES[s] of the step along the slopes before it times row s of its TABLEAU, the last one
at the end of the step; ERROR times the slopes estimates what the step is off.
"""

import numpy as np

from ...numeric import inlined, load, store

__all__ = ["ERROR", "PARTS", "STAGES", "TABLEAU", "TIMES", "TOTAL", "WEIGHTS", "classical_step", "combine", "copy"]

PARTS = (0.0, 0.5, 0.5, 1.0)
WEIGHTS = (1.0, 2.0, 2.0, 1.0)
TOTAL = 6.0

STAGES = 7
TABLEAU = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
TIMES = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
ERROR = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


@inlined
def copy(z, n, x, y):
    """y = x."""
    for k in range(n):
        store(z, y, k, load(z, x, k))


@inlined
def combine(z, n, x, h, d, y):
    """y = x + h d."""
    for k in range(n):
        store(z, y, k, load(z, x, k) + h * load(z, d, k))


def classical_step(slope, moved, h):
    """One classical step in Python: `slope(part, x)` is asked a part of the step after its start, in states x.

    `moved(part, by, d)` gives the state at that part, `by` [s] along the slopes d from the start of the step.
    """
    d, total = 0.0, 0.0
    for part, weight in zip(PARTS, WEIGHTS, strict=True):
        d = slope(part, moved(part, part * h, d))
        total = total + weight * d
    return moved(1.0, h / TOTAL, total)
