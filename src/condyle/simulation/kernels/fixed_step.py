"""Integrators with a fixed step: forward Euler, semi-implicit Euler and the classical Runge-Kutta method of order 4.

RK4 integrates q̇ = N(q) v and normalises quaternions after each step (adding stages on the manifold would be of order 2
only); the others step on the group.
"""

from typing import Any, NamedTuple

from ...dynamics.constraints.kernels.constrained_forward import constrained_forward
from ...dynamics.constraints.kernels.constraint_scratch import constraint_scratch
from ...dynamics.constraints.kernels.held_lanes import forward_lanes, lane_scratch, project_lanes
from ...dynamics.constraints.kernels.projection import project_state
from ...dynamics.kernels.forward import forward
from ...dynamics.kernels.manifold_steps import normalize, rates, retract
from ...dynamics.kernels.scratch import External, tree_scratch
from ...model.kernels.records import header
from ...numeric import (
    any_lane,
    entry,
    inlined,
    kernel,
    less,
    load,
    release,
    scratch,
    select,
    store,
    tables,
    width,
)
from .batch_block import load_block, load_forces, new_block, record_step, store_block
from .prescribed_motion import drive
from .runge_kutta import PARTS, TOTAL, WEIGHTS, combine, copy
from .step_checks import check_step

EULER, SEMI_IMPLICIT, RK4 = range(3)


class Engine(NamedTuple):
    """What gives accelerations: the model's tables, external forces, and scratch.

    Without constraints c and beside are None; with them c is their scratch for one state, or `beside` that for states
    side by side. `domains` are those that a step must not leave, as in `Batch`.
    """

    t: Any
    external: Any
    m: Any
    c: Any
    beside: Any
    domains: Any


class FixedScratch(NamedTuple):
    """Accelerations and rates of a stage, where it is, sums over the stages, and the last good state."""

    a: Any
    dq: Any
    q: Any
    v: Any
    sum_q: Any
    sum_v: Any
    good_q: Any
    good_v: Any


@kernel
def accelerations(z, t, q, v, a, external, m, c):
    """Accelerations under all forces; c is None, or the scratch of the constraints to hold. Returns the status."""
    if c is None:  # decided when compiling
        return forward(z, t, q, v, a, external, m)
    return constrained_forward(z, t, q, v, a, external, m, c)


@inlined
def held_accelerations(z, e, q, v, a, beside):
    """`accelerations` of one state or of states side by side; `beside` is that of e."""
    if beside is None:  # decided when compiling
        return accelerations(z, e.t, q, v, a, e.external, e.m, e.c)
    return forward_lanes(z, e.t, q, v, a, e.external, e.m, beside)


@kernel
def euler_step(z, kind, e, h, b, a):
    """One step of forward or semi-implicit Euler, in place; returns the status."""
    status = held_accelerations(z, e, b.q, b.v, a, e.beside)
    if kind == EULER:
        retract(z, e.t, b.q, b.v, h, b.q)
    combine(z, header(e.t).nv, b.v, h, a, b.v)
    if kind == SEMI_IMPLICIT:
        retract(z, e.t, b.q, b.v, h, b.q)
    return status


@kernel
def slopes(z, e, q, v, a, dq):
    """Accelerations and coordinate rates; prescribed coordinates are where they must be. Returns the status."""
    status = held_accelerations(z, e, q, v, a, e.beside)
    rates(z, e.t, q, v, dq)
    return status


@kernel
def stage(z, e, time, q, v, a, dq):
    """Accelerations and coordinate rates at one stage; prescribed coordinates are put where they must be."""
    if header(e.t).driven:
        drive(z, e.t, time + z, q, v, a)
    return slopes(z, e, q, v, a, dq)


@kernel
def rk4_step(z, e, time, h, b, w):
    """One classical Runge-Kutta step, in place; returns the status."""
    nq, nv = header(e.t).nq, header(e.t).nv
    status = slopes(z, e, b.q, b.v, w.a, w.dq)
    copy(z, nq, w.dq, w.sum_q)
    copy(z, nv, w.a, w.sum_v)
    for k in range(1, 4):
        part = PARTS[k] * h
        combine(z, nq, b.q, part, w.dq, w.q)
        combine(z, nv, b.v, part, w.a, w.v)
        now = stage(z, e, time + part, w.q, w.v, w.a, w.dq)
        status = select(less(status, 0.5), now, status)
        combine(z, nq, w.sum_q, WEIGHTS[k], w.dq, w.sum_q)
        combine(z, nv, w.sum_v, WEIGHTS[k], w.a, w.sum_v)
    combine(z, nq, b.q, h / TOTAL, w.sum_q, b.q)
    combine(z, nv, b.v, h / TOTAL, w.sum_v, b.v)
    normalize(z, e.t, b.q)
    return status


@kernel
def settle(z, t, q, v, m, c, status):
    """Bring a state that is well back onto its constraints; returns the status."""
    if c is None:  # decided when compiling
        return status
    return project_state(z, t, q, v, m, c) if less(status, 0.5) else status


@inlined
def settle_held(z, e, b, status, beside):
    """`settle` of one state or of states side by side; `beside` is that of e."""
    if beside is None:  # decided when compiling
        return settle(z, e.t, b.q, b.v, e.m, e.c, status)
    return status + project_lanes(z, e.t, b.q, b.v, e.m, beside)


@kernel
def one_step(z, kind, e, times, h, b, w):
    """One step of the chosen kind between two times, in place; constraints hold.

    Prescribed coordinates begin and end on their motion, with their accelerations in w.a.
    """
    if kind == RK4:
        status = rk4_step(z, e, times[0], h, b, w)
    else:
        status = euler_step(z, kind, e, h, b, w.a)
    if header(e.t).driven:
        drive(z, e.t, times[1] + z, b.q, b.v, w.a)
    status = settle_held(z, e, b, status, e.beside)
    return check_step(z, e.t, e.domains, b.q, b.v, status)


@inlined
def keep(z, n, good, new, old):
    """Where a member is well, take its new numbers; elsewhere leave the last good ones in both arrays."""
    for k in range(n):
        x = select(good, load(z, new, k), load(z, old, k))
        store(z, new, k, x)
        store(z, old, k, x)


@inlined
def keep_state(z, t, status, b, w):
    """`keep` for coordinates and velocities; where no member has stopped, a copy."""
    nq, nv = header(t).nq, header(t).nv
    if any_lane(less(0.5, status)):
        keep(z, nq, less(status, 0.5), b.q, w.good_q)
        keep(z, nv, less(status, 0.5), b.v, w.good_v)
    else:
        copy(z, nq, b.q, w.good_q)
        copy(z, nv, b.v, w.good_v)


@kernel
def fixed_scratch(z, nq, nv):
    """Allocate the scratch of a step."""
    return FixedScratch(
        a=scratch(z, nv),
        dq=scratch(z, nq),
        q=scratch(z, nq),
        v=scratch(z, nv),
        sum_q=scratch(z, nq),
        sum_v=scratch(z, nv),
        good_q=scratch(z, nq),
        good_v=scratch(z, nv),
    )


class Alone(NamedTuple):
    """What one lane is stepped with by itself: engine, block and scratch of one state; room for the lanes' statuses."""

    e: Any
    b: Any
    w: Any
    looked: Any


@inlined
def take_lane(z, n, x, lane, one):
    """n numbers of a lane."""
    for k in range(n):
        one[k] = x[k * width(z) + lane]


@inlined
def put_lane(z, n, one, lane, x):
    """n numbers into a lane."""
    for k in range(n):
        x[k * width(z) + lane] = one[k]


@kernel
def lane_again(z, kind, when, lane, b, w, alone):
    """The step of one lane by itself, from where it began; returns the status."""
    (times, h), e, one = when, alone.e, alone.b
    hd = header(e.t)
    take_lane(z, hd.nq, w.good_q, lane, one.q)
    take_lane(z, hd.nv, w.good_v, lane, one.v)
    take_lane(z, hd.nv, b.tau, lane, one.tau)
    if e.external.pushed:
        take_lane(z, 6 * hd.bodies, b.wrenches, lane, one.wrenches)
    if hd.driven:
        drive(0.0, e.t, times[0], one.q, one.v, alone.w.a)
    status = one_step(0.0, kind, e, times, h, one, alone.w)
    put_lane(z, hd.nq, one.q, lane, b.q)
    put_lane(z, hd.nv, one.v, lane, b.v)
    return status


@kernel
def lanes_again(z, kind, when, statuses, b, w, alone):
    """Lanes in which the step was odd, or failed, stepped once more by themselves; returns the statuses."""
    before, now = alone.looked
    store(z, before, 0, statuses[0])
    store(z, now, 0, statuses[1])
    for lane in range(width(z)):
        if before[lane] < 0.5 and not now[lane] < 0.5:
            now[lane] = lane_again(z, kind, when, lane, b, w, alone)
    return load(z, now, 0)


@inlined
def if_odd_again(z, kind, when, statuses, b, w, alone):
    """The statuses after lanes that need it were stepped alone; without constraints, or of one state, as they are."""
    if alone is None:  # decided when compiling
        return statuses[1]
    return lanes_again(z, kind, when, statuses, b, w, alone)


@kernel
def march_fixed(z, kind, t, clock, batch, rooms, start, stop):
    """The loop of `fixed_steps`; `rooms`: for followers, as `tree_scratch` takes it; None or for constraints.

    Constraints of one state, of states side by side, and how lanes that are odd are stepped alone.
    """
    m, (c, beside, alone) = tree_scratch(z, t, *rooms[0]), rooms[1]
    nq, nv = header(t).nq, header(t).nv
    b, w = new_block(z, t), fixed_scratch(z, nq, nv)
    e = Engine(t, External(b.tau, b.wrenches, batch.wrenches.shape[0] > 0), m, c, beside, batch.domains)
    t0, h, base = clock.start, clock.step, clock.base
    for first in range(start, stop, width(z)):
        load_block(z, b, batch, first, stop)
        copy(z, nq, b.q, w.good_q)
        copy(z, nv, b.v, w.good_v)
        if header(t).driven:
            drive(z, t, t0 + base * h + z, b.q, b.v, w.a)
        for i in range(clock.steps):
            load_forces(z, b, batch.tau, i, first, stop)
            before, times = load(z, b.status, 0), (t0 + (base + i) * h, t0 + (base + i + 1) * h)
            now = one_step(z, kind, e, times, h, b, w)
            now = if_odd_again(z, kind, (times, h), (before, now), b, w, alone)
            after = select(less(before, 0.5), now, before)
            keep_state(z, t, after, b, w)
            record_step(z, b, batch, after, base + i + 1, clock.every, first, stop)
        store_block(z, b, batch, first, stop)
    release(m, b, w)


@entry
def fixed_steps(z, kind, pair, clock, batch, start, stop):
    """March the members start … stop of a `Batch` over the steps of a `Clock`."""
    march_fixed(z, kind, tables(pair[:2]), clock, batch, (pair[2:], (None, None, None)), start, stop)


@entry
def constrained_fixed_steps(z, kind, pair, clock, batch, start, stop):
    """As `fixed_steps`, holding the model's constraints; one state at a time."""
    t = tables(pair[:2])
    c = constraint_scratch(z, t)
    march_fixed(z, kind, t, clock, batch, (pair[2:], (c, None, None)), start, stop)
    release(c)


@entry
def constrained_lane_steps(z, kind, pair, clock, batch, start, stop):
    """As `constrained_fixed_steps`, for states side by side."""
    t = tables(pair[:2])
    beside, c, m, b = (
        lane_scratch(z, t, *pair[2:]),
        constraint_scratch(0.0, t),
        tree_scratch(0.0, t, *pair[2:]),
        new_block(0.0, t),
    )
    w, looked = fixed_scratch(0.0, header(t).nq, header(t).nv), (scratch(z, 1), scratch(z, 1))
    e = Engine(t, External(b.tau, b.wrenches, batch.wrenches.shape[0] > 0), m, c, None, batch.domains)
    march_fixed(z, kind, t, clock, batch, (pair[2:], (None, beside, Alone(e, b, w, looked))), start, stop)
    release(beside, c, m, b, w, looked)
