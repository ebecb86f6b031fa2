"""Accelerations that hold the constraints, by Lagrange multipliers.

J a + J̇ v = 0 and M a = τ − h + Jᵀ λ give (J M⁻¹ Jᵀ) λ = −(J a₀ + J̇ v) with a₀ the accelerations of the tree alone. One
state at a time (float64, or complex for derivatives): where rows lose rank, states part ways.
"""

from ....model.kernels.records import constraint_at, header
from ....numeric import entry, kernel, less, load, magnitude, pack, release, scratch, store, tables, unpack
from ...kernels.any_tree import absorb, respond
from ...kernels.forward import forward
from ...kernels.layout import KINDS, LOOP_CONFLICT, LOOP_MOVES, LOOP_OPEN
from ...kernels.scratch import External, tree_scratch
from .constraint_rows import constraint_rows
from .constraint_scratch import constraint_scratch
from .multipliers import solve_rows

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
def times_rows(z, J, nv, n, v, out):
    """J v."""
    for i in range(n):
        s = z
        for k in range(nv):
            s = s + load(z, J, i * nv + k) * load(z, v, k)
        store(z, out, i, s)


@kernel
def respond_rows(z, t, n, m, c):
    """M⁻¹ Jᵀ and J M⁻¹ Jᵀ of the first n rows."""
    J, Y, A, nv = c.jacobian, c.response, c.gram, header(t).nv
    for i in range(n):
        absorb(z, t, J, i * nv, False, m)
        respond(z, t, Y, i * nv, m)
        for j in range(i + 1):
            s = z
            for k in range(nv):
                s = s + load(z, J, j * nv + k) * load(z, Y, i * nv + k)
            store(z, A, i * n + j, s)
            store(z, A, j * n + i, s)


@kernel
def correct(z, t, n, x, c):
    """x −= M⁻¹ Jᵀ λ."""
    nv = header(t).nv
    for i in range(n):
        force = load(z, c.multipliers, i)
        for k in range(nv):
            store(z, x, k, load(z, x, k) - force * load(z, c.response, i * nv + k))


@kernel
def tolerance_at(gap):
    """The rank tolerance: away from its constraints by ε, redundant rows differ by ε and their pivots by ε²."""
    e = gap.real
    return LEAST_PIVOT + min(e * e, 1e-4)


@kernel
def constrained_forward(z, t, q, v, a, external, m, c):
    """As `forward`, holding the constraints; c is `constraint_scratch`. Returns the status.

    Leaves −λ in c.multipliers, the number of independent rows in c.rank, gaps in c.gap and their rates in c.rate.
    """
    n = header(t).constraint_rows
    status = forward(z, t, q, v, a, external, m)
    if less(0.5, status):
        return status
    constraint_rows(z, t, q, v, a, m, c)
    times_rows(z, c.jacobian, header(t).nv, n, v, c.rate)
    respond_rows(z, t, n, m, c)
    gap, _ = worst_of(z, c.gap, header(t).position_rows)
    drift, _ = worst_of(z, c.rate, n)
    size, _ = worst_of(z, c.second, n)
    c.rank[0], left, row = solve_rows(z, n, c.second, tolerance_at(gap), c)
    correct(z, t, n, a, c)
    if less((CONFLICT + 10.0 * (gap + drift)) * (1.0 + size), left):
        status = z + (LOOP_CONFLICT + KINDS * constraint_of(t, row))
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


@entry
def constrained_states(z, pair, states, found, start, stop):
    """Accelerations A of states = (Q, V, TAU, W, A), and found = (LAMBDA, RANKS, GAPS, STATUS)."""
    t = tables(pair[:2])
    Q, V, TAU, W, A = states
    LAMBDA, RANKS, GAPS, STATUS = found
    h, m, c = header(t), tree_scratch(z, t, *pair[2:]), constraint_scratch(z, t)
    q, v, tau, a, w = scratch(z, h.nq), scratch(z, h.nv), scratch(z, h.nv), scratch(z, h.nv), scratch(z, 6 * h.bodies)
    external = External(tau, w, W.shape[0] > 0)
    for i in range(start, stop):
        pack(z, Q, i, stop, q)
        pack(z, V, i, stop, v)
        pack(z, TAU, i, stop, tau)
        pack(z, A, i, stop, a)
        if external.pushed:
            pack(z, W, i, stop, w)
        status = constrained_forward(z, t, q, v, a, external, m, c)
        RANKS[i] = c.rank[0]
        if not less(0.5, status) or status.real % KINDS >= LOOP_OPEN:
            start_kind, GAPS[i] = start_status(z, t, v, c)
            status = start_kind if less(0.5, start_kind) else status
        STATUS[i, 0] = status
        unpack(z, a, A, i, stop)
        for k in range(h.constraint_rows):
            LAMBDA[i, k] = -load(z, c.multipliers, k)
    release(m, c, q, v, tau, a, w)
