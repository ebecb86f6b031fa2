"""Constraints held and closed for states side by side, each lane as if it were alone.

Rows are eliminated in their own order; one that depends on those before it is left out where it does, lane by lane, so
no lane looks at its neighbours. Where a pivot is neither clearly there nor clearly round-off, or anything else is
unusual, the lane is odd: it must be computed by itself, with pivots (`constrained_forward`, `projection`).
"""

from ....model.kernels.records import header
from ....numeric import any_lane, inlined, kernel, less, load, magnitude, select, sqrt, store
from ...kernels.forward import forward
from ...kernels.manifold_steps import retract
from .constrained_forward import CONFLICT, LEAST_PIVOT, allowed, prepare_rows, tolerance_at
from .constrained_lanes import largest_size
from .constraint_rows import sound_rows
from .multipliers import scale_rows
from .projection import CLOSED, NEARLY, factor_at_rest, times_rows
from .row_responses import correct, respond_rows

NOTHING, SURELY = 1e-13, 1e-7  # of a scaled row's own: a pivot between these is odd
MOST = 12  # Newton steps; lanes that need more are odd


@inlined
def where(z, condition):
    """1 where a condition holds, else 0."""
    return select(condition, z + 1.0, z)


@kernel
def factor_row(z, A, n, k, free):
    """Row k of the factor, its diagonal inverted; 0 there where the row depends on those before it.

    Returns 1 where the pivot is doubtful, else 0.
    """
    pivot = load(z, A, k * (n + 1))
    for j in range(k):
        s = load(z, A, k * n + j)
        for i in range(j):
            s = s - load(z, A, k * n + i) * load(z, A, j * n + i)
        s = s * load(z, A, j * (n + 1))
        store(z, A, k * n + j, s)
        pivot = pivot - s * s
    there = less(free, pivot)
    store(z, A, k * (n + 1), select(there, 1.0 / sqrt(select(there, pivot, z + 1.0)), z))
    return select(less(pivot, NOTHING + free), z, where(z, less(pivot, SURELY)))


@kernel
def solve_in_order(z, n, b, tolerance, c):
    """λ of the first n rows, to c.multipliers; returns the largest |b| that no λ gives, and 1 in odd lanes, else 0."""
    A, scale, x = c.gram, c.scale, c.multipliers
    scale_rows(z, A, n, scale)
    worst, odd = z, z
    for k in range(n):
        odd = odd + factor_row(z, A, n, k, tolerance)
        y, inverse, size = load(z, scale, k) * load(z, b, k), load(z, A, k * (n + 1)), load(z, scale, k)
        for j in range(k):
            y = y - load(z, A, k * n + j) * load(z, x, j)
        store(z, x, k, y * inverse)
        moves = less(0.0, size)
        left = magnitude(select(moves, y / select(moves, size, z + 1.0), load(z, b, k)))
        left = select(less(0.0, inverse), z, left)
        worst = select(less(left, worst), worst, left)  # NaN stays
    for k in range(n - 1, -1, -1):
        s = load(z, x, k)
        for i in range(k + 1, n):
            s = s - load(z, A, i * n + k) * load(z, x, i)
        store(z, x, k, s * load(z, A, k * (n + 1)))
    for k in range(n):
        store(z, x, k, load(z, scale, k) * load(z, x, k))
    return worst, odd


@kernel
def forward_side_by_side(z, t, q, v, a, external, m, c):
    """As `constrained_forward`; a status that is not 0 says only that the lane is odd."""
    n = header(t).constraint_rows
    status = forward(z, t, q, v, a, external, m)
    prepare_rows(z, t, q, v, a, m, c)
    gap, drift = largest_size(z, c.gap, header(t).position_rows), largest_size(z, c.rate, n)
    size = largest_size(z, c.second, n)
    left, odd = solve_in_order(z, n, c.second, tolerance_at(z, gap), c)
    correct(z, t, n, a, m, c)
    return status + odd + (1.0 - where(z, less(left, allowed(gap, drift, size))))


@kernel
def close_side_by_side(z, t, q, m, c):
    """As `close`; 0 where a lane is closed, else it is odd."""
    h, n, before, going, odd = header(t), header(t).position_rows, z + 1e300, z + 1.0, z
    for _ in range(MOST):
        odd = odd + factor_at_rest(z, t, q, m, c)
        sound_rows(z, t, q, c.still, c.still, m, c)
        gap = largest_size(z, c.gap, n)
        nearly = where(z, less(gap, NEARLY)) * (1.0 - where(z, less(gap, 0.5 * before)))
        going = select(less(gap, CLOSED), z, 1.0 - nearly)
        if not any_lane(less(0.5, going)):
            break
        before = gap
        respond_rows(z, t, n, m, c)
        _, doubt = solve_in_order(z, n, c.gap, tolerance_at(z, gap), c)
        odd = odd + going * doubt
        for k in range(h.nv):
            store(z, c.step, k, z)
        correct(z, t, n, c.step, m, c)
        for k in range(h.nv):
            store(z, c.step, k, select(less(0.5, going), load(z, c.step, k), z))
        retract(z, t, q, c.step, 1.0, q)
    return odd + going


@kernel
def project_side_by_side(z, t, q, v, m, c):
    """As `project_state`; 0 where a lane is on its constraints, else it is odd."""
    n = header(t).constraint_rows
    odd = close_side_by_side(z, t, q, m, c)
    times_rows(z, c.jacobian, header(t).nv, n, v, c.rate)
    rate = largest_size(z, c.rate, n)
    respond_rows(z, t, n, m, c)
    left, doubt = solve_in_order(z, n, c.rate, z + LEAST_PIVOT, c)
    correct(z, t, n, v, m, c)
    return odd + doubt + (1.0 - where(z, less(left, CONFLICT * (1.0 + rate))))
