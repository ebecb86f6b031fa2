"""Fixed steps backwards: the exact gradient of what `fixed_steps` computes, from the states that it recorded.

Between steps the cotangent of coordinates is that of the steps dv of `integrate` (nv numbers). A step computes its
stages again, keeping the recursions of each, and goes back through them with the adjoint of forward dynamics.
"""

from typing import Any, NamedTuple

from ...dynamics.derivatives.kernels.body_cotangents import finish_bodies
from ...dynamics.derivatives.kernels.body_rows import Wanted
from ...dynamics.derivatives.kernels.cotangent_layout import SPRING
from ...dynamics.derivatives.kernels.cotangents import scale_all
from ...dynamics.derivatives.kernels.derivative_scratch import derivative_scratch
from ...dynamics.derivatives.kernels.manifold_cotangents import (
    add_numbers,
    add_tangent,
    rates_backwards,
    retract_backwards,
)
from ...dynamics.derivatives.kernels.moves import place_columns
from ...dynamics.derivatives.kernels.power_gradient import absorb_cotangents, power_gradient, power_scratch
from ...dynamics.kernels.forward import forward
from ...dynamics.kernels.loads import external_wrenches
from ...dynamics.kernels.manifold_steps import rates
from ...dynamics.kernels.scratch import External, tree_scratch
from ...model.kernels.records import drive_at, header
from ...numeric import entry, inlined, kernel, load, pack, pick, release, scratch, store, tables, unpack, width
from .batch_block import load_forces
from .fixed_step import EULER, RK4
from .prescribed_motion import drive
from .runge_kutta import PARTS, TOTAL, WEIGHTS, combine, copy


class Path(NamedTuple):
    """States of all steps and what is known of a scalar of them, as arrays of the caller."""

    q: Any  # (count, steps + 1, nq)
    v: Any
    tau: Any  # (count, rows, nv), as in Batch
    wrenches: Any
    by_q: Any  # (count, steps + 1, nv): cotangents of the states, along steps of `integrate`; or no rows
    by_v: Any


class Gradients(NamedTuple):
    """Cotangents: of the last state when it begins, and of the first when it ends; the others are added up."""

    q: Any  # (count, nv)
    v: Any
    tau: Any  # (count, rows, nv), as many rows as forces have
    bodies: Any  # (count, bodies · numbers of each), as `cotangent_states` gives them; none at all if not wanted
    springs: Any
    gravity: Any
    fine: Any  # (count, 1): 0, or NaN if a number is not finite


class Forces(NamedTuple):
    """Generalised forces of a block of members."""

    tau: Any


class Stage(NamedTuple):
    """A stage of a step: where it is, its accelerations and rates, and the recursions that computed them."""

    q: Any
    v: Any
    a: Any
    dq: Any
    m: Any


class Backwards(NamedTuple):
    """What goes backwards: cotangents of the state, of one stage, of its slopes, and sums over steps."""

    q: Any
    v: Any
    end: Any  # q at the end of a step, before quaternions are normalised
    sum_q: Any  # of numbers, as the next two
    stage_q: Any
    slope_q: Any
    stage_v: Any
    slope_v: Any
    force: Any  # of the forces of one step
    springs: Any
    gravity: Any


class Recursion(NamedTuple):
    """The model's tables, forces, how many numbers of each body are wanted, and scratch of adjoints, which has sums."""

    t: Any
    external: Any
    each: Any
    d: Any
    p: Any


@kernel
def new_stage(z, t):
    """Allocate a stage."""
    h = header(t)
    return Stage(scratch(z, h.nq), scratch(z, h.nv), scratch(z, h.nv), scratch(z, h.nq), tree_scratch(z, t))


@kernel
def new_backwards(z, t):
    """Allocate what goes backwards."""
    nq, nv = header(t).nq, header(t).nv
    return Backwards(
        q=scratch(z, nv),
        v=scratch(z, nv),
        end=scratch(z, nq),
        sum_q=scratch(z, nq),
        stage_q=scratch(z, nq),
        slope_q=scratch(z, nq),
        stage_v=scratch(z, nv),
        slope_v=scratch(z, nv),
        force=scratch(z, nv),
        springs=scratch(z, SPRING * header(t).lines),
        gravity=scratch(z, 3),
    )


@inlined
def clear(z, n, x):
    """x = 0."""
    for k in range(n):
        store(z, x, k, z)


@inlined
def accumulate(z, n, x, y):
    """y += x."""
    for k in range(n):
        store(z, y, k, load(z, y, k) + load(z, x, k))


@kernel
def run_stage(z, e, time, s):
    """Accelerations and rates of a stage; prescribed coordinates are put where they must be."""
    if header(e.t).driven:
        drive(z, e.t, time + z, s.q, s.v, s.a)
    forward(z, e.t, s.q, s.v, s.a, e.external, s.m)
    rates(z, e.t, s.q, s.v, s.dq)


@kernel
def stage_backwards(z, e, s, by_a, b):
    """From the cotangent of a stage's accelerations to those of its q and v, in e.p, and to the sums of all others."""
    t, p = e.t, e.p
    copy(z, header(t).nv, s.a, e.d.rates.accelerations)
    if e.external.pushed:
        external_wrenches(z, t, e.external, s.m)
    place_columns(z, t, s.q, s.v, s.m, e.d)
    absorb_cotangents(z, t, by_a, s.m, p)
    power_gradient(z, t, (s.q, s.v), Wanted(e.each, None, None, True), e.external.pushed, s.m, e.d, p)
    accumulate(z, header(t).nv, p.weights, b.force)
    scale_all(z, p.by_q, header(t).nv, -1.0)
    scale_all(z, p.by_v, header(t).nv, -1.0)
    accumulate(z, SPRING * header(t).lines, p.springs, b.springs)
    accumulate(z, 3, p.gravity, b.gravity)


@inlined
def forget_prescribed(z, t, by_q, by_v):
    """What is prescribed does not depend on the state before; by_q has the numbers of q or, alike, of its steps."""
    for i in range(header(t).drives):
        store(z, by_v, drive_at(t, i).v, z)
        store(z, by_q, drive_at(t, i).v, z)


@inlined
def forget_prescribed_numbers(z, t, by_q, by_v):
    """As `forget_prescribed`, of cotangents of the numbers of q."""
    for i in range(header(t).drives):
        store(z, by_v, drive_at(t, i).v, z)
        store(z, by_q, drive_at(t, i).q, z)


@kernel
def euler_backwards(z, kind, e, time, h, s, b):
    """One step of either Euler method back: s has the state before it, b.q and b.v the cotangents after it."""
    nv = header(e.t).nv
    forget_prescribed(z, e.t, b.q, b.v)
    run_stage(z, e, time, s)
    copy(z, nv, b.v, b.stage_v)
    copy(z, nv, s.v, b.slope_v)
    if kind != EULER:
        combine(z, nv, s.v, h, s.a, b.slope_v)
    retract_backwards(z, e.t, b.slope_v, h, b.q, b.stage_v)
    for k in range(nv):
        source = b.v if kind == EULER else b.stage_v
        store(z, b.slope_v, k, h * load(z, source, k))
    stage_backwards(z, e, s, b.slope_v, b)
    accumulate(z, nv, e.p.by_q, b.q)
    combine(z, nv, b.stage_v, 1.0, e.p.by_v, b.v)


@kernel
def move_stage(z, t, h, s, before, after):
    """The state of a stage: h along the slopes of the stage before, from the start of the step."""
    combine(z, header(t).nq, s.q, h, before.dq, after.q)
    combine(z, header(t).nv, s.v, h, before.a, after.v)


@kernel
def end_of_step(z, t, h, stages, b):
    """q at the end of a step, before quaternions are normalised, to b.end."""
    nq = header(t).nq
    combine(z, nq, stages[0].q, h * WEIGHTS[0] / TOTAL, stages[0].dq, b.end)
    for k in range(1, 4):
        combine(z, nq, b.end, h * WEIGHTS[k] / TOTAL, stages[k].dq, b.end)


@kernel
def slope_backwards(z, e, weight, part, s, b):
    """One stage of RK4 back: b.stage_… have the cotangents of the stage after it, and then of this one.

    `weight` is what the slopes of this stage give to the end of the step, `part` what to the stage after it.
    """
    nq, nv = header(e.t).nq, header(e.t).nv
    for k in range(nq):
        store(z, b.slope_q, k, weight * load(z, b.sum_q, k) + part * load(z, b.stage_q, k))
    for k in range(nv):
        store(z, b.slope_v, k, weight * load(z, b.v, k) + part * load(z, b.stage_v, k))
    clear(z, nq, b.stage_q)
    stage_backwards(z, e, s, b.slope_v, b)
    copy(z, nv, e.p.by_v, b.stage_v)
    add_numbers(z, e.t, s.q, e.p.by_q, b.stage_q)
    rates_backwards(z, e.t, s.q, s.v, b.slope_q, b.stage_q, b.stage_v)
    forget_prescribed_numbers(z, e.t, b.stage_q, b.stage_v)


@kernel
def rk4_backwards(z, e, time, h, stages, b):
    """One classical Runge-Kutta step back: stages[0] has the state before it, b.q and b.v the cotangents after it."""
    t, nq, nv = e.t, header(e.t).nq, header(e.t).nv
    forget_prescribed(z, t, b.q, b.v)
    run_stage(z, e, time, stages[0])
    for k in range(1, 4):
        move_stage(z, t, PARTS[k] * h, stages[0], stages[k - 1], stages[k])
        run_stage(z, e, time + PARTS[k] * h, stages[k])
    end_of_step(z, t, h, stages, b)
    clear(z, nq, b.sum_q)
    add_numbers(z, t, b.end, b.q, b.sum_q)
    clear(z, nq, b.stage_q)
    clear(z, nv, b.stage_v)
    copy(z, nq, b.sum_q, b.end)  # sums over stages from here on
    clear(z, nv, b.q)
    for i in range(4):
        k = 3 - i
        part = PARTS[min(k + 1, 3)] * h if k < 3 else 0.0
        slope_backwards(z, e, h * WEIGHTS[k] / TOTAL, part, stages[k], b)
        accumulate(z, nq, b.stage_q, b.end)
        accumulate(z, nv, b.stage_v, b.q)
    accumulate(z, nv, b.q, b.v)
    clear(z, nv, b.q)
    add_tangent(z, t, stages[0].q, b.end, b.q)


@inlined
def load_state(z, path, i, s, first, stop):
    """State i of the members first … stop into a stage."""
    w = width(z)
    for l in range(w):
        member = min(first + l, stop - 1)
        for k in range(path.q.shape[2]):
            s.q[k * w + l] = path.q[member, i, k]
        for k in range(path.v.shape[2]):
            s.v[k * w + l] = path.v[member, i, k]


@inlined
def add_given(z, given, i, x, first, stop):
    """Add the cotangents of state i, if any are given."""
    if given.shape[0] > 0:
        w = width(z)
        for l in range(w):
            member = min(first + l, stop - 1)
            for k in range(given.shape[2]):
                x[k * w + l] += given[member, i, k]


@inlined
def add_forces(z, b, out, i, first, stop):
    """Add the cotangents of the forces of step i to their row."""
    w, row = width(z), min(i, out.shape[1] - 1)
    for l in range(min(w, stop - first)):
        for k in range(out.shape[2]):
            out[first + l, row, k] += b.force[k * w + l]


@kernel
def total_of(z, n, x, total):
    """A total that is NaN as soon as a number of x is not finite."""
    for k in range(n):
        total = total + 0.0 * load(z, x, k)
    return total


@inlined
def load_gradients(z, t, each, g, b, sums, first, stop):
    """Load the cotangents of the state of a block of members, and begin the `sums` of its bodies, and of all else."""
    pack(z, g.q, first, stop, b.q)
    pack(z, g.v, first, stop, b.v)
    clear(z, each * header(t).bodies, sums)
    clear(z, SPRING * header(t).lines, b.springs)
    clear(z, 3, b.gravity)


@kernel
def add_rows(z, x, count, factor, out, first, stop):
    """Add numbers times a factor to the rows of a block of members."""
    for l in range(min(width(z), stop - first)):
        for k in range(count):
            out[first + l, k] += factor * pick(z, x, k, l)


@kernel
def store_ends(z, b, g, fine, first, stop):
    """Store the cotangents of where a block of members starts, and whether all numbers were finite."""
    unpack(z, b.q, g.q, first, stop)
    unpack(z, b.v, g.v, first, stop)
    store(z, b.force, 0, fine)
    unpack(z, b.force, g.fine, first, stop)


@kernel
def store_sums(z, t, factor, b, bodies, g, first, stop):
    """Add the sums over the steps of a block of members, times a factor; those of `bodies` are in the user's frames."""
    add_rows(z, bodies, g.bodies.shape[1], factor, g.bodies, first, stop)
    add_rows(z, b.springs, SPRING * header(t).lines, factor, g.springs, first, stop)
    add_rows(z, b.gravity, 3, factor, g.gravity, first, stop)


@entry
def steps_backwards(z, kind, pair, frames, clock, arrays, start, stop):
    """Take the members start … stop back over the steps of a `Clock`; arrays = (Path, Gradients) of the caller."""
    path, g = arrays
    t = tables(pair[:2])
    h, nv, each = header(t), header(t).nv, g.bodies.shape[1] // max(header(t).bodies, 1)
    stages = (new_stage(z, t), new_stage(z, t), new_stage(z, t), new_stage(z, t))
    b, p, a = new_backwards(z, t), power_scratch(z, t), scratch(z, nv)
    d, w, x = derivative_scratch(z, t, a), scratch(z, 6 * h.bodies), Forces(scratch(z, nv))
    e = Recursion(t, External(x.tau, w, path.wrenches.shape[0] > 0), each, d, p)
    for first in range(start, stop, width(z)):
        load_gradients(z, t, each, g, b, p.bodies, first, stop)
        fine = z
        if e.external.pushed:
            pack(z, path.wrenches, first, stop, w)
        for back in range(clock.steps):
            i = clock.steps - 1 - back
            add_given(z, path.by_q, i + 1, b.q, first, stop)
            add_given(z, path.by_v, i + 1, b.v, first, stop)
            load_forces(z, x, path.tau, clock.base + i if path.tau.shape[1] > 1 else 0, first, stop)
            load_state(z, path, i, stages[0], first, stop)
            clear(z, nv, b.force)
            time = clock.start + (clock.base + i) * clock.step
            if kind == RK4:
                rk4_backwards(z, e, time, clock.step, stages, b)
            else:
                euler_backwards(z, kind, e, time, clock.step, stages[0], b)
            add_forces(z, b, g.tau, clock.base + i, first, stop)
        fine = total_of(z, nv, b.q, total_of(z, nv, b.v, fine))
        finish_bodies(z, t, frames, each, p.bodies)
        store_ends(z, b, g, fine, first, stop)
        store_sums(z, t, -1.0, b, p.bodies, g, first, stop)
    release(stages, b, p, d, w, x)
