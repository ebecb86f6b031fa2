"""A block of members under way, the same for every integrator: loaded, recorded, stored."""

from typing import Any, NamedTuple

from ...model.kernels.records import header
from ...numeric import inlined, kernel, less, load, pack, pick, put, scratch, select, store, unpack, width


class Clock(NamedTuple):
    """Step i of a call goes from start + (base + i) step [s] on; every `every`-th state is recorded."""

    start: float
    step: float
    base: int
    steps: int
    every: int


class Batch(NamedTuple):
    """All members, as arrays of the caller; q, v, status and ended are updated."""

    q: Any  # (count, nq): the last good states
    v: Any
    tau: Any  # (count, rows, nv): row i in step i, the last row from then on
    wrenches: Any  # (count, 6 bodies) in body axes, or no rows
    q_records: Any  # (count, records, nq), or no records
    v_records: Any
    status: Any  # (count, 1): what stopped a member, 0 if nothing has
    ended: Any  # (count, 1): after how many steps, and what part of one
    domains: Any  # (n, 3): index in q, low and high of the coordinates that must not leave their domains


class Block(NamedTuple):
    """The members in the lanes of one number, interleaved."""

    q: Any
    v: Any
    tau: Any
    wrenches: Any
    status: Any
    counted: Any  # good steps


@kernel
def new_block(z, t):
    """Allocate the arrays of a block."""
    h = header(t)
    return Block(
        scratch(z, h.nq),
        scratch(z, h.nv),
        scratch(z, h.nv),
        scratch(z, 6 * h.bodies),
        scratch(z, 1),
        scratch(z, 1),
    )


@inlined
def load_block(z, b, batch, first, stop):
    """Load members first, first + 1, … into the block's interleaved buffers."""
    pack(z, batch.q, first, stop, b.q)
    pack(z, batch.v, first, stop, b.v)
    pack(z, batch.status, first, stop, b.status)
    pack(z, batch.ended, first, stop, b.counted)
    if batch.wrenches.shape[0] > 0:
        pack(z, batch.wrenches, first, stop, b.wrenches)


@inlined
def load_forces(z, b, tau, i, first, stop):
    """Load row i of the members' forces over time; the last row stays in force after it."""
    if i == 0 or tau.shape[1] > 1:
        w = width(z)
        row = min(i, tau.shape[1] - 1)
        for l in range(w):
            member = min(first + l, stop - 1)
            for k in range(tau.shape[2]):
                put(z, b.tau, k, l, tau[member, row, k])


@inlined
def write_record(z, records, x, first, stop, r):
    """Copy the interleaved x into record r of the members first … stop."""
    w = width(z)
    for l in range(min(w, stop - first)):
        for k in range(records.shape[2]):
            records[first + l, r, k] = pick(z, x, k, l)


@inlined
def record_step(z, b, batch, status, done, every, first, stop):
    """Keep the status, count the step where it is good, and record every `every`-th state."""
    counted = load(z, b.counted, 0)
    store(z, b.status, 0, status)
    store(z, b.counted, 0, select(less(status, 0.5), counted + 1.0, counted))
    if batch.q_records.shape[1] > 0 and done % every == 0:
        write_record(z, batch.q_records, b.q, first, stop, done // every)
        write_record(z, batch.v_records, b.v, first, stop, done // every)


@inlined
def store_block(z, b, batch, first, stop):
    """Store the members back into their batch."""
    unpack(z, b.q, batch.q, first, stop)
    unpack(z, b.v, batch.v, first, stop)
    unpack(z, b.status, batch.status, first, stop)
    unpack(z, b.counted, batch.ended, first, stop)
