"""Prescribed motion: functions of time as polynomial pieces, read by kernels."""

from ...model.kernels.layout import (
    DRIVE_BREAKS,
    DRIVE_BUCKET_COUNT,
    DRIVE_BUCKETS,
    DRIVE_COUNT,
    DRIVE_ORDER,
    DRIVE_Q,
    DRIVE_ROWS,
    DRIVE_SIZE,
    DRIVE_V,
    DRIVES,
    FIRST_DRIVE,
)
from ...numeric import gather, inlined, kernel, locate, row_start, store


@inlined
def horner(numbers, row, at, order, u):
    """A polynomial's value."""
    f = 0.0 * u + gather(numbers, row, at + order - 1)
    for k in range(order - 2, -1, -1):
        f = f * u + gather(numbers, row, at + k)
    return f


@kernel
def drive(z, codes, numbers, t, q, v, a):
    """Put the prescribed coordinates where they are at time t, with their rates and accelerations."""
    record = codes[FIRST_DRIVE]
    for _ in range(codes[DRIVES]):
        first, count, order = codes[record + DRIVE_BREAKS], codes[record + DRIVE_COUNT], codes[record + DRIVE_ORDER]
        span = locate(
            t, numbers, codes, first, count, codes[record + DRIVE_BUCKETS], codes[record + DRIVE_BUCKET_COUNT]
        )
        row = row_start(span, 4 + 3 * order, codes[record + DRIVE_ROWS])
        u = t - gather(numbers, row, 0)
        store(z, q, codes[record + DRIVE_Q], horner(numbers, row, 4, order, u))
        store(z, v, codes[record + DRIVE_V], horner(numbers, row, 4 + order, order, u))
        store(z, a, codes[record + DRIVE_V], horner(numbers, row, 4 + 2 * order, order, u))
        record += DRIVE_SIZE
