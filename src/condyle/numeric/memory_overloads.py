"""The compiled meaning of what reads and writes: scratch, rows, tables and lookups in them, for every number type."""

# pyright: reportCallIssue=false
# (intrinsics are called without their typing context)

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from . import dual_lanes, lane_rows, lane_search, lane_tables, lanes
from . import number_types as numbers
from . import pointers as memory
from .dual_lanes import dual
from .lane_tables import lane_table_type
from .lanes import WIDTH, lane
from .linked_code import compiled_as


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
