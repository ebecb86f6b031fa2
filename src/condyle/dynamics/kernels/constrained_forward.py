"""Accelerations that hold the constraints, by Lagrange multipliers.

J a + J̇ v = 0 and M a = τ − h + Jᵀ λ give (J M⁻¹ Jᵀ) λ = −(J a₀ + J̇ v) with a₀ the accelerations of the tree alone. One
state at a time (float64, or complex for derivatives): where rows lose rank, states part ways.
"""

from ...model.kernels.layout import (
    BODIES,
    CONSTRAINT_ROWS,
    CONSTRAINT_SIZE,
    CONSTRAINTS,
    FIRST_CONSTRAINT,
    FIRST_ROW,
    GIVEN,
    NQ,
    NV,
    POSITION_ROWS,
    ROWS,
)
from ...numeric import entry, give_back, kernel, less, load, magnitude, pack, scratch, store, tables, unpack
from .constraint_rows import constraint_rows
from .constraint_scratch import FORCES_OF, GAP, GRAM, JACOBIAN, PULL, RANK, RATE, RESPONSE, SECOND, constraint_memory
from .forward import forward
from .layout import KINDS, LOOP_CONFLICT, LOOP_MOVES, LOOP_OPEN
from .mass_inverse import respond
from .multipliers import solve_rows
from .scratch import COLUMNS, SLOTS, memory

__all__ = [
    "CONFLICT",
    "LEAST_PIVOT",
    "constrained_forward",
    "constrained_states",
    "constraint_of",
    "correct",
    "respond_rows",
    "times_rows",
    "tolerance_at",
    "worst_of",
]

LEAST_PIVOT = 1e-11  # a pivot below this share of its row is round-off
OPEN = 1e-8  # a gap above this, or its rate relative to the speeds, is no start
CONFLICT = 1e-7  # [m/s² or rad/s²] relative: what no multiplier gives


@kernel
def constraint_of(codes, row):
    """The given number of the constraint that a row belongs to."""
    record = codes[FIRST_CONSTRAINT]
    for _ in range(codes[CONSTRAINTS]):
        if codes[record + FIRST_ROW] <= row < codes[record + FIRST_ROW] + codes[record + ROWS]:
            return codes[record + GIVEN]
        record += CONSTRAINT_SIZE
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
def respond_rows(z, codes, n, m, c):
    """M⁻¹ Jᵀ and J M⁻¹ Jᵀ of the first n rows."""
    J, Y, A, nv = c[JACOBIAN], c[RESPONSE], c[GRAM], codes[NV]
    for i in range(n):
        respond(z, codes, J, i * nv, Y, i * nv, m[SLOTS], m[COLUMNS], c[PULL])
        for j in range(i + 1):
            s = z
            for k in range(nv):
                s = s + load(z, J, j * nv + k) * load(z, Y, i * nv + k)
            store(z, A, i * n + j, s)
            store(z, A, j * n + i, s)


@kernel
def correct(z, codes, n, x, c):
    """x −= M⁻¹ Jᵀ λ."""
    nv, Y = codes[NV], c[RESPONSE]
    for i in range(n):
        force = load(z, c[FORCES_OF], i)
        for k in range(nv):
            store(z, x, k, load(z, x, k) - force * load(z, Y, i * nv + k))


@kernel
def tolerance_at(gap):
    """The rank tolerance: away from its constraints by ε, redundant rows differ by ε and their pivots by ε²."""
    e = gap.real
    return LEAST_PIVOT + min(e * e, 1e-4)


@kernel
def constrained_forward(z, codes, numbers, q, v, tau, given, has_given, acceleration, driven, m, c):
    """As `forward`, holding the constraints; c is `constraint_memory`. Returns the status.

    Leaves −λ in c[FORCES_OF], the number of independent rows in c[RANK], gaps in c[GAP] and their rates in c[RATE].
    """
    n, nv = codes[CONSTRAINT_ROWS], codes[NV]
    status = forward(z, codes, numbers, q, v, tau, given, has_given, acceleration, driven, m)
    if less(0.5, status):
        return status
    constraint_rows(z, codes, numbers, q, v, acceleration, m, c)
    times_rows(z, c[JACOBIAN], nv, n, v, c[RATE])
    respond_rows(z, codes, n, m, c)
    gap, _ = worst_of(z, c[GAP], codes[POSITION_ROWS])
    drift, _ = worst_of(z, c[RATE], n)
    size, _ = worst_of(z, c[SECOND], n)
    c[RANK][0], left, row = solve_rows(z, n, c[SECOND], tolerance_at(gap), c)
    correct(z, codes, n, acceleration, c)
    if less((CONFLICT + 10.0 * (gap + drift)) * (1.0 + size), left):
        status = z + (LOOP_CONFLICT + KINDS * constraint_of(codes, row))
    return status


@kernel
def start_status(z, codes, v, c):
    """(status, size) of the largest gap of a start, or of its rate; status 0 if both are small."""
    gap, row = worst_of(z, c[GAP], codes[POSITION_ROWS])
    if not less(gap, OPEN):
        return z + (LOOP_OPEN + KINDS * constraint_of(codes, row)), gap
    rate, row = worst_of(z, c[RATE], codes[CONSTRAINT_ROWS])
    speed, _ = worst_of(z, v, codes[NV])
    if not less(rate, OPEN * (1.0 + speed)):
        return z + (LOOP_MOVES + KINDS * constraint_of(codes, row)), rate
    return z, z


@entry
def constrained_states(z, codes, numbers, Q, V, TAU, W, A, LAMBDA, RANKS, GAPS, STATUS, driven, start, stop):
    """Accelerations A and multipliers LAMBDA of the states Q, V under forces TAU and wrenches W (none if no rows)."""
    codes, numbers = tables(codes, numbers)
    m, c = memory(z, codes), constraint_memory(z, codes)
    nv = codes[NV]
    q, v, tau, a = scratch(z, codes[NQ]), scratch(z, nv), scratch(z, nv), scratch(z, nv)
    w, has_given = scratch(z, 6 * codes[BODIES]), W.shape[0] > 0
    for i in range(start, stop):
        pack(z, Q, i, stop, q)
        pack(z, V, i, stop, v)
        pack(z, TAU, i, stop, tau)
        pack(z, A, i, stop, a)
        if has_given:
            pack(z, W, i, stop, w)
        status = constrained_forward(z, codes, numbers, q, v, tau, w, has_given, a, driven, m, c)
        RANKS[i] = c[RANK][0]
        if not less(0.5, status) or status.real % KINDS >= LOOP_OPEN:
            found, GAPS[i] = start_status(z, codes, v, c)
            status = found if less(0.5, found) else status
        STATUS[i, 0] = status
        unpack(z, a, A, i, stop)
        for k in range(codes[CONSTRAINT_ROWS]):
            LAMBDA[i, k] = -load(z, c[FORCES_OF], k)
    give_back(m, c, q, v, tau, a, w)
