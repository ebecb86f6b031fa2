"""A scalar function of a joint's coordinates, and what can be made of two: sums, products, compositions.

A `Function` is already in the form that kernels consume: a grid, and a term with constants for each of its rows.
Products and compositions are exact where the form allows it, else they are compiled to pieces (their `.error` says how
well); a sum stays a sum and becomes several factors of one twist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import BadShape, BadValue, NotFinite, NotSupported, require
from ...spatial.arrays import real_numbers
from ...splines import interpolate, with_continuation
from ...typing import ArrayLike
from ..segments import POLYNOMIAL, SINUSOID, Grid, Term
from .common_pieces import common_breaks, with_crossings, wraps_on
from .values import recentered, rows_and_locals, term_values

ORDERS = {1: 16, 2: 10}  # of pieces, by coordinates: wide ones have exact derivatives, but powers multiply
FEWEST = 8  # with more coordinates


class Algebra:
    """The operators that functions and sums of them share; `parts` are the functions added up."""

    parts: tuple[Function, ...]

    def __add__(self, other) -> Sum:
        return Sum(self.parts + as_function(other).parts)

    def __mul__(self, other) -> Function | Sum:
        if isinstance(other, Algebra):
            return total([product(f, g) for f in self.parts for g in other.parts])
        return total([replace(f, weight=f.weight * float(other)) for f in self.parts])

    def __sub__(self, other) -> Sum:
        return self + (-1.0) * as_function(other)

    def __rsub__(self, other) -> Sum:
        return as_function(other) + (-1.0) * self

    def __neg__(self) -> Function | Sum:
        return self * -1.0

    __radd__, __rmul__ = __add__, __mul__

    def __call__(self, *q) -> Any:
        """The value at q, or the composition if q is a function; several coordinates are several arguments."""
        if len(q) == 1 and isinstance(q[0], Algebra):
            return total([composition(f, q[0]) for f in self.parts])
        return self._values(q, (0,) * len(self.coordinates))

    def derivative(self, *q: ArrayLike, order: int | tuple[int, ...] = 1) -> Any:
        """A derivative of the function, exact to round-off for the stored pieces.

        Parameters
        ----------
        *q : array_like
            One argument for each of `coordinates`, numbers or arrays that broadcast.
        order : int or tuple of int
            How often to differentiate; with several coordinates one number for each: (1, 0) is ∂φ/∂q_0.

        Returns
        -------
        float or ndarray
            The (partial) derivative at q. At a breakpoint it is that of the piece to the right, at the last one that of
            the last piece; beyond the domain of a spline that of its linear continuation.

        Raises
        ------
        BadValue
            If the order is not a whole number ≥ 0, one for each coordinate.

        Examples
        --------
        >>> import condyle as cd
        >>> float(cd.functions.polynomial([0, 0, 1]).derivative(3.0))
        6.0
        """
        n = len(self.coordinates)
        orders = tuple(order) if isinstance(order, (tuple, list)) else (order,) if n < 2 else ()
        whole = all(isinstance(k, (int, np.integer)) and k >= 0 for k in orders)
        words = "derivative: the order is a whole number ≥ 0"
        words = words if n < 2 else f"{words} for each of the {n} coordinates, such as {(1,) + (0,) * (n - 1)}"
        require(whole and len(orders) == max(1, n), words, BadValue, order=order)
        return self._values(q, orders)

    def _values(self, q: tuple, orders: Sequence[int]) -> Any:
        """The sum over the parts of the partial derivatives of these orders, one for each coordinate."""
        x = arguments(q, self.coordinates)
        return np.sum([_part(f, self.coordinates, x, orders) for f in self.parts], axis=0)[()]

    @property
    def coordinates(self) -> tuple[int, ...]:
        """The coordinates it reads, in the order of its arguments."""
        return tuple(dict.fromkeys(c for f in self.parts for c in f.term.coordinates))


@dataclass(frozen=True, eq=False, repr=False)
class Function(Algebra):
    """φ(q) = weight · term(q), with the term's constants on the rows of a grid; `error` is relative to max |φ|.

    Attributes
    ----------
    grid : Grid
        Coordinates, breakpoints and periods of the pieces.
    term : Term
        The constants of every piece.
    text : str
        For messages.
    weight : float
        A factor.
    error : float
        Of the pieces, relative to max |φ|; 0 where they are exact.
    kinked : bool
        Whether its slope jumps at breakpoints: for couplings, not for joints.
    derivative_errors : tuple of three float
        Estimates for the first three derivatives by one coordinate, each relative to its largest value.
    """

    grid: Grid
    term: Term
    text: str
    weight: float = 1.0
    error: float = 0.0
    kinked: bool = False  # its slope jumps at breakpoints: for couplings, not for joints
    derivative_errors: tuple[float, ...] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        c = self.term.coordinates
        good = len(set(c)) == len(c) and all(isinstance(i, int | np.integer) and i >= 0 for i in c)
        require(good, "a function's coordinates are different numbers 0, 1, …", BadValue, coordinates=c)
        require(
            np.isfinite(self.weight), "a function can be multiplied by finite numbers only", NotFinite, by=self.weight
        )

    @property
    def parts(self) -> tuple[Function, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]  # frozen: read only
        """Itself: a sum of one."""
        return (self,)

    def __repr__(self) -> str:
        weight = "" if self.weight == 1.0 else f"{self.weight:g} · "
        return f"<φ = {weight}{self.text}{self._written_errors() if self.error else ''}>"

    def _written_errors(self) -> str:
        derivatives = " ".join(f"{e:.0e}" for e in self.derivative_errors)
        return f", error {self.error:.1e}{f', of derivatives {derivatives}' if any(self.derivative_errors) else ''}"


@dataclass(frozen=True, eq=False, repr=False)
class Sum(Algebra):
    """Functions added up: as a joint's function, several factors of one twist.

    Attributes
    ----------
    parts : tuple of Function
    """

    parts: tuple[Function, ...]

    def __repr__(self) -> str:
        return " + ".join(map(repr, self.parts))


def _part(f: Function, coordinates: tuple[int, ...], x: np.ndarray, orders: Sequence[int]) -> np.ndarray:
    """A partial derivative of f at x, whose last axis and the orders follow `coordinates`: zero by those f ignores."""
    places = [coordinates.index(c) for c in f.term.coordinates]
    if sum(orders) > sum(orders[i] for i in places):
        return np.zeros(x.shape[:-1])
    return f.weight * term_values(f.grid, f.term, x[..., places], [orders[i] for i in places])


def as_function(x) -> Algebra:
    """A function, or a number made a constant one."""
    if isinstance(x, Algebra):
        return x
    return Function(Grid(), Term(POLYNOMIAL, (), np.array([float(x)])), f"{float(x):g}")


def total(parts: Sequence[Algebra]) -> Function | Sum:
    """One function if there is one, else their sum."""
    flat = tuple(f for part in parts for f in part.parts)
    return flat[0] if len(flat) == 1 else Sum(flat)


def arguments(q: tuple, coordinates: tuple[int, ...]) -> np.ndarray:
    """The arguments broadcast together, coordinates last; a constant takes (and ignores) any."""
    expected = f"a function of {len(coordinates)} coordinates takes {len(coordinates)} arguments"
    require(len(q) == len(coordinates) or not coordinates, expected, BadShape, given=len(q))
    given = [real_numbers(x, "a function's argument") for x in q]
    return np.stack(np.broadcast_arrays(*given), axis=-1) if given else np.zeros(0)


def product(f: Function, g: Function, domain: Mapping[int, tuple[float, float]] | None = None) -> Function:
    """f · g. Exact for polynomials, for pieces of different coordinates and of one; else compiled to pieces.

    Pieces of one coordinate are multiplied as they are if the product has at most 16 powers.

    Parameters
    ----------
    f : Function
    g : Function
    domain : mapping of int to pair of float, optional
        (low, high) of coordinates on which neither f nor g has a grid.

    Returns
    -------
    Function
    """
    if domain is None and f.term.code == g.term.code == POLYNOMIAL:
        if not set(f.term.coordinates) & set(g.term.coordinates):
            return outer(f, g)
        if not f.grid.breaks and not g.grid.breaks and f.term.coordinates == g.term.coordinates:
            return multiplied(f, g)
        if f.term.coordinates == g.term.coordinates and len(f.term.coordinates) == 1 and powers_of(f, g) <= ORDERS[1]:
            return multiplied_pieces(f, g)
    text = f"({f.text}) · ({g.text})"
    coordinates = Sum((f, g)).coordinates
    box = [common_breaks((f, g), c, domain, text) for c in coordinates]
    wraps = tuple(wraps_on((f, g), c) for c in coordinates)

    def values(points: np.ndarray) -> np.ndarray:
        q = dict(zip(coordinates, points.T, strict=True))
        return f(*(q[c] for c in f.coordinates)) * g(*(q[c] for c in g.coordinates))

    def around(z: np.ndarray) -> np.ndarray:
        return at_complex(f, coordinates, z) * at_complex(g, coordinates, z)

    analytic = around if is_analytic(f, g) else None
    return compiled(values, coordinates, tuple(box), None, 1e-12, wraps, text, analytic)


def outer(f: Function, g: Function) -> Function:
    """The product of polynomial pieces of different coordinates: every cell of one with every cell of the other."""
    grid = Grid(*(getattr(f.grid, n) + getattr(g.grid, n) for n in ("coordinates", "breaks", "periodic")))
    a, b = f.term.constants, g.term.constants
    both = np.multiply.outer(a, b)  # rows_f, powers_f, rows_g, powers_g
    both = np.moveaxis(both, a.ndim, 1).reshape(grid.rows, *a.shape[1:], *b.shape[1:])
    term = Term(POLYNOMIAL, f.term.coordinates + g.term.coordinates, both)
    return _of_two(f, g, grid, term)


def _of_two(f: Function, g: Function, grid: Grid, term: Term) -> Function:
    """An exact product, with the errors of its factors."""
    derivatives = tuple(a + b for a, b in zip(f.derivative_errors, g.derivative_errors, strict=True))
    text, kinked = f"({f.text}) · ({g.text})", f.kinked or g.kinked
    return Function(grid, term, text, f.weight * g.weight, f.error + g.error, kinked, derivatives)


def powers_of(f: Function, g: Function) -> int:
    """How many powers the product of two polynomials of one coordinate has."""
    return f.term.constants.shape[1] + g.term.constants.shape[1] - 1


def multiplied_pieces(f: Function, g: Function) -> Function:
    """The product of polynomial pieces of one coordinate, on the breakpoints of both where they overlap."""
    coordinate = f.term.coordinates[0]
    breaks = common_breaks((f, g), coordinate, None, f"({f.text}) · ({g.text})")
    middles = 0.5 * (breaks[1:] + breaks[:-1])
    a, b = (shifted_rows(x, middles) for x in (f, g))
    rows = np.array([np.convolve(p, q) for p, q in zip(a, b, strict=True)])
    grid = Grid((coordinate,), (breaks,), (wraps_on((f, g), coordinate),))
    return _of_two(f, g, grid, Term(POLYNOMIAL, (coordinate,), with_continuation(breaks, rows)))


def shifted_rows(f: Function, centers: np.ndarray) -> np.ndarray:
    """The polynomials of one coordinate that hold at `centers`, in powers of the distance from there."""
    rows, u = rows_and_locals(f.grid, f.term, centers[:, None])
    return recentered(f.term.constants[rows], u[:, 0])


def multiplied(f: Function, g: Function) -> Function:
    """The product of two polynomials of the same coordinates."""
    a, b = f.term.constants[0], g.term.constants[0]
    c = np.zeros(tuple(m + n - 1 for m, n in zip(a.shape, b.shape, strict=True)))
    for index in np.ndindex(a.shape):
        c[tuple(slice(i, i + n) for i, n in zip(index, b.shape, strict=True))] += a[index] * b
    term = Term(POLYNOMIAL, f.term.coordinates, c[None])
    return Function(Grid(), term, f"({f.text}) · ({g.text})", f.weight * g.weight)


def composition(f: Function, g: Algebra, domain: Mapping[int, tuple[float, float]] | None = None) -> Function | Sum:
    """f(g(q)). Exact if f is linear or g is a coordinate, else compiled to pieces that end where g meets those of f.

    Parameters
    ----------
    f : Function
    g : Function
    domain : mapping of int to pair of floats, optional
        (low, high) of coordinates without a grid.

    Returns
    -------
    Function or sum of functions

    Raises
    ------
    BadValue
        If f has several coordinates.
    """
    if not f.coordinates:
        return f
    require(len(f.coordinates) == 1, "only a function of one coordinate can be applied to another", f=f)
    if domain is None and f.term.code == POLYNOMIAL and not f.grid.breaks and f.term.constants.shape[1] <= 2:
        return total(
            [g * (f.weight * c) if p else as_function(f.weight * c) for p, c in enumerate(f.term.constants[0])]
        )
    text = f"({f.text}) at {' + '.join(p.text for p in g.parts)}"
    if domain is None and is_coordinate(g):
        return reading(f, g.coordinates, text)
    box = [common_breaks(g.parts, c, domain, text) for c in g.coordinates]
    if len(box) == 1 and f.grid.breaks:
        box = [with_crossings(g, box[0], f.grid.breaks[0])]
    wraps = tuple(wraps_on(g.parts, c) for c in g.coordinates)

    def around(z: np.ndarray) -> np.ndarray:
        return at_complex(f, f.coordinates, at_complex(g, g.coordinates, z)[:, None])

    analytic = around if is_analytic(f, *g.parts) else None
    return compiled(lambda points: f(g(*points.T)), g.coordinates, tuple(box), None, 1e-12, wraps, text, analytic)


def is_analytic(*functions: Function) -> bool:
    """Whether all are polynomials or sinusoids without pieces, which take complex numbers."""
    return all(not f.grid.breaks and f.term.code in (POLYNOMIAL, SINUSOID) for f in functions)


def at_complex(f: Algebra, coordinates: tuple[int, ...], z: np.ndarray) -> np.ndarray:
    """The value at complex points (N, n), whose last axis follows `coordinates`."""
    places = [[coordinates.index(c) for c in part.term.coordinates] for part in f.parts]
    pairs = zip(f.parts, places, strict=True)
    return np.sum([part.weight * term_values(part.grid, part.term, z[:, at]) for part, at in pairs], axis=0)


def is_coordinate(g: Algebra) -> bool:
    """Whether a function is the coordinate it reads."""
    one = g.parts[0]
    plain = len(g.parts) == 1 and one.term.code == POLYNOMIAL and len(one.term.coordinates) == 1 and not one.grid.breaks
    return plain and (one.weight * one.term.constants).tolist() == [[0.0, 1.0]]


def reading(f: Function, coordinates: tuple[int, ...], text: str) -> Function:
    """The same function of other coordinates."""
    other = dict(zip(f.term.coordinates, coordinates, strict=True))
    grid = replace(f.grid, coordinates=tuple(other[c] for c in f.grid.coordinates))
    return replace(f, grid=grid, term=replace(f.term, coordinates=coordinates), text=text)


def restricted(f: Function, domain: Mapping[int, tuple[float, float]]) -> Function:
    """f as pieces that end at the ends of a domain, which says them for every coordinate without a grid."""
    missing = [c for c in f.coordinates if c not in domain and c not in f.grid.coordinates]
    words = f"{f.text} reads coordinates {missing} too, which have no domain to make pieces on; give one for each"
    require(not missing, words, NotSupported)
    box = tuple(common_breaks((f,), c, domain, f.text) for c in f.coordinates)
    wraps = (False,) * len(box)
    analytic = (lambda z: at_complex(f, f.coordinates, z)) if is_analytic(f) else None
    made = compiled(lambda points: f(*points.T), f.coordinates, box, None, 1e-12, wraps, f.text, analytic)
    off = tuple(a + b for a, b in zip(made.derivative_errors, f.derivative_errors, strict=True))
    return replace(made, error=made.error + f.error, derivative_errors=off)


def compiled(
    values, coordinates, breaks, order: int | None, tolerance: float, periodic, text: str, analytic=None
) -> Function:
    """The pieces of `values`, which takes points (N, n), as a function; `analytic` takes complex ones.

    An order of None is the one that suits the number of coordinates.
    """
    order = order or ORDERS.get(len(breaks), FEWEST)
    pieces = interpolate(values, breaks, order, tolerance, periodic, text, analytic)
    grid = Grid(tuple(coordinates), pieces.breaks, tuple(periodic))
    constants = pieces.table.reshape(grid.rows, *pieces.table.shape[len(breaks) :])
    size = " × ".join(str(len(b) - 1) for b in pieces.breaks)
    domain = ", ".join(f"q{c} in [{b[0]:g}, {b[-1]:g}]" for c, b in zip(coordinates, pieces.breaks, strict=True))
    orders = " × ".join(map(str, constants.shape[1:]))
    described = f"{text} on {domain} as {size} pieces of order {orders}"
    term = Term(POLYNOMIAL, tuple(coordinates), constants)
    return Function(grid, term, described, error=pieces.error, derivative_errors=pieces.derivative_errors)
