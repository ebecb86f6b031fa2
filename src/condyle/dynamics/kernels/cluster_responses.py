"""Accelerations from the factors that `articulate_clusters` has left: of all forces, or M⁻¹ τ of some.

The sums are those of `clusters`; without bias and gravity they are M⁻¹ τ in O(n), as `mass_inverse` has it.
"""

from ...model.kernels.records import (
    body_at,
    cluster_at,
    folded_at,
    folding,
    header,
    is_open,
    is_prescribed,
    member_at,
)
from ...model.kernels.status import KINDS, NOT_FINITE
from ...numeric import finite, kernel, less, load, select, store
from ...spatial.kernels.algebra import add6, add_scaled6, dot6, load3, load6, shifted, store6, twist_zero
from .articulated_body import gravity_twist
from .clusters import add, at_parent, begin_forces
from .mass_inverse import absorb_column
from .scratch_layout import COLUMN, SLOT


@kernel
def lead(z, t, n, a, out, o0, m, status):
    """Accelerations of the velocities of a cluster, first to last, from that of the slot that it hangs from."""
    c = cluster_at(t, n)
    for l in range(c.velocities):
        k = t.codes[c.first_velocity + l]
        column = k * COLUMN.size
        u = load(z, m.columns, column + COLUMN.rest) - dot6(load6(z, m.columns, column + COLUMN.reaction), a)
        for j in range(l):
            coupled = load(z, m.fold.clusters, c.at + l * c.velocities + j)
            u = u - coupled * load(z, out, o0 + t.codes[c.first_velocity + j])
        qdd = u * load(z, m.columns, column + COLUMN.inverse)
        store(z, out, o0 + k, qdd)
        status = select(less(status, 0.5), select(finite(qdd), status, z + (NOT_FINITE + KINDS * c.body)), status)
    return status


@kernel
def led(z, t, i, k, out, o0, m):
    """Σ e_l ÿ_l: what the velocities of its cluster take from velocity k of a member."""
    total, member = z, member_at(t, folded_at(t, i).member)
    c = cluster_at(t, member.cluster)
    for l in range(c.velocities):
        y = load(z, out, o0 + t.codes[c.first_velocity + l])
        total = total + load(z, m.fold.cross, k * folding(t).widest + l) * y
    return total


@kernel
def carried(z, t, i, a, out, o0, m):
    """The acceleration of a member with what its open columns add."""
    member = member_at(t, folded_at(t, i).member)
    c = cluster_at(t, member.cluster)
    for n in range(member.columns):
        j, column = t.codes[member.first_column + 2 * n], t.codes[member.first_column + 2 * n + 1]
        y = load(z, out, o0 + t.codes[c.first_velocity + j])
        a = add_scaled6(a, y, load6(z, m.columns, column * COLUMN.size + COLUMN.axis))
    return a


@kernel
def spread(z, t, out, o0, falling, m, status):
    """Outward: out[o0 …] = accelerations of the free coordinates; the status, updated.

    If `falling`, with the bias and gravity, and prescribed ones are left as given (as `accelerate`); else what was
    absorbed alone gives them, and prescribed ones are zero (as `respond_tree`).
    """
    slots, columns, h = m.slots, m.columns, folding(t)
    store6(z, slots, SLOT.acceleration, gravity_twist(z, t) if falling else twist_zero(z))
    for n in range(h.world_roots):
        a = load6(z, slots, SLOT.acceleration)
        status = lead(z, t, t.codes[h.first_world_root + n], a, out, o0, m, status)
    for i in range(header(t).bodies):
        b, f, at = body_at(t, i), folded_at(t, i), (i + 1) * SLOT.size
        a = shifted(load6(z, slots, b.parent * SLOT.size + SLOT.acceleration), load3(z, slots, at + SLOT.offset))
        if falling:
            a = add6(a, load6(z, slots, at + SLOT.bias))
        for k in range(b.v0, b.v0 + b.nv):
            if is_prescribed(t, k):
                if not falling:
                    store(z, out, o0 + k, z)
                continue
            if is_open(t, k):
                continue
            column = k * COLUMN.size
            u = load(z, columns, column + COLUMN.rest) - dot6(load6(z, columns, column + COLUMN.reaction), a)
            if f.member:
                u = u - led(z, t, i, k, out, o0, m)
            qdd = u * load(z, columns, column + COLUMN.inverse)
            status = select(less(status, 0.5), select(finite(qdd), status, z + (NOT_FINITE + KINDS * i)), status)
            store(z, out, o0 + k, qdd)
            a = add_scaled6(a, qdd, load6(z, columns, column + COLUMN.axis))
        if f.member:
            a = carried(z, t, i, a, out, o0, m)
        store6(z, slots, at + SLOT.acceleration, a)
        for n in range(f.roots):
            status = lead(z, t, t.codes[f.first_root + n], a, out, o0, m, status)
    return status


@kernel
def take_cluster(z, t, n, F, m):
    """The force on a slot, less what the velocities of a cluster that hangs from it take; and τᵀM⁻¹τ of these."""
    energy, c, w = z, cluster_at(t, n), m.fold.clusters
    count = c.velocities
    rest = c.at + count * count
    for l in range(count - 1, -1, -1):
        column, u = t.codes[c.first_velocity + l] * COLUMN.size, load(z, w, rest + l)
        part = u * load(z, m.columns, column + COLUMN.inverse)
        F = add_scaled6(F, -part, load6(z, m.columns, column + COLUMN.reaction))
        store(z, m.columns, column + COLUMN.rest, u)
        energy = energy + u * part
        for k in range(l):
            add(z, w, rest + k, -part * load(z, w, c.at + l * count + k))
    return F, energy


@kernel
def take_open(z, t, at, F, m):
    """Add what a force on a member does on its open columns to u of its cluster."""
    member = member_at(t, at)
    c = cluster_at(t, member.cluster)
    for i in range(member.columns):
        j, column = t.codes[member.first_column + 2 * i], t.codes[member.first_column + 2 * i + 1]
        s = load6(z, m.columns, column * COLUMN.size + COLUMN.axis)
        add(z, m.fold.clusters, c.at + c.velocities * c.velocities + j, dot6(s, F))


@kernel
def pass_on(z, t, at, k, part, m):
    """Take e_l u_k/d of a velocity of a member out of u of its cluster."""
    c = cluster_at(t, member_at(t, at).cluster)
    for l in range(c.velocities):
        e = load(z, m.fold.cross, k * folding(t).widest + l)
        add(z, m.fold.clusters, c.at + c.velocities * c.velocities + l, -part * e)


@kernel
def absorb_clusters(z, t, tau, t0, pushed, m):
    """As `absorb_tree`, in a model with followers."""
    energy, slots, h = z, m.slots, folding(t)
    begin_forces(z, t, tau, t0, m)
    for i in range(header(t).bodies + 1):
        store6(z, slots, i * SLOT.size + SLOT.force, twist_zero(z))
    for i in range(header(t).bodies - 1, -1, -1):
        b, f, at = body_at(t, i), folded_at(t, i), (i + 1) * SLOT.size
        F = load6(z, slots, at + SLOT.force)
        if pushed:
            F = add6(F, load6(z, m.wrenches, 6 * i))
        for n in range(f.roots):
            F, part = take_cluster(z, t, t.codes[f.first_root + n], F, m)
            energy = energy + part
        if f.member:
            take_open(z, t, f.member, F, m)
        for k in range(b.v0 + b.nv - 1, b.v0 - 1, -1):
            if is_prescribed(t, k) or is_open(t, k):
                continue
            F, u, part = absorb_column(z, k, load(z, tau, t0 + k), F, m.columns)
            energy = energy + u * part
            if f.member:
                pass_on(z, t, f.member, k, part, m)
        parent = b.parent * SLOT.size + SLOT.force
        moved = at_parent(load3(z, slots, at + SLOT.offset), F)
        store6(z, slots, parent, add6(load6(z, slots, parent), moved))
    for n in range(h.world_roots):
        F = load6(z, slots, SLOT.force)
        F, part = take_cluster(z, t, t.codes[h.first_world_root + n], F, m)
        energy = energy + part
    return energy
