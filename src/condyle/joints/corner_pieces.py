"""Joints with corners: where they are, and the smooth joint of one piece between two of them.

At a corner the pose goes on but its derivative jumps. A piece is the same table with the rows between two corners;
beyond its ends it goes on with the polynomial there, to the third power, so that a step that ends at a corner is a
smooth one.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np

from ..errors import NotSupported, require
from .joint import Joint
from .segments import FACTORS, POLYNOMIAL, Grid, Segment, Term

POWERS = 4  # coefficients of a continuation


def recentered(constants: np.ndarray, delta: float) -> np.ndarray:
    """Coefficients (order,) of the same polynomial in u − delta."""
    n = len(constants)
    shift = [[comb(k, j) * float(delta) ** (k - j) if k >= j else 0.0 for k in range(n)] for j in range(n)]
    return np.array(shift) @ constants


def piece_of(joint: Joint, coordinate: int, low: float, high: float, turns: int = 0) -> Joint:
    """The joint with only the rows from one corner (or end) to the next, `turns` periods on."""
    period = joint.domain[coordinate][1] - joint.domain[coordinate][0] if joint.periodic[coordinate] else 0.0
    parts = [_restricted(s, coordinate, low, high, turns * period, joint.title) for s in joint.segments]
    return replace(joint, segments=tuple(parts), corners=(), outside="extend", controls=None)


def _restricted(segment: Segment, c: int, low: float, high: float, shift: float, title: str) -> Segment:
    """A segment between two of its breaks."""
    if segment.kind != FACTORS or c not in segment.grid.coordinates:
        return segment
    plain = segment.grid.coordinates == (c,) and all(
        t.code == POLYNOMIAL and t.coordinates == (c,) for t in segment.terms
    )
    require(plain, f"{title}: a corner of a joint that other coordinates change cannot be passed", NotSupported)
    breaks = segment.grid.breaks[0]
    first, last = (int(np.argmin(np.abs(breaks - x))) for x in (low, high))
    inner = np.arange(1 + first, 1 + last)
    rows = np.concatenate([[1 + first], inner, [last]])
    half = 0.5 * np.array([breaks[first + 1] - breaks[first], breaks[last] - breaks[last - 1]])
    open_ends = [not segment.grid.periodic[0] and first == 0, not segment.grid.periodic[0] and last == len(breaks) - 1]
    rows[[0, -1]] = [0 if open_ends[0] else rows[0], len(breaks) if open_ends[1] else rows[-1]]
    terms = tuple(_continued(t, rows, half, open_ends) for t in segment.terms)
    grid = Grid((c,), (breaks[first : last + 1] + shift,), (False,))
    return Segment(segment.poses[rows], segment.twists[rows], terms, grid)


def _continued(term: Term, rows: np.ndarray, half: np.ndarray, open_ends: list[bool]) -> Term:
    """A term on these rows; the first and the last continue their neighbours, unless they do already."""
    constants = term.constants[rows] if len(term.constants) > 1 else np.repeat(term.constants, len(rows), axis=0)
    for row, delta, done in ((0, -half[0], open_ends[0]), (-1, half[1], open_ends[1])):
        if not done:
            taylor = recentered(constants[row], delta)
            taylor[POWERS:] = 0.0
            constants[row] = taylor
    return replace(term, constants=constants)
