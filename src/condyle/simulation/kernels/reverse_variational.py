"""Variational steps backwards: the exact gradient of what `variational_steps` computes, from the states it recorded.

A step is computed again, which gives its mean velocities and the recursions at both ends. The velocities at its end
solve M(q') v' = p, so λ' = M(q')⁻¹ v̄' is the cotangent of p; the mean velocities solve r = 0, so μ = (∂r/∂v̄)⁻ᵀ of
their cotangent is that of r (`variational_transpose`). All else is one sweep at either end (`variational_sweeps`).
"""

from typing import Any, NamedTuple

from ...dynamics.derivatives.kernels.body_cotangents import finish_bodies
from ...dynamics.derivatives.kernels.cotangent_layout import MASS, SPRING
from ...dynamics.derivatives.kernels.manifold_cotangents import retract_backwards
from ...dynamics.kernels.any_tree import absorb, respond
from ...dynamics.kernels.inverse import accelerate_bodies
from ...dynamics.kernels.scratch import External, tree_scratch
from ...model.kernels.records import header
from ...numeric import entry, kernel, load, pack, release, scratch, store, tables, width
from .batch_block import load_forces
from .momentum_gradients import momentum_parameters, place_turns
from .reverse_steps import (
    Forces,
    accumulate,
    add_forces,
    add_given,
    clear,
    load_gradients,
    load_state,
    new_backwards,
    store_ends,
    store_sums,
    total_of,
)
from .runge_kutta import combine, copy
from .variational import Step, variational_scratch, variational_step
from .variational_sweeps import Between, new_end, place_end, place_virtual, sweep_end, virtual_twist
from .variational_transpose import solve_transposed, transpose_scratch


class StepState(NamedTuple):
    """The state before a step, and a copy that the step moves."""

    q: Any
    v: Any
    next_v: Any


class Reverse(NamedTuple):
    """A step and what goes back through it: how many numbers of each body are wanted, and scratch."""

    step: Any
    each: Any
    state: Any
    start: Any
    end: Any
    turns: Any
    w: Any


@kernel
def repeat_step(z, t, r):
    """Take the step again; returns what both of its ends share."""
    nq, nv, state = header(t).nq, header(t).nv, r.state
    copy(z, nq, state.q, r.start.q)
    copy(z, nq, state.q, r.end.q)
    copy(z, nv, state.v, state.next_v)
    variational_step(z, r.step, r.end.q, state.next_v, z)
    s = r.step
    place_turns(z, t, s.h, s.m, s.later, r.turns)
    return Between(s.h, s.w.tried, s.w.moved, r.turns)


@kernel
def finish_end(z, t, r, side, b):
    """Add the cotangents of springs, gravity and forces that one end gives."""
    p = side.p
    combine(z, header(t).nv, b.force, 0.5 * r.step.h, p.weights, b.force)
    accumulate(z, SPRING * header(t).lines, p.springs, b.springs)
    accumulate(z, 3, p.gravity, b.gravity)


@kernel
def add_momentum_parameters(z, t, r):
    """Add what momenta over the step give to the cotangents of masses, centres and moments, to those of the start."""
    trees = r.start.m, r.end.m
    for i in range(header(t).bodies):
        pair = virtual_twist(z, i, r.start), virtual_twist(z, i, r.end)
        momentum_parameters(z, t, i, r.each, r.step.h, pair, trees, r.start.p.bodies)


@kernel
def mean_cotangent(z, t, r, shared, b, out):
    """The cotangent of the mean velocities through all that the end of the step is; λ' is in the weights there."""
    nv, half = header(t).nv, -0.5 * r.step.h
    clear(z, nv, r.start.p.weights)
    place_virtual(z, t, 0, r.step.external, r.start)
    place_virtual(z, t, 0, r.step.external, r.end)
    sweep_end(z, t, 0, shared, r.end, r.start, r.end)
    combine(z, nv, b.q, half, r.end.p.by_q, b.stage_v)
    for k in range(nv):
        store(z, out, k, half * load(z, r.end.p.by_v, k))
    retract_backwards(z, t, shared.mean, shared.h, b.stage_v, out)


@kernel
def variational_backwards(z, r, b):
    """One step back: r.state has the state before it, b.q and b.v the cotangents after it; returns 1 if not solved."""
    s, nv = r.step, header(r.step.t).nv
    t = s.t
    shared = repeat_step(z, t, r)
    absorb(z, t, b.v, 0, False, s.later)
    respond(z, t, r.end.p.weights, 0, s.later)
    place_end(z, t, shared, r.state.v, r.start)
    place_end(z, t, shared, r.state.next_v, r.end)
    mean_cotangent(z, t, r, shared, b, b.slope_v)
    failed = solve_transposed(z, t, shared, r.start, r.end, b.slope_v, r.w)
    copy(z, nv, r.w.solution, r.start.p.weights)
    accelerate_bodies(z, t, r.start.d.rates.accelerations, s.m)  # where the solution had its own
    place_virtual(z, t, r.each, s.external, r.start)
    place_virtual(z, t, r.each, s.external, r.end)
    if r.each > MASS:
        add_momentum_parameters(z, t, r)
    sweep_end(z, t, r.each, shared, r.start, r.start, r.end)
    sweep_end(z, t, r.each, shared, r.end, r.start, r.end)
    combine(z, nv, b.q, -0.5 * s.h, r.end.p.by_q, b.q)
    retract_backwards(z, t, shared.mean, s.h, b.q, b.slope_v)  # what the mean velocities get is in μ
    combine(z, nv, b.q, -0.5 * s.h, r.start.p.by_q, b.q)
    copy(z, nv, r.start.p.by_a, b.v)
    finish_end(z, t, r, r.start, b)
    finish_end(z, t, r, r.end, b)
    return failed


@entry
def variational_steps_backwards(z, pair, frames, clock, arrays, start, stop):
    """As `steps_backwards`, of variational steps; `fine` is 1 where the equations of a step were not solved."""
    path, g = arrays
    t = tables(pair[:2])
    h, nv, each = header(t), header(t).nv, g.bodies.shape[1] // max(header(t).bodies, 1)
    b, x, pushes = new_backwards(z, t), Forces(scratch(z, nv)), scratch(z, 6 * h.bodies)
    external = External(x.tau, pushes, path.wrenches.shape[0] > 0)
    m, later, w = tree_scratch(z, t), tree_scratch(z, t), variational_scratch(z, t)
    first_end, last_end = new_end(z, t, -1.0, m), new_end(z, t, 1.0, later)
    state = StepState(scratch(z, h.nq), scratch(z, nv), scratch(z, nv))
    step = Step(t, clock.step, external, m, later, w)
    turns = scratch(z, 9 * h.bodies)
    r = Reverse(step, each, state, first_end, last_end, turns, transpose_scratch(z, t))
    for first in range(start, stop, width(z)):
        load_gradients(z, t, each, g, b, first_end.p.bodies, first, stop)
        clear(z, each * h.bodies, last_end.p.bodies)
        fine = z
        if external.pushed:
            pack(z, path.wrenches, first, stop, pushes)
        for back in range(clock.steps):
            i = clock.steps - 1 - back
            add_given(z, path.by_q, i + 1, b.q, first, stop)
            add_given(z, path.by_v, i + 1, b.v, first, stop)
            load_forces(z, x, path.tau, clock.base + i if path.tau.shape[1] > 1 else 0, first, stop)
            load_state(z, path, i, state, first, stop)
            clear(z, nv, b.force)
            fine = fine + variational_backwards(z, r, b)
            add_forces(z, b, g.tau, clock.base + i, first, stop)
        fine = total_of(z, nv, b.q, total_of(z, nv, b.v, fine))
        accumulate(z, each * h.bodies, last_end.p.bodies, first_end.p.bodies)
        finish_bodies(z, t, frames, each, first_end.p.bodies)
        store_ends(z, b, g, fine, first, stop)
        store_sums(z, t, -0.5 * clock.step, b, first_end.p.bodies, g, first, stop)
    release(b, x, pushes, w, state, turns, r.w, first_end, last_end)
