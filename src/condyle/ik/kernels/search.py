"""Compiled first phase of a search: damped Gauss-Newton steps accepted without a descent test.

The same steps as `search._advanced` and `steps.damped_step` take with arrays for all members at once; here one member
goes after the other, so one target costs microseconds and each member ends when it is done.
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

__all__ = ["GOING", "REACHED", "STUCK", "bold_steps"]

REACHED, STUCK, GOING = 0, 1, 2  # how a member ended
SLOW = 1e-3  # a change smaller than this part of |r|² is slow
AT_LIMIT = 1e-13  # [rad or m]: less room than this is round-off


class Settings(NamedTuple):
    """Largest residual that counts as reached, most steps, and damping relative to |r|²."""

    tolerance: float
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
    """H = JᵀJ (lower part) and g = Jᵀr."""
    for i in range(nv):
        s = z
        for k in range(rows):
            s = s + load(z, w.J, k * nv + i) * load(z, w.r, k)
        store(z, w.g, i, s)
        for j in range(i + 1):
            s = z
            for k in range(rows):
                s = s + load(z, w.J, k * nv + i) * load(z, w.J, k * nv + j)
            store(z, w.H, i * nv + j, s)


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
def free_system(z, nv, w):
    """H without the rows and columns of fixed coordinates, packed, and after it −g less what those do."""
    rest = nv * (nv + 1) // 2
    for i in range(nv):
        s = z if is_fixed(z, w, i) else -load(z, w.g, i)
        for j in range(nv):
            if j <= i:
                out = is_fixed(z, w, i) or is_fixed(z, w, j)
                value = z + (1.0 if i == j else 0.0) if out else load(z, w.H, i * nv + j)
                store(z, w.L, i * (i + 1) // 2 + j, value)
            if is_fixed(z, w, j) and not is_fixed(z, w, i):
                s = s - load(z, w.H, max(i, j) * nv + min(i, j)) * load(z, w.dv, j)
        store(z, w.L, rest + i, s)


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


@kernel
def step_towards(z, t, limits, rows, damping, cost, w):
    """One damped step from w.q, in place, inside its limits."""
    nq, nv = header(t).nq, header(t).nv
    normal_equations(z, rows, nv, w)
    size = z
    for k in range(nv):
        size = size + load(z, w.H, k * (nv + 1))
    added = max(damping * cost, 1e-14 * size / nv) + 1e-300
    for k in range(nv):
        store(z, w.H, k * (nv + 1), load(z, w.H, k * (nv + 1)) + added)
    find_room(z, t, limits, w)
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
def search_boldly(z, t, limits, targets, settings, m, w):
    """At most `settings.steps` steps from w.q; the best place goes to w.best, how it ended to w.end."""
    rows, before = 3 * (targets.points + targets.turns), z + math.inf
    store(z, w.end, 0, z + math.inf)
    store(z, w.end, 1, z + math.inf)
    for k in range(settings.steps + 1):
        linear_rows(z, t, targets, w.q, w.v, m, w.r, w.J)
        cost, most = sizes(z, rows, w.r)
        reached = most <= settings.tolerance and math.isfinite(cost)
        if math.sqrt(cost) < load(z, w.end, 0) or reached:
            keep_best(z, header(t).nq, cost, most, w)
        store(z, w.end, 2, z + k)
        if reached:
            store(z, w.end, 3, z + REACHED)
            return
        if k > 0 and not abs(before - cost) > SLOW * before:  # NaN too
            store(z, w.end, 3, z + STUCK)
            return
        if k < settings.steps:
            step_towards(z, t, limits, rows, settings.damping, cost, w)
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
def bold_steps(z, pair, limits, asked, how, arrays, start, stop):
    """Search from each row of Q in arrays = (GOALS, Q, ENDS): Q becomes the best place seen, ENDS as w.end has it.

    `asked` is ((points, orientations), constants), `how` (tolerance, steps, damping).
    """
    t, settings = tables(pair), Settings(how[0], how[1], how[2])
    GOALS, Q, ENDS = arrays
    counts, constants = asked
    m, w = tree_scratch(z, t), search_scratch(z, header(t).nq, header(t).nv, residual_count(counts))
    targets = Targets(counts[0], counts[1], tables(constants), scratch(z, goal_size(counts)))
    for i in range(start, stop):
        pack(z, Q, i, stop, w.q)
        pack(z, Q, i, stop, w.best)
        pack(z, GOALS, i, stop, targets.goal)
        search_boldly(z, t, limits, targets, settings, m, w)
        unpack(z, w.best, Q, i, i + 1)
        unpack(z, w.end, ENDS, i, i + 1)
    release(m, w, targets.goal)
