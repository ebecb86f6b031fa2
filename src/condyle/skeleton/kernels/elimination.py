"""The constrained system [M −Gᵀ; G Σ] [a; λ] = [f; b] on the branches of a skeleton, in time linear in the bodies.

Leaves first, each child body and then its joint is eliminated [Baraff1996]; the parent gains G_pᵀ K⁻¹ G_p, where
K = G_c M̃⁻¹ G_cᵀ is the joint's own block of 5 (hinge), 3 (ball) or 6 (weld) unknowns. K need not be formed: with the
turns s that the joint leaves free (one, three, none), G_cᵀ K⁻¹ G_c = M̃ − M̃s (sᵀM̃s)⁻¹ sᵀM̃, one column at a time. A
column with implicit friction has its `drag` θhμ added to sᵀM̃s: the row n·(α₁ − α₂) + λ/(θhμ) = b, eliminated.
"""

from __future__ import annotations

from ...numeric import any_lane, inlined, kernel, less, load, magnitude, select, store
from ...spatial.kernels.algebra import (
    add3,
    add6,
    add9,
    add_scaled6,
    cross,
    dot3,
    dot6,
    load3,
    load6,
    load9,
    scale3,
    shifted,
    store3,
    store6,
    store9,
    sub3,
)
from ...spatial.kernels.inertia import inertia_times, reduced, transported

ALONG = 7  # numbers per free column: M̃s (6), 1/(sᵀM̃s + drag)


@inlined
def load_inertia(z, w, at):
    return load6(z, w, at), load9(z, w, at + 6), load6(z, w, at + 15)


@inlined
def store_inertia(z, w, at, A, B, C):
    store6(z, w, at, A)
    store9(z, w, at + 6, B)
    store6(z, w, at + 15, C)


@inlined
def column(z, w, arm, r, k):
    """The twist, at the child's centre, of the turn about axis k of a joint at the lever r."""
    n = load3(z, w, arm + 6 + 3 * k)
    u = cross(r, n)
    return n[0], n[1], n[2], u[0], u[1], u[2]


@inlined
def wrench_at(f, r):
    """A wrench at a point, moved by r to the point before it."""
    m = cross(r, (f[3], f[4], f[5]))
    return f[0] + m[0], f[1] + m[1], f[2] + m[2], f[3], f[4], f[5]


@inlined
def levers(z, w, arm, first):
    """Levers of child and parent."""
    r1, r2 = load3(z, w, arm), load3(z, w, arm + 3)
    return (r1, r2) if first else (r2, r1)


@kernel
def factor_tree(z, w, o, plan, drag):
    """Reduce the inertias of all branches; what is left of each stays in J, its free columns in `along`."""
    world = len(plan.bodies) - 1
    for s in range(len(plan.peeled)):
        j, c, p = plan.peeled[s, 0], plan.peeled[s, 1], plan.peeled[s, 2]
        arm = o.arm + 15 * j
        mine, other = levers(z, w, arm, plan.links[j, 0] == c)
        A, B, C = load_inertia(z, w, o.M + 21 * c)
        for k in range(plan.links[j, 2], 3):
            turn = column(z, w, arm, mine, k)
            U = inertia_times(A, B, C, turn)
            inverse = 1.0 / (dot6(turn, U) + drag[j])
            A, B, C = reduced(A, B, C, U, inverse)
            store6(z, w, o.along + 21 * j + ALONG * k, U)
            store(z, w, o.along + 21 * j + ALONG * k + 6, inverse)
        store_inertia(z, w, o.J + 21 * j, A, B, C)
        if p != world:
            A, B, C = transported(A, B, C, sub3(other, mine))
            D, E, F = load_inertia(z, w, o.M + 21 * p)
            store_inertia(z, w, o.M + 21 * p, add6(A, D), add9(B, E), add6(C, F))


@inlined
def wanted(z, w, dual, r, sign, locked, b):
    """The twist, at the child's centre, by which the right-hand sides b of the locked rows move child off parent."""
    d0, d1, d2 = load3(z, w, b + 3)
    turn = (z, z, z)
    if locked > 0:
        turn = add3(scale3(sign * d0, load3(z, w, dual)), scale3(sign * d1, load3(z, w, dual + 3)))
    if locked > 2:
        turn = add3(turn, scale3(sign * d2, load3(z, w, dual + 6)))
    v = add3(scale3(sign, load3(z, w, b)), cross(r, turn))
    return turn[0], turn[1], turn[2], v[0], v[1], v[2]


@inlined
def vanishes(z, x):
    """Whether six numbers are zero in every lane; NaN is not."""
    size = magnitude(x[0]) + magnitude(x[1]) + magnitude(x[2]) + magnitude(x[3]) + magnitude(x[4]) + magnitude(x[5])
    return not any_lane(less(0.5, select(less(size, 5e-324), z, z + 1.0)))


@kernel
def solve_inward(z, w, o, plan, drag, f, b):
    """Reduce the forces f of all branches."""
    world = len(plan.bodies) - 1
    for s in range(len(plan.peeled)):
        j, c, p = plan.peeled[s, 0], plan.peeled[s, 1], plan.peeled[s, 2]
        arm, first, locked = o.arm + 15 * j, plan.links[j, 0] == c, plan.links[j, 2]
        sign = 1.0 if first else -1.0
        mine, other = levers(z, w, arm, first)
        F = load6(z, w, f + 6 * c)
        for k in range(locked, 3):
            U = load6(z, w, o.along + 21 * j + ALONG * k)
            u = dot6(column(z, w, arm, mine, k), F) + (sign * drag[j]) * load(z, w, b + 6 * j + 3 + k)
            F = add_scaled6(F, -u * load(z, w, o.along + 21 * j + ALONG * k + 6), U)
            store(z, w, o.rest + 3 * j + k, u)
        store6(z, w, f + 6 * c, F)
        jump = wanted(z, w, o.dual + 9 * j, mine, sign, locked, b + 6 * j)
        store6(z, w, o.jump + 6 * j, jump)
        if p != world:
            if not vanishes(z, jump):  # as where velocities are closed
                A, B, C = load_inertia(z, w, o.J + 21 * j)
                F = add_scaled6(F, -1.0, inertia_times(A, B, C, jump))
            F = wrench_at(F, sub3(other, mine))
            store6(z, w, f + 6 * p, add6(load6(z, w, f + 6 * p), F))


@kernel
def solve_outward(z, w, o, plan, drag, f, b):
    """Forces f of the branches become accelerations, right-hand sides b become reactions; parents are known."""
    for s in range(len(plan.peeled) - 1, -1, -1):
        j, c, p = plan.peeled[s, 0], plan.peeled[s, 1], plan.peeled[s, 2]
        arm, first, locked = o.arm + 15 * j, plan.links[j, 0] == c, plan.links[j, 2]
        sign = 1.0 if first else -1.0
        mine, other = levers(z, w, arm, first)
        a = shifted(load6(z, w, f + 6 * p), sub3(other, mine))
        a = add6(a, load6(z, w, o.jump + 6 * j))
        A, B, C = load_inertia(z, w, o.J + 21 * j)
        W = add_scaled6(inertia_times(A, B, C, a), -1.0, load6(z, w, f + 6 * c))
        for k in range(2, locked - 1, -1):
            U = load6(z, w, o.along + 21 * j + ALONG * k)
            inverse = load(z, w, o.along + 21 * j + ALONG * k + 6)
            q = (load(z, w, o.rest + 3 * j + k) - dot6(U, a)) * inverse
            a = add_scaled6(a, q, column(z, w, arm, mine, k))
        store6(z, w, f + 6 * c, a)
        store_reaction(z, w, o.dual + 9 * j, mine, sign, locked if drag[j] == 0.0 else 3, W, b + 6 * j)


@inlined
def store_reaction(z, w, dual, r, sign, turns, W, b):
    """The wrench W on the child as the joint's unknowns: force at the point, torques about its axes n."""
    c = (W[3], W[4], W[5])
    t = sub3((W[0], W[1], W[2]), cross(r, c))
    store3(z, w, b, scale3(sign, c))
    for k in range(3):
        store(z, w, b + 3 + k, sign * dot3(load3(z, w, dual + 3 * k), t) if turns > k else z)
