"""Cotangents of states, forces, wrenches and of all numbers of bodies and springs, from the gradient of a power."""

from ....model.kernels.records import header
from ....numeric import (
    entry,
    inlined,
    kernel,
    load,
    release,
    scratch,
    store,
    tables,
    unpack,
    width,
)
from ...kernels.forward import forward
from ...kernels.inverse import accelerate_bodies
from ...kernels.loads import external_wrenches
from ...kernels.outward_pass import place
from ...kernels.scratch import External, tree_scratch
from .body_cotangents import turn_parent_twists
from .body_rows import BodyRows, Wanted, pack_runs, unpack_runs, writes_each
from .cotangent_layout import BODY, SPRING
from .derivative_scratch import derivative_scratch
from .moves import place_columns
from .power_gradient import absorb_cotangents, power_gradient, power_scratch


@kernel
def sum_of_nothing(z, x, count):
    """0, or NaN if a number is not finite; in two sums, so that one need not wait for the other."""
    total, other = z, z
    for k in range(0, count - 1, 2):
        total, other = total + 0.0 * load(z, x, k), other + 0.0 * load(z, x, k + 1)
    if count % 2:
        total = total + 0.0 * load(z, x, count - 1)
    return total + other


@kernel
def scale_all(z, x, count, sign):
    """Multiply numbers by a sign."""
    for k in range(count):
        store(z, x, k, sign * load(z, x, k))


@inlined
def finiteness(z, n, p):
    """0, or NaN if a number of the state is not finite."""
    total = sum_of_nothing(z, p.by_q, n) + sum_of_nothing(z, p.by_v, n)
    return total + sum_of_nothing(z, p.weights, n) + sum_of_nothing(z, p.gravity, 3)


@entry
def cotangent_states(z, pair, frames, states, out, start, stop):
    """Cotangents of states = (Q, V, TAU, W, A, BAR): of q, v, a, bodies, springs, gravity and λ, to `out`.

    If out[-1], STATUS, has rows, BAR are cotangents of the accelerations that TAU give, λ = M⁻¹ BAR are those of TAU,
    all others are −∂P, and of accelerations there are none. Otherwise the accelerations are A, λ is BAR, and all are
    ∂P. The one before, FINE, is 0, or NaN if a number of the state is not finite. Of bodies there are all numbers,
    those before poses, or only those of wrenches.
    """
    t = tables(pair)
    Q, V, TAU, W, A, BAR = states
    BY_Q, BY_V, BY_A, BODIES, SPRINGS, GRAVITY, WEIGHTS, FINE, STATUS = out
    h, m, p = header(t), tree_scratch(z, t), power_scratch(z, t)
    q, v, a, x = scratch(z, h.nq), scratch(z, h.nv), scratch(z, h.nv), scratch(z, h.nv)
    w, bar, s, d = scratch(z, 6 * h.bodies), scratch(z, h.nv), scratch(z, 1), derivative_scratch(z, t, a)
    external, solves = External(x, w, W.shape[0] > 0), STATUS.shape[0] > 0
    each, sign = BODIES.shape[1] // max(h.bodies, 1), -1.0 if solves else 1.0
    for first in range(start, stop, width(z)):
        pack_runs(z, Q, first, stop, q)
        pack_runs(z, V, first, stop, v)
        pack_runs(z, TAU, first, stop, x)
        if h.driven or not solves:
            pack_runs(z, A, first, stop, a)
        pack_runs(z, BAR, first, stop, bar)
        if external.pushed:
            pack_runs(z, W, first, stop, w)
        if solves:
            store(z, s, 0, forward(z, t, q, v, a, external, m))
            unpack(z, s, STATUS, first, stop)
        else:
            place(z, t, q, v, m)
            accelerate_bodies(z, t, a, m)
        if external.pushed:
            external_wrenches(z, t, external, m)
        place_columns(z, t, q, v, m, d)
        if solves:
            absorb_cotangents(z, t, bar, m, p)
        else:
            for k in range(h.nv):
                store(z, p.weights, k, load(z, bar, k))
        rows = BodyRows(BODIES, first, stop, sign)
        power_gradient(z, t, (q, v), Wanted(each, frames, rows, solves), external.pushed, m, d, p)
        if each > BODY:
            turn_parent_twists(z, t, each, sign, p.bodies)
        store(z, s, 0, finiteness(z, h.nv, p))
        unpack(z, s, FINE, first, stop)
        unpack_runs(z, p.by_q, h.nv, sign, BY_Q, first, stop)
        unpack_runs(z, p.by_v, h.nv, sign, BY_V, first, stop)
        if not solves:
            unpack_runs(z, p.by_a, h.nv, 1.0, BY_A, first, stop)
        if not writes_each(z, each, rows):
            unpack_runs(z, p.bodies, each * h.bodies, sign, BODIES, first, stop)
        unpack_runs(z, p.springs, SPRING * h.lines, sign, SPRINGS, first, stop)
        unpack_runs(z, p.gravity, 3, sign, GRAVITY, first, stop)
        unpack_runs(z, p.weights, h.nv, 1.0, WEIGHTS, first, stop)
    release(m, d, p, q, v, x, w, bar, s)
