"""The compiled meaning of every function in `numbers`, for floats, complex numbers, lanes and dual lanes."""

# pyright: reportCallIssue=false
# (intrinsics are called without their typing context)

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from . import dual_lanes, lane_rows, lane_search, lane_tables, lanes
from . import number_types as numbers
from . import pointers as memory
from .dual_lanes import dual
from .lane_tables import lane_table_type
from .lanes import WIDTH, lane
from .linked_code import InnerCompiler

HALF_PI, TWO_OVER_PI, ROUNDER, FAR = numbers.HALF_PI, numbers.TWO_OVER_PI, numbers.ROUNDER, numbers.FAR


def compiled_as(function, **options):
    """What follows is the compiled meaning of a function, for kernels to link in."""
    inner: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": InnerCompiler}
    return overload(function, jit_options=inner | options)


def _is_complex(typ) -> bool:
    return isinstance(typ, types.Complex)


@compiled_as(numbers.width)
def _width(z):
    return (lambda z: WIDTH) if z in (lane, dual) else (lambda z: 1)


@compiled_as(numbers.load)
def _load(z, x, k):
    if z == dual:
        return lambda z, x, k: dual_lanes.made(lanes.load_lane(x, 2 * k), lanes.load_lane(x, 2 * k + 1))
    return (lambda z, x, k: lanes.load_lane(x, k)) if z == lane else (lambda z, x, k: memory.read(x, k))


@compiled_as(numbers.scratch)
def _scratch(z, count):
    if z == lane:
        return lambda z, count: memory.take(0.0, count * WIDTH)
    if z == dual:
        return lambda z, count: memory.take(0.0, 2 * count * WIDTH)
    return lambda z, count: memory.take(z, count)


@compiled_as(numbers.part)
def _part(z, room, start):
    if z == lane:
        return lambda z, room, start: memory.part(room, start * WIDTH)
    if z == dual:
        return lambda z, room, start: memory.part(room, 2 * start * WIDTH)
    return lambda z, room, start: memory.part(room, start)


@compiled_as(numbers.as_scratch)
def _as_scratch(x):
    return lambda x: memory.room(x)


@compiled_as(numbers.release)
def _release(*rooms):
    return lambda *rooms: memory.release(rooms)


@compiled_as(numbers.store)
def _store(z, x, k, value):
    if z == dual:

        def both(z, x, k, value):
            lanes.store_lane(x, 2 * k, dual_lanes.value_of(value))
            lanes.store_lane(x, 2 * k + 1, dual_lanes.slope_of(value))

        return both
    if z != lane:
        return lambda z, x, k, value: memory.write(x, k, value)
    if value == lane:
        return lambda z, x, k, value: lanes.store_lane(x, k, value)
    return lambda z, x, k, value: lanes.store_lane(x, k, lanes.splat_lane(value))


@compiled_as(numbers.put)
def _put(z, x, k, l, value):
    if z == dual:

        def both(z, x, k, l, value):
            memory.write(x, 2 * k * WIDTH + l, value.real)
            memory.write(x, (2 * k + 1) * WIDTH + l, value.imag)

        return both
    if z == lane:
        return lambda z, x, k, l, value: memory.write(x, k * WIDTH + l, value)
    return lambda z, x, k, l, value: memory.write(x, k, value)


@compiled_as(numbers.pick)
def _pick(z, x, k, l):
    if z == dual:
        return lambda z, x, k, l: complex(memory.read(x, 2 * k * WIDTH + l), memory.read(x, (2 * k + 1) * WIDTH + l))
    if z == lane:
        return lambda z, x, k, l: memory.read(x, k * WIDTH + l)
    return lambda z, x, k, l: memory.read(x, k)


@compiled_as(numbers.read_run)
def _read_run(z, rows, row, column, x, at):
    if z == lane:
        return lambda z, rows, row, column, x, at: lane_rows.load_rows(rows, row, column, x, at)

    def each(z, rows, row, column, x, at):
        for k in range(numbers.width(z)):
            for l in range(numbers.width(z)):
                numbers.put(z, x, at + k, l, rows[row + l, column + k])

    return each


@compiled_as(numbers.write_run)
def _write_run(z, x, at, factor, out, row, column):
    if z == lane:
        return lambda z, x, at, factor, out, row, column: lane_rows.store_rows(x, at, factor, out, row, column)

    def each(z, x, at, factor, out, row, column):
        for k in range(numbers.width(z)):
            for l in range(numbers.width(z)):
                out[row + l, column + k] = factor * numbers.pick(z, x, at + k, l)

    return each


@compiled_as(numbers.expect_run)
def _expect_run(z, out, row, column):
    if z == lane:
        return lambda z, out, row, column: lane_rows.expect_rows(out, row, column)
    return lambda z, out, row, column: None


@compiled_as(numbers.less)
def _less(a, b):
    if dual in (a, b):
        return lambda a, b: lanes.less_lane(dual_lanes.value_of(a), dual_lanes.value_of(b))
    if lane in (a, b):
        return lambda a, b: lanes.less_lane(a, b)
    return lambda a, b: a.real < b.real


@compiled_as(numbers.select)
def _select(condition, a, b):
    if dual in (a, b):

        def both(condition, a, b):
            value = lanes.select_lane(condition, dual_lanes.value_of(a), dual_lanes.value_of(b))
            return dual_lanes.made(value, lanes.select_lane(condition, dual_lanes.slope_of(a), dual_lanes.slope_of(b)))

        return both
    if condition == lanes.mask:
        return lambda condition, a, b: lanes.select_lane(condition, a, b)
    return lambda condition, a, b: a if condition else b


@compiled_as(numbers.finite)
def _finite(a):
    if a == dual:

        def whole(a):
            size = lanes.abs_lane(dual_lanes.value_of(a)) + lanes.abs_lane(dual_lanes.slope_of(a))
            return lanes.less_lane(size, math.inf)

        return whole
    if a == lane:
        return lambda a: lanes.less_lane(lanes.abs_lane(a), math.inf)
    if _is_complex(a):
        return lambda a: math.isfinite(a.real) and math.isfinite(a.imag)
    return lambda a: math.isfinite(a)


@compiled_as(numbers.floor)
def _floor(a):
    if a == dual:
        return lambda a: dual_lanes.made(lanes.floor_lane(dual_lanes.value_of(a)), lanes.splat_lane(0.0))
    return (lambda a: lanes.floor_lane(a)) if a == lane else (lambda a: np.floor(a.real))


@compiled_as(numbers.magnitude)
def _magnitude(a):
    if a == dual:
        return lambda a: numbers.select(numbers.less(a, 0.0), -a, a)
    return (lambda a: lanes.abs_lane(a)) if a == lane else (lambda a: -a if a.real < 0 else a)


@compiled_as(numbers.sqrt)
def _sqrt(a):
    if a == dual:

        def root(a):
            value, zero = lanes.sqrt_lane(dual_lanes.value_of(a)), lanes.splat_lane(0.0)
            some = lanes.less_lane(zero, value)
            slope = 0.5 * dual_lanes.slope_of(a) / lanes.select_lane(some, value, lanes.splat_lane(1.0))
            return dual_lanes.made(value, lanes.select_lane(some, slope, zero))

        return root
    if a == lane:
        return lambda a: lanes.sqrt_lane(a)
    if _is_complex(a):
        return lambda a: cmath.sqrt(a)
    return lambda a: math.sqrt(a)


@compiled_as(numbers.arctan)
def _arctan(a):
    if a == dual:

        def turned(a):
            value = dual_lanes.value_of(a)
            return dual_lanes.made(numbers.arctan(value), dual_lanes.slope_of(a) / (1.0 + value * value))

        return turned
    if a == lane:

        def each(a):
            out = a
            for l in range(WIDTH):
                out = lanes.insert_lane(out, math.atan(lanes.extract_lane(a, l)), l)
            return out

        return each
    if _is_complex(a):
        return lambda a: complex(math.atan(a.real), a.imag / (1.0 + a.real * a.real))
    return lambda a: math.atan(a)


@register_jitable
def _reduced(a):
    """t with the quadrant in its low bits, and the sine and cosine of the reduced angle (fdlibm's polynomials)."""
    t = a * TWO_OVER_PI + ROUNDER
    k = t - ROUNDER
    r = ((a - k * HALF_PI[0]) - k * HALF_PI[1]) - k * HALF_PI[2]
    x = r * r
    p = 2.75573137070700676789e-06 + x * (-2.50507602534068634195e-08 + x * 1.58969099521155010221e-10)
    s = r + r * x * (
        -1.66666666666666324348e-01 + x * (8.33333333332248946124e-03 + x * (-1.98412698298579493134e-04 + x * p))
    )
    p = -2.75573143513906633035e-07 + x * (2.08757232129817482790e-09 + x * -1.13596475577881948265e-11)
    h = x * 0.5
    w = 1.0 - h
    y = 4.16666666666666019037e-02 + x * (-1.38888888888741095749e-03 + x * (2.48015872894767294178e-05 + x * p))
    return t, s, w + (((1.0 - w) - h) + x * x * y)


@compiled_as(numbers.sincos)
def _sincos(a):
    if a == dual:

        def rates(a):
            s, c = numbers.sincos(dual_lanes.value_of(a))
            slope = dual_lanes.slope_of(a)
            return dual_lanes.made(s, c * slope), dual_lanes.made(c, -s * slope)

        return rates
    if a == lane:

        def several(a):
            t, s, c = _reduced(a)
            s, c = lanes.quadrant_lane(t, s, c)
            far = lanes.less_lane(FAR, lanes.abs_lane(a))
            if lanes.any_lane(far):
                for l in range(WIDTH):
                    x = lanes.extract_lane(a, l)
                    if abs(x) > FAR:
                        s = lanes.insert_lane(s, math.sin(x), l)
                        c = lanes.insert_lane(c, math.cos(x), l)
            return s, c

        return several
    if _is_complex(a):

        def step(a):
            s, c = math.sin(a.real), math.cos(a.real)
            up, along = math.cosh(a.imag), math.sinh(a.imag)
            return complex(s * up, c * along), complex(c * up, -s * along)

        return step

    def one(a):
        if not abs(a) <= FAR:
            return math.sin(a), math.cos(a)
        t, s, c = _reduced(a)
        k = int(t - ROUNDER)
        if k & 1:
            s, c = c, s
        return (-s if k & 2 else s), (-c if (k + 1) & 2 else c)

    return one


@compiled_as(numbers.bucket, fastmath=False)
def _bucket(x, left, right, size):
    # no flags: a breakpoint must be looked for in the very interval that the table counted it in
    return numbers.bucket


@compiled_as(numbers.locate)
def _locate(q, breaks, buckets, first, count, start, size):
    if q == dual:
        return lambda q, breaks, buckets, first, count, start, size: numbers.locate(
            dual_lanes.value_of(q), breaks, buckets, first, count, start, size
        )
    if breaks == lane_table_type:
        return lambda q, breaks, buckets, first, count, start, size: numbers.locate(
            q, lane_tables.own_numbers(breaks), buckets, first, count, start, size
        )
    if q == lane:

        def several(q, breaks, buckets, first, count, start, size):
            low, high = lane_search.bucket_bounds(q, breaks, first, count, buckets, start, size)
            while lane_search.unsettled(low, high):
                low, high = lane_search.halved(q, breaks, first, low, high)
            return low

        return several
    return numbers.locate


_next_break_one = register_jitable(numbers.next_break)


@compiled_as(numbers.next_break)
def _next_break(x, y, slack, breaks, buckets, first, count, start, size):
    if dual in (x, y):
        return lambda x, y, slack, breaks, buckets, first, count, start, size: numbers.next_break(
            dual_lanes.value_of(x), dual_lanes.value_of(y), slack, breaks, buckets, first, count, start, size
        )
    if breaks == lane_table_type:
        return lambda x, y, slack, breaks, buckets, first, count, start, size: numbers.next_break(
            x, y, slack, lane_tables.own_numbers(breaks), buckets, first, count, start, size
        )
    if x == lane:

        def several(x, y, slack, breaks, buckets, first, count, start, size):
            out = x
            for l in range(WIDTH):
                a, b = lanes.extract_lane(x, l), lanes.extract_lane(y, l)
                found = _next_break_one(a, b, slack, breaks, buckets, first, count, start, size)
                out = lanes.insert_lane(out, found, l)
            return out

        return several
    return numbers.next_break


@compiled_as(numbers.any_lane)
def _any_lane(condition):
    if condition == lanes.mask:
        return lambda condition: lanes.any_lane(condition)
    return lambda condition: condition


@compiled_as(numbers.row_start)
def _row_start(span, stride, offset):
    if span == lanes.index:
        return lambda span, stride, offset: lanes.row_start_lane(span, stride, offset)
    return lambda span, stride, offset: offset + span * stride


@compiled_as(numbers.gather)
def _gather(table, index, k):
    if table == lane_table_type:
        if index == lanes.index:
            return lambda table, index, k: lanes.gather_lane(
                lane_tables.own_numbers(table), lane_tables.own_index(table, index), k
            )
        return lambda table, index, k: lane_tables.read_lane(table, index + k)
    if index == lanes.index:
        return lambda table, index, k: lanes.gather_lane(table, index, k)
    return lambda table, index, k: memory.read(table, index + k)


@register_jitable
def _four_lanes(table, k):
    read = lane_tables.read_lane
    return read(table, k), read(table, k + 1), read(table, k + 2), read(table, k + 3)


@compiled_as(numbers.gather4)
def _gather4(table, index, k):
    if table == lane_table_type and index == lanes.index:
        return lambda table, index, k: lanes.gather4_lane(
            lane_tables.own_numbers(table), lane_tables.own_index(table, index), k
        )
    if table == lane_table_type:
        return lambda table, index, k: _four_lanes(table, index + k)
    if index == lanes.index:
        return lambda table, index, k: lanes.gather4_lane(table, index, k)
    return lambda table, index, k: (
        memory.read(table, index + k),
        memory.read(table, index + k + 1),
        memory.read(table, index + k + 2),
        memory.read(table, index + k + 3),
    )


@compiled_as(numbers.tables)
def _tables(pair):
    if pair[1].ndim == 3:  # numbers of their own in every lane
        return lambda pair: numbers.Tables(memory.table(pair[0]), lane_tables.lane_table(pair[1]))
    return lambda pair: numbers.Tables(memory.table(pair[0]), memory.table(pair[1]))


@compiled_as(numbers.record)
def _record(kind, codes, at):
    return lambda kind, codes, at: memory.read_record(kind, codes, at)


@compiled_as(numbers.as_int64)
def _as_int64(k):
    return lambda k: np.int64(k)
