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
from ....model.kernels.records import body_at, coordinate_load_at, header, mass_and_moments, spring_at
from ....numeric import entry, inlined, kernel, less, load, pack, release, scratch, select, store, tables, unpack, width
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
    matmul,
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
from ...kernels.any_tree import absorb, respond
from ...kernels.body_motion import in_body_axes
from ...kernels.forward import forward
from ...kernels.inverse import accelerate_bodies
from ...kernels.laws import elastic_force
from ...kernels.layout import SLOT
from ...kernels.loads import external_wrenches, spring_state
from ...kernels.outward_pass import place
from ...kernels.scratch import External, tree_scratch
from .cotangent_layout import BODY, CENTER, MASS, MOMENT, OFFSET, PLACEMENT, SPRING, WRENCH
from .derivative_scratch import LUMP, MOVE, column_bend, derivative_scratch
from .inverse_derivatives import inertia_of, load_inertia, load_spin, six, spin_transposed
from .load_derivatives import end_point, load_slopes, point_velocity
from .moves import place_moves


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
    bodies: Any  # cotangents, BODY numbers per body
    springs: Any  # SPRING numbers per spring
    gravity: Any


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
        bodies=scratch(z, BODY * h.bodies),
        springs=scratch(z, SPRING * h.springs),
        gravity=scratch(z, 3),
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


@kernel
def place_powers(z, t, d, p):
    """Outward: virtual twists, and what every body alone gives to the sums."""
    for k in range(SUM.size):
        store(z, p.sums, k, z)
    for i in range(header(t).bodies):
        b, at, to = body_at(t, i), (i + 1) * LUMP.size, (i + 1) * SUM.size
        W = load6(z, p.sums, b.parent * SUM.size + SUM.twist)
        for k in range(b.v0, b.v0 + b.nv):
            W = add_scaled6(W, load(z, p.weights, k), load6(z, d.moves, k * MOVE.size + MOVE.s))
        store6(z, p.sums, to + SUM.twist, W)
        store6(z, p.sums, to + SUM.force, load6(z, d.lumps, at + LUMP.force))
        store6(z, p.sums, to + SUM.N, inertia_of(load_inertia(z, d.lumps, at), W))
        store6(z, p.sums, to + SUM.D, six(spin_transposed(load_spin(z, d.lumps, at), W), (z, z, z)))
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
def column_power(z, t, b, j, W, d, p):
    """ω_j: how column j turns the virtual twists of all that it carries, beyond co-rotation."""
    out = scale6(-1.0, ad(load6(z, d.moves, j * MOVE.size + MOVE.s), W))
    if b.shape != LINEAR:
        for k in range(b.v0, b.v0 + b.nv):
            out = add_scaled6(out, load(z, p.weights, k), column_bend(z, t, k, j - b.v0, d))
    return out


@inlined
def pose_power(z, t, slot, at, d, p):
    """∂P by a left twist of all whose sums stand at `at`, carried by a weld on the body of a slot."""
    V, A = load6(z, d.lumps, slot * LUMP.size + LUMP.twist), load6(z, d.lumps, slot * LUMP.size + LUMP.acceleration)
    W, F = load6(z, p.sums, slot * SUM.size + SUM.twist), load6(z, p.sums, at + SUM.force)
    N, D, E = load6(z, p.sums, at + SUM.N), load6(z, p.sums, at + SUM.D), load6(z, p.sums, at + SUM.E)
    turned = add6(ad_transposed(V, add6(D, ad_transposed(V, N))), ad_transposed(A, N))
    return add6(add6(turned, ad_transposed(W, F)), E)


@kernel
def gather_powers(z, t, d, p):
    """Inward: the sums of all bodies, ∂P by q, v and a of all columns, and by gravity."""
    for i in range(header(t).bodies - 1, -1, -1):
        b, at = body_at(t, i), (i + 1) * SUM.size
        W, F = load6(z, p.sums, at + SUM.twist), load6(z, p.sums, at + SUM.force)
        N, D, E = load6(z, p.sums, at + SUM.N), load6(z, p.sums, at + SUM.D), load6(z, p.sums, at + SUM.E)
        for j in range(b.v0, b.v0 + b.nv):
            k = j * MOVE.size
            s, y = load6(z, d.moves, k + MOVE.s), load6(z, d.moves, k + MOVE.y)
            psi, chi = load6(z, d.moves, k + MOVE.psi), load6(z, d.moves, k + MOVE.chi)
            turn = column_power(z, t, b, j, W, d, p)
            store(z, p.by_q, j, dot6(turn, F) + dot6(chi, N) + dot6(psi, D) + dot6(s, E))
            store(z, p.by_v, j, dot6(s, D) + dot6(y, N))
            store(z, p.by_a, j, dot6(s, N))
        for k in range(SUM.force, SUM.size):
            to = b.parent * SUM.size + k
            store(z, p.sums, to, load(z, p.sums, to) + load(z, p.sums, at + k))
    f = load3(z, p.sums, SUM.N + 3)
    store3(z, p.gravity, 0, scale3(-1.0, f))


@kernel
def load_powers(z, t, q, v, p):
    """Add ∂P by q and v of the coordinate loads."""
    for i in range(header(t).coordinate_loads):
        law = coordinate_load_at(t, i)
        by_q, by_v = load_slopes(z, t, law, q, v)
        weight = load(z, p.weights, law.v)
        store(z, p.by_q, law.v, load(z, p.by_q, law.v) + weight * by_q)
        store(z, p.by_v, law.v, load(z, p.by_v, law.v) + weight * by_v)


@inlined
def frame_at(frames, i, k):
    """Rotation and position of frame k of body i."""
    at = 12 * k
    R = (
        frames[i, at],
        frames[i, at + 1],
        frames[i, at + 2],
        frames[i, at + 3],
        frames[i, at + 4],
        frames[i, at + 5],
        frames[i, at + 6],
        frames[i, at + 7],
        frames[i, at + 8],
    )
    return R, (frames[i, at + 9], frames[i, at + 10], frames[i, at + 11])


@inlined
def wrench_in(z, R, x, f):
    """A wrench in the axes R and at the point x."""
    m, g = halves(f)
    return in_body_axes(z, R, six(sub3(m, cross(x, g)), g))


@inlined
def by_moment(sign, w, alpha, x):
    """The gradient of w · (I α + x × I x) by I, as a symmetric matrix, times a sign."""
    y, k = cross(w, x), 0.5 * sign
    return (
        sign * (w[0] * alpha[0] + y[0] * x[0]),
        k * (w[0] * alpha[1] + w[1] * alpha[0] + y[0] * x[1] + y[1] * x[0]),
        k * (w[0] * alpha[2] + w[2] * alpha[0] + y[0] * x[2] + y[2] * x[0]),
        sign * (w[1] * alpha[1] + y[1] * x[1]),
        k * (w[1] * alpha[2] + w[2] * alpha[1] + y[1] * x[2] + y[2] * x[1]),
        sign * (w[2] * alpha[2] + y[2] * x[2]),
    )


@kernel
def write_body(z, t, i, each, frame, sign, m, d, p):
    """Cotangents of the wrench on body i and, if `each` has room, of mass, centre and moment; `frame` is X_CB.

    All twists are taken to body axes at the body's origin.
    """
    at, to = (i + 1) * SLOT.size, i * each
    C, x = load9(z, m.slots, at + SLOT.rotation), load3(z, d.lumps, (i + 1) * LUMP.size + LUMP.position)
    R, r = matmul(C, frame[0]), matvec(C, frame[1])
    x = add3(x, r)  # the body's origin, from the root's centre of mass
    W = in_body_axes(z, R, shifted(load6(z, p.sums, (i + 1) * SUM.size + SUM.twist), x))
    store6(z, p.bodies, to + WRENCH, scale6(-sign, W))
    if each > MASS:
        mass, _ = mass_and_moments(t, body_at(t, i))
        spin, v = halves(in_body_axes(z, R, load6(z, m.slots, at + SLOT.twist)))
        A = load6(z, d.lumps, (i + 1) * LUMP.size + LUMP.acceleration)
        (w, u), (alpha, a) = halves(W), halves(in_body_axes(z, R, shifted(A, x)))
        c = scale3(-1.0, transposed_matvec(frame[0], frame[1]))  # the centre of mass, from the body's origin
        u, a = add3(u, cross(w, c)), add3(add3(a, cross(alpha, c)), cross(spin, v))
        center = add3(add3(cross(a, w), cross(u, alpha)), cross(cross(u, spin), spin))
        store(z, p.bodies, to + MASS, sign * dot3(u, a))
        store3(z, p.bodies, to + CENTER, scale3(sign * mass, center))
        store6(z, p.bodies, to + MOMENT, by_moment(sign, w, alpha, spin))


@kernel
def write_poses(z, t, i, each, frames, sign, m, d, p):
    """Cotangents of the placement and the offset of the joint of body i, along twists on their right."""
    above, at, to = body_at(t, i).parent, (i + 1) * SUM.size, i * each
    x = load3(z, d.lumps, (i + 1) * LUMP.size + LUMP.position)
    y = load3(z, d.lumps, above * LUMP.size + LUMP.position)
    if above == 0:
        y = scale3(-1.0, load3(z, m.slots, (i + 1) * SLOT.size + SLOT.position))
    own = wrench_in(z, load9(z, m.slots, (i + 1) * SLOT.size + SLOT.rotation), x, pose_power(z, t, i + 1, at, d, p))
    joint = wrench_in(z, load9(z, m.slots, above * SLOT.size + SLOT.rotation), y, pose_power(z, t, above, at, d, p))
    head, tail = frame_at(frames, i, 1), frame_at(frames, i, 2)
    store6(z, p.bodies, to + PLACEMENT, scale6(sign, wrench_in(z, head[0], head[1], joint)))
    store6(z, p.bodies, to + OFFSET, scale6(-sign, wrench_in(z, tail[0], tail[1], own)))


@kernel
def sum_of_nothing(z, x, count):
    """0, or NaN if a number is not finite."""
    total = z
    for k in range(count):
        total = total + 0.0 * load(z, x, k)
    return total


@kernel
def scale_all(z, x, count, sign):
    """Multiply numbers by a sign."""
    for k in range(count):
        store(z, x, k, sign * load(z, x, k))


@kernel
def finish(z, t, frames, each, sign, m, d, p):
    """Cotangents from ∂P: times a sign, and `each` numbers of every body."""
    h = header(t)
    for i in range(h.bodies):
        write_body(z, t, i, each, frame_at(frames, i, 0), sign, m, d, p)
        if each > PLACEMENT:
            write_poses(z, t, i, each, frames, sign, m, d, p)
    scale_all(z, p.by_q, h.nv, sign)
    scale_all(z, p.by_v, h.nv, sign)
    scale_all(z, p.springs, SPRING * h.springs, sign)
    scale_all(z, p.gravity, 3, sign)


@inlined
def finiteness(z, n, p):
    """0, or NaN if a number of the state is not finite."""
    total = sum_of_nothing(z, p.by_q, n) + sum_of_nothing(z, p.by_v, n)
    return total + sum_of_nothing(z, p.weights, n) + sum_of_nothing(z, p.gravity, 3)


@kernel
def power_gradient(z, t, q, v, m, d, p):
    """All of p from p.weights, at the lumps and moves of a state."""
    place_powers(z, t, d, p)
    for i in range(header(t).springs):
        spring_power(z, t, i, m, d, p)
    gather_powers(z, t, d, p)
    load_powers(z, t, q, v, p)


@kernel
def unpack_runs(z, x, count, OUT, first, stop):
    """`unpack` of many numbers, an even count, by runs: what is read for one lane is still near for the next."""
    w, rows = width(z), min(width(z), stop - first)
    for at in range(0, count, 2):
        for l in range(rows):
            for k in range(2):
                OUT[first + l, at + k] = x[(at + k) * w + l]


@entry
def cotangent_states(z, pair, frames, states, out, start, stop):
    """Cotangents of states = (Q, V, TAU, W, A, BAR): of q, v, a, bodies, springs, gravity and λ, to `out`.

    If out[-1], STATUS, has rows, BAR are cotangents of the accelerations that TAU give, λ = M⁻¹ BAR are those of TAU,
    and all others are −∂P. Otherwise the accelerations are A, λ is BAR, and all are ∂P. The one before, FINE, is 0, or
    NaN if a number of the state is not finite. Of bodies there are all numbers, those before
    poses, or only those of wrenches.
    """
    t = tables(pair)
    Q, V, TAU, W, A, BAR = states
    BY_Q, BY_V, BY_A, BODIES, SPRINGS, GRAVITY, WEIGHTS, FINE, STATUS = out
    h, m, p = header(t), tree_scratch(z, t), power_scratch(z, t)
    q, v, a, x = scratch(z, h.nq), scratch(z, h.nv), scratch(z, h.nv), scratch(z, h.nv)
    w, bar, s, d = scratch(z, 6 * h.bodies), scratch(z, h.nv), scratch(z, 1), derivative_scratch(z, t, a)
    external, solves = External(x, w, W.shape[0] > 0), STATUS.shape[0] > 0
    each = BODIES.shape[1] // max(h.bodies, 1)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, TAU, first, stop, x)
        pack(z, A, first, stop, a)
        pack(z, BAR, first, stop, bar)
        if external.pushed:
            pack(z, W, first, stop, w)
        if solves:
            store(z, s, 0, forward(z, t, q, v, a, external, m))
            unpack(z, s, STATUS, first, stop)
        else:
            place(z, t, q, v, m)
            accelerate_bodies(z, t, a, m)
        if external.pushed:
            external_wrenches(z, t, external, m)
        place_moves(z, t, q, v, external.pushed, m, d)
        if solves:
            absorb(z, t, bar, 0, False, m)
            respond(z, t, p.weights, 0, m)
        else:
            for k in range(h.nv):
                store(z, p.weights, k, load(z, bar, k))
        power_gradient(z, t, q, v, m, d, p)
        finish(z, t, frames, each, -1.0 if solves else 1.0, m, d, p)
        store(z, s, 0, finiteness(z, h.nv, p))
        unpack(z, s, FINE, first, stop)
        unpack(z, p.by_q, BY_Q, first, stop)
        unpack(z, p.by_v, BY_V, first, stop)
        unpack(z, p.by_a, BY_A, first, stop)
        unpack_runs(z, p.bodies, each * h.bodies, BODIES, first, stop)
        unpack(z, p.springs, SPRINGS, first, stop)
        unpack(z, p.gravity, GRAVITY, first, stop)
        unpack(z, p.weights, WEIGHTS, first, stop)
    release(m, d, p, q, v, x, w, bar, s)
