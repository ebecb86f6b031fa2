"""What a kernel may do with a number, whatever its type.

A kernel takes a zero of the number type first: `0.0` (one state), `LANES` (several states side by side in SIMD
registers), `DUALS` (the same, each with its derivative along a direction) or `0j` (complex step). Arrays hold numbers
interleaved by lane: number k of lane l is `x[k * width + l]`; of dual numbers the derivatives of a number follow its
values.
The bodies here are the plain-Python meaning; the compiled ones for every type are registered in `memory_overloads`
and `function_overloads`.
Comparisons, floor and clamps look at the real part, so complex steps pass through them.
"""

from __future__ import annotations

import cmath
import math
from typing import Any, NamedTuple

import numpy as np

from .dual_numbers import Dual, SlopeNumber, as_dual, dual_arctan, dual_sincos, dual_sqrt
from .entries.code_source import COMPILED


class LaneZero:
    """The zero that asks a compiled entry point for SIMD lanes."""

    def __repr__(self) -> str:
        return "LANES"


class DualZero:
    """The zero that asks a compiled entry point for dual numbers on SIMD lanes."""

    def __repr__(self) -> str:
        return "DUALS"


class Tables(NamedTuple):
    """What kernels read and never write: integers, and floats."""

    codes: Any
    numbers: Any


LANES = LaneZero() if COMPILED else 0.0  # uncompiled, a batch is one state after the other
DUALS = DualZero() if COMPILED else Dual(0.0)  # an entry takes and gives them as complex numbers: value + derivative i
LANE_WIDTH = 8 if COMPILED else 1  # states in one number of the lane type
ALIGNMENT = 64  # bytes: a cache line, and the widest register
LARGE = 2**23  # bytes of an array of which little is in a cache when it is read again

# Cody-Waite split of π/2: the first two parts have 33 bits, so k·part is exact for |k| < 2^20.
HALF_PI = (1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
TWO_OVER_PI = 0.63661977236758134308
ROUNDER = 6755399441055744.0  # 1.5 · 2^52: adding it rounds to an integer held in the low bits
FAR = 1.0e6  # beyond this the library functions reduce the argument


def width(z) -> int:
    """How many states one number of this type holds."""
    return LANE_WIDTH if isinstance(z, (LaneZero, DualZero)) else 1


def scratch(z, count):
    """Allocate `count` uninitialised numbers, interleaved by lane. The entry that allocates must `release` them."""
    return np.empty(count, dtype=object if isinstance(z, Dual) else np.result_type(z))


def release(*rooms):
    """Free scratch, given one by one or in tuples: the last thing that an entry does."""


def part(z, room, start):
    """Scratch from number `start` on, which is released with the whole."""
    return room[start:]


def as_scratch(x):
    """An array of the caller's as scratch, row after row, so that kernels need no code of their own for it.

    It is never to be released.
    """
    return x.reshape(-1)


def load(z, x, k):
    """Number k of an interleaved array."""
    return x[k]


def store(z, x, k, value):
    """Put number k into an interleaved array."""
    x[k] = as_dual(value) if isinstance(z, Dual) else value


def put(z, x, k, l, value):
    """Put number k of lane l, from an array of the caller's, into an interleaved array."""
    x[k] = as_dual(value) if isinstance(z, Dual) else value


def pick(z, x, k, l):
    """Number k of lane l of an interleaved array, for an array of the caller's."""
    return complex(x[k].real, x[k].slope) if isinstance(z, Dual) else x[k]


def read_run(z, rows, row, column, x, at):
    """As many numbers from a column on as there are lanes, of a row for each lane, into an interleaved array."""
    for k in range(width(z)):
        for l in range(width(z)):
            put(z, x, at + k, l, rows[row + l, column + k])


def write_run(z, x, at, factor, out, row, column):
    """Numbers at … of an interleaved array, as many as there are lanes, times a factor into a row for each lane."""
    for k in range(width(z)):
        for l in range(width(z)):
            out[row + l, column + k] = factor * pick(z, x, at + k, l)


def expect_run(z, out, row, column):
    """Have the lines of memory that a `write_run` will write brought near while other numbers are calculated."""


def less(a, b):
    """a < b, by real parts."""
    return a.real < b.real


def select(condition, a, b):
    """a where the condition holds, else b."""
    return a if condition else b


def any_lane(condition):
    """Whether a condition holds in any lane."""
    return bool(condition)


def finite(a):
    """Neither NaN nor infinite."""
    if isinstance(a, SlopeNumber):
        return finite(a.value) and finite(a.slope)
    return np.isfinite(a.real) and np.isfinite(a.slope) if isinstance(a, Dual) else np.isfinite(a)


def floor(a):
    """The largest whole number not above (the real part of) a."""
    return float(np.floor(a.real))


def magnitude(a):
    """|a|, by the real part, differentiable by complex step."""
    return -a if a.real < 0 else a


def larger(a, b):
    """The larger of two numbers, by real parts; a where b is NaN."""
    return select(less(a, b), b, a)


def sqrt(a):
    """The square root; its slope at 0, where it has none, is 0."""
    if isinstance(a, SlopeNumber):
        root = sqrt(a.value)
        return SlopeNumber(root, 0.5 * a.slope / root if root.real > 0 else 0.0 * a.slope)
    if isinstance(a, Dual):
        return dual_sqrt(a)
    return cmath.sqrt(a) if isinstance(a, complex) else (math.sqrt(a) if a >= 0 else math.nan)


def arctan(a):
    """The arc tangent."""
    if isinstance(a, SlopeNumber):
        return SlopeNumber(arctan(a.value), a.slope / (1.0 + a.value * a.value))
    if isinstance(a, Dual):
        return dual_arctan(a)
    if isinstance(a, complex):
        x = float(a.real)
        return complex(math.atan(x), a.imag / (1.0 + x * x))
    return math.atan(a)


def sincos(a):
    """The sine and the cosine, to 4e-16."""
    if isinstance(a, SlopeNumber):
        s, c = sincos(a.value)
        return SlopeNumber(s, c * a.slope), SlopeNumber(c, -s * a.slope)
    if isinstance(a, Dual):
        return dual_sincos(a, *sincos(a.real))  # pyright: ignore[reportArgumentType]
    if isinstance(a, complex):
        s, c = sincos(a.real)
        return complex(s * math.cosh(a.imag), c * math.sinh(a.imag)), complex(
            c * math.cosh(a.imag), -s * math.sinh(a.imag)
        )
    return (math.sin(a), math.cos(a)) if math.isfinite(a) else (math.nan, math.nan)


def with_slope(value, slope):
    """A number with a slope, both of one type; its arithmetic gives the slopes of what is computed from it."""
    return SlopeNumber(value, slope)


def value_part(a):
    """The value of a number with a slope, or a number as it is."""
    return a.value if isinstance(a, SlopeNumber) else a


def slope_part(a):
    """The slope of a number with one."""
    return a.slope


def bucket(x, left, right, size):
    """The one of `size` equal intervals of [left, right) that holds x; clamped as a float, so any x gives one."""
    t = (float(x) - float(left)) * (size / (float(right) - float(left)))
    if not t > 0.0:  # NaN too: 0 · ∞, where the interval is so short that its reciprocal overflows
        return 0
    return int(t) if t < size else size - 1


def locate(q, breaks, buckets, first, count, start, size):
    """The span of q among `count` sorted breakpoints, breaks[first : first + count]: how many of them are ≤ q.

    `buckets[start + b]` counts the breakpoints in intervals before b, so a search looks at one interval only and its
    cost does not grow with the count. NaN is in span 0; no q reads outside the tables.
    """
    x = q.real
    left, right = breaks[first], breaks[first + count - 1]
    if not x >= left:  # NaN too
        return 0
    if x >= right:
        return count
    b = start + bucket(x, left, right, size)
    low, high = buckets[b], buckets[b + 1]
    while low < high:
        middle = (low + high) // 2
        if breaks[first + middle] <= x:
            low = middle + 1
        else:
            high = middle
    return low


def next_break(x, y, slack, breaks, buckets, first, count, start, size):
    """The first breakpoint on the way from x to y that is further than `slack` from both; y if there is none."""
    span = locate(x, breaks, buckets, first, count, start, size)
    step = 1 if y.real > x.real else -1
    at = span if step > 0 else span - 1
    while 0 <= at < count:
        b = breaks[first + at]
        if (y.real - b) * step <= slack:
            return y.real
        if (b - x.real) * step > slack:
            return b
        at += step
    return y.real


def row_start(span, stride, offset):
    """Where a row begins in a table."""
    return offset + span * stride


def gather(table, index, k):
    """table[index + k], with an index of its own in every lane."""
    return table[index + k]


def gather4(table, index, k):
    """Four neighbours table[index + k …], with an index of its own in every lane."""
    return table[index + k], table[index + k + 1], table[index + k + 2], table[index + k + 3]


def tables(pair):
    """The tables of an entry from its pair of arrays (integers, floats); reached by address: no negative positions."""
    return Tables(*pair)


def record(kind, codes, at):
    """The record, of a NamedTuple class of integers, at a position of a table; unused fields cost nothing."""
    return kind(*(int(x) for x in codes[at : at + len(kind._fields)]))


def as_int64(k):
    """An integer as a variable of its type: a literal would give the compiler a second specialisation."""
    return k
