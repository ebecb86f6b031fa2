"""The value of a term in numpy, straight from the definitions of `form`: for people and for building, not for speed."""

from __future__ import annotations

import numpy as np

from ...splines import locate_rows
from ..form import ELLIPSE, SINUSOID, Grid, Term

__all__ = ["term_values", "wrapped"]


def term_values(grid: Grid, term: Term, q: np.ndarray) -> np.ndarray:
    """φ at q, whose last axis follows `term.coordinates`."""
    rows, u = rows_and_locals(grid, term, q)
    c = term.constants[rows]
    if term.code == SINUSOID:
        return c[..., 0] + c[..., 1] * np.sin(c[..., 2] * q[..., 0] + c[..., 3])
    if term.code == ELLIPSE:
        return ellipse_values(c[..., 0], c[..., 1], q[..., 0])
    for axis in reversed(range(u.shape[-1])):
        lead = (1,) * axis  # the powers of the earlier coordinates stand between the batch and this one's
        x = u[..., axis].reshape(u.shape[:-1] + lead + (1,))
        c = (c * x ** np.arange(c.shape[-1])).sum(axis=-1)
    return c


def rows_and_locals(grid: Grid, term: Term, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The table row of every q, and the local variables u along the last axis."""
    u = np.array(q)
    rows = np.zeros(q.shape[:-1], int)
    for axis, coordinate in enumerate(grid.coordinates):
        i = term.coordinates.index(coordinate)
        x = wrapped(q[..., i], grid.breaks[axis]) if grid.periodic[axis] else q[..., i]
        here = locate_rows(grid.breaks[axis], x)
        rows = rows * grid.shape[axis] + here
        u[..., i] = x - grid.centers(axis)[here]
    return rows, u


def wrapped(q: np.ndarray, breaks: np.ndarray) -> np.ndarray:
    """q moved by whole periods into [first, last)."""
    return breaks[0] + np.mod(q - breaks[0], breaks[-1] - breaks[0])


def ellipse_values(a, b, q) -> np.ndarray:
    """atan2(b sin q, a cos q) without its jumps: q plus an angle that stays within a right angle."""
    s, c = np.sin(q), np.cos(q)
    return q + np.arctan2((b - a) * s * c, a * c * c + b * s * s)
