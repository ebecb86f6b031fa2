"""States brought onto their constraints: Newton's method on q, a linear step on v, shortest in the mass metric."""

from ....model.kernels.records import header
from ....model.kernels.status import KINDS, LOOP_CONFLICT, NOT_CLOSED
from ....numeric import entry, kernel, less, load, pack, release, scratch, store, tables, unpack
from ...kernels.any_tree import articulate_tree
from ...kernels.manifold_steps import retract
from ...kernels.outward_pass import place
from ...kernels.scratch import tree_scratch
from .constrained_forward import (
    CONFLICT,
    LEAST_PIVOT,
    constraint_of,
    tolerance_at,
    worst_of,
)
from .constraint_rows import sound_rows
from .constraint_scratch import constraint_scratch
from .multipliers import solve_rows
from .row_responses import correct, respond_rows

CLOSED = 1e-12
NEARLY = 1e-10  # accepted where round-off lets a gap no further down
MOST = 50  # Newton steps


@kernel
def times_rows(z, J, nv, n, v, out):
    """J v."""
    for i in range(n):
        s = z
        for k in range(nv):
            s = s + load(z, J, i * nv + k) * load(z, v, k)
        store(z, out, i, s)


@kernel
def factor_at_rest(z, t, q, m, c):
    """Poses, columns and the factors of the mass matrix at q, all that gaps are closed by. Returns the status."""
    place(z, t, q, c.still, m)
    return articulate_tree(z, t, c.still, c.still, False, m)


@kernel
def close(z, t, q, m, c):
    """Newton's method on q, its steps shortest in the mass metric; leaves rows and responses of the final q."""
    h, n, before = header(t), header(t).position_rows, z + 1e300
    for _ in range(MOST):
        status = factor_at_rest(z, t, q, m, c)
        if less(0.5, status):
            return status
        sound_rows(z, t, q, c.still, c.still, m, c)
        gap, row = worst_of(z, c.gap, n)
        if less(gap, CLOSED) or (less(gap, NEARLY) and not less(gap, 0.5 * before)):
            return z
        before = gap
        respond_rows(z, t, n, m, c)
        solve_rows(z, n, c.gap, tolerance_at(z, gap), c, True)
        for k in range(h.nv):
            store(z, c.step, k, z)
        correct(z, t, n, c.step, m, c)
        retract(z, t, q, c.step, 1.0, q)
    return z + (NOT_CLOSED + KINDS * constraint_of(t, row))  # pyright: ignore[reportPossiblyUnboundVariable]  # the loop ran: row is bound


@kernel
def project_state(z, t, q, v, m, c):
    """Put q (but for rolling) and v onto the constraints, in place; prescribed ones stay. Returns the status."""
    status = close(z, t, q, m, c)
    if less(0.5, status):
        return status
    n = header(t).constraint_rows
    times_rows(z, c.jacobian, header(t).nv, n, v, c.rate)
    rate, _ = worst_of(z, c.rate, n)
    respond_rows(z, t, n, m, c)
    _, left, row, _ = solve_rows(z, n, c.rate, z + LEAST_PIVOT, c, True)
    correct(z, t, n, v, m, c)
    if less(CONFLICT * (1.0 + rate), left):
        return z + (LOOP_CONFLICT + KINDS * constraint_of(t, int(row.real)))
    return z


@entry
def project_states(z, pair, states, start, stop):
    """Project states = (Q, V, STATUS) in place."""
    t = tables(pair[:2])
    Q, V, STATUS = states
    m, c = tree_scratch(z, t, *pair[2:]), constraint_scratch(z, t)
    q, v = scratch(z, header(t).nq), scratch(z, header(t).nv)
    for i in range(start, stop):
        pack(z, Q, i, stop, q)
        pack(z, V, i, stop, v)
        STATUS[i, 0] = project_state(z, t, q, v, m, c)
        unpack(z, q, Q, i, stop)
        unpack(z, v, V, i, stop)
    release(m, c, q, v)
