"""Prescribed motion: functions of time as polynomial pieces, read by kernels."""

from ...model.kernels.records import drive_at, header
from ...numeric import gather, inlined, kernel, locate, row_start, store


@inlined
def horner(numbers, row, at, order, u):
    """A polynomial's value."""
    f = 0.0 * u + gather(numbers, row, at + order - 1)
    for k in range(order - 2, -1, -1):
        f = f * u + gather(numbers, row, at + k)
    return f


@kernel
def drive(z, t, time, q, v, a):
    """Put the prescribed coordinates where they are at a time, with their rates and accelerations."""
    for i in range(header(t).drives):
        d = drive_at(t, i)
        order = d.order
        span = locate(time, t.numbers, t.codes, d.breaks, d.count, d.buckets, d.size)
        row = row_start(span, 4 + 3 * order, d.rows)
        u = time - gather(t.numbers, row, 0)
        store(z, q, d.q, horner(t.numbers, row, 4, order, u))
        store(z, v, d.v, horner(t.numbers, row, 4 + order, order, u))
        store(z, a, d.v, horner(t.numbers, row, 4 + 2 * order, order, u))
