"""The variational integrator: a discrete principle of least action, so energy stays bounded and momenta are kept.

With ξ_k = (log(R_kᵀ R_{k+1}), p_{k+1} − p_k)/h of every body at its centre of mass, a step solves for q_{k+1}

    Σ Sᵀ(q_k) Jl⁻ᵀ(hξ_k) J ξ_k = M(q_k) v_k + h/2 f(q_k, v̄)
    M(q_{k+1}) v_{k+1} = Σ Sᵀ(q_{k+1}) Jr⁻ᵀ(hξ_k) J ξ_k + h/2 f(q_{k+1}, v̄)

where q_{k+1} is q_k moved by v̄ for h. Eliminating v gives the discrete Newton-Euler equation in q_{k−1}, q_k and
q_{k+1}; v is the discrete Legendre transform. Forces that depend on velocity see the mean v̄ of the step at both ends:
the step stays symmetric in time, hence of order 2, and the work of a damper, −h d v̄², is never positive.

The unknown is v̄. Corrections are M(q_k)⁻¹ times the missing momentum, from the factors of one articulated-body pass
at q_k: each is O(n) and reduces the error by a factor O(h), faster by a secant through the last two. A correction that
makes it much worse is halved. Long steps on sharply bent joints may have no solution at all, and that is reported.
"""

from typing import Any, NamedTuple

from ...dynamics.kernels.any_tree import absorb, articulate_tree, respond
from ...dynamics.kernels.forward import forward
from ...dynamics.kernels.manifold_steps import normalize, retract
from ...dynamics.kernels.outward_pass import place
from ...dynamics.kernels.scratch import External, tree_scratch
from ...dynamics.kernels.scratch_layout import COLUMN, SLOT
from ...model.kernels.records import armature, header
from ...model.kernels.status import NOT_SOLVED
from ...numeric import (
    any_lane,
    entry,
    finite,
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
from .discrete_momenta import add_momenta, body_momenta, impulses, step_momenta, unresolved_energy
from .fixed_step import keep
from .runge_kutta import combine, copy
from .step_checks import check_step

TOLERANCE = 1e-26  # energy of the missing momentum, relative to that of the motion
STALLED = 1e4  # times the tolerance: below this, an error that no longer falls is round-off
WORSE = 16.0  # times the least energy missing so far: beyond this a correction is not taken but halved
MOST = 60  # corrections of one step
WORST = 1e290


class VariationalScratch(NamedTuple):
    """Arrays of one step; velocities unless said otherwise."""

    tried: Any
    best: Any  # of those tried so far
    fix: Any  # correction of the best
    response: Any  # M⁻¹ of the missing momentum
    old_response: Any
    old_rest: Any
    next_q: Any
    start: Any  # momenta of the bodies before the step
    moved: Any  # and in it
    rotors: Any  # momenta of armatures before the step
    good_q: Any  # the last good state
    good_v: Any


class Step(NamedTuple):
    """A step of h: tables, external forces, the tree at its start (m) and end (later), scratch."""

    t: Any
    h: float
    external: Any
    m: Any
    later: Any
    w: Any


@kernel
def variational_scratch(z, t):
    """Allocate the scratch of a step."""
    n, nq, nv = 6 * header(t).bodies, header(t).nq, header(t).nv
    return VariationalScratch(
        tried=scratch(z, nv),
        best=scratch(z, nv),
        fix=scratch(z, nv),
        response=scratch(z, nv),
        old_response=scratch(z, nv),
        old_rest=scratch(z, nv),
        next_q=scratch(z, nq),
        start=scratch(z, n),
        moved=scratch(z, n),
        rotors=scratch(z, nv),
        good_q=scratch(z, nq),
        good_v=scratch(z, nv),
    )


@kernel
def attempt(z, s, q, v):
    """Move by v for h; returns twice the energies of the missing momentum and of the motion."""
    t, m, w = s.t, s.m, s.w
    retract(z, t, q, v, s.h, w.next_q)
    place(z, t, w.next_q, v, s.later)
    energy = step_momenta(z, t, s.h, m.slots, s.later.slots, w.moved)
    impulses(z, t, q, v, s.external, 0.5 * s.h, m)
    add_momenta(z, t, 1.0, w.start, m.wrenches)
    add_momenta(z, t, -1.0, w.moved, m.wrenches)
    for k in range(header(t).nv):
        spin = armature(t, k) * load(z, v, k)
        store(z, m.forces, k, load(z, m.forces, k) + load(z, w.rotors, k) - spin)
        energy = energy + spin * load(z, v, k)
    missing = absorb(z, t, m.forces, 0, True, m)
    return select(finite(missing), missing, z + WORST), energy


@inlined
def flag(z, condition):
    """1 where a condition holds, else 0."""
    return select(condition, z + 1.0, z)


@kernel
def secant(z, nv, columns, w):
    """The γ for which the missing momentum p − γ (p − p_old) has the least energy."""
    top, bottom = z, z
    for k in range(nv):
        at = k * COLUMN.size
        u, inverse = load(z, columns, at + COLUMN.rest), load(z, columns, at + COLUMN.inverse)
        change = u - load(z, w.old_rest, k)
        top, bottom = top + u * change * inverse, bottom + change * change * inverse
    some_change = less(0.0, bottom)
    return select(some_change, top / select(some_change, bottom, z + 1.0), z)


@kernel
def take(z, nv, columns, w, taken, gamma):
    """Where taken, the velocities tried are the best and their correction is f − γ (Δx + Δf), f the response.

    Elsewhere the best ones stay, with their response as the correction: unlike the secant's, it leads downhill.
    """
    for k in range(nv):
        x, best = load(z, w.tried, k), load(z, w.best, k)
        f, old = load(z, w.response, k), load(z, w.old_response, k)
        fix = f - gamma * ((x - best) + (f - old))
        rest, old_rest = load(z, columns, k * COLUMN.size + COLUMN.rest), load(z, w.old_rest, k)
        store(z, w.best, k, select(taken, x, best))
        store(z, w.fix, k, select(taken, fix, old))
        store(z, w.old_response, k, select(taken, f, old))
        store(z, w.old_rest, k, select(taken, rest, old_rest))


@kernel
def solve(z, s, q, doubt, status):
    """The mean velocities of the step, from a guess in w.best, for members that are well; returns the status.

    Members that are done are evaluated where they are until all are, so `later` and w.moved belong to the answer.
    """
    nv, columns, w = header(s.t).nv, s.m.columns, s.w
    part, least, going = z + 1.0, z + WORST, flag(z, less(status, 0.5))
    for k in range(nv):
        store(z, w.fix, k, z)
        store(z, w.old_response, k, z)
        store(z, w.old_rest, k, z)
    for i in range(MOST):
        combine(z, nv, w.best, part * going, w.fix, w.tried)
        missing, energy = attempt(z, s, q, w.tried)
        respond(z, s.t, w.response, 0, s.m)
        limit = TOLERANCE * energy + doubt
        stalled = (1.0 - flag(z, less(missing, least))) * flag(z, less(missing, STALLED * limit))
        done = select(less(limit, missing), stalled, z + 1.0)
        taken = less(0.5, going * (flag(z, less(missing, WORSE * least)) + done))
        take(z, nv, columns, w, taken, secant(z, nv, columns, w) if i else z)
        part = select(taken, z + 1.0, 0.5 * part)
        least = select(less(missing, least), missing, least)
        going = going * (1.0 - done)
        if not any_lane(less(0.5, going)):
            break
    return select(less(0.5, going), z + NOT_SOLVED, status)


@kernel
def variational_step(z, s, q, v, before):
    """One step of the members whose status before it is good, in place; returns the status."""
    t, h, m, later, w = s.t, s.h, s.m, s.later, s.w
    now = forward(z, t, q, v, w.fix, s.external, m)
    body_momenta(z, t, m.slots, SLOT.twist, w.start)
    for k in range(header(t).nv):
        store(z, w.rotors, k, armature(t, k) * load(z, v, k))
    doubt = unresolved_energy(z, t, h, q, w.tried, m, w.moved)
    combine(z, header(t).nv, v, 0.5 * h, w.fix, w.best)
    status = select(less(before, 0.5), now, before)
    status = solve(z, s, q, doubt, status)
    # only for the factors that it leaves in the columns
    now = articulate_tree(z, t, s.external.tau, v, False, later)
    status = select(less(status, 0.5), now, status)
    impulses(z, t, w.next_q, w.tried, s.external, 0.5 * h, later)
    add_momenta(z, t, 1.0, w.moved, later.wrenches)
    body_momenta(z, t, m.slots, SLOT.acceleration, w.start)  # of the velocities that `respond` gave last
    add_momenta(z, t, 1.0, w.start, later.wrenches)  # still missing at round-off: kept, or it would add up
    for k in range(header(t).nv):
        spin = armature(t, k) * (load(z, w.tried, k) + load(z, w.response, k))
        store(z, later.forces, k, load(z, later.forces, k) + spin)
    absorb(z, t, later.forces, 0, True, later)
    respond(z, t, v, 0, later)
    copy(z, header(t).nq, w.next_q, q)
    normalize(z, t, q)
    return status


@entry
def variational_steps(z, pair, clock, batch, start, stop):
    """As `fixed_steps`, by the variational integrator."""
    t = tables(pair[:2])
    nq, nv, b, w = header(t).nq, header(t).nv, new_block(z, t), variational_scratch(z, t)
    external = External(b.tau, b.wrenches, batch.wrenches.shape[0] > 0)
    m, later = tree_scratch(z, t, *pair[2:]), tree_scratch(z, t, *pair[2:])
    s = Step(t, clock.step, external, m, later, w)
    for first in range(start, stop, width(z)):
        load_block(z, b, batch, first, stop)
        copy(z, nq, b.q, w.good_q)
        copy(z, nv, b.v, w.good_v)
        for i in range(clock.steps):
            load_forces(z, b, batch.tau, i, first, stop)
            after = variational_step(z, s, b.q, b.v, load(z, b.status, 0))
            after = check_step(z, t, batch.domains, b.q, b.v, after)
            keep(z, nq, less(after, 0.5), b.q, w.good_q)
            keep(z, nv, less(after, 0.5), b.v, w.good_v)
            record_step(z, b, batch, after, clock.base + i + 1, clock.every, first, stop)
        store_block(z, b, batch, first, stop)
    release(s.m, s.later, w, b)
