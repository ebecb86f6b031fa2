"""Error-controlled steps that land on spline knots: the Dormand-Prince pair of orders 5 and 4.

Every member of a batch steps on its own and all are recorded at the same times. Cubic splines have jumps in their
third derivative at knots, which cost a high-order method its order: a step that would pass a knot is shortened, by
inverting the cubic through its two ends, until it ends there.
"""

import numpy as np

from ...dynamics.kernels.constraint_scratch import constraint_memory
from ...dynamics.kernels.manifold_steps import normalise
from ...dynamics.kernels.scratch import memory
from ...joints.kernels.layout import BREAKS, BUCKETS, COUNT, PERIODIC, SIZE
from ...model.kernels.layout import FIRST_KNOTTED, KNOTTED, NQ, NV
from ...numeric import (
    entry,
    finite,
    floor,
    give_back,
    inlined,
    kernel,
    less,
    load,
    magnitude,
    pack,
    passed,
    scratch,
    select,
    some,
    sqrt,
    store,
    tables,
    unpack,
    width,
)
from .batch_block import NOW_Q, NOW_V, PUSHES, STATE, TORQUES, block, finish, forces_of, note, take_up
from .fixed_step import blown_up, copy, settled, stage
from .prescribed_motion import drive
from .status import STUCK, TOO_MANY

__all__ = ["adaptive_steps", "held_adaptive_steps"]


STAGES = 7
TABLEAU = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
TIMES = np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1])
ERROR = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
SLACK = 1e-11  # how near a knot is on it
SMALLEST = 1e-13  # [s]
NEAREST = 4e-13  # [s] a knot that is sooner is stepped over, not landed on
MOST_STEPS = 1_000_000  # of one interval


@kernel
def trial(z, codes, numbers, t, h, q, v, tau, given, has_given, driven, m, c, K, x, y):
    """The fifth-order step from (q, v) to (x, y); stages stay in K = (ẏ_1 …, q̇_1 …). Returns the status."""
    nq, nv = codes[NQ], codes[NV]
    status = z
    for s in range(STAGES):
        copy(z, nq, q, x)
        copy(z, nv, v, y)
        for r in range(s):
            part = h * TABLEAU[s, r]
            for k in range(nq):
                store(z, x, k, load(z, x, k) + part * load(z, K[STAGES + r], k))
            for k in range(nv):
                store(z, y, k, load(z, y, k) + part * load(z, K[r], k))
        now = stage(z, codes, numbers, t + TIMES[s] * h, x, y, tau, given, has_given, driven, m, c, K[s], K[STAGES + s])
        status = select(less(status, 0.5), now, status)
    return status


@inlined
def larger(a, b):
    return select(less(a, b), b, a)


@kernel
def error_norm(z, n, h, x, old, K, offset, tolerance, worst):
    """The largest error estimate relative to tolerance · (1 + |x|)."""
    for k in range(n):
        e = z
        for s in range(STAGES):
            e = e + ERROR[s] * load(z, K[offset + s], k)
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
def knot_fraction(z, codes, numbers, h, q, v, x, y):
    """The part of the step after which the first knot is met; 1 if none is."""
    best = z + 1.0
    for i in range(codes[KNOTTED]):
        at = codes[FIRST_KNOTTED] + 3 * i
        k, l, axis = codes[at], codes[at + 1], codes[at + 2]
        first, count = codes[axis + BREAKS], codes[axis + COUNT]
        x0 = load(z, q, k)
        x1 = load(z, x, k)
        if codes[axis + PERIODIC]:
            period = numbers[first + count - 1] - numbers[first]
            turns = period * floor((x0 - numbers[first]) * (1.0 / period))
            x0, x1 = x0 - turns, x1 - turns
        b = passed(x0, x1, SLACK, numbers, codes, first, count, codes[axis + BUCKETS], codes[axis + SIZE])
        s = hermite_fraction(z, x0, x1, h * load(z, v, l), h * load(z, y, l), b)
        met = less(SLACK, magnitude(x1 - b))
        best = select(met, select(less(s, best), s, best), best)
    return best


@inlined
def step_factor(z, error):
    """0.9 error^(−3/16), between 0.2 and 5."""
    eighth = sqrt(sqrt(sqrt(larger(error, z + 1e-12))))
    factor = 0.9 / (eighth * sqrt(eighth))
    return select(less(factor, 0.2), z + 0.2, select(less(factor, 5.0), factor, z + 5.0))


@kernel
def march(z, codes, numbers, end, tolerance, land, q, v, tau, given, has_given, driven, m, c, K, x, y, clock, status):
    """Step until `end` all members that are well; clock holds each one's time and its next step. Returns the status."""
    nq, nv = codes[NQ], codes[NV]
    for _ in range(MOST_STEPS):
        t, h = load(z, clock, 0), load(z, clock, 1)
        left = end - t
        active = less(z + SMALLEST, select(less(status, 0.5), left, z))
        if not some(active):
            break
        short = less(left, h)
        now = select(active, select(short, left, h), z)
        failed = trial(z, codes, numbers, t, now, q, v, tau, given, has_given, driven, m, c, K, x, y)
        error = error_norm(z, nq, now, x, q, K, STAGES, tolerance, z)
        error = error_norm(z, nv, now, y, v, K, 0, tolerance, error)
        error = select(less(failed, 0.5), select(finite(error), error, z + 1e6), z + 1e6)
        part = knot_fraction(z, codes, numbers, now, q, v, x, y) if land else z + 1.0
        part = select(less(error, 1e5), select(less(NEAREST, now), part, z + 1.0), z + 1.0)
        whole = less(z + (1.0 - 1e-12), part)
        good = select(less(error, 1.0), select(whole, z + 1.0, z), z)  # 1 where the step is taken
        taken = less(0.5, select(active, good, z))
        for k in range(nq):
            store(z, q, k, select(taken, load(z, x, k), load(z, q, k)))
        for k in range(nv):
            store(z, v, k, select(taken, load(z, y, k), load(z, v, k)))
        store(z, clock, 0, select(taken, select(short, z + end, t + now), t))
        following = select(whole, now * step_factor(z, error), larger(now * part, z + NEAREST))
        following = select(taken, select(short, larger(h, following), following), following)
        store(z, clock, 1, select(active, following, h))
        stuck = select(active, select(less(following, SMALLEST), z + 1.0, z), z)
        reason = select(less(failed, 0.5), z + STUCK, failed)
        status = select(less(0.5, stuck), reason, status)
        normalise(z, codes, q)
        status = settled(z, codes, numbers, q, v, driven, m, c, status)
        status = blown_up(z, codes, v, status)
    late = select(less(status, 0.5), end - load(z, clock, 0), z)
    return select(less(z + SMALLEST, late), z + TOO_MANY, status)


@kernel
def stages(z, nv, nq):
    """Room for the accelerations, then the coordinate rates, of all stages."""
    return (
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, nq),
        scratch(z, nq),
        scratch(z, nq),
        scratch(z, nq),
        scratch(z, nq),
        scratch(z, nq),
        scratch(z, nq),
    )


@kernel
def march_adaptive(
    z, codes, numbers, t0, h, base, steps, every, tolerance, land, Q, V, TAU, W, CLOCK, QT, VT, STATUS, ENDED, driven,
    start, stop, c,
):  # fmt: skip
    """The loop of `adaptive_steps`; c is None or the memory of the constraints."""
    m, b = memory(z, codes), block(z, codes)
    nq, nv = codes[NQ], codes[NV]
    K, x, y, clock = stages(z, nv, nq), scratch(z, nq), scratch(z, nv), scratch(z, 2)
    q, v, pushed = b[NOW_Q], b[NOW_V], W.shape[0] > 0
    for first in range(start, stop, width(z)):
        take_up(z, b, Q, V, W, STATUS, ENDED, first, stop)
        pack(z, CLOCK, first, stop, clock)
        for i in range(steps):
            forces_of(z, b, TAU, i, first, stop)
            done = base + i + 1
            end, before = t0 + done * h, load(z, b[STATE], 0)
            after = march(
                z, codes, numbers, end, tolerance, land, q, v, b[TORQUES], b[PUSHES], pushed, driven, m, c, K, x, y,
                clock, before,
            )  # fmt: skip
            if driven:
                drive(z, codes, numbers, end + z, q, v, K[0])
            note(z, codes, b, after, done, every, QT, VT, first, stop)
        finish(z, b, Q, V, STATUS, ENDED, first, stop)
        unpack(z, clock, CLOCK, first, stop)
    give_back(m, b, K, x, y, clock)


@entry
def adaptive_steps(
    z, codes, numbers, t0, h, base, steps, every, tolerance, land, Q, V, TAU, W, CLOCK, QT, VT, STATUS, ENDED, driven,
    start, stop,
):  # fmt: skip
    """As `fixed_steps`, but each interval h is crossed with as many error-controlled steps as it takes."""
    codes, numbers = tables(codes, numbers)
    march_adaptive(
        z, codes, numbers, t0, h, base, steps, every, tolerance, land, Q, V, TAU, W, CLOCK, QT, VT, STATUS, ENDED,
        driven, start, stop, None,
    )  # fmt: skip


@entry
def held_adaptive_steps(
    z, codes, numbers, t0, h, base, steps, every, tolerance, land, Q, V, TAU, W, CLOCK, QT, VT, STATUS, ENDED, driven,
    start, stop,
):  # fmt: skip
    """As `adaptive_steps`, holding the model's constraints; one state at a time."""
    codes, numbers = tables(codes, numbers)
    c = constraint_memory(z, codes)
    march_adaptive(
        z, codes, numbers, t0, h, base, steps, every, tolerance, land, Q, V, TAU, W, CLOCK, QT, VT, STATUS, ENDED,
        driven, start, stop, c,
    )  # fmt: skip
    give_back(c)
