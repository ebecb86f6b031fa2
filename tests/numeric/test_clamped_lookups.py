"""No coordinate, however wild, reads outside a table; every other one finds its span."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from condyle.numeric import LANE_WIDTH, LANES
from condyle.numeric import number_types as numbers
from support.numeric_probes import bucket_counts, run_lookup

WILD = (np.nan, np.inf, -np.inf, 1e6, -1e6, 1e300, -1e300)
TINY = 5e-324
BREAKS = {
    "even": np.linspace(0.0, 1.0, 9),
    "two only": np.array([-1.0, 2.0]),
    "clustered": np.concatenate([[0.0], 0.3 + 1e-15 * np.arange(40), [0.5, 1e6]]),
    "one far away": np.array([0.0, 1e-12, 2e-12, 1e12]),
    "denormal spacing": TINY * np.arange(6),
    "denormal and two only": np.array([0.0, TINY]),
    "neighbouring numbers": np.array([1.0, *np.nextafter(1.0, 2.0) + np.spacing(1.0) * np.arange(4)]),
    "huge": np.array([-1.7e308, -1.0, 3.0, 1.7e308]),
    "repeated": np.array([0.0, 0.5, 0.5, 0.5, 1.0]),
}


def expected(q, breaks):
    """Oracle: numpy's search; NaN in span 0."""
    spans = np.searchsorted(breaks, q, side="right")
    return np.where(np.isnan(q), 0, spans)[:, None] + np.arange(5) / 10.0


def around(breaks):
    """Breakpoints, their neighbours on both sides, middles, and wild numbers."""
    below, above = np.nextafter(breaks, -np.inf), np.nextafter(breaks, np.inf)
    middles = 0.5 * breaks[1:] + 0.5 * breaks[:-1]
    return np.concatenate([breaks, below, above, middles, WILD])


@pytest.mark.parametrize("z", [0.0, LANES])
@pytest.mark.parametrize("kind", BREAKS)
def test_every_number_finds_its_span(z, kind):
    """Oracle: numpy.searchsorted."""
    breaks = BREAKS[kind]
    q = around(breaks)
    assert np.array_equal(run_lookup(z, q, breaks)[: len(q)], expected(q, breaks))


@pytest.mark.parametrize("kind", BREAKS)
def test_every_number_finds_its_span_without_the_compiler(kind):
    """Oracle: numpy.searchsorted."""
    breaks = BREAKS[kind]
    size = 2 * len(breaks)
    counts = bucket_counts(breaks, size)
    for q, row in zip(around(breaks), expected(around(breaks), breaks), strict=True):
        assert numbers.locate(float(q), breaks, counts, 0, len(breaks), 0, size) == row[0]


@pytest.mark.parametrize("wild", WILD)
@pytest.mark.parametrize("lane", range(LANE_WIDTH))
def test_a_wild_lane_is_clamped_and_leaves_the_others_alone(wild, lane):
    """Oracle: numpy.searchsorted."""
    breaks = BREAKS["even"]
    q = np.linspace(0.05, 0.95, LANE_WIDTH)
    q[lane] = wild
    assert np.array_equal(run_lookup(LANES, q, breaks), expected(q, breaks))


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_any_number_of_buckets_will_do(size):
    """Oracle: numpy.searchsorted."""
    q = around(BREAKS["clustered"])
    assert np.array_equal(run_lookup(LANES, q, BREAKS["clustered"], size)[: len(q)], expected(q, BREAKS["clustered"]))


REAL = st.floats(-1e3, 1e3, allow_subnormal=True)


@settings(max_examples=300, deadline=None)
@given(st.lists(REAL, min_size=2, max_size=40, unique=True), st.lists(st.floats(), min_size=1, max_size=20))
def test_any_breakpoints_and_any_numbers(breaks, q):
    """Oracle: numpy.searchsorted."""
    breaks = np.sort(breaks)
    q = np.concatenate([q, around(breaks)])
    for z in (0.0, LANES):
        assert np.array_equal(run_lookup(z, q, breaks)[: len(q)], expected(q, breaks))


def test_thousands_of_breakpoints_are_found_exactly():
    """Oracle: numpy.searchsorted. A bucket computed with other rounding than the table's would miss a breakpoint."""
    breaks = np.sort(np.random.default_rng(0).uniform(-3.0, 7.0, 20000))
    for z in (0.0, LANES):
        assert np.array_equal(run_lookup(z, breaks, breaks)[: len(breaks)], expected(breaks, breaks))
