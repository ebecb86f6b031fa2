"""Values and derivatives of a term in numpy, as `segments` defines them: for building and for users."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.polynomial import Polynomial

from ...errors import require
from ...splines import locate_rows
from ..segments import ELLIPSE, POLYNOMIAL, SINUSOID, Grid, Term


def term_values(grid: Grid, term: Term, q: np.ndarray, orders: Sequence[int] = ()) -> np.ndarray:
    """φ at q, whose last axis follows `term.coordinates`, or its partial derivative of these `orders`."""
    orders = orders or (0,) * len(term.coordinates)
    rows, u = rows_and_locals(grid, term, q)
    c = term.constants[rows]
    if term.code == SINUSOID:
        return sinusoid_values(np.moveaxis(c, -1, 0), q[..., 0], orders[0])
    if term.code == ELLIPSE:
        return ellipse_values(c[..., 0], c[..., 1], q[..., 0], orders[0])
    require(term.code == POLYNOMIAL, "term_values knows no such function: it needs a branch here", code=term.code)
    for axis in reversed(range(u.shape[-1])):
        lead = (1,) * axis  # the powers of the earlier coordinates stand between the batch and this one's
        x = u[..., axis].reshape(u.shape[:-1] + lead + (1,))
        factors, powers = differentiated(c.shape[-1], orders[axis])
        c = (c * factors * x**powers).sum(axis=-1)
    return c


def differentiated(count: int, order: int) -> tuple[np.ndarray, np.ndarray]:
    """dⁿ/duⁿ of 1, u, u², …: the factors k!/(k − n)! and the powers k − n, where the factor is not zero."""
    k = np.arange(count)
    factors = np.prod([np.maximum(k - i, 0) for i in range(order)], axis=0, dtype=float, initial=1.0)
    return factors * np.ones(count), np.maximum(k - order, 0)


def sinusoid_values(constants, q, order: int) -> np.ndarray:
    """offset + amplitude sin(frequency q + phase): each derivative is a quarter of a turn ahead."""
    offset, amplitude, frequency, phase = constants
    wave = amplitude * frequency**order * np.sin(frequency * q + phase + 0.5 * np.pi * (order % 4))
    return wave if order else offset + wave


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


def ellipse_values(a, b, q, order: int) -> np.ndarray:
    """atan2(b sin q, a cos q) without its jumps: q plus an angle that stays within a right angle; or a derivative.

    The angle is q − Im log(1 + r e²ⁱᵠ) with r = (a − b)/(a + b). With u = 1/(1 + r e²ⁱᵠ) the derivative of the
    logarithm is 2i (1 − u), and that of u is 2i (u² − u): all are polynomials of u.
    """
    if order == 0:
        s, c = np.sin(q), np.cos(q)
        return q + np.arctan2((b - a) * s * c, a * c * c + b * s * s)
    u, logarithm = 1.0 / (1.0 + (a - b) / (a + b) * np.exp(2j * q)), Polynomial([2j, -2j])
    for _ in range(order - 1):
        logarithm = logarithm.deriv() * Polynomial([0.0, -2j, 2j])
    return (order == 1) - np.imag(logarithm(u))


def recentered(local: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """The same polynomials in powers of a variable that is `shift` smaller."""
    out = local.copy()
    n = out.shape[1]
    for start in range(n - 1):  # Horner's scheme, one power at a time
        for k in range(n - 2, start - 1, -1):
            out[:, k] += shift * out[:, k + 1]
    return out
