"""The compiled search: damped Gauss-Newton steps inside limits, accepted without a descent test.

One member goes after the other, so one target costs microseconds and each member ends when it is done. `bounded_step`
is the only bounded step of the method "damped"; `bounded_steps` takes it for members that search on with descent tests.

A target that cannot be met exactly, such as measured markers, ends where the projected gradient vanishes. Near there
the damping is lowered from step to step, so that Gauss-Newton contracts as fast as the residual allows; where it
contracts too slowly the member is left to Newton's method.
"""

import math
from typing import Any, NamedTuple

from ...dynamics.kernels.manifold_steps import retract
from ...dynamics.kernels.scratch import tree_scratch
from ...model.kernels.records import header, is_prescribed, plain_at
from ...numeric import (
    cholesky,
    cholesky_backward,
    cholesky_forward,
    entry,
    inlined,
    kernel,
    load,
    pack,
    release,
    scratch,
    store,
    tables,
    unpack,
)
from .residuals import Targets, goal_size, linear_rows, residual_count

REACHED, STUCK, GOING, FLAT = 0, 1, 2, 3  # how a member ended
SLOW = 1e-3  # a change smaller than this part of |r|² is slow
STATIONARY = 1e-10  # of |J| |r|: a projected gradient below this is zero
CONTRACTION = 0.5  # of the gradient by a slow step: where it falls less, Newton's method is faster
SLOWEST = 1e-8  # of the mean curvature: the least damping of slow steps, so that null directions stay
AT_LIMIT = 1e-13  # [rad or m]: less room than this is round-off


class Settings(NamedTuple):
    """Largest residual that counts as reached, most steps, most that are not slow, and damping relative to |r|²."""

    tolerance: float
    most_steps: int
    steps: int
    damping: float


class SearchScratch(NamedTuple):
    """Arrays of the search of one member."""

    q: Any
    v: Any  # nv zeros
    best: Any  # coordinates with the least residuals so far
    end: Any  # (|r|, largest, steps, how it ended) of the best
    r: Any
    J: Any
    H: Any  # JᵀJ, lower part, damped
    g: Any  # Jᵀr
    L: Any  # Cholesky's factor of H, packed; then the right-hand side
    dv: Any
    low: Any  # how far each velocity direction may go
    high: Any
    fixed: Any  # 1 where it may go no further


@kernel
def normal_equations(z, rows, nv, w):
    """H = JᵀJ (lower part) and g = Jᵀr, row by row; a body's rows have columns only for the joints above it."""
    for i in range(nv):
        store(z, w.g, i, z)
        for j in range(i + 1):
            store(z, w.H, i * nv + j, z)
    for k in range(rows):
        x = load(z, w.r, k)
        for i in range(nv):
            y = load(z, w.J, k * nv + i)
            if y == 0.0:
                continue
            store(z, w.g, i, load(z, w.g, i) + y * x)
            for j in range(i + 1):
                store(z, w.H, i * nv + j, load(z, w.H, i * nv + j) + y * load(z, w.J, k * nv + j))


@kernel
def find_room(z, t, limits, w):
    """How far each velocity direction may go from w.q; none is fixed yet."""
    nq, nv = header(t).nq, header(t).nv
    for k in range(nv):
        store(z, w.low, k, z - math.inf)
        store(z, w.high, k, z + math.inf)
        store(z, w.fixed, k, z)
    for i in range(header(t).plain):
        c = plain_at(t, i)
        x = load(z, w.q, c.q)
        low, high = limits[c.q] - x, limits[nq + c.q] - x
        store(z, w.low, c.v, z if low > -AT_LIMIT else low)
        store(z, w.high, c.v, z if high < AT_LIMIT else high)
    for k in range(nv):
        if is_prescribed(t, k):
            store(z, w.low, k, z)
            store(z, w.high, k, z)


@inlined
def is_fixed(z, w, k):
    """Whether a velocity direction may go no further."""
    return load(z, w.fixed, k) > 0.0


@kernel
def take_out(z, nv, w, k):
    """Fixed coordinate k leaves the packed system: its row and column become those of 1, its part goes to the right."""
    rest, x = nv * (nv + 1) // 2, load(z, w.dv, k)
    for i in range(nv):
        row, column = max(i, k), min(i, k)
        store(z, w.L, rest + i, load(z, w.L, rest + i) - load(z, w.H, row * nv + column) * x)
        store(z, w.L, row * (row + 1) // 2 + column, z + (1.0 if i == k else 0.0))


@kernel
def free_system(z, nv, w):
    """H without the rows and columns of fixed coordinates, packed, and after it −g less what those do."""
    rest = nv * (nv + 1) // 2
    for i in range(nv):
        store(z, w.L, rest + i, -load(z, w.g, i))
        for j in range(i + 1):
            store(z, w.L, i * (i + 1) // 2 + j, load(z, w.H, i * nv + j))
    for k in range(nv):
        if is_fixed(z, w, k):
            take_out(z, nv, w, k)
    for k in range(nv):
        if is_fixed(z, w, k):
            store(z, w.L, rest + k, z)


@kernel
def solve_free(z, nv, w):
    """The minimiser of ½ dvᵀH dv + gᵀdv over the coordinates that are not fixed."""
    rest = nv * (nv + 1) // 2
    free_system(z, nv, w)
    cholesky(z, w.L, 0, nv)
    cholesky_forward(z, w.L, 0, nv, rest, 1, 1, 0)
    cholesky_backward(z, w.L, 0, nv, rest)
    for i in range(nv):
        if not is_fixed(z, w, i):
            store(z, w.dv, i, load(z, w.L, rest + i))


@kernel
def bounded_step(z, nv, w):
    """The damped step; coordinates that would leave their limits are set there and the others solved for again."""
    for _ in range(nv + 1):
        solve_free(z, nv, w)
        past = False
        for k in range(nv):
            x, low, high = load(z, w.dv, k), load(z, w.low, k), load(z, w.high, k)
            if not is_fixed(z, w, k) and not low <= x <= high:
                past = True
                store(z, w.fixed, k, z + 1.0)
                store(z, w.dv, k, low if x < low else high)
        if not past:
            break


@inlined
def mean_curvature(z, nv, w):
    """The mean of the diagonal of H; |J|² is nv times that."""
    size = z
    for k in range(nv):
        size = size + load(z, w.H, k * (nv + 1))
    return size / max(nv, 1)


@kernel
def projected_gradient(z, nv, w):
    """The largest |g_k| whose way down the limits leave open."""
    most = z
    for k in range(nv):
        x = load(z, w.g, k)
        way_out = load(z, w.low, k) < 0.0 if x > 0.0 else load(z, w.high, k) > 0.0
        if way_out:
            most = max(most, abs(x))
    return most


@kernel
def step_towards(z, t, limits, damping, w):
    """One damped step from w.q with the normal equations there, in place, inside its limits."""
    nq, nv = header(t).nq, header(t).nv
    for k in range(nv):
        store(z, w.H, k * (nv + 1), load(z, w.H, k * (nv + 1)) + damping)
    bounded_step(z, nv, w)
    retract(z, t, w.q, w.dv, 1.0, w.q)
    for k in range(nq):
        x = load(z, w.q, k)
        store(z, w.q, k, max(min(x, limits[nq + k]), limits[k]))


@inlined
def sizes(z, rows, r):
    """Σ r² and the largest |r|."""
    cost, most = z, z
    for k in range(rows):
        x = load(z, r, k)
        cost, most = cost + x * x, max(most, abs(x))
    return cost, most


@inlined
def keep_best(z, nq, cost, most, w):
    """Note the residuals here and the coordinates that have them."""
    store(z, w.end, 0, math.sqrt(cost))
    store(z, w.end, 1, most)
    for i in range(nq):
        store(z, w.best, i, load(z, w.q, i))


@kernel
def search_member(z, t, limits, targets, settings, m, w):
    """At most `settings.steps` steps from w.q, or `settings.most_steps` if the last ones are slow and contract.

    The best place goes to w.best, how it ended to w.end.
    """
    nv, rows = header(t).nv, 3 * (targets.points + targets.turns) + targets.coordinates
    before, slope, slow = z + math.inf, z + math.inf, 0
    store(z, w.end, 0, z + math.inf)
    store(z, w.end, 1, z + math.inf)
    for k in range(settings.most_steps + 1):
        linear_rows(z, t, targets, w.q, w.v, m, w.r, w.J)
        cost, most = sizes(z, rows, w.r)
        store(z, w.end, 2, z + k)
        if most <= settings.tolerance and math.isfinite(cost):
            keep_best(z, header(t).nq, cost, most, w)
            store(z, w.end, 3, z + REACHED)
            return
        normal_equations(z, rows, nv, w)
        find_room(z, t, limits, w)
        size, last = mean_curvature(z, nv, w), slope
        slope = projected_gradient(z, nv, w)
        flat = slope <= STATIONARY * math.sqrt(nv * size * cost)
        if math.sqrt(cost) < load(z, w.end, 0) * (1.0 + 1e-12 if flat else 1.0):
            keep_best(z, header(t).nq, cost, most, w)
        if flat and math.isfinite(cost):
            store(z, w.end, 3, z + FLAT)
            return
        slow = slow + 1 if k > 0 and not abs(before - cost) > SLOW * before else 0  # NaN too
        if slow > 1 and not slope < CONTRACTION * last:
            store(z, w.end, 3, z + STUCK)
            return
        if slow == 0 and k >= settings.steps:
            break
        if k < settings.most_steps:
            floor = SLOWEST if slow > 0 else 1e-14
            damping = max(settings.damping * 0.1**slow * cost, floor * size) + 1e-300
            step_towards(z, t, limits, damping, w)
        before = cost
    store(z, w.end, 3, z + GOING)


@kernel
def search_scratch(z, nq, nv, rows):
    """Allocate the scratch of a search."""
    v = scratch(z, nv)
    for k in range(nv):
        store(z, v, k, z)
    return SearchScratch(
        q=scratch(z, nq),
        v=v,
        best=scratch(z, nq),
        end=scratch(z, 4),
        r=scratch(z, rows),
        J=scratch(z, rows * nv),
        H=scratch(z, nv * nv),
        g=scratch(z, nv),
        L=scratch(z, nv * (nv + 1) // 2 + nv),
        dv=scratch(z, nv),
        low=scratch(z, nv),
        high=scratch(z, nv),
        fixed=scratch(z, nv),
    )


@entry
def search_members(z, pair, limits, asked, how, arrays, start, stop):
    """Search from each row of Q in arrays = (GOALS, Q, ENDS): Q becomes the best place seen, ENDS as w.end has it.

    `asked` is ((points, orientations, coordinates), constants), `how` (tolerance, most steps, steps, damping).
    """
    t, settings = tables(pair[:2]), Settings(how[0], how[1], how[2], how[3])
    GOALS, Q, ENDS = arrays
    counts, constants = asked
    m, w = tree_scratch(z, t, *pair[2:]), search_scratch(z, header(t).nq, header(t).nv, residual_count(counts))
    targets = Targets(counts[0], counts[1], counts[2], tables(constants), scratch(z, goal_size(counts)))
    for i in range(start, stop):
        pack(z, Q, i, stop, w.q)
        pack(z, Q, i, stop, w.best)
        pack(z, GOALS, i, stop, targets.goal)
        search_member(z, t, limits, targets, settings, m, w)
        unpack(z, w.best, Q, i, i + 1)
        unpack(z, w.end, ENDS, i, i + 1)
    release(m, w, targets.goal)


@entry
def bounded_steps(z, arrays, start, stop):
    """DV of each row of arrays = (H, G, LOW, HIGH, DV) minimises ½ dvᵀH dv + gᵀdv with low ≤ dv ≤ high."""
    H, G, LOW, HIGH, DV = arrays
    nv = G.shape[1]
    w = search_scratch(z, 0, nv, 0)
    for i in range(start, stop):
        pack(z, H, i, stop, w.H)
        pack(z, G, i, stop, w.g)
        pack(z, LOW, i, stop, w.low)
        pack(z, HIGH, i, stop, w.high)
        for k in range(nv):
            store(z, w.fixed, k, z)
        bounded_step(z, nv, w)
        unpack(z, w.dv, DV, i, i + 1)
    release(w)
