"""Outward: how every column moves what it carries, and what every body alone amounts to.

All in world axes at one point for a whole tree, the centre of mass of its root, so that nothing is shifted from body to
body. For a column s, with the rates σ̇ and σ̈ within its parent, which moves with V and A (gravity in it):

    ψ = ad_V s + σ̇        χ = ad_A s + ad_V (ψ + σ̇) + σ̈        y = 2 ψ + ad_D s

ψ and χ are the first and the second time derivative of s; D is the velocity of the column's own quaternion, if it has
one: the columns of a quaternion count as fixed in what stands before it. For all bodies that the column carries

    ∂V = ad_s V + ψ        ∂A = ad_s A + ad_ψ V + χ        ∂V/∂v = s        ∂A/∂v = ad_s V + y
"""

from ....joints.kernels.column_rates import column_rates
from ....joints.kernels.records import JointPlace
from ....model.kernels.layout import LINEAR
from ....model.kernels.records import body_at, header, mass_and_moments
from ....numeric import inlined, kernel, store
from ....spatial.kernels.algebra import (
    ad,
    add3,
    add6,
    add_scaled6,
    cross,
    dot3,
    halves,
    load3,
    load6,
    load9,
    scale3,
    scale6,
    shifted,
    store3,
    store6,
    twist_zero,
)
from ....spatial.kernels.inertia import rigid_moments, symmetric_times
from ...kernels.articulated_body import gravity_twist
from ...kernels.inverse import rigid_force
from ...kernels.outward_pass import rotated
from ...kernels.scratch import joint_state
from ...kernels.scratch_layout import COLUMN, SLOT
from .derivative_scratch import LUMP, MOVE, bend_place


@inlined
def at_root(g, p):
    """A twist at the point p of a body, seen at the root: (ω, v + p × ω)."""
    w, v = halves(g)
    t = add3(v, cross(p, w))
    return (g[0], g[1], g[2], t[0], t[1], t[2])


@inlined
def wrench_at_root(f, p):
    """A wrench at the point p of a body, seen at the root: (m + p × f, f)."""
    m, g = halves(f)
    t = add3(m, cross(p, g))
    return (t[0], t[1], t[2], f[3], f[4], f[5])


@inlined
def store_move(z, moves, k, s, rates, motion):
    """Store a column with ψ, χ and y; rates: (σ̇, σ̈, ad_D s), motion: (V, A) of the parent."""
    V, A = motion
    first, second, turn = rates
    psi = add6(ad(V, s), first)
    chi = add6(add6(ad(A, s), ad(V, add6(psi, first))), second)
    at = k * MOVE.size
    store6(z, moves, at + MOVE.s, s)
    store6(z, moves, at + MOVE.psi, psi)
    store6(z, moves, at + MOVE.chi, chi)
    store6(z, moves, at + MOVE.y, add_scaled6(turn, 2.0, psi))


@inlined
def linear_move(z, k, p, motion, m, d):
    """The column of a joint that is one exponential: it is fixed in the parent."""
    s = at_root(load6(z, m.columns, k * COLUMN.size + COLUMN.axis), p)
    V, A = motion
    psi = ad(V, s)
    at = k * MOVE.size
    store6(z, d.moves, at + MOVE.s, s)
    store6(z, d.moves, at + MOVE.psi, psi)
    store6(z, d.moves, at + MOVE.chi, add6(ad(A, s), ad(V, psi)))
    store6(z, d.moves, at + MOVE.y, scale6(2.0, psi))


@inlined
def in_world(R, r, p, g):
    """A twist of the parent's frame, in world axes at the root: R turns it, the body is at r there and at p here."""
    return at_root(rotated(R, shifted(g, r)), p)


@kernel
def general_moves(z, t, i, state, p, motion, m, d):
    """Columns of any joint at a state (q, v), and their derivatives by its coordinates; the body is at p."""
    b = body_at(t, i)
    place = JointPlace(b.segment, b.segments, b.nv)
    r = column_rates(z, t, place, joint_state(state[0], b.q0, state[1], b.v0, m), d.rates)
    R = load9(z, m.slots, b.parent * SLOT.size + SLOT.rotation)
    for k in range(b.nv):
        s = at_root(load6(z, m.columns, (b.v0 + k) * COLUMN.size + COLUMN.axis), p)
        first = in_world(R, r, p, load6(z, d.rates.second, 6 * k))
        second = in_world(R, r, p, load6(z, d.rates.third, 6 * k))
        turn = in_world(R, r, p, load6(z, d.rates.turn, 6 * k))
        store_move(z, d.moves, b.v0 + k, s, (first, second, turn), motion)
        for j in range(b.nv):
            bend = in_world(R, r, p, load6(z, d.rates.bend, 6 * (k * b.nv + j)))
            store6(z, d.bends, bend_place(t, b.v0 + k, j), bend)


@inlined
def moved_moments(I, m, p):
    """Moments about a point p before the centre of mass: I + m (p² 1 − p pᵀ)."""
    a, b, c = m * p[0], m * p[1], m * p[2]
    x, y, u = a * p[0], b * p[1], c * p[2]
    return (I[0] + y + u, I[1] - a * p[1], I[2] - a * p[2], I[3] + x + u, I[4] - b * p[2], I[5] + x + y)


@inlined
def moment_rate(I, w, p, P):
    """d/dt of the moments about a point p before the centre of mass, which has the momentum P: [ω] I − I [ω] + …"""
    a, b, c = cross(w, (I[0], I[1], I[2])), cross(w, (I[1], I[3], I[4])), cross(w, (I[2], I[4], I[5]))
    k = 2.0 * dot3(p, P)
    return (
        2.0 * a[0] + k - 2.0 * p[0] * P[0],
        a[1] + b[0] - p[0] * P[1] - p[1] * P[0],
        a[2] + c[0] - p[0] * P[2] - p[2] * P[0],
        2.0 * b[1] + k - 2.0 * p[1] * P[1],
        b[2] + c[1] - p[1] * P[2] - p[2] * P[1],
        2.0 * c[2] + k - 2.0 * p[2] * P[2],
    )


@kernel
def own_lump(z, t, i, pushed, m, d):
    """What body i alone amounts to: inertia, its rate and momenta, and the force that it needs."""
    at, to = (i + 1) * SLOT.size, (i + 1) * LUMP.size
    mass, moments = mass_and_moments(t, body_at(t, i))
    p = load3(z, d.lumps, to + LUMP.position)
    I = rigid_moments(load9(z, m.slots, at + SLOT.rotation), moments)
    w, v = halves(load6(z, m.slots, at + SLOT.twist))
    P = scale3(mass, v)
    store6(z, d.lumps, to + LUMP.inertia, moved_moments(I, mass, p))
    store3(z, d.lumps, to + LUMP.inertia + 6, scale3(mass, p))
    store(z, d.lumps, to + LUMP.inertia + 9, z + mass)
    store6(z, d.lumps, to + LUMP.spin, moment_rate(I, w, p, P))
    store3(z, d.lumps, to + LUMP.spin + 6, add3(symmetric_times(I, w), cross(p, P)))
    store3(z, d.lumps, to + LUMP.spin + 9, P)
    f = rigid_force(z, t, i, m.slots)
    if pushed:
        f = add_scaled6(f, -1.0, load6(z, m.wrenches, 6 * i))
    store6(z, d.lumps, to + LUMP.force, wrench_at_root(f, p))


@inlined
def place_body(z, t, i, m, d):
    """Where body i is and how it moves, at the root; returns its place, and (V, A) of its parent."""
    b, at, to, above = body_at(t, i), (i + 1) * SLOT.size, (i + 1) * LUMP.size, body_at(t, i).parent * LUMP.size
    p = (z, z, z)
    if b.parent > 0:
        p = add3(load3(z, d.lumps, above + LUMP.position), load3(z, m.slots, at + SLOT.offset))
    store3(z, d.lumps, to + LUMP.position, p)
    store6(z, d.lumps, to + LUMP.twist, at_root(load6(z, m.slots, at + SLOT.twist), p))
    store6(z, d.lumps, to + LUMP.acceleration, at_root(load6(z, m.slots, at + SLOT.acceleration), p))
    return p, (load6(z, d.lumps, above + LUMP.twist), load6(z, d.lumps, above + LUMP.acceleration))


@inlined
def place_world(z, t, d):
    """The world at rest, less gravity."""
    store6(z, d.lumps, LUMP.twist, twist_zero(z))
    store6(z, d.lumps, LUMP.acceleration, gravity_twist(z, t))
    store3(z, d.lumps, LUMP.position, (z, z, z))


@kernel
def place_moves(z, t, q, v, pushed, m, d):
    """Lumps and moves of all bodies, from the slots of the tree at (q, v, a); m.wrenches turn with them if `pushed`."""
    place_world(z, t, d)
    for i in range(header(t).bodies):
        b = body_at(t, i)
        p, motion = place_body(z, t, i, m, d)
        if b.shape == LINEAR:
            linear_move(z, b.v0, p, motion, m, d)
        else:
            general_moves(z, t, i, (q, v), p, motion, m, d)
        own_lump(z, t, i, pushed, m, d)


@kernel
def place_columns(z, t, q, v, m, d):
    """Moves of all joints but those that are one exponential, each at the centre of mass of its own body."""
    for i in range(header(t).bodies):
        b, at = body_at(t, i), (i + 1) * SLOT.size
        if b.shape != LINEAR:
            above, r = b.parent * SLOT.size, load3(z, m.slots, at + SLOT.offset)
            V, A = load6(z, m.slots, above + SLOT.twist), load6(z, m.slots, above + SLOT.acceleration)
            general_moves(z, t, i, (q, v), (z, z, z), (shifted(V, r), shifted(A, r)), m, d)
