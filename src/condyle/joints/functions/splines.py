"""B-spline functions of one coordinate or of several (tensor product), and single cumulative weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import BadShape, NotFinite, require
from ...spatial.arrays import real_numbers
from ...splines import Basis, basis_pieces, clamped_knots, cumulative_pieces, spline_knots, spline_pieces
from ...typing import ArrayLike
from ..segments import POLYNOMIAL, Grid, Term, require_few
from .function import Function


def spline(
    knots: ArrayLike | Sequence[ArrayLike | None] | None,
    controls: ArrayLike,
    order: int | tuple[int, ...] = 4,
    coordinate: int = 0,
    coordinates: Sequence[int] | None = None,
    periodic: bool | tuple[bool, ...] = False,
) -> Function:
    """A B-spline φ(q) = Σ controls_i B_i(q) of any order (4 is cubic), at least C1, continued linearly outside.

    Order 2 is piecewise linear, with kinks at its knots: a coupling may have it, a joint may not.

    One coordinate: `knots` has len(controls) + order entries, or None for clamped knots with unit spans.
    Several: `controls` has one axis for each of `coordinates` (default 0, 1, …) and `knots` is a tuple with one array
    for each; `order` and `periodic` may be tuples. A periodic axis takes the breakpoints of one period, one more than
    its controls.

    Parameters
    ----------
    knots : array_like or None
        Knots; None gives clamped knots with unit spans.
    controls : array_like
        Values of the control points; one axis for each coordinate.
    order : int, optional
        Order of the B-spline: degree + 1; 4 is cubic.
    coordinate : int
        Number of the joint's coordinate that is read.
    coordinates : sequence of int
        Numbers of the joint's coordinates that are read.
    periodic : bool or tuple of bool, optional
        Whether the coordinate wraps.

    Returns
    -------
    Function

    Raises
    ------
    BadShape
        If controls and coordinates do not go together.
    NotFinite
        If a control value is NaN or infinite.
    BadKnots
        If knots fall, or are too few or too many.
    NotSupported
        If it reads more than four coordinates.

    Examples
    --------
    >>> import condyle as cd
    >>> f = cd.functions.spline(None, [0.0, 1.0, 2.0, 3.0, 4.0])
    >>> round(float(f(1.0)), 6)
    2.0
    """
    controls = real_numbers(controls, "spline function: the controls")
    require(np.isfinite(controls).all(), "spline function: the controls must be finite numbers", NotFinite)
    n = controls.ndim
    require(n >= 1, "spline function: controls need one axis for each coordinate", BadShape, shape=controls.shape)
    coordinates = (coordinate,) if n == 1 and coordinates is None else tuple(coordinates or range(n))
    require_few(n, "spline function")
    require(len(coordinates) == n, "spline function: one coordinate for each axis of controls", BadShape, n=coordinates)
    axes: Any = knots if isinstance(knots, tuple) or n > 1 else (knots,)
    bases, grid, closed = spline_axes(axes, controls.shape, order, periodic, coordinates, "spline function")
    pieces = spline_pieces(bases, np.pad(controls, [(0, extra) for extra in closed], mode="wrap"))
    constants = pieces.reshape(grid.rows, *pieces.shape[n:])
    kinked = any(len(b.breaks) > 2 and b.table.shape[1] == 2 for b in bases)
    text = f"spline of {written(coordinates, controls.shape)}"
    return Function(grid, Term(POLYNOMIAL, coordinates, constants), text, kinked=kinked)


def piecewise_linear(points: ArrayLike, values: ArrayLike, coordinate: int = 0) -> Function:
    """Straight lines between `values` at rising `points` of a coordinate, the first and the last going on outside.

    For couplings: its slope jumps at the points between the ends, so a joint refuses it.

    Parameters
    ----------
    points : array_like (n,)
        Two or more rising values of the coordinate [rad or m].
    values : array_like (n,)
        The function there.
    coordinate : int
        The coordinate that it reads.

    Returns
    -------
    Function

    Examples
    --------
    >>> import condyle as cd
    >>> float(cd.functions.piecewise_linear([0, 1, 3], [0, 2, 2])(0.25))
    0.5
    """
    knots = clamped_knots(points, 2)
    return spline(knots, values, 2, coordinate)


def cumulative(knots: ArrayLike, index: int, order: int = 4, coordinate: int = 0) -> Function:
    """The cumulative basis function B̃_index: 0 before its knots, 1 after them.  [LeeTerzopoulos2008, eq. 22]

    Parameters
    ----------
    knots : array_like
        Rising.
    index : int
        Which basis function.
    order : int, optional
        Order of the B-spline: degree + 1; 4 is cubic.
    coordinate : int
        Number of the joint's coordinate that is read.

    Returns
    -------
    Function

    Raises
    ------
    BadValue
        If there is no basis function of this index.
    """
    knots = real_numbers(knots, "cumulative: the knots")
    count = len(knots) - order
    require(0 <= index < count, f"cumulative: the index must be 0 … {count - 1}", index=index)
    basis = cumulative_pieces(spline_knots(knots, count, order, False, "cumulative"), order)
    constants = np.array([cumulative_row(basis, row, index) for row in range(len(basis.first))])
    grid = Grid((coordinate,), (basis.breaks,), (False,))
    return Function(grid, Term(POLYNOMIAL, (coordinate,), constants), f"cumulative({index}, q{coordinate})")


def cumulative_row(basis: Basis, row: int, index: int) -> np.ndarray:
    """The polynomial of B̃_index on a row, where only `order` of them are stored."""
    l, order = index - basis.first[row], basis.table.shape[1]
    if 0 <= l < order:
        return basis.table[row, l]
    return np.eye(order)[0] * (l < 0)


def spline_axes(knots, shape, order, periodic, coordinates, what: str) -> tuple[tuple[Basis, ...], Grid, list[int]]:
    """The basis of every axis, their grid, and how many control points each periodic axis repeats at its end."""
    n = len(shape)
    require(
        isinstance(knots, (tuple, list)) and len(knots) == n,
        f"{what}: {n} coordinates need a tuple of {n} knot arrays",
        BadShape,
        knots=type(knots).__name__,
    )
    orders, wraps = per_axis(order, n, int, what), per_axis(periodic, n, bool, what)
    full = [
        spline_knots(k, m, o, p, f"{what}, coordinate {c}" if n > 1 else what, smooth=o > 2)
        for k, m, o, p, c in zip(knots, shape, orders, wraps, coordinates, strict=True)
    ]
    bases = tuple(basis_pieces(k, o) for k, o in zip(full, orders, strict=True))
    grid = Grid(tuple(coordinates), tuple(b.breaks for b in bases), wraps)
    return bases, grid, [(o - 1) * p for o, p in zip(orders, wraps, strict=True)]


def per_axis(value, n: int, kind: type, what: str) -> tuple:
    """One value for each axis from one for all, or a tuple."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,) * n
    require(len(values) == n, f"{what}: give one order and one periodic flag, or {n} of them", BadShape, values=values)
    return tuple(kind(v) for v in values)


def written(coordinates, shape) -> str:
    """'q0, q1 with 8 × 6 controls'."""
    names = ", ".join(f"q{c}" for c in coordinates)
    return f"{names} with {' × '.join(map(str, shape))} controls"
