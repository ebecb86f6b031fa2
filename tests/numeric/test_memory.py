"""Tables and scratch by address: the numbers that an array holds, every type of number, nothing kept."""

import numpy as np
import pytest

from condyle.numeric import LANE_WIDTH, LANES, entry, load, release, scratch, store, tables, width


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
