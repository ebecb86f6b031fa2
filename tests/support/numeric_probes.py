"""Small kernels that show what the number types do; run as a script, they read and write .npz files."""

import sys

import numpy as np

from condyle.numeric import (
    LANE_WIDTH,
    LANES,
    arctan,
    entry,
    finite,
    floor,
    gather,
    gather4,
    larger,
    less,
    load,
    locate,
    magnitude,
    row_start,
    select,
    sincos,
    sqrt,
    store,
    width,
)
from condyle.numeric.number_types import bucket

UNARY = ("sine", "cosine", "root", "arctan", "floor", "magnitude", "finite", "below", "nan", "ratio", "larger")


@entry
def unary(z, x, out, count):
    """Every function of one number, eleven results for each."""
    one = z + 1.0
    for k in range(count):
        a = load(z, x, k)
        s, c = sincos(a)
        store(z, out, 11 * k, s)
        store(z, out, 11 * k + 1, c)
        store(z, out, 11 * k + 2, sqrt(a))
        store(z, out, 11 * k + 3, arctan(a))
        store(z, out, 11 * k + 4, z + floor(a))
        store(z, out, 11 * k + 5, magnitude(a))
        store(z, out, 11 * k + 6, select(finite(a), one, z))
        store(z, out, 11 * k + 7, select(less(a, 0.5), 2.0 * a, 1.0 - a))
        store(z, out, 11 * k + 8, select(finite(1e308 * a * 1e308 - 1e308 * a * 1e308), one, z))
        store(z, out, 11 * k + 9, (3.0 * a - 2) / (a * a + 1.0) + -a)
        store(z, out, 11 * k + 10, larger(a * a, a + one))


@entry
def zero_over_zero(z, x, out, count):
    """1 where (a − a)/(a − a) looks like a number."""
    for k in range(count):
        a = load(z, x, k)
        store(z, out, k, select(finite((a - a) / (a - a)), z + 1.0, z))


@entry
def lookup(z, q, breaks, buckets, first, size, table, out, count):
    """The span of each q and the five table entries of its row (the row's number, then tenths)."""
    spans = len(breaks) - first
    for k in range(count):
        row = row_start(locate(load(z, q, k), breaks, buckets, first, spans, 0, size), 5, 0)
        a, b, c, d = gather4(table, row, 0)
        store(z, out, 5 * k, a)
        store(z, out, 5 * k + 1, b)
        store(z, out, 5 * k + 2, c)
        store(z, out, 5 * k + 3, d)
        store(z, out, 5 * k + 4, gather(table, row, 4))


def run_unary(z, x) -> dict:
    """Results of `unary` by name, in the order of x (padded to whole blocks)."""
    x = padded(z, x)
    out = np.empty(len(UNARY) * len(x), dtype=x.dtype)
    unary(z, x, out, len(x) // width(z))
    return dict(zip(UNARY, out.reshape(-1, len(UNARY), width(z)).swapaxes(0, 1).reshape(len(UNARY), -1), strict=True))


def run_lookup(z, q, breaks, size=None):
    """Spans (n,) and rows (n, 5) of `lookup` (padded to whole blocks)."""
    breaks, q = np.asarray(breaks, dtype=float), padded(z, q)
    size = size or 2 * len(breaks)
    table = np.arange(len(breaks) + 1)[:, None] + np.arange(5) / 10.0
    out = np.empty(5 * len(q))
    lookup(z, q, breaks, bucket_counts(breaks, size), 0, size, table.ravel(), out, len(q) // width(z))
    return out.reshape(-1, 5, width(z)).swapaxes(1, 2).reshape(-1, 5)


def bucket_counts(breaks, size):
    """How many breakpoints lie in intervals before each."""
    at = [bucket(b, breaks[0], breaks[-1], size) for b in breaks[:-1]]
    return np.concatenate([[0], np.cumsum(np.bincount(at, minlength=size))])


def padded(z, x):
    """x with its last entry repeated to whole blocks."""
    x = np.asarray(x, dtype=complex if isinstance(z, complex) else float)
    return np.pad(x, (0, -len(x) % width(z)), mode="edge")


if __name__ == "__main__":
    given = np.load(sys.argv[1])
    z = {"float": 0.0, "lanes": LANES, "complex": 0j}[sys.argv[3]]
    found = run_unary(z, given["x"])
    np.savez(sys.argv[2], width=LANE_WIDTH, rows=run_lookup(LANES, given["q"], given["breaks"]), **found)
