"""Rows of results, one of each state, from numbers of lanes."""

from typing import Any, NamedTuple

from ....numeric import LARGE, inlined, kernel, pick, width, write_run
from .cotangent_layout import BODY


class BodyRows(NamedTuple):
    """Where cotangents of all bodies go: rows `first` … of an array, before `stop`, times a sign."""

    array: Any
    first: int
    stop: int
    sign: float


@kernel
def unpack_runs(z, x, count, sign, OUT, first, stop):
    """`unpack` of many numbers times a sign, by squares of as many numbers as there are lanes."""
    w, rows = width(z), min(width(z), stop - first)
    whole = count // w * w if rows == w else 0
    for k in range(0, whole, w):
        write_run(z, x, k, sign, OUT, first, k)
    for l in range(rows):
        for k in range(whole, count):
            OUT[first + l, k] = sign * pick(z, x, k, l)


@inlined
def writes_each(z, each, rows):
    """Whether `write_body` writes: all numbers of bodies, of as many states as there are lanes, past the cache.

    What goes through the cache is quicker written in one go, in the order of memory.
    """
    return each == BODY and rows.stop - rows.first >= width(z) and 8 * rows.array.size >= LARGE


@inlined
def write_body(z, i, each, rows, x):
    """Write all numbers of body i, unless rows = None; memory takes them while the next body is calculated."""
    if rows is not None:  # noqa: SIM102 - decided when compiling
        if writes_each(z, each, rows):
            for k in range(i * BODY, (i + 1) * BODY, width(z)):
                write_run(z, x, k, rows.sign, rows.array, rows.first, k)
