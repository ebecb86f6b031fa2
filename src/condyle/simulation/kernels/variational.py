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

from ...dynamics.kernels.articulated_body import articulate
from ...dynamics.kernels.forward import forward
from ...dynamics.kernels.layout import COLUMN, FORCE, INVERSE, REST, TWIST
from ...dynamics.kernels.manifold_steps import normalise, retract
from ...dynamics.kernels.outward_pass import place
from ...dynamics.kernels.scratch import COLUMNS, FORCES, LOCAL, SLOTS, SPARE, WRENCHES, memory
from ...model.kernels.layout import BODIES, NQ, NV
from ...numeric import (
    entry,
    finite,
    give_back,
    inlined,
    kernel,
    less,
    load,
    scratch,
    select,
    some,
    store,
    tables,
    width,
)
from .batch_block import NOW_Q, NOW_V, PUSHES, STATE, TORQUES, block, finish, forces_of, note, take_up
from .discrete_momenta import add_momenta, body_momenta, doubtful, forces, step_momenta
from .fixed_step import blown_up, combine, copy, keep
from .impulses import absorb, respond
from .status import NOT_SOLVED

__all__ = ["variational_steps"]

TOLERANCE = 1e-26  # energy of the missing momentum, relative to that of the motion
STALLED = 1e4  # times the tolerance: below this, an error that no longer falls is round-off
WORSE = 16.0  # times the least energy missing so far: beyond this a correction is not taken but halved
MOST = 60  # corrections of one step
WORST = 1e290
TRIED, BEST, FIX, RESPONSE, OLD_RESPONSE, OLD_REST, NEXT_Q, START, MOVED = range(9)


@kernel
def rooms(z, codes):
    """Velocities tried, the best so far, its correction; responses, old ones; q_{k+1}; momenta before and in a step."""
    n, nv = 6 * codes[BODIES], codes[NV]
    return (
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, nv),
        scratch(z, codes[NQ]),
        scratch(z, n),
        scratch(z, n),
    )


@kernel
def attempt(z, codes, numbers, h, q, v, tau, given, has_given, m, later, w):
    """Move by v for h; returns twice the energies of the missing momentum and of the motion."""
    retract(z, codes, q, v, h, w[NEXT_Q])
    place(z, codes, numbers, w[NEXT_Q], v, later[SLOTS], later[COLUMNS], later[LOCAL], later[SPARE])
    energy = step_momenta(z, codes, numbers, h, m[SLOTS], later[SLOTS], w[MOVED])
    forces(z, codes, numbers, q, v, tau, given, has_given, 0.5 * h, m)
    add_momenta(z, codes, 1.0, w[START], m[WRENCHES])
    add_momenta(z, codes, -1.0, w[MOVED], m[WRENCHES])
    missing = absorb(z, codes, m[FORCES], m[WRENCHES], m[SLOTS], m[COLUMNS])
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
        u, inverse = load(z, columns, k * COLUMN + REST), load(z, columns, k * COLUMN + INVERSE)
        change = u - load(z, w[OLD_REST], k)
        top, bottom = top + u * change * inverse, bottom + change * change * inverse
    some_change = less(0.0, bottom)
    return select(some_change, top / select(some_change, bottom, z + 1.0), z)


@kernel
def take(z, nv, columns, w, taken, gamma):
    """Where taken, the velocities tried are the best and their correction is f − γ (Δx + Δf), f the response.

    Elsewhere the best ones stay, with their response as the correction: unlike the secant's, it leads downhill.
    """
    for k in range(nv):
        x, best, f, old = (
            load(z, w[TRIED], k),
            load(z, w[BEST], k),
            load(z, w[RESPONSE], k),
            load(z, w[OLD_RESPONSE], k),
        )
        fix = f - gamma * ((x - best) + (f - old))
        rest, old_rest = load(z, columns, k * COLUMN + REST), load(z, w[OLD_REST], k)
        store(z, w[BEST], k, select(taken, x, best))
        store(z, w[FIX], k, select(taken, fix, old))
        store(z, w[OLD_RESPONSE], k, select(taken, f, old))
        store(z, w[OLD_REST], k, select(taken, rest, old_rest))


@kernel
def solve(z, codes, numbers, h, q, tau, given, has_given, m, later, w, doubt, status):
    """The mean velocities of the step, from a guess in BEST, for members that are well; returns the status.

    Members that are done are evaluated where they are until all are, so `later` and MOVED belong to the answer.
    """
    nv, columns = codes[NV], m[COLUMNS]
    part, least, going = z + 1.0, z + WORST, flag(z, less(status, 0.5))
    for k in range(nv):
        store(z, w[FIX], k, z)
        store(z, w[OLD_RESPONSE], k, z)
        store(z, w[OLD_REST], k, z)
    for i in range(MOST):
        combine(z, nv, w[BEST], part * going, w[FIX], w[TRIED])
        missing, energy = attempt(z, codes, numbers, h, q, w[TRIED], tau, given, has_given, m, later, w)
        respond(z, codes, m[SLOTS], columns, w[RESPONSE])
        limit = TOLERANCE * energy + doubt
        stalled = (1.0 - flag(z, less(missing, least))) * flag(z, less(missing, STALLED * limit))
        done = select(less(limit, missing), stalled, z + 1.0)
        taken = less(0.5, going * (flag(z, less(missing, WORSE * least)) + done))
        take(z, nv, columns, w, taken, secant(z, nv, columns, w) if i else z)
        part = select(taken, z + 1.0, 0.5 * part)
        least = select(less(missing, least), missing, least)
        going = going * (1.0 - done)
        if not some(less(0.5, going)):
            break
    return select(less(0.5, going), z + NOT_SOLVED, status)


@kernel
def variational_step(z, codes, numbers, h, q, v, tau, given, has_given, m, later, w, before):
    """One step of the members whose status before it is good, in place; returns the status."""
    nv = codes[NV]
    now = forward(z, codes, numbers, q, v, tau, given, has_given, w[FIX], False, m)
    body_momenta(z, codes, numbers, m[SLOTS], TWIST, w[START])
    doubt = doubtful(z, codes, numbers, h, q, w[TRIED], m[SLOTS], m[COLUMNS], w[MOVED])
    combine(z, nv, v, 0.5 * h, w[FIX], w[BEST])
    status = select(less(before, 0.5), now, before)
    status = solve(z, codes, numbers, h, q, tau, given, has_given, m, later, w, doubt, status)
    # only for the factors that it leaves in the columns
    now = articulate(z, codes, numbers, tau, v, later[WRENCHES], later[SLOTS], later[COLUMNS], False, False)
    status = select(less(status, 0.5), now, status)
    forces(z, codes, numbers, w[NEXT_Q], w[TRIED], tau, given, has_given, 0.5 * h, later)
    add_momenta(z, codes, 1.0, w[MOVED], later[WRENCHES])
    body_momenta(z, codes, numbers, m[SLOTS], FORCE, w[START])
    add_momenta(z, codes, 1.0, w[START], later[WRENCHES])  # still missing at round-off: kept, or it would add up
    absorb(z, codes, later[FORCES], later[WRENCHES], later[SLOTS], later[COLUMNS])
    respond(z, codes, later[SLOTS], later[COLUMNS], v)
    copy(z, codes[NQ], w[NEXT_Q], q)
    normalise(z, codes, q)
    return blown_up(z, codes, v, status)


@entry
def variational_steps(
    z, codes, numbers, h, base, steps, every, Q, V, TAU, W, QT, VT, STATUS, ENDED, start, stop
):  # fmt: skip
    """As `fixed_steps`, by the variational integrator."""
    codes, numbers = tables(codes, numbers)
    m, later, w, b = memory(z, codes), memory(z, codes), rooms(z, codes), block(z, codes)
    nq, nv = codes[NQ], codes[NV]
    q, v, old_q, old_v = b[NOW_Q], b[NOW_V], scratch(z, nq), scratch(z, nv)
    pushed = W.shape[0] > 0
    for first in range(start, stop, width(z)):
        take_up(z, b, Q, V, W, STATUS, ENDED, first, stop)
        copy(z, nq, q, old_q)
        copy(z, nv, v, old_v)
        for i in range(steps):
            forces_of(z, b, TAU, i, first, stop)
            before = load(z, b[STATE], 0)
            after = variational_step(
                z, codes, numbers, h, q, v, b[TORQUES], b[PUSHES], pushed, m, later, w, before
            )  # fmt: skip
            keep(z, nq, less(after, 0.5), q, old_q)
            keep(z, nv, less(after, 0.5), v, old_v)
            note(z, codes, b, after, base + i + 1, every, QT, VT, first, stop)
        finish(z, b, Q, V, STATUS, ENDED, first, stop)
    give_back(m, later, w, b, old_q, old_v)
