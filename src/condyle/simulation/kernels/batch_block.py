"""A block of members under way, the same for every integrator: taken up, recorded, put back."""

from ...model.kernels.layout import BODIES, NQ, NV
from ...numeric import inlined, kernel, less, load, pack, scratch, select, store, unpack, width

__all__ = ["NOW_Q", "NOW_V", "PUSHES", "STATE", "TORQUES", "block", "finish", "forces_of", "note", "take_up"]

NOW_Q, NOW_V, TORQUES, PUSHES, STATE, COUNTED = range(6)  # arrays of a block


@kernel
def block(z, codes):
    """Room for coordinates, velocities, forces, wrenches, status and the count of good steps."""
    nq, nv = codes[NQ], codes[NV]
    return (
        scratch(z, nq),
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, 6 * codes[BODIES]),
        scratch(z, 1),
        scratch(z, 1),
    )


@inlined
def take_up(z, b, Q, V, W, STATUS, ENDED, first, stop):
    """Load members first, first + 1, … into the block's interleaved buffers."""
    pack(z, Q, first, stop, b[NOW_Q])
    pack(z, V, first, stop, b[NOW_V])
    pack(z, STATUS, first, stop, b[STATE])
    pack(z, ENDED, first, stop, b[COUNTED])
    if W.shape[0] > 0:
        pack(z, W, first, stop, b[PUSHES])


@inlined
def forces_of(z, b, TAU, i, first, stop):
    """Row i of the members' forces over time, interleaved; the last row holds on."""
    if i == 0 or TAU.shape[1] > 1:
        w = width(z)
        row = min(i, TAU.shape[1] - 1)
        for l in range(w):
            member = min(first + l, stop - 1)
            for k in range(TAU.shape[2]):
                b[TORQUES][k * w + l] = TAU[member, row, k]


@inlined
def record(z, QT, x, n, first, stop, r):
    """Copy the interleaved x into record r of the members first … stop."""
    w = width(z)
    for l in range(min(w, stop - first)):
        for k in range(n):
            QT[first + l, r, k] = x[k * w + l]


@inlined
def note(z, codes, b, status, done, every, QT, VT, first, stop):
    """Keep the status, count the step where it is good, and record every `every`-th state."""
    counted = load(z, b[COUNTED], 0)
    store(z, b[STATE], 0, status)
    store(z, b[COUNTED], 0, select(less(status, 0.5), counted + 1.0, counted))
    if QT.shape[1] > 0 and done % every == 0:
        record(z, QT, b[NOW_Q], codes[NQ], first, stop, done // every)
        record(z, VT, b[NOW_V], codes[NV], first, stop, done // every)


@inlined
def finish(z, b, Q, V, STATUS, ENDED, first, stop):
    """Put the members back into their batch."""
    unpack(z, b[NOW_Q], Q, first, stop)
    unpack(z, b[NOW_V], V, first, stop)
    unpack(z, b[STATE], STATUS, first, stop)
    unpack(z, b[COUNTED], ENDED, first, stop)
