"""Rows of results, one of each state, from numbers of lanes."""

from typing import Any, NamedTuple

from ....numeric import LARGE, expect_run, inlined, kernel, pack, pick, read_run, width, write_run
from .cotangent_layout import BODY


class BodyRows(NamedTuple):
    """Where cotangents of all bodies go: rows `first` … of an array, before `stop`, times a sign."""

    array: Any
    first: int
    stop: int
    sign: float


class Wanted(NamedTuple):
    """What is asked for."""

    each: int  # numbers of every body
    frames: Any  # of bodies: the user's, or None where numbers are added up over states
    rows: Any  # BodyRows of what is written body by body, or None
    solves: bool  # whether λ is found from cotangents of accelerations, else it is given


@kernel
def pack_runs(z, IN, first, stop, x):
    """`pack` by squares of as many numbers as there are lanes; the last two may overlap."""
    w, count = width(z), IN.shape[1]
    if count >= w and stop - first >= w:
        for k in range(0, count - w, w):
            read_run(z, IN, first, k, x, k)
        read_run(z, IN, first, count - w, x, count - w)
    else:
        pack(z, IN, first, stop, x)


@kernel
def unpack_runs(z, x, count, sign, OUT, first, stop):
    """`unpack` of many numbers times a sign, by squares of as many numbers as there are lanes."""
    w, rows = width(z), min(width(z), stop - first)
    if count >= w and rows == w:
        for k in range(0, count - w, w):
            write_run(z, x, k, sign, OUT, first, k)
        write_run(z, x, count - w, sign, OUT, first, count - w)
    else:
        for l in range(rows):
            for k in range(count):
                OUT[first + l, k] = sign * pick(z, x, k, l)


@inlined
def writes_each(z, each, rows):
    """Whether `write_body` writes: all numbers of bodies, of as many states as there are lanes, past the cache.

    What goes through the cache is quicker written in one go, in the order of memory.
    """
    return each == BODY and rows.stop - rows.first >= width(z) and 8 * rows.array.size >= LARGE


@inlined
def expect_body(z, i, each, rows):
    """Ask for the memory of the numbers of body i, unless rows = None or they are written past the cache."""
    if rows is not None and rows.stop - rows.first >= width(z) and 8 * rows.array.size < LARGE:
        for k in range(i * each, (i + 1) * each, width(z)):
            expect_run(z, rows.array, rows.first, k)


@inlined
def write_body(z, i, each, rows, x):
    """Write all numbers of body i, unless rows = None; memory takes them while the next body is calculated."""
    if rows is not None:  # noqa: SIM102 - decided when compiling
        if writes_each(z, each, rows):
            for k in range(i * BODY, (i + 1) * BODY, width(z)):
                write_run(z, x, k, rows.sign, rows.array, rows.first, k)
