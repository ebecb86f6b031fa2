"""Readers of the records of joints, and the arrays that the evaluation of a joint works on."""

from typing import Any, NamedTuple

from ...numeric import inlined, record
from .layout import AXIS_SIZE, READER_SIZE, SEGMENT_SIZE, Axis, Reader, Segment, Term


class JointPlace(NamedTuple):
    """Where the segments of a joint begin in the tables, how many there are, and how many velocities they have."""

    first: int
    segments: int
    nv: int


class JointState(NamedTuple):
    """Coordinates from q[q0] and velocities from v[v0] on; columns (6 numbers per velocity) and work are scratch."""

    q: Any
    q0: int
    v: Any
    v0: int
    columns: Any
    work: Any


@inlined
def segment_at(t, first, k):
    """Segment k of those that begin at a position of the codes."""
    return record(Segment, t.codes, first + k * SEGMENT_SIZE)


@inlined
def term_at(t, at):
    """The factor at a position of the codes."""
    return record(Term, t.codes, at)


@inlined
def reader_at(t, first, k):
    """Coordinate k of a polynomial in several."""
    return record(Reader, t.codes, first + k * READER_SIZE)


@inlined
def axis_at(t, first, k):
    """Axis k of a grid of rows."""
    return record(Axis, t.codes, first + k * AXIS_SIZE)
