"""States brought onto their constraints: Newton's method on q, a linear step on v, shortest in the mass metric."""

from ...model.kernels.layout import CONSTRAINT_ROWS, NQ, NV, POSITION_ROWS
from ...numeric import entry, give_back, kernel, less, pack, scratch, store, tables, unpack
from .constrained_forward import (
    CONFLICT,
    LEAST_PIVOT,
    constraint_of,
    correct,
    respond_rows,
    times_rows,
    tolerance_at,
    worst_of,
)
from .constraint_rows import constraint_rows
from .constraint_scratch import FREE, GAP, JACOBIAN, RATE, STEP, STILL, constraint_memory
from .forward import forward
from .layout import KINDS, LOOP_CONFLICT, NOT_CLOSED
from .manifold_steps import retract
from .multipliers import solve_rows
from .scratch import memory

__all__ = ["project_state", "project_states"]

CLOSED = 1e-12
NEARLY = 1e-10  # accepted where round-off lets a gap no further down
MOST = 50  # Newton steps


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
        retract(z, codes, q, c[STEP], 1.0, q)
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
    _, left, row = solve_rows(z, n, c[RATE], LEAST_PIVOT, c)
    correct(z, codes, n, v, c)
    if less(CONFLICT * (1.0 + rate), left):
        return z + (LOOP_CONFLICT + KINDS * constraint_of(codes, row))
    return z


@entry
def project_states(z, codes, numbers, Q, V, STATUS, driven, start, stop):
    """Project the states Q, V in place."""
    codes, numbers = tables(codes, numbers)
    m, c = memory(z, codes), constraint_memory(z, codes)
    q, v = scratch(z, codes[NQ]), scratch(z, codes[NV])
    for i in range(start, stop):
        pack(z, Q, i, stop, q)
        pack(z, V, i, stop, v)
        STATUS[i, 0] = project_state(z, codes, numbers, q, v, driven, m, c)
        unpack(z, q, Q, i, stop)
        unpack(z, v, V, i, stop)
    give_back(m, c, q, v)
