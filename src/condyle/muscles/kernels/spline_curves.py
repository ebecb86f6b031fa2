"""Curves of cubic pieces, as laws of muscles have them that are given by points."""

from typing import NamedTuple

from ...numeric import gather, gather4, kernel, locate, record, row_start

STRIDE = 8  # of a row: four coefficients, then the centre, and room


class SplineRecord(NamedTuple):
    """Where the breakpoints of a curve begin, how many there are, how they are found, and where its rows begin."""

    breaks: int
    count: int  # pyright: ignore[reportIncompatibleMethodOverride]  # a record's field hides tuple.count
    buckets: int
    size: int
    rows: int


@kernel
def spline_at(t, at, x):
    """The value at x of the curve whose record is at a position of the codes."""
    r = record(SplineRecord, t.codes, at)
    row = row_start(locate(x, t.numbers, t.codes, r.breaks, r.count, r.buckets, r.size), STRIDE, r.rows)
    a, b, c, d = gather4(t.numbers, row, 0)
    u = x - gather(t.numbers, row, 4)
    return a + u * (b + u * (c + u * d))
