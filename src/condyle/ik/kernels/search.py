"""The compiled search: damped Gauss-Newton steps inside limits, accepted without a descent test.

Members of a batch search side by side. Each has its own damping and its own end; a lane whose member is done takes the
next one of the queue, so no lane waits for its neighbours, and what a member does depends on nothing but itself.
`bounded_step` is the only bounded step of the method "damped"; `bounded_steps` takes it for members that search on with
descent tests.

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
    any_lane,
    cholesky,
    cholesky_backward,
    cholesky_forward,
    entry,
    finite,
    inlined,
    kernel,
    larger,
    less,
    load,
    magnitude,
    pack,
    release,
    scratch,
    select,
    sqrt,
    store,
    tables,
    unpack,
    width,
)
from .residuals import Targets, goal_size, linear_rows, normal_equations, residual_count

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
    """Arrays of the search of the members in the lanes."""

    q: Any
    v: Any  # nv zeros
    best: Any  # coordinates with the least residuals so far
    end: Any  # (|r|, largest, steps, how it ended) of the best
    past: Any  # (|r|², slope, slow steps in a row, what they made of the damping) before the last step; then 1 if done
    r: Any
    J: Any
    H: Any  # JᵀJ, lower part, damped
    g: Any  # Jᵀr
    L: Any  # Cholesky's factor of H, packed; then the right-hand side
    dv: Any
    low: Any  # how far each velocity direction may go
    high: Any
    fixed: Any  # 1 where it may go no further


SIZE, LARGEST, STEPS, HOW, ENDS = 0, 1, 2, 3, 4  # places in `end`, and how many
COST, SLOPE, SLOWS, SHRINK, DONE, PASTS = 0, 1, 2, 3, 4, 5  # places in `past`, and how many


class Work(NamedTuple):
    """Rows of the members: goals, where they start and then end, how they ended, and the member of each lane."""

    GOALS: Any
    Q: Any
    ENDS: Any
    members: Any  # −1 for none


@inlined
def flag(z, condition):
    """1 where a condition holds, else 0."""
    return select(condition, z + 1.0, z)


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
        store(z, w.low, c.v, select(less(-AT_LIMIT, low), z, low))
        store(z, w.high, c.v, select(less(high, AT_LIMIT), z, high))
    for k in range(nv):
        if is_prescribed(t, k):
            store(z, w.low, k, z)
            store(z, w.high, k, z)


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
        room = select(less(0.0, x), -load(z, w.low, k), load(z, w.high, k))
        most = larger(most, select(less(0.0, room), magnitude(x), z))
    return most


@inlined
def is_fixed(z, w, k):
    """Where a velocity direction may go no further."""
    return less(0.5, load(z, w.fixed, k))


@kernel
def take_out(z, nv, w, k):
    """Coordinate k leaves the packed system where it is fixed: its row and column become those of 1."""
    rest, here = nv * (nv + 1) // 2, is_fixed(z, w, k)
    x = select(here, load(z, w.dv, k), z)
    for i in range(nv):
        row, column = max(i, k), min(i, k)
        at = row * (row + 1) // 2 + column
        store(z, w.L, rest + i, load(z, w.L, rest + i) - load(z, w.H, row * nv + column) * x)
        store(z, w.L, at, select(here, z + (1.0 if i == k else 0.0), load(z, w.L, at)))


@kernel
def free_system(z, nv, w):
    """H without the rows and columns of fixed coordinates, packed, and after it −g less what those do."""
    rest = nv * (nv + 1) // 2
    for i in range(nv):
        store(z, w.L, rest + i, -load(z, w.g, i))
        for j in range(i + 1):
            store(z, w.L, i * (i + 1) // 2 + j, load(z, w.H, i * nv + j))
    for k in range(nv):
        if any_lane(is_fixed(z, w, k)):
            take_out(z, nv, w, k)
    for k in range(nv):
        store(z, w.L, rest + k, select(is_fixed(z, w, k), z, load(z, w.L, rest + k)))


@kernel
def solve_free(z, nv, w):
    """The minimiser of ½ dvᵀH dv + gᵀdv over the coordinates that are not fixed."""
    rest = nv * (nv + 1) // 2
    free_system(z, nv, w)
    cholesky(z, w.L, 0, nv)
    cholesky_forward(z, w.L, 0, nv, rest, 1, 1, 0)
    cholesky_backward(z, w.L, 0, nv, rest)
    for i in range(nv):
        store(z, w.dv, i, select(is_fixed(z, w, i), load(z, w.dv, i), load(z, w.L, rest + i)))


@kernel
def bounded_step(z, nv, w):
    """The damped step; coordinates that would leave their limits are set there and the others solved for again."""
    for _ in range(nv + 1):
        solve_free(z, nv, w)
        past = z
        for k in range(nv):
            x, low, high, fixed = load(z, w.dv, k), load(z, w.low, k), load(z, w.high, k), load(z, w.fixed, k)
            out = flag(z, less(x, low)) + flag(z, less(high, x))  # of a fixed one: 0
            past = past + out
            store(z, w.fixed, k, larger(fixed, out))
            store(z, w.dv, k, larger(low, select(less(high, x), high, x)))
        if not any_lane(less(0.5, past)):
            break


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
        x = select(less(limits[nq + k], x), z + limits[nq + k], x)
        store(z, w.q, k, select(less(x, limits[k]), z + limits[k], x))


@inlined
def sizes(z, rows, r):
    """Σ r² and the largest |r|."""
    cost, most = z, z
    for k in range(rows):
        x = load(z, r, k)
        cost, most = cost + x * x, larger(most, magnitude(x))
    return cost, most


@kernel
def keep_best(z, nq, cost, most, surely, w):
    """Note the residuals and the coordinates here where they are the least so far, or `surely` is 1."""
    size = sqrt(cost)
    better = less(0.5, larger(surely, flag(z, less(size, load(z, w.end, SIZE)))))
    store(z, w.end, SIZE, select(better, size, load(z, w.end, SIZE)))
    store(z, w.end, LARGEST, select(better, most, load(z, w.end, LARGEST)))
    for i in range(nq):
        store(z, w.best, i, select(better, load(z, w.q, i), load(z, w.best, i)))


@kernel
def judge(z, cost, most, size, settings, nq, nv, w):
    """Whether and how each member ends here, noted in w.past and w.end; the damping of its next step."""
    before, last, k = load(z, w.past, COST), load(z, w.past, SLOPE), load(z, w.end, STEPS)
    slope = projected_gradient(z, nv, w)
    sane = flag(z, finite(cost))
    reached = sane * (1.0 - flag(z, less(settings.tolerance, most)))
    flat = sane * (1.0 - flag(z, less(STATIONARY * sqrt(nv * size * cost), slope)))
    even = flat * (1.0 - flag(z, less(load(z, w.end, SIZE) * (1.0 + 1e-12), sqrt(cost))))
    keep_best(z, nq, cost, most, larger(reached, even), w)
    slowly = flag(z, less(0.5, k)) * (1.0 - flag(z, less(SLOW * before, magnitude(before - cost))))  # NaN too
    slow = slowly * (load(z, w.past, SLOWS) + 1.0)
    shrink = select(less(0.5, slowly), 0.1 * load(z, w.past, SHRINK), z + 1.0)
    stuck = flag(z, less(1.5, slow)) * (1.0 - flag(z, less(slope, CONTRACTION * last)))
    late = larger(flag(z, less(settings.steps - 0.5, k)) * (1.0 - slowly), flag(z, less(settings.most_steps - 0.5, k)))
    how = select(less(0.5, stuck), z + STUCK, z + GOING)
    how = select(less(0.5, reached), z + REACHED, select(less(0.5, flat), z + FLAT, how))
    store(z, w.end, HOW, how)
    store(z, w.past, DONE, larger(larger(reached, flat), larger(stuck, late)))
    store(z, w.past, COST, cost)
    store(z, w.past, SLOPE, slope)
    store(z, w.past, SLOWS, slow)
    store(z, w.past, SHRINK, shrink)
    floor = select(less(0.5, slow), z + SLOWEST, z + 1e-14)
    return larger(floor * size, settings.damping * shrink * cost) + 1e-300


@kernel
def search_round(z, t, limits, targets, settings, m, w):
    """Look at where the members are, note which of them are done, and let the others take a step."""
    nq, nv, rows = header(t).nq, header(t).nv, 3 * (targets.points + targets.turns) + targets.coordinates
    linear_rows(z, t, targets, w.q, w.v, m, w.r, w.J)
    cost, most = sizes(z, rows, w.r)
    normal_equations(z, rows, nv, w)
    find_room(z, t, limits, w)
    damping = judge(z, cost, most, mean_curvature(z, nv, w), settings, nq, nv, w)
    if any_lane(less(load(z, w.past, DONE), 0.5)):
        step_towards(z, t, limits, damping, w)
        store(z, w.end, STEPS, load(z, w.end, STEPS) + (1.0 - load(z, w.past, DONE)))


@kernel
def begin_member(z, work, i, l, targets, w):
    """Member i goes into lane l."""
    n = width(z)
    for k in range(work.Q.shape[1]):
        w.q[k * n + l] = work.Q[i, k]
        w.best[k * n + l] = work.Q[i, k]
    for k in range(work.GOALS.shape[1]):
        targets.goal[k * n + l] = work.GOALS[i, k]
    w.end[SIZE * n + l], w.end[LARGEST * n + l], w.end[STEPS * n + l] = math.inf, math.inf, 0.0
    w.past[COST * n + l], w.past[SLOPE * n + l] = math.inf, math.inf
    w.past[SLOWS * n + l], w.past[SHRINK * n + l], w.past[DONE * n + l] = 0.0, 1.0, 0.0


@kernel
def end_member(z, work, i, l, w):
    """The best place of the member in lane l, and how it ended."""
    n = width(z)
    for k in range(work.Q.shape[1]):
        work.Q[i, k] = w.best[k * n + l]
    for k in range(ENDS):
        work.ENDS[i, k] = w.end[k * n + l]


@kernel
def refill(z, work, waiting, stop, targets, w):
    """Members that are done leave their lanes, and those that wait take them.

    Returns the next member that waits, and how many lanes are at work.
    """
    at_work = 0
    for l in range(width(z)):
        i = int(work.members[l])
        if i >= 0 and w.past[DONE * width(z) + l] > 0.5:
            end_member(z, work, i, l, w)
            i = -1
        if i < 0 and waiting < stop:
            i, waiting = waiting, waiting + 1
            begin_member(z, work, i, l, targets, w)
        work.members[l] = float(i)
        at_work += 1 if i >= 0 else 0
    return waiting, at_work


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
        end=scratch(z, ENDS),
        past=scratch(z, PASTS),
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

    `asked` is ((points, orientations, coordinates), constants), `how` (tolerance, most steps, steps, damping): at most
    `steps` steps, or `most steps` if the last ones are slow and contract.
    """
    t, settings = tables(pair[:2]), Settings(how[0], how[1], how[2], how[3])
    counts, constants = asked
    m, w = tree_scratch(z, t, *pair[2:]), search_scratch(z, header(t).nq, header(t).nv, residual_count(counts))
    targets = Targets(counts[0], counts[1], counts[2], tables(constants), scratch(z, goal_size(counts)))
    work = Work(arrays[0], arrays[1], arrays[2], scratch(z, 1))
    for l in range(width(z)):
        work.members[l] = -1.0
        begin_member(z, work, start, l, targets, w)  # lanes without a member have numbers too
    waiting, at_work = refill(z, work, start, stop, targets, w)
    while at_work > 0:
        search_round(z, t, limits, targets, settings, m, w)
        waiting, at_work = refill(z, work, waiting, stop, targets, w)
    release(m, w, targets.goal, work.members)


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
