"""Error-controlled steps that land on spline knots: the Dormand-Prince pair of orders 5 and 4.

Every member of a batch steps on its own and all are recorded at the same times. Cubic splines have jumps in their
third derivative at knots, which cost a high-order method its order: a step that would pass a knot is shortened, by
inverting the cubic through its two ends, until it ends there.
"""

from typing import Any, NamedTuple

from ...dynamics.constraints.kernels.constraint_scratch import constraint_scratch
from ...dynamics.kernels.manifold_steps import normalize
from ...dynamics.kernels.scratch import External, tree_scratch
from ...joints.kernels.records import axis_at
from ...model.kernels.records import header, knotted_at
from ...model.kernels.status import STUCK, TOO_MANY
from ...numeric import (
    any_lane,
    entry,
    finite,
    floor,
    inlined,
    kernel,
    larger,
    less,
    load,
    magnitude,
    next_break,
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
from .batch_block import load_block, load_forces, new_block, record_step, store_block
from .fixed_step import Engine, keep_state, settle, stage
from .prescribed_motion import drive
from .runge_kutta import ERROR, STAGES, TABLEAU, TIMES, combine, copy
from .step_checks import check_step

SLACK = 1e-11  # how near a knot is on it
SMALLEST = 1e-13  # [s]
NEAREST = 4e-13  # [s] a knot that is sooner is stepped over, not landed on
MOST_STEPS = 1_000_000  # of one interval


class Control(NamedTuple):
    """Tolerance of the local error, whether steps end on knots, and each member's time and next step (count, 2)."""

    tolerance: float
    land: bool
    clocks: Any


class TrialScratch(NamedTuple):
    """Accelerations a and rates dq of all stages, the end (q, v) of the step tried, clocks, and last good states."""

    a: Any
    dq: Any
    q: Any
    v: Any
    clock: Any
    good_q: Any
    good_v: Any


@kernel
def stage_start(z, n, x, h, s, slopes, out):
    """Where stage s stands: from x along the slopes of the stages before it."""
    copy(z, n, x, out)
    for r in range(s):
        combine(z, n, out, h * TABLEAU[s, r], slopes[r], out)


@kernel
def trial(z, e, time, h, b, w, known):
    """The fifth-order step from (b.q, b.v) to (w.q, w.v); stages stay in w, and `known` of them are there already.

    Returns the status.
    """
    nq, nv = header(e.t).nq, header(e.t).nv
    status = z
    for s in range(known, STAGES):
        stage_start(z, nq, b.q, h, s, w.dq, w.q)
        stage_start(z, nv, b.v, h, s, w.a, w.v)
        now = stage(z, e, time + TIMES[s] * h, w.q, w.v, w.a[s], w.dq[s])
        status = select(less(status, 0.5), now, status)
    return status


@kernel
def error_norm(z, n, h, x, old, slopes, tolerance):
    """The largest error estimate relative to tolerance · (1 + |x|)."""
    worst = z
    for k in range(n):
        e = z
        for s in range(STAGES):
            e = e + ERROR[s] * load(z, slopes[s], k)
        size = 1.0 + larger(magnitude(load(z, x, k)), magnitude(load(z, old, k)))
        worst = larger(worst, magnitude(h * e) / (tolerance * size))
    return worst


@inlined
def hermite_fraction(z, x0, x1, slope0, slope1, b):
    """Where the cubic with these ends (slopes per step) passes b, as a part of the step, by Newton's method."""
    apart = x1 - x0
    moving = less(0.0, magnitude(apart))
    s = (b - x0) / select(moving, apart, z + 1.0)
    c2, c3 = 3.0 * apart - 2.0 * slope0 - slope1, slope0 + slope1 - 2.0 * apart
    for _ in range(6):
        f = x0 + s * (slope0 + s * (c2 + s * c3)) - b
        d = slope0 + s * (2.0 * c2 + s * (3.0 * c3))
        step = f / select(less(0.0, magnitude(d)), d, z + 1.0)
        s = s - select(less(magnitude(step), 0.5), step, z)
        s = select(less(s, 0.0), z, select(less(1.0, s), z + 1.0, s))
    return s


@kernel
def knot_fraction(z, t, h, b, w):
    """The part of the step after which the first knot is met; 1 if none is."""
    best, numbers = z + 1.0, t.numbers
    for i in range(header(t).knotted):
        c = knotted_at(t, i)
        axis = axis_at(t, c.axis, 0)
        first, count = axis.breaks, axis.count
        x0 = load(z, b.q, c.q)
        x1 = load(z, w.q, c.q)
        if axis.periodic:
            period = numbers[first + count - 1] - numbers[first]
            turns = period * floor((x0 - numbers[first]) * (1.0 / period))
            x0, x1 = x0 - turns, x1 - turns
        knot = next_break(x0, x1, SLACK, numbers, t.codes, first, count, axis.buckets, axis.size)
        s = hermite_fraction(z, x0, x1, h * load(z, b.v, c.v), h * load(z, w.v, c.v), knot)
        met = less(SLACK, magnitude(x1 - knot))
        best = select(met, select(less(s, best), s, best), best)
    return best


@inlined
def step_factor(z, error):
    """0.9 error^(−3/16), between 0.2 and 5."""
    eighth = sqrt(sqrt(sqrt(larger(error, z + 1e-12))))
    factor = 0.9 / (eighth * sqrt(eighth))
    return select(less(factor, 0.2), z + 0.2, select(less(factor, 5.0), factor, z + 5.0))


@kernel
def checked(z, e, b, w, status):
    """Bring states onto their constraints and check them; those that fail go back to the last good one."""
    normalize(z, e.t, b.q)
    status = settle(z, e.t, b.q, b.v, e.m, e.c, status)
    status = check_step(z, e.t, e.domains, b.q, b.v, status)
    keep_state(z, e.t, status, b, w)
    return status


class Attempt(NamedTuple):
    """A step that is tried: its time t, the step h planned, `now` what of it is left if `short`, who is `active`."""

    t: Any
    h: Any
    now: Any
    short: Any
    active: Any


@kernel
def next_attempt(z, end, clock, status):
    """The next step of all members that are well and have not reached `end`."""
    t, h = load(z, clock, 0), load(z, clock, 1)
    left = end - t
    active = less(z + SMALLEST, select(less(status, 0.5), left, z))
    short = less(left, h)
    return Attempt(t, h, select(active, select(short, left, h), z), short, active)


@kernel
def credible(z, error, failed):
    """The error of a step, large where it is no number or the step failed."""
    return select(less(failed, 0.5), select(finite(error), error, z + 1e6), z + 1e6)


@kernel
def take(z, n, taken, new, old):
    """The new numbers of those whose step is taken."""
    for k in range(n):
        store(z, old, k, select(taken, load(z, new, k), load(z, old, k)))


@inlined
def is_continuous(e):
    """Whether a step begins exactly in the state where the one before it ended: nothing moves that in between."""
    h = header(e.t)
    return e.c is None and h.quaternions == 0 and not h.driven


@kernel
def hand_on(z, e, taken, failed, w):
    """The last stage of a step that is taken becomes the first of the next; returns how many of that are known."""
    if any_lane(less(0.5, failed)) or not is_continuous(e):
        return 0
    take(z, header(e.t).nq, taken, w.dq[STAGES - 1], w.dq[0])
    take(z, header(e.t).nv, taken, w.a[STAGES - 1], w.a[0])
    return 1


@kernel
def plan_next(z, clock, a, taken, following, failed, status):
    """Write the next step of an attempt to the clock; returns the status, with who is stuck."""
    following = select(taken, select(a.short, larger(a.h, following), following), following)
    store(z, clock, 1, select(a.active, following, a.h))
    stuck = select(a.active, select(less(following, SMALLEST), z + 1.0, z), z)
    return select(less(0.5, stuck), select(less(failed, 0.5), z + STUCK, failed), status)


@kernel
def move_clock(z, clock, a, end, taken, status):
    """Move the time of those whose step was taken and ended well."""
    taken = less(0.5, select(taken, select(less(status, 0.5), z + 1.0, z), z))
    store(z, clock, 0, select(taken, select(a.short, z + end, a.t + a.now), a.t))


@kernel
def or_late(z, clock, end, status):
    """The status, or that too many steps did not reach `end`."""
    late = select(less(status, 0.5), end - load(z, clock, 0), z)
    return select(less(z + SMALLEST, late), z + TOO_MANY, status)


@kernel
def march(z, e, end, control, b, w, status, known):
    """Step until `end` all members that are well; w.clock holds each one's time and next step.

    w has `known` stages of the next step. Returns the status, and how many stages are known then.
    """
    nq, nv, tolerance = header(e.t).nq, header(e.t).nv, control.tolerance
    for _ in range(MOST_STEPS):
        a = next_attempt(z, end, w.clock, status)
        if not any_lane(a.active):
            break
        failed = trial(z, e, a.t, a.now, b, w, known)
        error = error_norm(z, nq, a.now, w.q, b.q, w.dq, tolerance)
        error = credible(z, larger(error, error_norm(z, nv, a.now, w.v, b.v, w.a, tolerance)), failed)
        part = knot_fraction(z, e.t, a.now, b, w) if control.land else z + 1.0
        part = select(less(error, 1e5), select(less(NEAREST, a.now), part, z + 1.0), z + 1.0)
        whole = less(z + (1.0 - 1e-12), part)
        good = select(less(error, 1.0), select(whole, z + 1.0, z), z)  # 1 where the step is taken
        taken = less(0.5, select(a.active, good, z))
        take(z, nq, taken, w.q, b.q)
        take(z, nv, taken, w.v, b.v)
        known = hand_on(z, e, taken, failed, w)
        following = select(whole, a.now * step_factor(z, error), larger(a.now * part, z + NEAREST))
        status = plan_next(z, w.clock, a, taken, following, failed, status)
        status = checked(z, e, b, w, status)
        move_clock(z, w.clock, a, end, taken, status)
    return or_late(z, w.clock, end, status), known


@inlined
def seven(z, n):
    """Room for n numbers of every stage."""
    a, b, c, d = scratch(z, n), scratch(z, n), scratch(z, n), scratch(z, n)
    return (a, b, c, d, scratch(z, n), scratch(z, n), scratch(z, n))


@kernel
def trial_scratch(z, nq, nv):
    """Allocate the scratch of a step."""
    ends = scratch(z, nq), scratch(z, nv), scratch(z, 2), scratch(z, nq), scratch(z, nv)
    return TrialScratch(seven(z, nv), seven(z, nq), *ends)


@kernel
def march_adaptive(z, t, clock, control, batch, rooms, start, stop):
    """The loop of `adaptive_steps`; `rooms`: for followers, as `tree_scratch` takes it; None or for constraints."""
    m, c = tree_scratch(z, t, *rooms[0]), rooms[1]
    b, w = new_block(z, t), trial_scratch(z, header(t).nq, header(t).nv)
    e = Engine(t, External(b.tau, b.wrenches, batch.wrenches.shape[0] > 0), m, c, None, batch.domains)
    for first in range(start, stop, width(z)):
        load_block(z, b, batch, first, stop)
        pack(z, control.clocks, first, stop, w.clock)
        copy(z, header(t).nq, b.q, w.good_q)
        copy(z, header(t).nv, b.v, w.good_v)
        known = 0
        for i in range(clock.steps):
            load_forces(z, b, batch.tau, i, first, stop)
            done = clock.base + i + 1
            end, before = clock.start + done * clock.step, load(z, b.status, 0)
            known = known if batch.tau.shape[1] == 1 else 0  # other forces, other slopes
            after, known = march(z, e, end, control, b, w, before, known)
            time = select(less(after, 0.5), end + z, load(z, w.clock, 0))
            if header(t).driven:
                drive(z, t, time, b.q, b.v, w.a[0])
            part = 1.0 - (end - time) / clock.step  # of the interval, where a member ended in it
            part = select(less(before, 0.5), select(less(after, 0.5), z, part), z)
            store(z, b.counted, 0, load(z, b.counted, 0) + select(less(0.0, part), part, z))
            record_step(z, b, batch, after, done, clock.every, first, stop)
        store_block(z, b, batch, first, stop)
        unpack(z, w.clock, control.clocks, first, stop)
    release(m, b, w)


@entry
def adaptive_steps(z, pair, clock, control, batch, start, stop):
    """As `fixed_steps`, but each interval of the clock is crossed with as many error-controlled steps as it takes."""
    march_adaptive(z, tables(pair[:2]), clock, control, batch, (pair[2:], None), start, stop)


@entry
def constrained_adaptive_steps(z, pair, clock, control, batch, start, stop):
    """As `adaptive_steps`, holding the model's constraints; one state at a time."""
    t = tables(pair[:2])
    c = constraint_scratch(z, t)
    march_adaptive(z, t, clock, control, batch, (pair[2:], c), start, stop)
    release(c)
