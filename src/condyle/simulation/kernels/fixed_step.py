"""Integrators with a fixed step: forward Euler, semi-implicit Euler and the classical Runge-Kutta method of order 4.

RK4 integrates q̇ = N(q) v and normalises quaternions after each step (adding stages on the manifold would be of order 2
only); the others step on the group.
"""

from ...dynamics.kernels.constrained_forward import constrained_forward
from ...dynamics.kernels.constraint_scratch import constraint_memory
from ...dynamics.kernels.forward import forward
from ...dynamics.kernels.layout import KINDS
from ...dynamics.kernels.manifold_steps import normalise, rates, retract
from ...dynamics.kernels.projection import project_state
from ...dynamics.kernels.scratch import memory
from ...model.kernels.layout import BODIES, BODY_SIZE, FIRST_BODY, NQ, NV, V0, WIDTH
from ...numeric import (
    entry,
    give_back,
    inlined,
    kernel,
    less,
    load,
    magnitude,
    scratch,
    select,
    some,
    store,
    tables,
    width,
)
from .batch_block import NOW_Q, NOW_V, PUSHES, STATE, TORQUES, block, finish, forces_of, note, take_up
from .prescribed_motion import drive
from .status import BLOWN_UP, FASTEST

__all__ = ["EULER", "RK4", "SEMI_IMPLICIT", "blown_up", "fixed_steps", "held_fixed_steps"]

EULER, SEMI_IMPLICIT, RK4 = range(3)


@inlined
def copy(z, n, x, y):
    for k in range(n):
        store(z, y, k, load(z, x, k))


@inlined
def combine(z, n, x, h, d, y):
    """y = x + h d."""
    for k in range(n):
        store(z, y, k, load(z, x, k) + h * load(z, d, k))


@kernel
def too_fast(z, codes, v, status):
    """The status, with the first body noted whose joint has a speed that is no longer credible."""
    for i in range(codes[BODIES]):
        body = codes[FIRST_BODY] + i * BODY_SIZE
        for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
            now = select(less(magnitude(load(z, v, k)), FASTEST), z, z + (BLOWN_UP + KINDS * i))
            status = select(less(status, 0.5), now, status)
    return status


@kernel
def blown_up(z, codes, v, status):
    """`too_fast`, looked into only if some speed is."""
    slow = z + 1.0
    for k in range(codes[NV]):
        slow = select(less(magnitude(load(z, v, k)), FASTEST), slow, z)
    return too_fast(z, codes, v, status) if some(less(slow, 0.5)) else status


@kernel
def accelerations(z, codes, numbers, q, v, tau, given, has_given, a, driven, m, c):
    """Accelerations under all forces; c is None, or the memory of the constraints to hold. Returns the status."""
    if c is None:  # decided when compiling
        return forward(z, codes, numbers, q, v, tau, given, has_given, a, driven, m)
    return constrained_forward(z, codes, numbers, q, v, tau, given, has_given, a, driven, m, c)


@kernel
def euler_step(z, kind, codes, numbers, h, q, v, tau, given, has_given, driven, m, c, w):
    """One step of forward or semi-implicit Euler, in place; returns the status."""
    a = w[0]
    status = accelerations(z, codes, numbers, q, v, tau, given, has_given, a, driven, m, c)
    if kind == EULER:
        retract(z, codes, q, v, h, q)
    combine(z, codes[NV], v, h, a, v)
    if kind == SEMI_IMPLICIT:
        retract(z, codes, q, v, h, q)
    return status


@kernel
def slopes(z, codes, numbers, q, v, tau, given, has_given, driven, m, c, a, dq):
    """Accelerations and coordinate rates; prescribed coordinates are where they must be. Returns the status."""
    status = accelerations(z, codes, numbers, q, v, tau, given, has_given, a, driven, m, c)
    rates(z, codes, q, v, dq)
    return status


@kernel
def stage(z, codes, numbers, t, q, v, tau, given, has_given, driven, m, c, a, dq):
    """Accelerations and coordinate rates at one stage; prescribed coordinates are put where they must be."""
    if driven:
        drive(z, codes, numbers, t + z, q, v, a)
    return slopes(z, codes, numbers, q, v, tau, given, has_given, driven, m, c, a, dq)


@kernel
def rk4_step(z, codes, numbers, t, h, q, v, tau, given, has_given, driven, m, c, w):
    """One classical Runge-Kutta step, in place; returns the status."""
    a, q1, v1, dq, sum_q, sum_v = w
    nq, nv = codes[NQ], codes[NV]
    status = slopes(z, codes, numbers, q, v, tau, given, has_given, driven, m, c, a, dq)
    copy(z, nq, dq, sum_q)
    copy(z, nv, a, sum_v)
    for k in range(1, 4):
        part = h if k == 3 else 0.5 * h
        combine(z, nq, q, part, dq, q1)
        combine(z, nv, v, part, a, v1)
        now = stage(z, codes, numbers, t + part, q1, v1, tau, given, has_given, driven, m, c, a, dq)
        status = select(less(status, 0.5), now, status)
        weight = 1.0 if k == 3 else 2.0
        combine(z, nq, sum_q, weight, dq, sum_q)
        combine(z, nv, sum_v, weight, a, sum_v)
    combine(z, nq, q, h / 6.0, sum_q, q)
    combine(z, nv, v, h / 6.0, sum_v, v)
    normalise(z, codes, q)
    return status


@kernel
def settled(z, codes, numbers, q, v, driven, m, c, status):
    """Bring a state that is well back onto its constraints; returns the status."""
    if c is None:  # decided when compiling
        return status
    return project_state(z, codes, numbers, q, v, driven, m, c) if less(status, 0.5) else status


@kernel
def one_step(z, kind, codes, numbers, t, end, h, q, v, tau, given, has_given, driven, m, c, w):
    """One step of the chosen kind from t to `end`, in place; prescribed coordinates begin and end on their motion, with
    their accelerations in w[0], and constraints hold.
    """
    if kind == RK4:
        status = rk4_step(z, codes, numbers, t, h, q, v, tau, given, has_given, driven, m, c, w)
    else:
        status = euler_step(z, kind, codes, numbers, h, q, v, tau, given, has_given, driven, m, c, w)
    if driven:
        drive(z, codes, numbers, end + z, q, v, w[0])
    status = settled(z, codes, numbers, q, v, driven, m, c, status)
    return blown_up(z, codes, v, status)


@inlined
def keep(z, n, good, new, old):
    """Where a member is well, take its new numbers; elsewhere leave the last good ones in both arrays."""
    for k in range(n):
        x = select(good, load(z, new, k), load(z, old, k))
        store(z, new, k, x)
        store(z, old, k, x)


@kernel
def march_fixed(
    z, kind, codes, numbers, t0, h, base, steps, every, Q, V, TAU, W, QT, VT, STATUS, ENDED, driven, start, stop, c
):
    """The loop of `fixed_steps`; c is None or the memory of the constraints."""
    m, b = memory(z, codes), block(z, codes)
    nq, nv = codes[NQ], codes[NV]
    w = (scratch(z, nv), scratch(z, nq), scratch(z, nv), scratch(z, nq), scratch(z, nq), scratch(z, nv))
    q, v, old_q, old_v = b[NOW_Q], b[NOW_V], scratch(z, nq), scratch(z, nv)
    pushed = W.shape[0] > 0
    for first in range(start, stop, width(z)):
        take_up(z, b, Q, V, W, STATUS, ENDED, first, stop)
        copy(z, nq, q, old_q)
        copy(z, nv, v, old_v)
        if driven:
            drive(z, codes, numbers, t0 + base * h + z, q, v, w[0])
        for i in range(steps):
            forces_of(z, b, TAU, i, first, stop)
            before, t, end = load(z, b[STATE], 0), t0 + (base + i) * h, t0 + (base + i + 1) * h
            now = one_step(z, kind, codes, numbers, t, end, h, q, v, b[TORQUES], b[PUSHES], pushed, driven, m, c, w)
            after = select(less(before, 0.5), now, before)
            keep(z, nq, less(after, 0.5), q, old_q)
            keep(z, nv, less(after, 0.5), v, old_v)
            note(z, codes, b, after, base + i + 1, every, QT, VT, first, stop)
        finish(z, b, Q, V, STATUS, ENDED, first, stop)
    give_back(m, b, w, old_q, old_v)


@entry
def fixed_steps(
    z, kind, codes, numbers, t0, h, base, steps, every, Q, V, TAU, W, QT, VT, STATUS, ENDED, driven, start, stop
):
    """March all members from step `base` on; every `every`-th state goes to QT, VT (none if they have no records).

    Q and V end as the last good states; STATUS and ENDED say what stopped a member, and after which step.
    """
    codes, numbers = tables(codes, numbers)
    march_fixed(
        z, kind, codes, numbers, t0, h, base, steps, every, Q, V, TAU, W, QT, VT, STATUS, ENDED, driven, start, stop,
        None,
    )  # fmt: skip


@entry
def held_fixed_steps(
    z, kind, codes, numbers, t0, h, base, steps, every, Q, V, TAU, W, QT, VT, STATUS, ENDED, driven, start, stop
):
    """As `fixed_steps`, holding the model's constraints; one state at a time."""
    codes, numbers = tables(codes, numbers)
    c = constraint_memory(z, codes)
    march_fixed(
        z, kind, codes, numbers, t0, h, base, steps, every, Q, V, TAU, W, QT, VT, STATUS, ENDED, driven, start, stop, c
    )
    give_back(c)
