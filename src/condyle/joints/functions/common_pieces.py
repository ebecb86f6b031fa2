"""The pieces that functions of one coordinate have together: breakpoints of all, where they overlap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from ...errors import NotSupported, require
from ..segments import Grid, Term


class Pieces(Protocol):
    """A grid, and a term with constants for each of its rows."""

    @property
    def grid(self) -> Grid: ...
    @property
    def term(self) -> Term: ...


def common_breaks(functions: Sequence[Pieces], coordinate: int, domain, text: str) -> np.ndarray:
    """All breakpoints of a coordinate inside the domain that the functions share, or that the caller gave."""
    found = [dict(zip(f.grid.coordinates, f.grid.breaks, strict=True)).get(coordinate) for f in functions]
    found = [b for b in found if b is not None]
    if domain and coordinate in domain:
        found.append(np.asarray(domain[coordinate], float))
    if not found:
        raise NotSupported(
            f"{text} has no closed form and coordinate {coordinate} has no domain to make pieces on. Say it: "
            f"functions.product(f, g, domain={{{coordinate}: (low, high)}}) or functions.composition(f, g, domain=…)."
        )
    low, high = max(float(b[0]) for b in found), min(float(b[-1]) for b in found)
    require(low < high, f"{text}: the domains on coordinate {coordinate} do not overlap", low=low, high=high)
    breaks = reduce(np.union1d, found)
    return breaks[(breaks >= low) & (breaks <= high)]


def wraps_on(functions: Sequence[Pieces], coordinate: int) -> bool:
    """Periodic, if every function that reads the coordinate is, with the same ends."""
    readers = [f for f in functions if coordinate in f.term.coordinates]
    axes = [(f.grid, f.grid.coordinates.index(coordinate)) for f in readers if coordinate in f.grid.coordinates]
    ends = {(g.breaks[i][0], g.breaks[i][-1]) for g, i in axes}
    return len(axes) == len(readers) and len(ends) == 1 and all(g.periodic[i] for g, i in axes)


def with_crossings(g: Callable[[Any], Any], breaks: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """The breakpoints of g and the places where it passes one of `levels`."""
    from scipy.optimize import brentq  # slow to load, and rarely needed

    q = np.unique(np.concatenate([np.linspace(a, b, 33) for a, b in pairwise(breaks)]))
    found = []
    for level in levels:
        side = g(q) - level
        for i in np.flatnonzero(side[:-1] * side[1:] < 0):
            found.append(brentq(lambda x, level=level: float(g(x) - level), q[i], q[i + 1], xtol=1e-15))
    near = 1e-9 * (breaks[-1] - breaks[0])
    return np.sort(np.append(breaks, [x for x in found if np.abs(breaks - x).min() > near]))
