"""A kernel of every function of numbers, whose derivatives tests know."""

import numpy as np

from condyle.numeric import (
    arctan,
    entry,
    finite,
    floor,
    gather,
    gather4,
    less,
    load,
    locate,
    magnitude,
    pack,
    release,
    row_start,
    scratch,
    select,
    sincos,
    sqrt,
    store,
    unpack,
    width,
)
from support.numeric_probes import bucket_counts

FUNCTIONS = ("sum", "difference", "product", "quotient", "constants", "sine", "cosine", "root", "arctan", "floor",
             "magnitude", "choice", "lookup", "carried")  # fmt: skip
BREAKS = np.arange(5.0)
TABLE = np.arange(6.0)[:, None] + np.arange(5) / 10.0
TABLE = np.ascontiguousarray((TABLE * TABLE).ravel())


@entry
def functions(z, breaks, buckets, table, X, OUT, start, stop):
    """OUT (count, 15): functions of the pairs X (count, 2), and whether the first is finite."""
    x, out = scratch(z, 2), scratch(z, 15)
    for first in range(start, stop, width(z)):
        pack(z, X, first, stop, x)
        a, b = load(z, x, 0), load(z, x, 1)
        s, c = sincos(a)
        row = row_start(locate(a, breaks, buckets, 0, len(breaks), 0, len(buckets) - 1), 5, 0)
        known, _, _, _ = gather4(table, row, 0)
        total = gather(table, row, 4)
        total = known * a + total * b  # a constant of the table that becomes a number
        cube = z + 1.0
        for _ in range(3):
            cube = cube * a
        results = (a + b, a - b, a * b, a / b, 2.0 * a + 3 / a - 1, s, c, sqrt(a), arctan(b), floor(a), magnitude(b),
                   select(less(b, 0.0), 2.0 * b, 1.0 - a), total, cube)  # fmt: skip
        k = 0
        for value in results:
            store(z, out, k, value)
            k += 1  # noqa: SIM113 (enumerate is not for tuples of lanes)
        store(z, out, 14, select(finite(a), z + 1.0, z))
        unpack(z, out, OUT, first, stop)
    release(x, out)


def run_functions(z, x, y, last="finite"):
    """All functions by name; `last` is the name of the last."""
    X = np.ascontiguousarray(np.stack([x, y], axis=1))
    out = np.empty((len(X), 15), dtype=X.dtype)
    functions(z, BREAKS, bucket_counts(BREAKS, 10), TABLE, X, out, 0, len(X))
    return dict(zip((*FUNCTIONS, last), out.T, strict=True))
