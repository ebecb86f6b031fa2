"""The gradient of the virtual power P = λᵀ (ID(q, v, a) − τ) by everything that it depends on, in O(n).

With W = Σ s_k λ_k the virtual twist of a body, P is Σ W · (𝓘 A − ad_Vᵀ 𝓘V − f) over bodies, and that of the loads. Sums
over a body and all that it carries of F (the force), N = 𝓘 W, D = Bᵀ W and E (what does not co-rotate) give

    ∂P/∂q_j = ω_j · F + χ_j · N + ψ_j · D + s_j · E        ω_j = Σ_k ∂_j s_k λ_k − ad_{s_j} W
    ∂P/∂v_j = s_j · D + y_j · N                            ∂P/∂a_j = s_j · N

A load that is a scalar of a body's pose, V and W, with cotangents e (of a left twist of the pose), V̄ and W̄, adds V̄
to D, W̄ to F and e − ad_Vᵀ V̄ − ad_Wᵀ W̄ to E.
"""

from typing import Any, NamedTuple

from ....model.kernels.layout import LINEAR
from ....model.kernels.records import armature, body_at, coordinate_load_at, header, mass_and_moments, spring_at
from ....numeric import inlined, kernel, less, load, scratch, select, store
from ....spatial.kernels.algebra import (
    ad,
    add3,
    add6,
    add_scaled6,
    cross,
    dot3,
    dot6,
    halves,
    load3,
    load6,
    load9,
    scale3,
    scale6,
    shifted,
    store3,
    store6,
    sub3,
    transposed_matvec,
    twist_zero,
)
from ....spatial.kernels.inertia import rigid_moments, symmetric_times
from ...kernels.laws import elastic_force
from ...kernels.layout import SLOT
from ...kernels.loads import spring_state
from .cotangent_layout import JOINT, SPRING
from .derivative_scratch import LUMP, MOVE, column_bend
from .inverse_derivatives import six
from .load_derivatives import end_point, load_slopes, point_velocity
from .moves import wrench_at_root


class SumLayout(NamedTuple):
    """Offsets in the sums of a slot: virtual twist of the body, then F, N, D and E of what it carries."""

    twist: int
    force: int
    N: int
    D: int
    E: int
    size: int


SUM = SumLayout(0, 6, 12, 18, 24, 30)


class PowerScratch(NamedTuple):
    """Arrays of one block of states."""

    weights: Any  # λ
    sums: Any  # SUM.size numbers per slot
    by_q: Any
    by_v: Any
    by_a: Any
    bodies: Any  # cotangents, at most JOINT numbers per body
    springs: Any  # SPRING numbers per spring
    gravity: Any
    poses: Any  # ∂P by a left twist of the pose of each joint


@kernel
def power_scratch(z, t):
    """Allocate the scratch of a model."""
    h = header(t)
    return PowerScratch(
        weights=scratch(z, h.nv),
        sums=scratch(z, SUM.size * (h.bodies + 1)),
        by_q=scratch(z, h.nv),
        by_v=scratch(z, h.nv),
        by_a=scratch(z, h.nv),
        bodies=scratch(z, JOINT * h.bodies),
        springs=scratch(z, SPRING * h.springs),
        gravity=scratch(z, 3),
        poses=scratch(z, 6 * h.bodies),
    )


@inlined
def ad_transposed(x, f):
    """ad_xᵀ f = (m × ω + f × v, f × ω)."""
    w, v = halves(x)
    m, g = halves(f)
    return six(add3(cross(m, w), cross(g, v)), cross(g, w))


@inlined
def add_at(z, x, k, f):
    """Add six numbers to those at x[k]."""
    store6(z, x, k, add6(load6(z, x, k), f))


@inlined
def body_power(z, t, i, W, A, m):
    """𝓘 W and Bᵀ W of body i alone, and the force that it needs; W and A are at its centre of mass.

    Bᵀ W = ω × I W − I (ω × W) + L × W + 2 P × W is a moment alone, the same at every point.
    """
    at = (i + 1) * SLOT.size
    mass, moments = mass_and_moments(t, body_at(t, i))
    I = rigid_moments(load9(z, m.slots, at + SLOT.rotation), moments)
    (o, u), (w, v) = halves(W), halves(load6(z, m.slots, at + SLOT.twist))
    alpha, a = halves(A)
    L, turned = symmetric_times(I, w), symmetric_times(I, o)
    D = add3(sub3(cross(w, turned), symmetric_times(I, cross(w, o))), cross(L, o))
    D = add3(D, scale3(2.0 * mass, cross(v, u)))
    f = six(add3(symmetric_times(I, alpha), cross(w, L)), scale3(mass, add3(a, cross(w, v))))
    return six(turned, scale3(mass, u)), D, f


@kernel
def place_powers(z, t, pushed, m, d, p):
    """Outward: virtual twists, and what every body alone gives to the sums; m.wrenches turn with bodies if `pushed`."""
    for k in range(SUM.size):
        store(z, p.sums, k, z)
    for i in range(header(t).bodies):
        b, to, x = body_at(t, i), (i + 1) * SUM.size, load3(z, d.lumps, (i + 1) * LUMP.size + LUMP.position)
        W = load6(z, p.sums, b.parent * SUM.size + SUM.twist)
        for k in range(b.v0, b.v0 + b.nv):
            W = add_scaled6(W, load(z, p.weights, k), load6(z, d.moves, k * MOVE.size + MOVE.s))
        A = load6(z, d.lumps, (i + 1) * LUMP.size + LUMP.acceleration)
        N, D, f = body_power(z, t, i, shifted(W, x), shifted(A, x), m)
        if pushed:
            f = add_scaled6(f, -1.0, load6(z, m.wrenches, 6 * i))
        store6(z, p.sums, to + SUM.twist, W)
        store6(z, p.sums, to + SUM.force, wrench_at_root(f, x))
        store6(z, p.sums, to + SUM.N, wrench_at_root(N, x))
        store6(z, p.sums, to + SUM.D, six(D, (z, z, z)))
        store6(z, p.sums, to + SUM.E, twist_zero(z))


@inlined
def pull_end(z, slot, x, change, forces, d, p):
    """Give one end of a spring, at x of a body, to the sums; `change` is ∂P/∂x, forces: (of W, of V) at it."""
    if slot > 0:
        at, pose = slot * SUM.size, six(cross(x, change), change)
        of_w, of_v = six(cross(x, forces[0]), forces[0]), six(cross(x, forces[1]), forces[1])
        V, W = load6(z, d.lumps, slot * LUMP.size + LUMP.twist), load6(z, p.sums, at + SUM.twist)
        turned = add6(ad_transposed(V, of_v), ad_transposed(W, of_w))
        add_at(z, p.sums, at + SUM.force, of_w)
        add_at(z, p.sums, at + SUM.D, of_v)
        add_at(z, p.sums, at + SUM.E, add_scaled6(pose, -1.0, turned))


@inlined
def end_motion(z, slot, x, arm, m, p):
    """Velocity and virtual velocity of a spring's end, and the angular parts of both twists of its body."""
    V, W = load6(z, m.slots, slot * SLOT.size + SLOT.twist), load6(z, p.sums, slot * SUM.size + SUM.twist)
    return point_velocity(V, arm), point_velocity(W, x), halves(V)[0], halves(W)[0]


@kernel
def spring_power(z, t, i, m, d, p):
    """Give point spring i to the sums, and ∂P by its constants to p.springs."""
    spring = spring_at(t, i)
    at, to = spring.at + 6, i * SPRING
    arm_a, arm_b, n, length, rate = spring_state(z, t, spring, m.slots)
    exists = less(0.0, length)
    inverse = select(exists, 1.0 / select(exists, length, z + 1.0), z)
    stretch, damping = length - t.numbers[at + 2], t.numbers[at + 1]
    force = elastic_force(t.numbers[at], stretch, damping, rate)
    x, y = end_point(z, spring.slot_a, arm_a, d), end_point(z, spring.slot_b, arm_b, d)
    v, u, spin_a, turn_a = end_motion(z, spring.slot_a, x, arm_a, m, p)
    w, o, spin_b, turn_b = end_motion(z, spring.slot_b, y, arm_b, m, p)
    virtual = dot3(n, sub3(o, u))
    drag = damping * virtual
    across = add3(scale3(force, sub3(o, u)), scale3(drag, sub3(w, v)))
    along = add3(
        scale3(t.numbers[at] * virtual, n), scale3(inverse, sub3(across, scale3(dot3(n, across), n)))
    )  # ∂P by the way from x to y
    by_x = add3(along, cross(n, add3(scale3(force, turn_a), scale3(drag, spin_a))))
    by_y = add3(along, cross(n, add3(scale3(force, turn_b), scale3(drag, spin_b))))
    pull_end(z, spring.slot_a, x, scale3(-1.0, by_x), (scale3(-force, n), scale3(-drag, n)), d, p)
    pull_end(z, spring.slot_b, y, by_y, (scale3(force, n), scale3(drag, n)), d, p)
    store3(z, p.springs, to, (stretch * virtual, rate * virtual, -t.numbers[at] * virtual))
    Ra = load9(z, m.slots, spring.slot_a * SLOT.size + SLOT.rotation)
    Rb = load9(z, m.slots, spring.slot_b * SLOT.size + SLOT.rotation)
    store3(z, p.springs, to + 3, scale3(-1.0, transposed_matvec(Ra, by_x)))
    store3(z, p.springs, to + 6, transposed_matvec(Rb, by_y))


@inlined
def pose_power(z, t, slot, at, d, p):
    """∂P by a left twist of all whose sums stand at `at`, carried by a weld on the body of a slot."""
    V, A = load6(z, d.lumps, slot * LUMP.size + LUMP.twist), load6(z, d.lumps, slot * LUMP.size + LUMP.acceleration)
    W, F = load6(z, p.sums, slot * SUM.size + SUM.twist), load6(z, p.sums, at + SUM.force)
    N, D, E = load6(z, p.sums, at + SUM.N), load6(z, p.sums, at + SUM.D), load6(z, p.sums, at + SUM.E)
    turned = add6(ad_transposed(V, add6(D, ad_transposed(V, N))), ad_transposed(A, N))
    return add6(add6(turned, ad_transposed(W, F)), E)


@inlined
def column_turn(z, t, b, j, W, weights, d):
    """ω_j: how column j turns the twists that weights give to what it carries, W to its body, beyond co-rotation."""
    out = scale6(-1.0, ad(load6(z, d.moves, j * MOVE.size + MOVE.s), W))
    for k in range(b.v0, b.v0 + b.nv):
        out = add_scaled6(out, load(z, weights, k), column_bend(z, t, k, j - b.v0, d))
    return out


@kernel
def columns_power(z, t, i, d, p):
    """∂P by q, v and a of the columns of body i, by any joint."""
    b, at = body_at(t, i), (i + 1) * SUM.size
    W, F = load6(z, p.sums, at + SUM.twist), load6(z, p.sums, at + SUM.force)
    N, D, E = load6(z, p.sums, at + SUM.N), load6(z, p.sums, at + SUM.D), load6(z, p.sums, at + SUM.E)
    for j in range(b.v0, b.v0 + b.nv):
        k = j * MOVE.size
        s, y = load6(z, d.moves, k + MOVE.s), load6(z, d.moves, k + MOVE.y)
        psi, chi = load6(z, d.moves, k + MOVE.psi), load6(z, d.moves, k + MOVE.chi)
        turn = column_turn(z, t, b, j, W, p.weights, d)
        store(z, p.by_q, j, dot6(turn, F) + dot6(chi, N) + dot6(psi, D) + dot6(s, E))
        store(z, p.by_v, j, dot6(s, D) + dot6(y, N))
        store(z, p.by_a, j, dot6(s, N))


@kernel
def gather_powers(z, t, posed, d, p):
    """Inward: the sums of all bodies, ∂P by q, v and a of all columns, and by gravity.

    A joint that is one exponential moves what it carries as a twist of its pose does: its column is fixed in the
    parent. ∂P by a left twist of the pose of each joint goes to p.poses if `posed`.
    """
    for i in range(header(t).bodies - 1, -1, -1):
        b, at = body_at(t, i), (i + 1) * SUM.size
        if b.shape == LINEAR or posed:
            e = pose_power(z, t, b.parent, at, d, p)
            store6(z, p.poses, 6 * i, e)
            if b.shape == LINEAR:
                s, N = load6(z, d.moves, b.v0 * MOVE.size + MOVE.s), load6(z, p.sums, at + SUM.N)
                V = load6(z, d.lumps, b.parent * LUMP.size + LUMP.twist)
                by_v = add_scaled6(load6(z, p.sums, at + SUM.D), 2.0, ad_transposed(V, N))
                store(z, p.by_q, b.v0, dot6(s, e))
                store(z, p.by_v, b.v0, dot6(s, by_v))
                store(z, p.by_a, b.v0, dot6(s, N))
        if b.shape != LINEAR:
            columns_power(z, t, i, d, p)
        for k in range(SUM.force, SUM.size):
            to = b.parent * SUM.size + k
            store(z, p.sums, to, load(z, p.sums, to) + load(z, p.sums, at + k))
    store3(z, p.gravity, 0, scale3(-1.0, load3(z, p.sums, SUM.N + 3)))


@kernel
def load_powers(z, t, q, v, p):
    """Add ∂P by q and v of the coordinate loads."""
    for i in range(header(t).coordinate_loads):
        law = coordinate_load_at(t, i)
        by_q, by_v = load_slopes(z, t, law, q, v)
        weight = load(z, p.weights, law.v)
        store(z, p.by_q, law.v, load(z, p.by_q, law.v) + weight * by_q)
        store(z, p.by_v, law.v, load(z, p.by_v, law.v) + weight * by_v)


@kernel
def power_gradient(z, t, q, v, pushed, posed, m, d, p):
    """All of p from p.weights, at the columns of a state; m.wrenches are external ones alone, if `pushed`."""
    place_powers(z, t, pushed, m, d, p)
    for i in range(header(t).springs):
        spring_power(z, t, i, m, d, p)
    gather_powers(z, t, posed, d, p)
    for k in range(header(t).nv):
        store(z, p.by_a, k, load(z, p.by_a, k) + armature(t, k) * load(z, p.weights, k))
    load_powers(z, t, q, v, p)
