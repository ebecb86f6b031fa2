"""Accelerations that hold the constraints, by Lagrange multipliers.

J a + J̇ v = 0 and M a = τ − h + Jᵀ λ give (J M⁻¹ Jᵀ) λ = −(J a₀ + J̇ v) with a₀ the accelerations of the tree alone. One
state at a time (float64, or complex for derivatives): where rows lose rank, states part ways. For states side by
side: `constrained_lanes`.
"""

from typing import Any, NamedTuple

from ....model.kernels.records import constraint_at, header
from ....model.kernels.status import KINDS, LOOP_CONFLICT, LOOP_MOVES, LOOP_OPEN
from ....numeric import (
    entry,
    inlined,
    kernel,
    less,
    load,
    magnitude,
    pack,
    release,
    scratch,
    select,
    tables,
    unpack,
)
from ...kernels.forward import forward
from ...kernels.scratch import External, tree_scratch
from .constraint_rows import sound_rows
from .constraint_scratch import constraint_scratch
from .multipliers import solve_rows
from .row_responses import correct, respond_rows

LEAST_PIVOT = 1e-11  # a pivot below this share of its row is round-off
OPEN = 1e-8  # a gap above this, or its rate relative to the speeds, is no start
CONFLICT = 1e-7  # [m/s² or rad/s²] relative: what no multiplier gives


@kernel
def constraint_of(t, row):
    """The given number of the constraint that a row belongs to."""
    for i in range(header(t).constraints):
        c = constraint_at(t, i)
        if c.first_row <= row < c.first_row + c.rows:
            return c.given
    return 0


@kernel
def worst_of(z, x, n):
    """The largest |x_i| and its place; a NaN is the largest of all."""
    worst, at = z, 0
    for i in range(n):
        size = magnitude(load(z, x, i))
        if less(worst, size) or size != size:
            worst, at = size, i
    return worst, at


@kernel
def tolerance_at(z, gap):
    """The rank tolerance: away from its constraints by ε, redundant rows differ by ε and their pivots by ε²."""
    square = gap * gap
    return LEAST_PIVOT + select(less(square, 1e-4), square, z + 1e-4)


@inlined
def allowed(gap, drift, size):
    """What of an acceleration no multiplier need give: round-off, and more where gaps are not closed."""
    return (CONFLICT + 10.0 * (gap + drift)) * (1.0 + size)


@kernel
def prepare_rows(z, t, q, v, a, m, c):
    """J, gaps, their rates, J̇ v and J M⁻¹ Jᵀ at accelerations a of the tree alone."""
    n = header(t).constraint_rows
    sound_rows(z, t, q, v, a, m, c)
    respond_rows(z, t, n, m, c)


@kernel
def constrained_forward(z, t, q, v, a, external, m, c):
    """As `forward`, holding the constraints; c is `constraint_scratch`. Returns the status.

    Leaves −λ in c.multipliers, the number of independent rows in c.rank, gaps in c.gap and their rates in c.rate.
    """
    n = header(t).constraint_rows
    status = forward(z, t, q, v, a, external, m)
    if less(0.5, status):
        return status
    prepare_rows(z, t, q, v, a, m, c)
    gap, _ = worst_of(z, c.gap, header(t).position_rows)
    drift, _ = worst_of(z, c.rate, n)
    size, _ = worst_of(z, c.second, n)
    c.rank[0], left, row, _ = solve_rows(z, n, c.second, tolerance_at(z, gap), c, True)
    correct(z, t, n, a, m, c)
    if less(allowed(gap, drift, size), left):
        status = z + (LOOP_CONFLICT + KINDS * constraint_of(t, int(row.real)))
    return status


@kernel
def start_status(z, t, v, c):
    """(status, size) of the largest gap of a start, or of its rate; status 0 if both are small."""
    gap, row = worst_of(z, c.gap, header(t).position_rows)
    if not less(gap, OPEN):
        return z + (LOOP_OPEN + KINDS * constraint_of(t, row)), gap
    rate, row = worst_of(z, c.rate, header(t).constraint_rows)
    speed, _ = worst_of(z, v, header(t).nv)
    if not less(rate, OPEN * (1.0 + speed)):
        return z + (LOOP_MOVES + KINDS * constraint_of(t, row)), rate
    return z, z


class Block(NamedTuple):
    """Scratch of one block of states."""

    q: Any
    v: Any
    tau: Any
    a: Any
    w: Any
    tree: Any
    rows: Any  # ConstraintScratch


@kernel
def block_scratch(z, t, m):
    """Scratch beside that of the tree."""
    h, c = header(t), constraint_scratch(z, t)
    return Block(scratch(z, h.nq), scratch(z, h.nv), scratch(z, h.nv), scratch(z, h.nv), scratch(z, 6 * h.bodies), m, c)


@kernel
def take_states(z, states, first, stop, b):
    """States = (Q, V, TAU, W, A) from the first on; returns what acts on them."""
    Q, V, TAU, W, A = states
    pack(z, Q, first, stop, b.q)
    pack(z, V, first, stop, b.v)
    pack(z, TAU, first, stop, b.tau)
    pack(z, A, first, stop, b.a)
    if W.shape[0] > 0:
        pack(z, W, first, stop, b.w)
    return External(b.tau, b.w, W.shape[0] > 0)


@kernel
def constrained_state(z, t, states, found, i, b):
    """State i of states = (Q, V, TAU, W, A), and found = (LAMBDA, RANKS, GAPS, STATUS)."""
    LAMBDA, RANKS, GAPS, STATUS = found
    external, c = take_states(z, states, i, i + 1, b), b.rows
    status = constrained_forward(z, t, b.q, b.v, b.a, external, b.tree, c)
    RANKS[i] = c.rank[0]
    if not less(0.5, status) or status.real % KINDS >= LOOP_OPEN:
        start_kind, GAPS[i] = start_status(z, t, b.v, c)
        status = start_kind if less(0.5, start_kind) else status
    STATUS[i, 0] = status
    unpack(z, b.a, states[4], i, i + 1)
    for k in range(header(t).constraint_rows):
        LAMBDA[i, k] = -load(z, c.multipliers, k)


@entry
def constrained_states(z, pair, states, found, start, stop):
    """Accelerations A of states = (Q, V, TAU, W, A), and found = (LAMBDA, RANKS, GAPS, STATUS)."""
    t = tables(pair[:2])
    b = block_scratch(z, t, tree_scratch(z, t, *pair[2:]))
    for i in range(start, stop):
        constrained_state(z, t, states, found, i, b)
    release(b)
