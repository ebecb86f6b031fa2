"""The bold part of a search, compiled: damped least-squares steps taken whether they help or not.

The same steps as `search._advanced` and `steps.damped_step` take with arrays for all members at once; here one member
goes after the other, so one target costs microseconds and each member ends when it is done.
"""

import math

from ...dynamics.kernels.manifold_steps import retract
from ...dynamics.kernels.scratch import memory
from ...model.kernels.layout import FIRST_PLAIN, NQ, NV, PLAIN, PRESCRIBED
from ...numeric import entry, give_back, inlined, kernel, load, pack, scratch, store, tables, unpack
from .residuals import linear_rows

__all__ = ["GOING", "REACHED", "STUCK", "bold_steps"]

REACHED, STUCK, GOING = 0, 1, 2  # how a member ended
SLOW = 1e-3  # a change smaller than this part of |r|² is slow
AT_LIMIT = 1e-13  # [rad or m]: less room than this is round-off
LOW, HIGH, FIXED = 0, 1, 2  # arrays of the room around q


@kernel
def normal_equations(z, rows, nv, r, J, H, g):
    """H = JᵀJ (lower part) and g = Jᵀr."""
    for i in range(nv):
        s = z
        for k in range(rows):
            s = s + load(z, J, k * nv + i) * load(z, r, k)
        store(z, g, i, s)
        for j in range(i + 1):
            s = z
            for k in range(rows):
                s = s + load(z, J, k * nv + i) * load(z, J, k * nv + j)
            store(z, H, i * nv + j, s)


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


@kernel
def step_towards(z, codes, limits, rows, mu, cost, q, r, J, work, room):
    """One damped step from q, in place, inside its limits."""
    nv = codes[NV]
    H, g, L, dv = work
    normal_equations(z, rows, nv, r, J, H, g)
    size = z
    for k in range(nv):
        size = size + load(z, H, k * (nv + 1))
    damping = max(mu * cost, 1e-14 * size / nv) + 1e-300
    for k in range(nv):
        store(z, H, k * (nv + 1), load(z, H, k * (nv + 1)) + damping)
    find_room(z, codes, limits, q, room)
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
    z, codes, numbers, limits, points, turns, bodies, fixed, goal, tolerance, steps, mu, q, v, best, end, r, J, m,
    work, room,
):  # fmt: skip
    """At most `steps` steps from q; the best place goes to `best`, (|r|, largest, steps, how it ended) to `end`."""
    rows, before = 3 * (points + turns), z + math.inf
    store(z, end, 0, z + math.inf)
    store(z, end, 1, z + math.inf)
    for k in range(steps + 1):
        linear_rows(z, codes, numbers, q, v, m, points, turns, bodies, fixed, goal, r, J)
        cost, most = sizes(z, rows, r)
        reached = most <= tolerance and math.isfinite(cost)
        if math.sqrt(cost) < load(z, end, 0) or reached:
            store(z, end, 0, math.sqrt(cost))
            store(z, end, 1, most)
            for i in range(codes[NQ]):
                store(z, best, i, load(z, q, i))
        store(z, end, 2, z + k)
        if reached:
            store(z, end, 3, z + REACHED)
            return
        if k > 0 and not abs(before - cost) > SLOW * before:  # NaN too
            store(z, end, 3, z + STUCK)
            return
        if k < steps:
            step_towards(z, codes, limits, rows, mu, cost, q, r, J, work, room)
        before = cost
    store(z, end, 3, z + GOING)


@entry
def bold_steps(
    z, codes, numbers, limits, points, turns, bodies, fixed, GOALS, tolerance, steps, mu, Q, ENDS, start, stop
):
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
            z, codes, numbers, limits, points, turns, bodies, fixed, goal, tolerance, steps, mu, q, v, best, end, r, J,
            m, work, room,
        )  # fmt: skip
        unpack(z, best, Q, i, i + 1)
        unpack(z, end, ENDS, i, i + 1)
    give_back(m, q, v, best, end, goal, r, J, work, room)
