"""Whether segments fit together, and names of coordinates.

Kernels trust the numbers of rows and coordinates that a joint was made with.
"""

from __future__ import annotations

import re
from math import prod

import numpy as np

from ..errors import BadShape, BadValue, require, require_plain
from .segments import ELLIPSE, FACTORS, POLYNOMIAL, SINUSOID, WIDTHS, Grid, Segment, Term, require_few

# what constructors call coordinates that nobody named; `compose` numbers those that occur again: angle, angle_2
_DEFAULT = re.compile(r"(angle|distance|rotation|pose|first|second|x|y|q\d*)(_\d+)?")


def check_names(names: tuple[str, ...]) -> None:
    """Coordinate names are distinct non-empty strings without a dot, which joins joint and coordinate."""
    good = all(isinstance(n, str) and n and "." not in n for n in names)
    require(good, "coordinate names must be non-empty strings without a dot", BadValue, names=names)
    require(len(set(names)) == len(names), "coordinate names must differ", BadValue, names=names)
    for name in names:
        require_plain(name, "coordinate")


def is_default_name(name: str) -> bool:
    """Whether a constructor gives a coordinate this name by itself, so that it does not tell one joint from another."""
    return _DEFAULT.fullmatch(name) is not None


LONGEST = 64  # coefficients of a polynomial along one coordinate
CONSTANTS = {SINUSOID: ("sinusoid", 4), ELLIPSE: ("ellipse", 2)}


def check_segments(segments: tuple[Segment, ...], count: int, what: str) -> None:
    """Refuse segments whose arrays do not go together, or that read other coordinates than 0 … count − 1."""
    require(segments, f"{what}: a joint needs at least one segment", BadShape)
    for k, segment in enumerate(segments):
        check_segment(segment, count, f"{what}, segment {k}")
    check_quaternions(segments, what)


def check_segment(segment: Segment, count: int, what: str) -> None:
    """One segment: its coordinates, its rows, and one twist in each row for each term."""
    require(segment.kind in WIDTHS, f"{what}: there is no such kind of segment", BadValue, kind=segment.kind)
    check_grid(segment.grid, segment.kind, count, what)
    rows, m = prod(segment.grid.shape) if segment.kind == FACTORS else 0, len(segment.terms)
    require(segment.kind == FACTORS or m == 0, f"{what}: a quaternion has no terms", BadShape, terms=m)
    for name, array, shape in (("poses", segment.poses, (rows, 4, 4)), ("twists", segment.twists, (rows, m, 6))):
        require(array.shape == shape, f"{what}: {name} must have shape {shape}", BadShape, shape=array.shape)
    for k, term in enumerate(segment.terms):
        check_term(term, rows, count, f"{what}, term {k}")


def check_grid(grid: Grid, kind: int, count: int, what: str) -> None:
    """Different coordinates of the joint, each with rising breakpoints; a quaternion's is looked up nowhere."""
    n = len(grid.coordinates)
    check_coordinates(grid.coordinates, count, what)
    if kind != FACTORS:
        require(n == 1, f"{what}: a quaternion is one coordinate", BadShape, coordinates=grid.coordinates)
        require(not grid.breaks, f"{what}: a quaternion has no grid", BadShape)
        return
    expected = f"{what}: a grid has one array of breaks and one periodic flag for each of its coordinates"
    same = n == len(grid.breaks) == len(grid.periodic)
    require(same, expected, BadShape, coordinates=n, breaks=len(grid.breaks), periodic=len(grid.periodic))
    require_few(n, what)
    for b in grid.breaks:
        good = b.ndim == 1 and len(b) >= 2 and bool((b[1:] > b[:-1]).all())
        require(good, f"{what}: breaks must be two or more increasing numbers", BadValue)


def check_term(term: Term, rows: int, count: int, what: str) -> None:
    """Constants for one row or for all, as many as the function has."""
    check_coordinates(term.coordinates, count, what)
    shape, read = term.constants.shape, len(term.coordinates)
    require(read > 0, f"{what}: a term reads at least one coordinate", BadValue, coordinates=term.coordinates)
    require(shape[:1] in ((1,), (rows,)), f"{what}: constants must have {rows} rows", BadShape, shape=shape)
    if term.code == POLYNOMIAL:
        expected = f"{what}: constants must have one axis for the rows and one of 1 … {LONGEST} for each coordinate"
        good = len(shape) == 1 + read and all(1 <= n <= LONGEST for n in shape[1:])
    else:
        require(term.code in CONSTANTS, f"{what}: there is no such kind of function", BadValue, code=term.code)
        name, width = CONSTANTS[term.code]
        expected = f"{what}: a {name} has {width} constants in each row and one coordinate"
        good = shape[1:] == (width,) and read == 1
    require(good, expected, BadShape, shape=shape)
    positive = term.code != ELLIPSE or bool((term.constants > 0).all())
    require(positive, f"{what}: an ellipse needs positive semi-axes", BadValue)


def check_coordinates(coordinates: tuple[int, ...], count: int, what: str) -> None:
    """Different numbers 0 … count − 1."""
    whole = all(isinstance(c, (int, np.integer)) and 0 <= c < count for c in coordinates)
    good = whole and len(set(coordinates)) == len(coordinates)
    require(good, f"{what}: coordinates are different numbers 0 … {count - 1}", BadValue, coordinates=coordinates)


def check_quaternions(segments: tuple[Segment, ...], what: str) -> None:
    """A quaternion is read by its own segment alone."""
    quaternions = [s.grid.coordinates[0] for s in segments if s.kind != FACTORS]
    factors = [s for s in segments if s.kind == FACTORS]
    read = {c for s in factors for c in (*s.grid.coordinates, *(c for t in s.terms for c in t.coordinates))}
    clash = read.intersection(quaternions)
    good = len(set(quaternions)) == len(quaternions) and not clash
    which = sorted(clash) or quaternions
    require(good, f"{what}: a quaternion's coordinate is read once only", BadValue, coordinates=which)
