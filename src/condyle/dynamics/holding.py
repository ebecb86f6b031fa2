"""Motion that holds its constraints: accelerations with Lagrange multipliers, and states projected in the mass metric.

J a + J̇ v = 0 and M a = τ − h + Jᵀ λ give (J M⁻¹ Jᵀ) λ = −(J a₀ + J̇ v) with a₀ the accelerations of the tree alone. One
state at a time (float64, or complex for derivatives): where rows lose rank, states part ways.
"""

from ..model.layout import (
    BODIES,
    CONSTRAINT_ROWS,
    CONSTRAINT_SIZE,
    CONSTRAINTS,
    FIRST_CONSTRAINT,
    FIRST_QUATERNION,
    FIRST_ROW,
    GIVEN,
    NQ,
    NV,
    POSITION_ROWS,
    QUATERNION_SIZE,
    QUATERNIONS,
    ROWS,
)
from ..numeric import entry, kernel, less, load, magnitude, pack, scratch, sqrt, store, unpack
from ..spatial.algebra import add3, cross, dot3, load3, matvec, quaternion_rotation, scale3, store3
from .constraint_memory import (
    FORCES_OF,
    FREE,
    GAP,
    GRAM,
    JACOBIAN,
    PULL,
    RATE,
    RESPONSE,
    SECOND,
    STEP,
    STILL,
    constraint_memory,
)
from .constraint_rows import constraint_rows
from .forward import forward
from .layout import KINDS, LOOP_CONFLICT, LOOP_MOVES, LOOP_OPEN, NOT_CLOSED
from .memory import COLUMNS, SLOTS, memory
from .multipliers import solve_rows
from .respond import respond

__all__ = ["constrained_forward", "constrained_states", "project_state", "project_states"]

RANK = 1e-11  # a pivot below this share of its row is round-off
OPEN = 1e-8  # a gap above this, or its rate relative to the speeds, is no start
CONFLICT = 1e-7  # [m/s² or rad/s²] relative: what no multiplier gives
CLOSED = 1e-12
NEARLY = 1e-10  # accepted where round-off lets a gap no further down
MOST = 50  # Newton steps


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
    return RANK + min(e * e, 1e-4)


@kernel
def constrained_forward(z, codes, numbers, q, v, tau, given, has_given, acceleration, driven, m, c):
    """As `forward`, holding the constraints: (status, rank). Leaves −λ in c[FORCES_OF], gaps in c[GAP], c[RATE]."""
    n, nv = codes[CONSTRAINT_ROWS], codes[NV]
    status = forward(z, codes, numbers, q, v, tau, given, has_given, acceleration, driven, m)
    if less(0.5, status):
        return status, 0
    constraint_rows(z, codes, numbers, q, v, acceleration, m, c)
    times_rows(z, c[JACOBIAN], nv, n, v, c[RATE])
    respond_rows(z, codes, n, m, c)
    gap, _ = worst_of(z, c[GAP], codes[POSITION_ROWS])
    drift, _ = worst_of(z, c[RATE], n)
    size, _ = worst_of(z, c[SECOND], n)
    rank, left, row = solve_rows(z, n, c[SECOND], tolerance_at(gap), c)
    correct(z, codes, n, acceleration, c)
    if less((CONFLICT + 10.0 * (gap + drift)) * (1.0 + size), left):
        status = z + (LOOP_CONFLICT + KINDS * constraint_of(codes, row))
    return status, rank


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


@kernel
def turn(z, q, at, w):
    """A quaternion moved by q̇ = q ⊗ (0, ω)/2, then normalised."""
    a, b = load(z, q, at), load3(z, q, at + 1)
    d, e = a - 0.5 * dot3(b, w), add3(b, add3(scale3(0.5 * a, w), scale3(0.5, cross(b, w))))
    k = 1.0 / sqrt(d * d + dot3(e, e))
    store(z, q, at, k * d)
    store3(z, q, at + 1, scale3(k, e))


@kernel
def advance(z, codes, q, step):
    """q moved by small velocities × time, in place; exact to first order, which is all that Newton's method needs."""
    i, k, record = 0, 0, codes[FIRST_QUATERNION]
    for _ in range(codes[QUATERNIONS]):
        at, first = codes[record], codes[record + 1]
        for j in range(first - k):
            store(z, q, i + j, load(z, q, i + j) + load(z, step, k + j))
        i, k = at + 4, first + 3
        if codes[record + 2]:
            R = quaternion_rotation(load(z, q, at), load(z, q, at + 1), load(z, q, at + 2), load(z, q, at + 3))
            store3(z, q, i, add3(load3(z, q, i), matvec(R, load3(z, step, k))))
            i, k = at + 7, first + 6
        turn(z, q, at, load3(z, step, first))
        record += QUATERNION_SIZE
    for j in range(codes[NV] - k):
        store(z, q, i + j, load(z, q, i + j) + load(z, step, k + j))


@kernel
def close(z, codes, numbers, q, driven, m, c):
    """Newton's method on q, its steps shortest in the mass metric; leaves rows and responses of the final q."""
    n, still, before = codes[POSITION_ROWS], c[STILL], z + 1e300
    for k in range(codes[NV]):
        store(z, c[FREE], k, z)
    for _ in range(MOST):
        status = forward(z, codes, numbers, q, still, still, still, False, c[FREE], driven, m)
        if less(0.5, status):
            return status
        constraint_rows(z, codes, numbers, q, still, c[FREE], m, c)
        gap, row = worst_of(z, c[GAP], n)
        if less(gap, CLOSED) or (less(gap, NEARLY) and not less(gap, 0.5 * before)):
            return z
        before = gap
        respond_rows(z, codes, n, m, c)
        solve_rows(z, n, c[GAP], tolerance_at(gap), c)
        for k in range(codes[NV]):
            store(z, c[STEP], k, z)
        correct(z, codes, n, c[STEP], c)
        advance(z, codes, q, c[STEP])
    return z + (NOT_CLOSED + KINDS * constraint_of(codes, row))


@kernel
def project_state(z, codes, numbers, q, v, driven, m, c):
    """Put q (but for rolling) and v onto the constraints, in place; prescribed ones stay. Returns the status."""
    status = close(z, codes, numbers, q, driven, m, c)
    if less(0.5, status):
        return status
    n = codes[CONSTRAINT_ROWS]
    times_rows(z, c[JACOBIAN], codes[NV], n, v, c[RATE])
    rate, _ = worst_of(z, c[RATE], n)
    respond_rows(z, codes, n, m, c)
    _, left, row = solve_rows(z, n, c[RATE], RANK, c)
    correct(z, codes, n, v, c)
    if less(CONFLICT * (1.0 + rate), left):
        return z + (LOOP_CONFLICT + KINDS * constraint_of(codes, row))
    return z


@entry
def project_states(z, codes, numbers, Q, V, STATUS, driven, start, stop):
    """Project the states Q, V in place."""
    m, c = memory(z, codes), constraint_memory(z, codes)
    q, v = scratch(z, codes[NQ]), scratch(z, codes[NV])
    for i in range(start, stop):
        pack(z, Q, i, stop, q)
        pack(z, V, i, stop, v)
        STATUS[i, 0] = project_state(z, codes, numbers, q, v, driven, m, c)
        unpack(z, q, Q, i, stop)
        unpack(z, v, V, i, stop)


@entry
def constrained_states(z, codes, numbers, Q, V, TAU, W, A, LAMBDA, RANKS, GAPS, STATUS, driven, start, stop):
    """Accelerations A and multipliers LAMBDA of the states Q, V under forces TAU and wrenches W (none if no rows)."""
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
        status, RANKS[i] = constrained_forward(z, codes, numbers, q, v, tau, w, has_given, a, driven, m, c)
        if not less(0.5, status) or status.real % KINDS >= LOOP_OPEN:
            found, GAPS[i] = start_status(z, codes, v, c)
            status = found if less(0.5, found) else status
        STATUS[i, 0] = status
        unpack(z, a, A, i, stop)
        for k in range(codes[CONSTRAINT_ROWS]):
            LAMBDA[i, k] = -load(z, c[FORCES_OF], k)
