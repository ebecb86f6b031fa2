"""Accelerations from forces in one inward and one outward pass.  [LeeTerzopoulos2008, appendix A, eqs. 43-44]

A joint with several freedoms is eliminated one column at a time: for k = n … 1: U = J̃ s_k, d = s_kᵀ U + armature_k,
u = τ_k − s_kᵀ p̃, J̃ −= U Uᵀ/d, p̃ += U u/d; outward for k = 1 … n: q̈_k = (u − Uᵀ a)/d, a += s_k q̈_k. Prescribed
columns are skipped and s_k q̈_k joins the bias.
"""

from typing import Any, NamedTuple

from ...model.kernels.layout import NOTHING, SOMETHING_ABOVE
from ...model.kernels.records import armature, body_at, header, is_prescribed, mass_and_moments
from ...model.kernels.status import KINDS, NOT_FINITE, RANK_LOST
from ...numeric import finite, inlined, kernel, less, load, select, store
from ...spatial.kernels.algebra import (
    add3,
    add6,
    add9,
    add_scaled6,
    cross,
    dot3,
    dot6,
    halves,
    load3,
    load6,
    load9,
    shifted,
    store6,
    store9,
)
from ...spatial.kernels.inertia import inertia_times, reduced, rigid_moments, symmetric_times, transported
from .scratch_layout import COLUMN, SLOT

SMALL = 1e-12
NOTHING_LEFT = 1e-14  # of a body's largest inertia: what round-off leaves of a rod's moment about itself


class Articulated(NamedTuple):
    """Articulated inertia [[A, B], [Bᵀ, C]] and bias force P of a body."""

    A: Any
    B: Any
    C: Any
    P: Any


@inlined
def rigid(z, t, body, slots, at):
    """Rigid inertia in world axes, and the bias force (ω × Iω, m ω × v).  [LeeTerzopoulos2008, eqs. 7, 8]"""
    m, moments = mass_and_moments(t, body)
    A = rigid_moments(load9(z, slots, at + SLOT.rotation), moments)
    w, v = halves(load6(z, slots, at + SLOT.twist))
    a, b = cross(w, symmetric_times(A, w)), cross(w, v)
    B = (z, z, z, z, z, z, z, z, z)
    C = (z + m, z, z, z + m, z, z + m)
    return Articulated(A, B, C, (a[0], a[1], a[2], m * b[0], m * b[1], m * b[2]))


@inlined
def add_children(z, slots, at, J):
    """Add the inertias and forces that the children have left in a body's slot."""
    return Articulated(
        add6(J.A, load6(z, slots, at + SLOT.A)),
        load9(z, slots, at + SLOT.B),  # a rigid body's own B is zero
        add6(J.C, load6(z, slots, at + SLOT.C)),
        add6(J.P, load6(z, slots, at + SLOT.force)),
    )


@inlined
def gathered(z, t, b, i, pushed, m):
    """A body's own inertia and force with those that its children have left; m.wrenches act if `pushed`."""
    at = (i + 1) * SLOT.size
    J = rigid(z, t, b, m.slots, at)
    if pushed:
        J = Articulated(J.A, J.B, J.C, add_scaled6(J.P, -1.0, load6(z, m.wrenches, 6 * i)))
    if b.children:
        J = add_children(z, m.slots, at, J)
    return J


@inlined
def add_to_parent(z, slots, at, J, starts):
    """Add a child's inertia and force to the slot of its parent; the first child to come stores."""
    A, B, C, P = J
    if not starts:
        A, C = add6(A, load6(z, slots, at + SLOT.A)), add6(C, load6(z, slots, at + SLOT.C))
        P, B = add6(P, load6(z, slots, at + SLOT.force)), add9(B, load9(z, slots, at + SLOT.B))
    store6(z, slots, at + SLOT.A, A)
    store9(z, slots, at + SLOT.B, B)
    store6(z, slots, at + SLOT.C, C)
    store6(z, slots, at + SLOT.force, P)


@inlined
def first_failure(z, status, good, d, i):
    """The status with the first joint whose d = sᵀ J̃ s is not good."""
    now = select(good, z, select(finite(d), z + (RANK_LOST + KINDS * i), z + (NOT_FINITE + KINDS * i)))
    return select(less(status, 0.5), now, status)


@inlined
def bound(A, C, s):
    """More than sᵀ J̃ s can be, up to a small factor: traces times squared lengths."""
    w, v = halves(s)
    return (A[0] + A[3] + A[5]) * dot3(w, w) + (C[0] + C[3] + C[5]) * dot3(v, v)


@inlined
def note_least(z, b, J, columns):
    """What each column of a joint has before any is eliminated, to know when rank is lost: in the place of 1/d."""
    for k in range(b.v0, b.v0 + b.nv):
        s = load6(z, columns, k * COLUMN.size + COLUMN.axis)
        least = SMALL * dot6(s, inertia_times(J.A, J.B, J.C, s)) + NOTHING_LEFT * bound(J.A, J.C, s)
        store(z, columns, k * COLUMN.size + COLUMN.inverse, least)


@inlined
def column_inertia(z, t, k, J, columns):
    """Of column k of a joint: s, U = J̃ s, and d = sᵀ J̃ s + armature."""
    s = load6(z, columns, k * COLUMN.size + COLUMN.axis)
    U = inertia_times(J.A, J.B, J.C, s)
    return s, U, dot6(s, U) + armature(t, k)


@inlined
def eliminated(z, k, J, s, U, d, tau, columns):
    """What eliminating column k leaves of its body's inertia and force."""
    u, inverse, at = load(z, tau, k) - dot6(s, J.P), 1.0 / d, k * COLUMN.size
    A, B, C = reduced(J.A, J.B, J.C, U, inverse)
    store6(z, columns, at + COLUMN.reaction, U)
    store(z, columns, at + COLUMN.inverse, inverse)
    store(z, columns, at + COLUMN.rest, u)
    return Articulated(A, B, C, add_scaled6(J.P, u * inverse, U))


@inlined
def eliminate_column(z, t, i, k, J, tau, columns, status):
    """Eliminate column k of the joint of body i; what it must have at least stands in the place of 1/d."""
    s, U, d = column_inertia(z, t, k, J, columns)
    least = load(z, columns, k * COLUMN.size + COLUMN.inverse)
    status = first_failure(z, status, less(least, d), d, i)
    return eliminated(z, k, J, s, U, d, tau, columns), status


@kernel
def eliminate_many(z, t, i, J, tau, columns, status):
    """Eliminate the free columns of a joint, last to first."""
    b = body_at(t, i)
    note_least(z, b, J, columns)
    for k in range(b.v0 + b.nv - 1, b.v0 - 1, -1):
        if not is_prescribed(t, k):
            J, status = eliminate_column(z, t, i, k, J, tau, columns, status)
    return J, status


@inlined
def eliminate_one(z, t, i, k, J, tau, columns, status):
    """Eliminate the one column k of the joint of body i."""
    s, U, d = column_inertia(z, t, k, J, columns)
    status = first_failure(z, status, less(NOTHING_LEFT * bound(J.A, J.C, s), d), d, i)
    return eliminated(z, k, J, s, U, d, tau, columns), status


@inlined
def with_prescribed(z, t, body, c, acceleration, columns):
    """The bias with the prescribed accelerations of this joint."""
    for k in range(body.v0, body.v0 + body.nv):
        if is_prescribed(t, k):
            c = add_scaled6(c, load(z, acceleration, k), load6(z, columns, k * COLUMN.size + COLUMN.axis))
    return c


@inlined
def seen_from_parent(z, J, c, r):
    """An articulated inertia and force with its bias acceleration c, at the origin of the parent, r before it."""
    A, B, C, P = J
    P = add6(P, inertia_times(A, B, C, c))
    m, f = halves(P)
    moment = add3(m, cross(r, f))
    A, B, C = transported(A, B, C, r)
    return Articulated(A, B, C, (moment[0], moment[1], moment[2], P[3], P[4], P[5]))


@kernel
def articulate(z, t, tau, acceleration, pushed, m):
    """Inward: articulated inertias and forces; m.wrenches act if `pushed`. Returns the status."""
    status, slots, columns, driven = z, m.slots, m.columns, header(t).driven
    for i in range(header(t).bodies - 1, -1, -1):
        b, at = body_at(t, i), (i + 1) * SLOT.size
        if b.freedom == NOTHING:
            c = with_prescribed(z, t, b, load6(z, slots, at + SLOT.bias), acceleration, columns)
            store6(z, slots, at + SLOT.bias, c)
            continue
        J = gathered(z, t, b, i, pushed, m)
        c = load6(z, slots, at + SLOT.bias)
        if b.nv == 1 and not (driven and is_prescribed(t, b.v0)):
            J, status = eliminate_one(z, t, i, b.v0, J, tau, columns, status)
        else:
            c = with_prescribed(z, t, b, c, acceleration, columns)
            store6(z, slots, at + SLOT.bias, c)
            J, status = eliminate_many(z, t, i, J, tau, columns, status)
        if b.freedom == SOMETHING_ABOVE:
            J = seen_from_parent(z, J, c, load3(z, slots, at + SLOT.offset))
            add_to_parent(z, slots, b.parent * SLOT.size, J, b.starts)
    return status


@inlined
def gravity_twist(z, t):
    """The acceleration of a world that falls upwards: gravity as seen by every body."""
    g = header(t).gravity
    return (z, z, z, z - t.numbers[g], z - t.numbers[g + 1], z - t.numbers[g + 2])


@inlined
def carried(z, slots, i, parent):
    """The acceleration that a body has from its parent's and its joint's bias."""
    a, at = load6(z, slots, parent * SLOT.size + SLOT.acceleration), (i + 1) * SLOT.size
    return add6(shifted(a, load3(z, slots, at + SLOT.offset)), load6(z, slots, at + SLOT.bias))


@inlined
def force_left(z, columns, k, a):
    """u − Uᵀ a: what is left of the force at velocity k when its body has the acceleration a."""
    at = k * COLUMN.size
    return load(z, columns, at + COLUMN.rest) - dot6(load6(z, columns, at + COLUMN.reaction), a)


@inlined
def accelerate_column(z, i, k, u, a, acceleration, columns, status):
    """q̈ of velocity k of body i from the force u that is left there: what the body's acceleration a becomes."""
    qdd = u * load(z, columns, k * COLUMN.size + COLUMN.inverse)
    status = select(less(status, 0.5), select(finite(qdd), status, z + (NOT_FINITE + KINDS * i)), status)
    store(z, acceleration, k, qdd)
    return add_scaled6(a, qdd, load6(z, columns, k * COLUMN.size + COLUMN.axis)), status


@kernel
def accelerate(z, t, acceleration, m, status):
    """Outward: accelerations of the free coordinates (prescribed ones are left as given); the status, updated."""
    slots, columns = m.slots, m.columns
    store6(z, slots, SLOT.acceleration, gravity_twist(z, t))
    for i in range(header(t).bodies):
        b = body_at(t, i)
        a = carried(z, slots, i, b.parent)
        for k in range(b.v0, b.v0 + b.nv):
            if not is_prescribed(t, k):
                a, status = accelerate_column(z, i, k, force_left(z, columns, k, a), a, acceleration, columns, status)
        store6(z, slots, (i + 1) * SLOT.size + SLOT.acceleration, a)
    return status
