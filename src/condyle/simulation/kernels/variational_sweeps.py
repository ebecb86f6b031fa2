"""Sweeps of the variational step backwards, at either end of it.

With μ and λ' the cotangents of its two equations, the step's gradient is that of −h/2 (P(μ) + P'(λ')), where

    P(μ) = 2/h Σ W · (Π − J V) − μᵀ f(q, v̄)         P'(λ') = 2/h Σ W' · (J V' − Π) − λ'ᵀ f(q', v̄)

(W the virtual twists of μ at the start, W' of λ' at the end). Except for Π each is the virtual power of a tree that
stands still and has accelerations −2/h v, or 2/h v', while dampers see v̄.
"""

from typing import Any, NamedTuple

from ...dynamics.derivatives.kernels.body_cotangents import add6_at, give_poses, in_axes_of
from ...dynamics.derivatives.kernels.body_rows import Wanted
from ...dynamics.derivatives.kernels.cotangent_layout import PLACEMENT
from ...dynamics.derivatives.kernels.derivative_scratch import MOVE, derivative_scratch
from ...dynamics.derivatives.kernels.moves import place_columns
from ...dynamics.derivatives.kernels.power_gradient import (
    SUM,
    ad_transposed,
    carried_sums,
    column_at_parent,
    column_turn,
    give_to_parent,
    load_powers,
    parent_motion,
    place_powers,
    power_scratch,
    spring_power,
)
from ...dynamics.kernels.inverse import accelerate_bodies
from ...dynamics.kernels.loads import external_wrenches
from ...dynamics.kernels.scratch_layout import SLOT
from ...model.kernels.layout import LINEAR
from ...model.kernels.records import armature, body_at, header
from ...numeric import inlined, kernel, load, scratch, store
from ...spatial.kernels.algebra import (
    add3,
    add6,
    cross,
    dot6,
    halves,
    load3,
    load6,
    scale3,
    scale6,
    store3,
    store6,
    sub3,
    twist_zero,
)
from .discrete_momenta import twists
from .momentum_gradients import pose_wrench


class End(NamedTuple):
    """One end of a step: ε (−1 at the start, 1 at the end), coordinates, recursions, and scratch of derivatives."""

    sign: Any
    q: Any
    m: Any
    d: Any
    p: Any


class Between(NamedTuple):
    """What both ends of a step of h share: its mean velocities, momenta Π of bodies, and matrices B of their turns."""

    h: Any
    mean: Any
    momenta: Any
    turns: Any


@kernel
def new_end(z, t, sign, m):
    """Allocate what one end of a step needs beside its recursions."""
    return End(
        sign, scratch(z, header(t).nq), m, derivative_scratch(z, t, scratch(z, header(t).nv)), power_scratch(z, t)
    )


@kernel
def stand(z, t, m):
    """Bodies stand still."""
    for i in range(header(t).bodies):
        store6(z, m.slots, (i + 1) * SLOT.size + SLOT.twist, twist_zero(z))


@kernel
def place_end(z, t, b, v, end):
    """Columns, twists of the mean velocities, and accelerations ε 2/h v of one end, at which velocities are v."""
    m, d = end.m, end.d
    for k in range(header(t).nv):
        store(z, d.rates.accelerations, k, end.sign * (2.0 / b.h) * load(z, v, k))
    for i in range(header(t).bodies):
        store6(z, m.slots, (i + 1) * SLOT.size + SLOT.bias, twist_zero(z))
    twists(z, t, b.mean, m)
    accelerate_bodies(z, t, d.rates.accelerations, m)
    place_columns(z, t, end.q, b.mean, m, d)


@inlined
def virtual_twist(z, i, end):
    """The virtual twist of body i at its centre of mass."""
    return load6(z, end.p.sums, (i + 1) * SUM.size + SUM.twist)


@inlined
def body_pose_wrench(z, t, i, b, start, end):
    """X of body i, at its centre of mass at the end of the step."""
    pair = virtual_twist(z, i, start), virtual_twist(z, i, end)
    return pose_wrench(z, t, i, b.h, b.momenta, b.turns, pair)


@inlined
def seen_from_start(z, i, X, start, end):
    """A wrench at the centre of mass at the end of the step, seen at that at its start."""
    at = (i + 1) * SLOT.size + SLOT.position
    moment, f = halves(X)
    m = add3(moment, cross(sub3(load3(z, end.m.slots, at), load3(z, start.m.slots, at)), f))
    return (m[0], m[1], m[2], X[3], X[4], X[5])


@kernel
def add_step_momenta(z, t, each, b, side, start, end):
    """Add what Π gives to the sums of one end, `side`, and to its poses; virtual twists of both are known."""
    for i in range(header(t).bodies):
        X = body_pose_wrench(z, t, i, b, start, end)
        if side.sign < 0:
            X = scale6(-1.0, seen_from_start(z, i, X, start, end))
        at, force = (i + 1) * SUM.size, scale6(-side.sign * 2.0 / b.h, load6(z, b.momenta, 6 * i))
        add6_at(z, side.p.sums, at + SUM.force, force)
        add6_at(z, side.p.sums, at + SUM.E, X)
        if each > PLACEMENT:
            turned = add6(X, ad_transposed(virtual_twist(z, i, side), force))
            add6_at(z, side.p.poses, 6 * (i + 1), in_axes_of(z, i + 1, turned, side.m))


@inlined
def standing_pose_power(motion, sums):
    """∂P by a left twist of all that the sums are of, carried by a weld on a body of a motion (V, A, W)."""
    (V, A, W), (F, N, D, E) = motion, sums
    return add6(add6(add6(ad_transposed(V, D), ad_transposed(A, N)), ad_transposed(W, F)), E)


@kernel
def standing_columns(z, t, i, mean, m, d, p):
    """∂P by q, v̄ and a of the columns of body i, by any joint."""
    b, at, to = body_at(t, i), (i + 1) * SUM.size, (i + 1) * SLOT.size
    V, A = load6(z, m.slots, to + SLOT.twist), load6(z, m.slots, to + SLOT.acceleration)
    W, F = load6(z, p.sums, at + SUM.twist), load6(z, p.sums, at + SUM.force)
    N, D, E = load6(z, p.sums, at + SUM.N), load6(z, p.sums, at + SUM.D), load6(z, p.sums, at + SUM.E)
    for j in range(b.v0, b.v0 + b.nv):
        s = load6(z, d.moves, j * MOVE.size + MOVE.s)
        of_w, of_v = column_turn(z, t, b, j, W, p.weights, d), column_turn(z, t, b, j, V, mean, d)
        of_a = column_turn(z, t, b, j, A, d.rates.accelerations, d)
        store(z, p.by_q, j, dot6(of_w, F) + dot6(of_a, N) + dot6(of_v, D) + dot6(s, E))
        store(z, p.by_v, j, dot6(s, D))
        store(z, p.by_a, j, dot6(s, N))


@kernel
def gather_standing(z, t, each, mean, m, d, p):
    """Inward, as `gather_powers`, of bodies that stand still."""
    for i in range(header(t).bodies - 1, -1, -1):
        b, sums = body_at(t, i), carried_sums(z, t, i, True, m, p)
        if b.shape != LINEAR:
            standing_columns(z, t, i, mean, m, d, p)
        if b.shape == LINEAR or each > PLACEMENT:
            e = standing_pose_power(parent_motion(z, t, i, m, p), sums)
            if b.shape == LINEAR:
                s = column_at_parent(z, t, i, m)
                store(z, p.by_q, b.v0, dot6(s, e))
                store(z, p.by_v, b.v0, dot6(s, sums[2]))
                store(z, p.by_a, b.v0, dot6(s, sums[1]))
            if each > PLACEMENT:
                give_poses(z, t, i, each, None, e, m, p)
        give_to_parent(z, t, i, True, sums, p)
    store3(z, p.gravity, 0, scale3(-1.0, load3(z, p.sums, SUM.N + 3)))


@kernel
def place_virtual(z, t, each, external, end):
    """Virtual twists of one end from its weights, what bodies give to the sums, and `each` cotangents of theirs."""
    external_wrenches(z, t, external, end.m)
    stand(z, t, end.m)
    place_powers(z, t, Wanted(each, None, None, False), external.pushed, True, end.m, end.p)


@kernel
def sweep_end(z, t, each, b, side, start, end):
    """∂P of one end by q, v̄, a and poses, and by springs and gravity; virtual twists of both ends are placed."""
    m, d, p = side.m, side.d, side.p
    add_step_momenta(z, t, each, b, side, start, end)
    twists(z, t, b.mean, m)
    for i in range(header(t).lines):
        spring_power(z, t, i, each > PLACEMENT, m, p)
    gather_standing(z, t, each, b.mean, m, d, p)
    for k in range(header(t).nv):
        spin = armature(t, k) * load(z, p.weights, k)
        store(z, p.by_a, k, load(z, p.by_a, k) + spin)
        store(z, p.by_v, k, load(z, p.by_v, k) - side.sign * (2.0 / b.h) * spin)
    load_powers(z, t, side.q, b.mean, p)
