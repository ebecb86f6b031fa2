"""Compiled first phase of a search: damped Gauss-Newton steps accepted without a descent test.

The same steps as `search._advanced` and `steps.damped_step` take with arrays for all members at once; here one member
goes after the other, so one target costs microseconds and each member ends when it is done.

A target that cannot be met exactly, such as measured markers, ends where the projected gradient vanishes. Near there
the damping is lowered from step to step, so that Gauss-Newton contracts as fast as the residual allows; where it
contracts too slowly the member is left to Newton's method.
"""

import math

from ...dynamics.kernels.manifold_steps import retract
from ...dynamics.kernels.scratch import memory
from ...model.kernels.layout import FIRST_PLAIN, NQ, NV, PLAIN, PRESCRIBED
from ...numeric import entry, give_back, inlined, kernel, load, pack, scratch, store, tables, unpack
from .residuals import linear_rows

__all__ = ["FLAT", "GOING", "REACHED", "STUCK", "bold_steps"]

REACHED, STUCK, GOING, FLAT = 0, 1, 2, 3  # how a member ended
SLOW = 1e-3  # a change smaller than this part of |r|² is slow
STATIONARY = 1e-10  # of |J| |r|: a projected gradient below this is zero
CONTRACTION = 0.5  # of the gradient by a slow step: where it falls less, Newton's method is faster
SLOWEST = 1e-8  # of the mean curvature: the least damping of slow steps, so that null directions stay
AT_LIMIT = 1e-13  # [rad or m]: less room than this is round-off
LOW, HIGH, FIXED = 0, 1, 2  # arrays of the room around q


@kernel
def normal_equations(z, rows, nv, r, J, H, g):
    """H = JᵀJ (lower part) and g = Jᵀr, row by row; a body's rows have columns only for the joints above it."""
    for i in range(nv):
        store(z, g, i, z)
        for j in range(i + 1):
            store(z, H, i * nv + j, z)
    for k in range(rows):
        x = load(z, r, k)
        for i in range(nv):
            y = load(z, J, k * nv + i)
            if y == 0.0:
                continue
            store(z, g, i, load(z, g, i) + y * x)
            for j in range(i + 1):
                store(z, H, i * nv + j, load(z, H, i * nv + j) + y * load(z, J, k * nv + j))


@kernel
def find_room(z, codes, limits, q, room):
    """How far each velocity direction may go; none is fixed yet."""
    nv = codes[NV]
    for k in range(nv):
        store(z, room[LOW], k, z - math.inf)
        store(z, room[HIGH], k, z + math.inf)
        store(z, room[FIXED], k, z)
    for i in range(codes[PLAIN]):
        at, k = codes[codes[FIRST_PLAIN] + 2 * i], codes[codes[FIRST_PLAIN] + 2 * i + 1]
        x = load(z, q, at)
        low, high = limits[at] - x, limits[codes[NQ] + at] - x
        store(z, room[LOW], k, z if low > -AT_LIMIT else low)
        store(z, room[HIGH], k, z if high < AT_LIMIT else high)
    for k in range(nv):
        if codes[codes[PRESCRIBED] + k]:
            store(z, room[LOW], k, z)
            store(z, room[HIGH], k, z)


@inlined
def entry_of(z, H, nv, i, j, room):
    """H without the rows and columns of fixed coordinates."""
    if load(z, room[FIXED], i) + load(z, room[FIXED], j) > 0.0:
        return z + (1.0 if i == j else 0.0)
    return load(z, H, i * nv + j)


@kernel
def factorise_free(z, nv, H, room, L):
    """Cholesky's factor of H, fixed coordinates left out."""
    for i in range(nv):
        for j in range(i + 1):
            s = entry_of(z, H, nv, i, j, room)
            for k in range(j):
                s = s - load(z, L, i * nv + k) * load(z, L, j * nv + k)
            store(z, L, i * nv + j, math.sqrt(s) if i == j else s / load(z, L, j * nv + j))


@kernel
def solve_free(z, nv, H, g, room, L, dv):
    """The lowest point of ½ dvᵀH dv + gᵀdv, coordinates that are fixed left where they are."""
    factorise_free(z, nv, H, room, L)
    for i in range(nv):
        if load(z, room[FIXED], i) > 0.0:
            continue
        s = -load(z, g, i)
        for j in range(nv):
            if load(z, room[FIXED], j) > 0.0:
                s = s - load(z, H, max(i, j) * nv + min(i, j)) * load(z, dv, j)
            elif j < i:
                s = s - load(z, L, i * nv + j) * load(z, dv, j)
        store(z, dv, i, s / load(z, L, i * nv + i))
    for i in range(nv - 1, -1, -1):
        if load(z, room[FIXED], i) > 0.0:
            continue
        s = load(z, dv, i)
        for j in range(i + 1, nv):
            if load(z, room[FIXED], j) == 0.0:
                s = s - load(z, L, j * nv + i) * load(z, dv, j)
        store(z, dv, i, s / load(z, L, i * nv + i))


@kernel
def bounded_step(z, nv, H, g, room, L, dv):
    """The damped step; coordinates that would leave their limits are set there and the others solved for again."""
    for _ in range(nv + 1):
        solve_free(z, nv, H, g, room, L, dv)
        past = False
        for k in range(nv):
            x, low, high = load(z, dv, k), load(z, room[LOW], k), load(z, room[HIGH], k)
            if load(z, room[FIXED], k) == 0.0 and not low <= x <= high:
                past = True
                store(z, room[FIXED], k, z + 1.0)
                store(z, dv, k, low if x < low else high)
        if not past:
            break


@inlined
def mean_curvature(z, nv, H):
    """The mean of the diagonal of H; |J|² is nv times that."""
    size = z
    for k in range(nv):
        size = size + load(z, H, k * (nv + 1))
    return size / max(nv, 1)


@kernel
def projected_gradient(z, nv, g, room):
    """The largest |g_k| whose way down the limits leave open."""
    most = z
    for k in range(nv):
        x = load(z, g, k)
        way_out = load(z, room[LOW], k) < 0.0 if x > 0.0 else load(z, room[HIGH], k) > 0.0
        if way_out:
            most = max(most, abs(x))
    return most


@kernel
def step_towards(z, codes, limits, damping, q, work, room):
    """One damped step from q with the normal equations there, in place, inside its limits."""
    nv = codes[NV]
    H, g, L, dv = work
    for k in range(nv):
        store(z, H, k * (nv + 1), load(z, H, k * (nv + 1)) + damping)
    bounded_step(z, nv, H, g, room, L, dv)
    retract(z, codes, q, dv, 1.0, q)
    for k in range(codes[NQ]):
        x = load(z, q, k)
        store(z, q, k, max(min(x, limits[codes[NQ] + k]), limits[k]))


@inlined
def sizes(z, rows, r):
    """Σ r² and the largest |r|."""
    cost, most = z, z
    for k in range(rows):
        x = load(z, r, k)
        cost, most = cost + x * x, max(most, abs(x))
    return cost, most


@kernel
def search_boldly(
    z, codes, numbers, limits, points, turns, bodies, fixed, goal, tolerance, most_steps, steps, mu, q, v, best, end,
    r, J, m, work, room,
):  # fmt: skip
    """At most `steps` steps from q, or `most_steps` if the last ones are slow and contract.

    The best place goes to `best`, (|r|, largest, steps, how it ended) to `end`.
    """
    nv, rows, before, slope, slow = codes[NV], 3 * (points + turns), z + math.inf, z + math.inf, 0
    H, g = work[0], work[1]
    store(z, end, 0, z + math.inf)
    store(z, end, 1, z + math.inf)
    for k in range(most_steps + 1):
        linear_rows(z, codes, numbers, q, v, m, points, turns, bodies, fixed, goal, r, J)
        cost, most = sizes(z, rows, r)
        reached = most <= tolerance and math.isfinite(cost)
        normal_equations(z, rows, nv, r, J, H, g)
        find_room(z, codes, limits, q, room)
        size, last = mean_curvature(z, nv, H), slope
        slope = projected_gradient(z, nv, g, room)
        flat = slope <= STATIONARY * math.sqrt(nv * size * cost)
        if math.sqrt(cost) < load(z, end, 0) * (1.0 + 1e-12 if flat else 1.0) or reached:
            store(z, end, 0, math.sqrt(cost))
            store(z, end, 1, most)
            for i in range(codes[NQ]):
                store(z, best, i, load(z, q, i))
        store(z, end, 2, z + k)
        if reached:
            store(z, end, 3, z + REACHED)
            return
        if flat and math.isfinite(cost):
            store(z, end, 3, z + FLAT)
            return
        slow = slow + 1 if k > 0 and not abs(before - cost) > SLOW * before else 0  # NaN too
        if slow > 1 and not slope < CONTRACTION * last:
            store(z, end, 3, z + STUCK)
            return
        if slow == 0 and k >= steps:
            break
        if k < most_steps:
            floor = SLOWEST if slow > 0 else 1e-14
            damping = max(mu * 0.1**slow * cost, floor * size) + 1e-300
            step_towards(z, codes, limits, damping, q, work, room)
        before = cost
    store(z, end, 3, z + GOING)


@entry
def bold_steps(
    z, codes, numbers, limits, points, turns, bodies, fixed, GOALS, tolerance, most_steps, steps, mu, Q, ENDS, start,
    stop,
):  # fmt: skip
    """Search from each row of Q, which becomes the best place seen; ENDS as `search_boldly` has it."""
    codes, numbers = tables(codes, numbers)
    bodies, fixed = tables(bodies, fixed)
    nq, nv, rows = codes[NQ], codes[NV], 3 * (points + turns)
    m, q, v, best, end = memory(z, codes), scratch(z, nq), scratch(z, nv), scratch(z, nq), scratch(z, 4)
    goal, r, J = scratch(z, 3 * points + 9 * turns), scratch(z, rows), scratch(z, rows * nv)
    work = scratch(z, nv * nv), scratch(z, nv), scratch(z, nv * nv), scratch(z, nv)
    room = scratch(z, nv), scratch(z, nv), scratch(z, nv)
    for k in range(nv):
        store(z, v, k, z)
    for i in range(start, stop):
        pack(z, Q, i, stop, q)
        pack(z, Q, i, stop, best)
        pack(z, GOALS, i, stop, goal)
        search_boldly(
            z, codes, numbers, limits, points, turns, bodies, fixed, goal, tolerance, most_steps, steps, mu, q, v,
            best, end, r, J, m, work, room,
        )  # fmt: skip
        unpack(z, best, Q, i, i + 1)
        unpack(z, end, ENDS, i, i + 1)
    give_back(m, q, v, best, end, goal, r, J, work, room)
