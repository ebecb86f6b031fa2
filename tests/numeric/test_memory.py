"""Tables and scratch by address: the numbers that an array holds, every type of number, nothing kept."""

import numpy as np
import pytest

from condyle.numeric import (
    COMPILED,
    LANE_WIDTH,
    LANES,
    aligned_array,
    aligned_zeros,
    entry,
    expect_run,
    load,
    read_run,
    release,
    scratch,
    store,
    tables,
    width,
    write_run,
)


@entry
def turned_round(z, codes, numbers, x, out, count):
    """x in reverse, each number times its place in a table, by way of scratch."""
    t = tables((codes, numbers))
    room, places, both = scratch(z, count), scratch(0, count), (scratch(z, 1), scratch(z, 0))
    for k in range(count):
        places[k] = t.codes[count - 1 - k]
        store(z, room, places[k], t.numbers[k] * load(z, x, k))
    store(z, both[0], 0, z + 1.0)
    for k in range(count):
        store(z, out, k, load(z, room, k) * load(z, both[0], 0))
    release(room, places, both)
    return width(z)


@pytest.mark.parametrize("z", [0.0, LANES, 0j])
@pytest.mark.parametrize("count", [0, 1, 7, 1000])
def test_scratch_holds_what_is_put_there(z, count):
    """Oracle: numpy's own reverse and product."""
    wide = LANE_WIDTH if z is LANES else 1
    numbers = np.random.default_rng(count).normal(size=count)
    x = np.random.default_rng(1).normal(size=(count, wide)) * (1.0 + (0.5j if isinstance(z, complex) else 0.0))
    out = np.empty(count * wide, dtype=x.dtype)
    turned_round(z, np.arange(count), numbers, x.ravel(), out, count)
    assert np.array_equal(out.reshape(count, wide), (numbers[:, None] * x)[::-1])


@entry
def transposed(z, x, factor, out, column):
    """Interleaved numbers, as many as there are lanes at a time, to rows of an array from a column on."""
    for k in range(0, x.shape[0] // width(z), width(z)):
        expect_run(z, out, 0, column + k)
        write_run(z, x, k, factor, out, 0, column + k)


@pytest.mark.skipif(not COMPILED, reason="one state after the other has no lanes")
@pytest.mark.parametrize("column", [0, 3, 8])
@pytest.mark.parametrize("columns", [40, 2**17 + 16, 2**17 + 17])
def test_rows_are_written_whether_or_not_a_cache_has_room_for_them(columns, column):
    """Oracle: numpy's own transposition; large arrays are written line by line where rows begin with a line."""
    x = np.random.default_rng(columns).normal(size=((columns - column) // LANE_WIDTH * LANE_WIDTH, LANE_WIDTH))
    out = aligned_array((LANE_WIDTH, columns))
    out[:] = 7.0
    transposed(LANES, x.ravel(), -2.0, out, column)
    expected = np.full((LANE_WIDTH, columns), 7.0)
    expected[:, column : column + len(x)] = -2.0 * x.T
    assert np.array_equal(out, expected)


@pytest.mark.parametrize("shape", [(1,), (3, 5 * LANE_WIDTH), (7, 129 * LANE_WIDTH)])
def test_workspaces_begin_with_a_line_of_the_cache(shape):
    """Oracle: the address; several at once, since numpy's own arrays begin on a line by chance."""
    rooms = [aligned_zeros(shape) for _ in range(8)]
    assert all(room.ctypes.data % 64 == 0 and room.shape == shape and not room.any() for room in rooms)


@entry
def interleaved_rows(z, rows, row, starts, x):
    """As many numbers of rows as there are lanes, from each of some columns on, to their places among all of a row."""
    for column in starts:
        read_run(z, rows, row, column, x, column)


@pytest.mark.parametrize("z", [0.0, LANES])
def test_runs_of_rows_are_read_one_over_the_other(z):
    """Oracle: numpy's own transposition; the last run begins within the one before."""
    w = LANE_WIDTH if z is LANES else 1
    rows, x = np.random.default_rng(0).normal(size=(w + 5, 2 * w + 3)), np.empty((2 * w + 3) * w)
    interleaved_rows(z, rows, 4, np.array([*range(0, w + 3, w), w + 3]), x)
    assert np.array_equal(x.reshape(-1, w)[: 2 * w + 3], rows[4 : 4 + w].T)
