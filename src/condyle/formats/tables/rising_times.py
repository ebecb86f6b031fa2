"""Whether the times of a table rise from row to row: said with the row and the two times where they do not."""

from __future__ import annotations

import numpy as np

from ...errors import amount, warn


def check_rising(times: np.ndarray, path: str) -> bool:
    """Whether times rise; a warning names the first row that goes back or repeats one. Missing times do not count."""
    rows = np.flatnonzero(np.isfinite(times))
    t = times[rows]
    back = np.flatnonzero(t[1:] <= t[:-1])
    if not len(back):
        return True
    at = int(back[0])
    more = f", the first of {amount(len(back), 'such row')}" if len(back) > 1 else ""
    warn(f"{path}: times do not rise: in row {rows[at + 1] + 1}, {t[at + 1]:.12g} s comes after {t[at]:.12g} s{more}")
    return False
