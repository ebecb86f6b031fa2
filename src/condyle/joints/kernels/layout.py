"""Records of joints in the tables that kernels read: `codes` (integers) and `numbers` (floats).

A record is a run of integers in `codes`, in the order of the fields of its class. Positions in `codes` and `numbers`
that a record holds are absolute.
"""

from typing import NamedTuple


class Segment(NamedTuple):
    """One product of exponentials with its table of rows, or one quaternion."""

    kind: int
    terms: int = 0  # factors of a row
    first_term: int = 0
    axes: int = 0  # coordinates that select a row
    first_axis: int = 0
    rows: int = 0  # where the first row begins in `numbers`
    stride: int = 0
    quaternion_q: int = 0  # where the q and the v of a quaternion begin, relative to the joint
    quaternion_v: int = 0


class Term(NamedTuple):
    """One factor exp(ĝ φ)."""

    code: int  # kind of the function φ
    q: int  # its coordinate in q and in v, relative to the joint
    v: int
    axis: int  # the axis of the grid that has subtracted its centre from the coordinate, or −1
    at: int  # where in the row the factor begins: axis n, rate w, v, 1/w, then the function's constants
    order: int
    dimensions: int
    first_reader: int
    turns: int  # 0 if the factor is a translation in every row


class Reader(NamedTuple):
    """One coordinate of a polynomial in several."""

    q: int
    v: int
    axis: int
    order: int


class Axis(NamedTuple):
    """How a coordinate selects a row."""

    q: int
    breaks: int
    count: int  # pyright: ignore[reportIncompatibleMethodOverride]  # a record's field hides tuple.count
    buckets: int
    size: int
    periodic: int


SEGMENT_SIZE, TERM_SIZE, READER_SIZE, AXIS_SIZE = (len(kind._fields) for kind in (Segment, Term, Reader, Axis))

# a row: centres (padded to 4), pose (rotation by rows, position), factors
POSE = 4
FACTORS_AT = 16
FACTOR_HEAD = 8
CENTERS = 4

# a row of a motion in a plane: centre (padded to 4), pose (cos, sin, x, y), factors: w, vx, vy, 1/w, then constants
PLANE_POSE = 4
PLANE_FACTORS_AT = 8
PLANE_HEAD = 4

# kinds of segment
FACTORS, BALL, FREE = 0, 1, 2
# kinds of scalar function
POLYNOMIAL, SINUSOID, ELLIPSE = 0, 1, 2
