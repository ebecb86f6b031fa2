"""A function of a member that keeps one processor busy, in a module that other processes load quickly."""

import numpy as np

__all__ = ["ROUNDS", "busy"]

ROUNDS = 10_000.0


def busy(p):
    """Hundredths of a second of work in the first cache of one processor."""
    x = np.arange(1.0, 2000.0)
    for _ in range(round(p["rounds"])):
        x = 0.5 * (x + 1.0)
    return x.sum()
