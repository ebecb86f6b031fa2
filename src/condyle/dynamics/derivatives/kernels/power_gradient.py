"""The gradient of the virtual power P = λᵀ (ID(q, v, a) − τ) by everything that it depends on, in O(n).

With W = Σ s_k λ_k the virtual twist of a body, P is Σ W · (𝓘 A − ad_Vᵀ 𝓘V − f) over bodies, and that of the loads. Sums
over a body and all that it carries of F (the force), N = 𝓘 W, D = Bᵀ W and E (what does not co-rotate) give

    ∂P/∂q_j = ω_j · F + χ_j · N + ψ_j · D + s_j · E        ω_j = Σ_k ∂_j s_k λ_k − ad_{s_j} W
    ∂P/∂v_j = s_j · D + y_j · N                            ∂P/∂a_j = s_j · N

A load that is a scalar of a body's pose, V and W, with cotangents e (of a left twist of the pose), V̄ and W̄, adds V̄
to D, W̄ to F and e − ad_Vᵀ V̄ − ad_Wᵀ W̄ to E.

All in world axes, that of a body at its centre of mass; what is of the world is at that of the root, so that nothing
loses digits far from the origin.
"""

from typing import Any, NamedTuple

from ....forces.kernels.dispatch import line_force, line_slopes
from ....model.kernels.layout import LINEAR
from ....model.kernels.records import (
    armature,
    body_at,
    coordinate_element_at,
    header,
    is_prescribed,
    line_at,
    mass_and_moments,
)
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
    matvec,
    scale3,
    scale6,
    shifted,
    store3,
    store6,
    sub3,
    transposed_matvec,
    twist_zero,
)
from ...kernels.loads import LINE_CONSTANTS, line_state
from ...kernels.mass_inverse import absorb_into
from ...kernels.scratch_layout import COLUMN, SLOT
from .body_cotangents import add6_at, give_body, give_joint, give_poses, in_axes_of
from .body_rows import expect_body, write_body
from .cotangent_layout import JOINT, PLACEMENT, SPRING
from .derivative_scratch import MOVE, column_bend
from .inverse_derivatives import six
from .load_derivatives import element_slopes, point_velocity
from .moves import at_root, wrench_at_root


class SumLayout(NamedTuple):
    """Offsets in the sums of a slot: virtual twist of the body, then F, N, D and E of what it carries.

    Without springs D is a moment, the same at every point, and there is no E: neither is stored.
    """

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
    bodies: Any  # cotangents, at most JOINT numbers per body, or sums of them
    springs: Any  # SPRING numbers per spring
    gravity: Any
    poses: Any  # of each body, in its axes: ∂P by a left twist of all that it carries and of what pulls at it


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
        springs=scratch(z, SPRING * h.lines),
        gravity=scratch(z, 3),
        poses=scratch(z, 6 * (h.bodies + 1)),
    )


@inlined
def ad_transposed(x, f):
    """ad_xᵀ f = (m × ω + f × v, f × ω)."""
    w, v = halves(x)
    m, g = halves(f)
    return six(add3(cross(m, w), cross(g, v)), cross(g, w))


@inlined
def body_power(z, t, i, wanted, W, m, p):
    """𝓘 W and the moment Bᵀ W of body i alone, and the force that it needs; gives the cotangents of its numbers.

    Bᵀ W = ω × I W − I (ω × W) + L × W + 2 P × W. Turns are taken in principal axes.
    """
    at = (i + 1) * SLOT.size
    inertia, C = mass_and_moments(t, body_at(t, i)), load9(z, m.slots, at + SLOT.rotation)
    mass, I = inertia
    (o, u), (w, v) = halves(W), halves(load6(z, m.slots, at + SLOT.twist))
    alpha, a = halves(load6(z, m.slots, at + SLOT.acceleration))
    a = add3(a, cross(w, v))
    turn, spin, rate = transposed_matvec(C, o), transposed_matvec(C, w), transposed_matvec(C, alpha)
    L, turned = scaled_by(I, spin), scaled_by(I, turn)
    D = add3(sub3(cross(spin, turned), scaled_by(I, cross(spin, turn))), cross(L, turn))
    moment = add3(scaled_by(I, rate), cross(spin, L))
    D = add3(matvec(C, D), scale3(2.0 * mass, cross(v, u)))
    give_body(z, i, wanted, inertia, C, (o, u, turn), (w, alpha, a, spin, rate), p.bodies)
    return six(matvec(C, turned), scale3(mass, u)), D, six(matvec(C, moment), scale3(mass, a))


@inlined
def scaled_by(I, x):
    """I x in principal axes."""
    return I[0] * x[0], I[1] * x[1], I[2] * x[2]


@inlined
def weight_of(z, t, k, W, solves, m, p):
    """λ of column k, whose body has the virtual twist W without it: given, or solved for from what was absorbed."""
    if solves:
        weight = z
        if not is_prescribed(t, k):
            at = k * COLUMN.size
            u = load(z, m.columns, at + COLUMN.rest) - dot6(load6(z, m.columns, at + COLUMN.reaction), W)
            weight = u * load(z, m.columns, at + COLUMN.inverse)
        store(z, p.weights, k, weight)
    return load(z, p.weights, k)


@kernel
def place_powers(z, t, wanted, pushed, loose, m, p):
    """Outward: virtual twists, and what every body alone gives to the sums; m.wrenches turn with bodies if `pushed`.

    p.weights are given, or solved for. Of each body the `wanted` cotangents go to p.bodies, and the memory of its rows
    is asked for. All of D, and E, are there if they are `loose`, which springs make them.
    """
    for k in range(SUM.size):
        store(z, p.sums, k, z)
    store6(z, p.poses, 0, twist_zero(z))
    for i in range(header(t).bodies):
        b, at, to = body_at(t, i), (i + 1) * SLOT.size, (i + 1) * SUM.size
        W = shifted(load6(z, p.sums, b.parent * SUM.size + SUM.twist), load3(z, m.slots, at + SLOT.offset))
        for k in range(b.v0, b.v0 + b.nv):
            weight = weight_of(z, t, k, W, wanted.solves, m, p)
            W = add_scaled6(W, weight, load6(z, m.columns, k * COLUMN.size + COLUMN.axis))
        expect_body(z, i, wanted.each, wanted.rows)
        N, D, f = body_power(z, t, i, wanted, W, m, p)
        own = twist_zero(z)
        if pushed:
            push = load6(z, m.wrenches, 6 * i)
            f, own = add_scaled6(f, -1.0, push), scale6(-1.0, ad_transposed(W, push))
            own = in_axes_of(z, i + 1, own, m)
        if wanted.each > PLACEMENT:
            store6(z, p.poses, 6 * (i + 1), own)
        store6(z, p.sums, to + SUM.twist, W)
        store6(z, p.sums, to + SUM.force, f)
        store6(z, p.sums, to + SUM.N, N)
        store3(z, p.sums, to + SUM.D, D)
        if loose:
            store3(z, p.sums, to + SUM.D + 3, (z, z, z))
            store6(z, p.sums, to + SUM.E, twist_zero(z))


@inlined
def pull_end(z, slot, posed, x, change, forces, m, p):
    """Give one end of a spring, at x of a body, to the sums; `change` is ∂P/∂x, forces: (of W, of V) at it."""
    if slot > 0:
        at, pose = slot * SUM.size, six(cross(x, change), change)
        of_w, of_v = six(cross(x, forces[0]), forces[0]), six(cross(x, forces[1]), forces[1])
        V, W = load6(z, m.slots, slot * SLOT.size + SLOT.twist), load6(z, p.sums, at + SUM.twist)
        turned = add6(ad_transposed(V, of_v), ad_transposed(W, of_w))
        add6_at(z, p.sums, at + SUM.force, of_w)
        add6_at(z, p.sums, at + SUM.D, of_v)
        add6_at(z, p.sums, at + SUM.E, add_scaled6(pose, -1.0, turned))
        if posed:
            add6_at(z, p.poses, 6 * slot, in_axes_of(z, slot, pose, m))


@inlined
def end_motion(z, slot, arm, m, p):
    """Velocity and virtual velocity of a spring's end, and the angular parts of both twists of its body."""
    V, W = load6(z, m.slots, slot * SLOT.size + SLOT.twist), load6(z, p.sums, slot * SUM.size + SUM.twist)
    return point_velocity(V, arm), point_velocity(W, arm), halves(V)[0], halves(W)[0]


@kernel
def spring_power(z, t, i, posed, m, p):
    """Give force i between two points to the sums, and ∂P by its constants, those of a spring, to p.springs."""
    spring = line_at(t, i)
    at, to = spring.at + LINE_CONSTANTS, i * SPRING
    x, y, n, length, rate = line_state(z, t, spring, m.slots)
    exists = less(0.0, length)
    inverse = select(exists, 1.0 / select(exists, length, z + 1.0), z)
    force = line_force(z, spring.law, t.numbers, at, length, rate)
    stiffness, damping = line_slopes(z, spring.law, t.numbers, at, length, rate)
    stretch = length - t.numbers[at + 2]
    v, u, spin_a, turn_a = end_motion(z, spring.slot_a, x, m, p)
    w, o, spin_b, turn_b = end_motion(z, spring.slot_b, y, m, p)
    virtual = dot3(n, sub3(o, u))
    drag = damping * virtual
    across = add3(scale3(force, sub3(o, u)), scale3(drag, sub3(w, v)))
    along = add3(
        scale3(stiffness * virtual, n), scale3(inverse, sub3(across, scale3(dot3(n, across), n)))
    )  # ∂P by the way from x to y
    by_x = add3(along, cross(n, add3(scale3(force, turn_a), scale3(drag, spin_a))))
    by_y = add3(along, cross(n, add3(scale3(force, turn_b), scale3(drag, spin_b))))
    pull_end(z, spring.slot_a, posed, x, scale3(-1.0, by_x), (scale3(-force, n), scale3(-drag, n)), m, p)
    pull_end(z, spring.slot_b, posed, y, by_y, (scale3(force, n), scale3(drag, n)), m, p)
    store3(z, p.springs, to, (stretch * virtual, rate * virtual, -t.numbers[at] * virtual))
    Ra = load9(z, m.slots, spring.slot_a * SLOT.size + SLOT.rotation)
    Rb = load9(z, m.slots, spring.slot_b * SLOT.size + SLOT.rotation)
    store3(z, p.springs, to + 3, scale3(-1.0, transposed_matvec(Ra, by_x)))
    store3(z, p.springs, to + 6, transposed_matvec(Rb, by_y))


@inlined
def parent_lever(z, t, i, m):
    """From the centre of mass of the parent of body i, where its sums are, to that of the body; none of the world."""
    r = load3(z, m.slots, (i + 1) * SLOT.size + SLOT.offset)
    if body_at(t, i).parent == 0:
        r = (z, z, z)
    return r


@inlined
def carried_sums(z, t, i, loose, m, p):
    """F, N, D and E of all that the joint of body i carries, where the sums of its parent are."""
    at, r = (i + 1) * SUM.size, parent_lever(z, t, i, m)
    F, N = load6(z, p.sums, at + SUM.force), load6(z, p.sums, at + SUM.N)
    D, E = six(load3(z, p.sums, at + SUM.D), (z, z, z)), twist_zero(z)
    if loose:
        D, E = wrench_at_root(load6(z, p.sums, at + SUM.D), r), wrench_at_root(load6(z, p.sums, at + SUM.E), r)
    return wrench_at_root(F, r), wrench_at_root(N, r), D, E


@inlined
def give_to_parent(z, t, i, loose, sums, p):
    """Add the sums of body i to those of its parent."""
    at = body_at(t, i).parent * SUM.size
    F, N, D, E = sums
    add6_at(z, p.sums, at + SUM.force, F)
    add6_at(z, p.sums, at + SUM.N, N)
    if loose:
        add6_at(z, p.sums, at + SUM.D, D)
        add6_at(z, p.sums, at + SUM.E, E)
    else:
        store3(z, p.sums, at + SUM.D, add3(load3(z, p.sums, at + SUM.D), (D[0], D[1], D[2])))


@inlined
def parent_motion(z, t, i, m, p):
    """V, A and W of the parent of body i."""
    above = body_at(t, i).parent
    V, A = (
        load6(z, m.slots, above * SLOT.size + SLOT.twist),
        load6(z, m.slots, above * SLOT.size + SLOT.acceleration),
    )
    return V, A, load6(z, p.sums, above * SUM.size + SUM.twist)


@inlined
def pose_power(motion, sums):
    """∂P by a left twist of all that the sums are of, carried by a weld on a body of a motion (V, A, W)."""
    (V, A, W), (F, N, D, E) = motion, sums
    turned = add6(ad_transposed(V, add6(D, ad_transposed(V, N))), ad_transposed(A, N))
    return add6(add6(turned, ad_transposed(W, F)), E)


@inlined
def column_at_parent(z, t, i, m):
    """The one column of body i, where the sums of its parent are."""
    s = load6(z, m.columns, body_at(t, i).v0 * COLUMN.size + COLUMN.axis)
    return at_root(s, parent_lever(z, t, i, m))


@inlined
def column_turn(z, t, b, j, W, weights, d):
    """ω_j: how column j turns the twists that weights give to what it carries, W to its body, beyond co-rotation."""
    out = scale6(-1.0, ad(load6(z, d.moves, j * MOVE.size + MOVE.s), W))
    for k in range(b.v0, b.v0 + b.nv):
        out = add_scaled6(out, load(z, weights, k), column_bend(z, t, k, j - b.v0, d))
    return out


@inlined
def own_sums(z, i, loose, p):
    """F, N, D and E of body i and all that it carries, at its centre of mass."""
    at = (i + 1) * SUM.size
    D, E = six(load3(z, p.sums, at + SUM.D), (z, z, z)), twist_zero(z)
    if loose:
        D, E = load6(z, p.sums, at + SUM.D), load6(z, p.sums, at + SUM.E)
    return load6(z, p.sums, at + SUM.force), load6(z, p.sums, at + SUM.N), D, E


@kernel
def columns_power(z, t, i, loose, d, p):
    """∂P by q, v and a of the columns of body i, by any joint."""
    b, W = body_at(t, i), load6(z, p.sums, (i + 1) * SUM.size + SUM.twist)
    F, N, D, E = own_sums(z, i, loose, p)
    for j in range(b.v0, b.v0 + b.nv):
        k = j * MOVE.size
        s, y = load6(z, d.moves, k + MOVE.s), load6(z, d.moves, k + MOVE.y)
        psi, chi = load6(z, d.moves, k + MOVE.psi), load6(z, d.moves, k + MOVE.chi)
        turn = column_turn(z, t, b, j, W, p.weights, d)
        store(z, p.by_q, j, dot6(turn, F) + dot6(chi, N) + dot6(psi, D) + dot6(s, E))
        store(z, p.by_v, j, dot6(s, D) + dot6(y, N))
        store(z, p.by_a, j, dot6(s, N))


@kernel
def gather_powers(z, t, wanted, m, d, p):
    """Inward: the sums of all bodies, ∂P by q, v and, unless λ was solved for, a of all columns, and by gravity.

    A joint that is one exponential moves what it carries as a twist of its pose does: its column is fixed in the
    parent. Cotangents of poses go to p.bodies if they are `wanted`, and those of a body to its rows when all are there.
    """
    each, posed, loose = wanted.each, wanted.each > PLACEMENT, header(t).lines > 0
    for i in range(header(t).bodies - 1, -1, -1):
        b, sums = body_at(t, i), carried_sums(z, t, i, loose, m, p)
        if b.shape != LINEAR:
            columns_power(z, t, i, loose, d, p)
        if b.shape == LINEAR or posed:
            motion = parent_motion(z, t, i, m, p)
            e = pose_power(motion, sums)
            if b.shape == LINEAR:
                s = column_at_parent(z, t, i, m)
                store(z, p.by_q, b.v0, dot6(s, e))
                store(z, p.by_v, b.v0, dot6(s, add_scaled6(sums[2], 2.0, ad_transposed(motion[0], sums[1]))))
                if not wanted.solves:
                    store(z, p.by_a, b.v0, dot6(s, sums[1]))
            if posed:
                give_poses(z, t, i, each, wanted.frames, e, m, p)
                give_joint(z, t, i, each, wanted.frames, (sums[0], sums[1], sums[2]), m, p)
                write_body(z, i, each, wanted.rows, p.bodies)
        give_to_parent(z, t, i, loose, sums, p)
    store3(z, p.gravity, 0, scale3(-1.0, load3(z, p.sums, SUM.N + 3)))


@kernel
def load_powers(z, t, q, v, p):
    """Add ∂P by q and v of the coordinate loads."""
    for i in range(header(t).coordinate_elements):
        f = coordinate_element_at(t, i)
        by_q, by_v = element_slopes(z, t, f, q, v)
        weight = load(z, p.weights, f.v)
        store(z, p.by_q, f.v, load(z, p.by_q, f.v) - weight * by_q)
        store(z, p.by_v, f.v, load(z, p.by_v, f.v) - weight * by_v)


@kernel
def power_gradient(z, t, state, wanted, pushed, m, d, p):
    """All of p, of bodies what is `wanted`, at the columns of (q, v); m.wrenches are external ones alone, if `pushed`.

    p.weights are given, or λ = M⁻¹ of what `absorb_cotangents` took.
    """
    place_powers(z, t, wanted, pushed, header(t).lines > 0, m, p)
    for i in range(header(t).lines):
        spring_power(z, t, i, wanted.each > PLACEMENT, m, p)
    gather_powers(z, t, wanted, m, d, p)
    if not wanted.solves:
        for k in range(header(t).nv):
            store(z, p.by_a, k, load(z, p.by_a, k) + armature(t, k) * load(z, p.weights, k))
    load_powers(z, t, state[0], state[1], p)


@kernel
def absorb_cotangents(z, t, bar, m, p):
    """Inward: take the cotangents of accelerations; accelerations of bodies stay where they are."""
    absorb_into(z, t, bar, 0, False, m, (p.sums, SUM.size, SUM.N))
