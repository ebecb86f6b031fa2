"""Steps of a model that muscles drive: bodies and muscles together, with a fixed step or with error control.

The state is (q, y), with y as `muscle_loads` has it; y of a member is a row of the batch's v.
"""

from typing import Any, NamedTuple

from ...dynamics.constraints.kernels.constraint_scratch import constraint_scratch
from ...dynamics.kernels.manifold_steps import normalize, retract
from ...dynamics.kernels.scratch import External
from ...model.kernels.records import header
from ...model.kernels.status import FIBER_DIVERGED, KINDS
from ...numeric import (
    any_lane,
    entry,
    finite,
    kernel,
    larger,
    less,
    load,
    magnitude,
    pack,
    release,
    scratch,
    select,
    store,
    tables,
    unpack,
    width,
)
from ...simulation.kernels.batch_block import Block, load_block, load_forces, record_step, store_block
from ...simulation.kernels.dormand_prince import (
    MOST_STEPS,
    credible,
    error_norm,
    move_clock,
    next_attempt,
    or_late,
    plan_next,
    seven,
    stage_start,
    step_factor,
    take,
)
from ...simulation.kernels.fixed_step import EULER, RK4, SEMI_IMPLICIT, keep, settle
from ...simulation.kernels.prescribed_motion import drive
from ...simulation.kernels.runge_kutta import PARTS, STAGES, TIMES, TOTAL, WEIGHTS, combine, copy
from ...simulation.kernels.step_checks import check_step
from .muscle_loads import driven_slopes, muscle_scratch
from .muscle_states import held_activation, is_muscle, law_at
from .path_records import paths_header

ADAPTIVE = 3  # beside EULER, SEMI_IMPLICIT, RK4
LONGEST = 100.0  # [optimal fibre lengths] beyond this a fibre has diverged


class Excitations(NamedTuple):
    """The excitations of a block, loaded as forces are."""

    tau: Any


class DrivenModel(NamedTuple):
    """Tables of model, paths and laws, and the rooms of tree and constraints as `march_fixed` takes them."""

    tables: Any
    room: Any
    constraints: Any


class StepScratch(NamedTuple):
    """Rates of all stages, the state of a stage or of the step tried, sums, the last good state, time and next step."""

    dy: Any
    dq: Any
    q: Any
    y: Any
    sum_q: Any
    sum_y: Any
    good_q: Any
    good_y: Any
    clock: Any


@kernel
def step_scratch(z, nq, ny):
    """Allocate the scratch of a step."""
    return StepScratch(
        seven(z, ny),
        seven(z, nq),
        scratch(z, nq),
        scratch(z, ny),
        scratch(z, nq),
        scratch(z, ny),
        scratch(z, nq),
        scratch(z, ny),
        scratch(z, 2),
    )


@kernel
def state_size(e):
    """How many numbers y has."""
    return header(e.t).nv + 3 * paths_header(e.paths).paths


@kernel
def driven_stage(z, e, time, q, y, dy, dq):
    """Rates at one stage; prescribed coordinates are put where they must be. Returns the status."""
    if header(e.t).driven:
        drive(z, e.t, time + z, q, y, dy)
    return driven_slopes(z, e, q, y, dy, dq)


@kernel
def euler(z, kind, e, h, b, w):
    """One step of forward or semi-implicit Euler, in place; muscles step forward. Returns the status."""
    status = driven_slopes(z, e, b.q, b.v, w.dy[0], w.dq[0])
    if kind == EULER:
        retract(z, e.t, b.q, b.v, h, b.q)
    combine(z, state_size(e), b.v, h, w.dy[0], b.v)
    if kind == SEMI_IMPLICIT:
        retract(z, e.t, b.q, b.v, h, b.q)
    return status


@kernel
def classical(z, e, time, h, b, w):
    """One classical Runge-Kutta step, in place; returns the status."""
    nq, ny, dy, dq = header(e.t).nq, state_size(e), w.dy[0], w.dq[0]
    status = driven_slopes(z, e, b.q, b.v, dy, dq)
    copy(z, nq, dq, w.sum_q)
    copy(z, ny, dy, w.sum_y)
    for k in range(1, 4):
        part = PARTS[k] * h
        combine(z, nq, b.q, part, dq, w.q)
        combine(z, ny, b.v, part, dy, w.y)
        now = driven_stage(z, e, time + part, w.q, w.y, dy, dq)
        status = select(less(status, 0.5), now, status)
        combine(z, nq, w.sum_q, WEIGHTS[k], dq, w.sum_q)
        combine(z, ny, w.sum_y, WEIGHTS[k], dy, w.sum_y)
    combine(z, nq, b.q, h / TOTAL, w.sum_q, b.q)
    combine(z, ny, b.v, h / TOTAL, w.sum_y, b.v)
    return status


@kernel
def pair_step(z, e, time, h, b, w):
    """The fifth-order step of the Dormand-Prince pair from (b.q, b.v) to (w.q, w.y). Returns the status."""
    nq, ny = header(e.t).nq, state_size(e)
    status = z
    for s in range(STAGES):
        stage_start(z, nq, b.q, h, s, w.dq, w.q)
        stage_start(z, ny, b.v, h, s, w.dy, w.y)
        now = driven_stage(z, e, time + TIMES[s] * h, w.q, w.y, w.dy[s], w.dq[s])
        status = select(less(status, 0.5), now, status)
    return status


@kernel
def check_fibers(z, e, y, status):
    """The status, with the first muscle whose activation or fibre length is no longer credible."""
    nv, n = header(e.t).nv, paths_header(e.paths).paths
    for i in range(n):
        size = larger(magnitude(load(z, y, nv + i)), magnitude(load(z, y, nv + n + i)))
        good = select(finite(load(z, y, nv + i)), select(less(size, z + LONGEST), z + 1.0, z), z)
        now = select(less(z + 0.5, good), z, z + (FIBER_DIVERGED + KINDS * i))
        status = select(less(status, 0.5), now, status)
    return status


@kernel
def settled(z, e, b, w, status):
    """Bring the end of a step onto constraints and check it; members that fail go back to the last good state."""
    normalize(z, e.t, b.q)
    status = settle(z, e.t, b.q, b.v, e.m, e.c, status)
    status = check_fibers(z, e, b.v, check_step(z, e.t, e.domains, b.q, b.v, status))
    keep(z, header(e.t).nq, less(status, 0.5), b.q, w.good_q)
    keep(z, state_size(e), less(status, 0.5), b.v, w.good_y)
    return status


@kernel
def fixed(z, kind, e, times, h, b, w, before):
    """One fixed step between two times of the members that are well; returns the status."""
    if kind == RK4:
        now = classical(z, e, times[0], h, b, w)
    else:
        now = euler(z, kind, e, h, b, w)
    if header(e.t).driven:
        drive(z, e.t, times[1] + z, b.q, b.v, w.dy[0])
    return settled(z, e, b, w, select(less(before, 0.5), now, before))


@kernel
def crossed(z, e, end, tolerance, b, w, status):
    """Step with error control until `end`; w.clock holds each member's time and next step. Returns the status."""
    nq, ny = header(e.t).nq, state_size(e)
    for _ in range(MOST_STEPS):
        a = next_attempt(z, end, w.clock, status)
        if not any_lane(a.active):
            break
        failed = pair_step(z, e, a.t, a.now, b, w)
        error = error_norm(z, nq, a.now, w.q, b.q, w.dq, tolerance)
        error = credible(z, larger(error, error_norm(z, ny, a.now, w.y, b.v, w.dy, tolerance)), failed)
        taken = less(0.5, select(a.active, select(less(error, 1.0), z + 1.0, z), z))
        take(z, nq, taken, w.q, b.q)
        take(z, ny, taken, w.y, b.v)
        status = plan_next(z, w.clock, a, taken, a.now * step_factor(z, error), failed, status)
        status = settled(z, e, b, w, status)
        move_clock(z, w.clock, a, end, taken, status)
    return or_late(z, w.clock, end, status)


@kernel
def adaptive(z, e, clock, done, tolerance, b, w, before):
    """Cross the interval that ends after `done` steps with error control; returns the status."""
    end = clock.start + done * clock.step
    after = crossed(z, e, end, tolerance, b, w, before)
    time = select(less(after, 0.5), end + z, load(z, w.clock, 0))
    if header(e.t).driven:
        drive(z, e.t, time, b.q, b.v, w.dy[0])
    part = 1.0 - (end - time) / clock.step  # of the interval, where a member ended in it
    part = select(less(before, 0.5), select(less(after, 0.5), z, part), z)
    store(z, b.counted, 0, load(z, b.counted, 0) + select(less(0.0, part), part, z))
    return after


@kernel
def follow_excitations(z, e, y):
    """Put the activations that have no dynamics where their excitations are."""
    for i in range(paths_header(e.paths).paths):
        r = law_at(e.laws, i)
        if is_muscle(r) and r.direct == 1:
            store(z, y, header(e.t).nv + i, held_activation(z, e.laws, r, load(z, e.u, i)))


@kernel
def march_muscles(z, how, model, clock, batch, driven, start, stop):
    """The loop of `muscle_steps`; `how` is (kind, tolerance), `driven` (U, clocks)."""
    ts, (U, clocks) = model.tables, driven
    h, n = header(ts[0]), paths_header(ts[1]).paths
    ny = h.nv + 3 * n
    b = Block(
        scratch(z, h.nq), scratch(z, ny), scratch(z, h.nv), scratch(z, 6 * h.bodies), scratch(z, 1), scratch(z, 1)
    )
    u, w = scratch(z, n), step_scratch(z, h.nq, ny)
    given = External(b.tau, b.wrenches, batch.wrenches.shape[0] > 0)
    e = muscle_scratch(z, ts, given, u, model.room, model.constraints, batch.domains, True)
    for first in range(start, stop, width(z)):
        load_block(z, b, batch, first, stop)
        pack(z, clocks, first, stop, w.clock)
        copy(z, h.nq, b.q, w.good_q)
        copy(z, ny, b.v, w.good_y)
        if h.driven:
            drive(z, ts[0], clock.start + clock.base * clock.step + z, b.q, b.v, w.dy[0])
        for i in range(clock.steps):
            load_forces(z, b, batch.tau, i, first, stop)
            load_forces(z, Excitations(u), U, i, first, stop)
            follow_excitations(z, e, b.v)
            before, done = load(z, b.status, 0), clock.base + i + 1
            if how[0] == ADAPTIVE:
                after = adaptive(z, e, clock, done, how[1], b, w, before)
            else:
                times = clock.start + (done - 1) * clock.step, clock.start + done * clock.step
                after = fixed(z, how[0], e, times, clock.step, b, w, before)
            record_step(z, b, batch, after, done, clock.every, first, stop)
        store_block(z, b, batch, first, stop)
        unpack(z, w.clock, clocks, first, stop)
    release(b, u, w, e.all.tau, e.all.wrenches, e.m, e.p, e.out)


@entry
def muscle_steps(z, how, pairs, clock, batch, driven, start, stop):
    """March members start … stop of a `Batch` whose v are the y of driven models.

    `how` is (kind, tolerance of ADAPTIVE); `pairs` are the tables of model, paths and laws; `driven` is (excitations U
    (count, rows, n), clocks (count, 2)).
    """
    ts = tables(pairs[0][:2]), tables(pairs[1]), tables(pairs[2])
    march_muscles(z, how, DrivenModel(ts, pairs[0][2:], None), clock, batch, driven, start, stop)


@entry
def constrained_muscle_steps(z, how, pairs, clock, batch, driven, start, stop):
    """As `muscle_steps`, holding the model's constraints; one state at a time."""
    ts = tables(pairs[0][:2]), tables(pairs[1]), tables(pairs[2])
    c = constraint_scratch(z, ts[0])
    march_muscles(z, how, DrivenModel(ts, pairs[0][2:], c), clock, batch, driven, start, stop)
    release(c)


@entry
def driven_states(z, pairs, states, known, start, stop):
    """Rates DY (count, nv + 3 n) and STATUS of states = (Q, Y, U, TAU, W, DY, STATUS, DOMAINS).

    DY has accelerations, rates of activations and of fibre lengths by the optimal ones, and powers. Fibre lengths are
    read in Y if `known`, else found in equilibrium at rest.
    """
    ts = tables(pairs[0][:2]), tables(pairs[1]), tables(pairs[2])
    Q, Y, U, TAU, W, DY, STATUS, DOMAINS = states
    h, n = header(ts[0]), paths_header(ts[1]).paths
    q, y, u, tau = scratch(z, h.nq), scratch(z, Y.shape[1]), scratch(z, n), scratch(z, h.nv)
    w, dy, dq, s = scratch(z, 6 * h.bodies), scratch(z, Y.shape[1]), scratch(z, h.nq), scratch(z, 1)
    e = muscle_scratch(z, ts, External(tau, w, W.shape[0] > 0), u, pairs[0][2:], None, DOMAINS, known)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, Y, first, stop, y)
        pack(z, U, first, stop, u)
        pack(z, TAU, first, stop, tau)
        if h.driven:
            pack(z, DY, first, stop, dy)
        if W.shape[0] > 0:
            pack(z, W, first, stop, w)
        store(z, s, 0, driven_slopes(z, e, q, y, dy, dq))
        unpack(z, dy, DY, first, stop)
        unpack(z, s, STATUS, first, stop)
    release(q, y, u, tau, w, dy, dq, s, e.all.tau, e.all.wrenches, e.m, e.p, e.out)
