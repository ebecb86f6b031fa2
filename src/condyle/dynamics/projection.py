"""States brought onto their constraints: Newton's method on q, a linear step on v, shortest in the mass metric."""

from ..model.layout import CONSTRAINT_ROWS, FIRST_QUATERNION, NQ, NV, POSITION_ROWS, QUATERNION_SIZE, QUATERNIONS
from ..numeric import entry, kernel, less, load, pack, scratch, sqrt, store, unpack
from ..spatial.algebra import add3, cross, dot3, load3, matvec, quaternion_rotation, scale3, store3
from .constraint_memory import FREE, GAP, JACOBIAN, RATE, STEP, STILL, constraint_memory
from .constraint_rows import constraint_rows
from .forward import forward
from .holding import CONFLICT, LEAST_PIVOT, constraint_of, correct, respond_rows, times_rows, tolerance_at, worst_of
from .layout import KINDS, LOOP_CONFLICT, NOT_CLOSED
from .memory import memory
from .multipliers import solve_rows

__all__ = ["project_state", "project_states"]

CLOSED = 1e-12
NEARLY = 1e-10  # accepted where round-off lets a gap no further down
MOST = 50  # Newton steps


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
    _, left, row = solve_rows(z, n, c[RATE], LEAST_PIVOT, c)
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
