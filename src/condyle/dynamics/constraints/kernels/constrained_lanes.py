"""Accelerations that hold the constraints, of states side by side.

All of them are computed as if rows were independent, or depended on each other, in the same way. A lane for which that
is not so, or in which anything else is unusual, is computed once more by itself (`constrained_forward`), as one state
would be: which rows depend on others, and what is wrong with a state, is decided there alone.
"""

from ....model.kernels.records import header
from ....numeric import entry, kernel, less, load, magnitude, release, scratch, select, store, tables, unpack, width
from ...kernels.forward import forward
from ...kernels.scratch import tree_scratch
from .constrained_forward import (
    OPEN,
    allowed,
    block_scratch,
    constrained_state,
    prepare_rows,
    take_states,
    tolerance_at,
)
from .multipliers import solve_rows
from .row_responses import correct


@kernel
def largest_size(z, x, n):
    """The largest |x_i| of each lane; NaN where one is not finite."""
    most, sound = z, z
    for i in range(n):
        size = magnitude(load(z, x, i))
        most, sound = select(less(most, size), size, most), sound + 0.0 * size
    return most + sound


@kernel
def hold_lanes(z, t, status, b):
    """Accelerations in b.a made those that hold the constraints. Returns the rank, and 1 in lanes that are odd, else 0.

    `status` is that of the tree alone.
    """
    n, c = header(t).constraint_rows, b.rows
    gap, drift = largest_size(z, c.gap, header(t).position_rows), largest_size(z, c.rate, n)
    size, speed = largest_size(z, c.second, n), largest_size(z, b.v, header(t).nv)
    rank, left, _, odd = solve_rows(z, n, c.second, tolerance_at(z, gap), c, None)
    correct(z, t, n, b.a, b.tree, c)
    odd = select(less(left, allowed(gap, drift, size)), odd, z + 1.0)
    odd = select(less(gap, OPEN), odd, z + 1.0)
    odd = select(less(drift, OPEN * (1.0 + speed)), odd, z + 1.0)
    return rank, select(less(status, 0.5), odd, z + 1.0)


@kernel
def put_lane(z, t, found, i, lane, rank, b):
    """What was found of a lane, that of state i."""
    LAMBDA, RANKS, GAPS, STATUS = found
    RANKS[i], GAPS[i], STATUS[i, 0] = rank, 0.0, 0.0
    for k in range(header(t).constraint_rows):
        LAMBDA[i, k] = -b.rows.multipliers[k * width(z) + lane]


@kernel
def put_alone(z, t, states, found, i, lane, b, one):
    """State i by itself; its accelerations to its lane too."""
    constrained_state(0.0, t, states, found, i, one)
    for k in range(header(t).nv):
        b.a[k * width(z) + lane] = one.a[k]


@entry
def constrained_lanes(z, pair, states, found, start, stop):
    """As `constrained_states`."""
    t = tables(pair[:2])
    b = block_scratch(z, t, tree_scratch(z, t, *pair[2:]))
    one = block_scratch(0.0, t, tree_scratch(0.0, t, *pair[2:]))
    odd = scratch(z, 1)
    for first in range(start, stop, width(z)):
        external = take_states(z, states, first, stop, b)
        status = forward(z, t, b.q, b.v, b.a, external, b.tree)
        prepare_rows(z, t, b.q, b.v, b.a, b.tree, b.rows)
        rank, unusual = hold_lanes(z, t, status, b)
        store(z, odd, 0, unusual)
        for lane in range(min(width(z), stop - first)):
            if odd[lane] < 0.5:
                put_lane(z, t, found, first + lane, lane, rank, b)
            else:
                put_alone(z, t, states, found, first + lane, lane, b, one)
        unpack(z, b.a, states[4], first, stop)
    release(b, one, odd)
