"""The articulated-body passes of a tree in which velocities also move bodies of other joints, by guest columns.

Such velocities y are not eliminated at their own joint. They stay open up to the slot P from which all bodies that they
move by themselves hang; open columns that meet in a body form one cluster. Inward, beside the articulated inertia of a
body, U_l = ∂f/∂ÿ_l is carried: the force that a unit of ÿ_l needs at the body, with D and u of the cluster. A body
whose joint has the column s of y_j substitutes a = a' + s ÿ_j,

    D_lj += U_lᵀ s,  D_jj += sᵀ(U_j + J̃ s),  u_j −= sᵀ p̃,  U_j += J̃ s,

its other columns k are eliminated, with e_l = s_kᵀ U_l, as

    U_l −= U_k e_l/d,  D_ln −= e_l e_n/d,  u_l −= e_l u_k/d,  q̈_k = (u_k − U_kᵀ a − Σ e_l ÿ_l)/d,

and at P the y are eliminated one after the other. [Jain 2012, constraint embedding; here without a 6m × 6m matrix]
"""

from ...model.kernels.records import (
    armature,
    body_at,
    cluster_at,
    folded_at,
    folding,
    guest_velocity,
    header,
    is_open,
    is_prescribed,
    member_at,
)
from ...numeric import inlined, kernel, less, load, store
from ...spatial.kernels.algebra import (
    add3,
    add6,
    add_scaled6,
    cross,
    dot6,
    halves,
    load3,
    load6,
    load9,
    store6,
)
from ...spatial.kernels.inertia import inertia_times, reduced
from .articulated_body import (
    NOTHING_LEFT,
    Articulated,
    add_to_parent,
    bound,
    eliminate_column,
    first_failure,
    gathered,
    note_least,
    seen_from_parent,
    with_prescribed,
)
from .scratch_layout import COLUMN, SLOT


@inlined
def add(z, x, at, value):
    """Add to a number of scratch."""
    store(z, x, at, load(z, x, at) + value)


@inlined
def at_parent(r, f):
    """A wrench at the origin of the parent, r before it."""
    moment, force = halves(f)
    moment = add3(moment, cross(r, force))
    return (moment[0], moment[1], moment[2], f[3], f[4], f[5])


@kernel
def begin_forces(z, t, tau, t0, m):
    """u of all clusters: the forces tau[t0 …] on their velocities."""
    for n in range(folding(t).clusters):
        c = cluster_at(t, n)
        for l in range(c.velocities):
            force = load(z, tau, t0 + t.codes[c.first_velocity + l])
            store(z, m.fold.clusters, c.at + c.velocities * c.velocities + l, force)


@kernel
def begin_inertias(z, t, m):
    """D of all clusters: the armature of their velocities."""
    for n in range(folding(t).clusters):
        c = cluster_at(t, n)
        for l in range(c.velocities):
            store(z, m.fold.clusters, c.at + l * (c.velocities + 1), z + armature(t, t.codes[c.first_velocity + l]))


@kernel
def open_columns(z, t, at, J, m):
    """Take the open columns of a member into its cluster."""
    member, w = member_at(t, at), m.fold.clusters
    c = cluster_at(t, member.cluster)
    count = c.velocities
    rest, least = c.at + count * count, c.at + count * count + count
    for i in range(member.columns):
        j, column = t.codes[member.first_column + 2 * i], t.codes[member.first_column + 2 * i + 1]
        s = load6(z, m.columns, column * COLUMN.size + COLUMN.axis)
        F = inertia_times(J.A, J.B, J.C, s)
        for l in range(count):
            x = dot6(load6(z, w, member.at + 6 * l), s)
            add(z, w, c.at + l * count + j, x)
            add(z, w, c.at + j * count + l, x)
        add(z, w, c.at + j * (count + 1), dot6(s, F))
        add(z, w, rest + j, -dot6(s, J.P))
        add(z, w, least + j, NOTHING_LEFT * bound(J.A, J.C, s))
        store6(z, w, member.at + 6 * j, add6(load6(z, w, member.at + 6 * j), F))


@kernel
def meet(z, t, at, k, m):
    """Take out of a cluster what eliminating velocity k, of a member, does to it."""
    member, w, cross_terms, column = member_at(t, at), m.fold.clusters, k * folding(t).widest, k * COLUMN.size
    c = cluster_at(t, member.cluster)
    count = c.velocities
    s, U = load6(z, m.columns, column + COLUMN.axis), load6(z, m.columns, column + COLUMN.reaction)
    u, inverse = load(z, m.columns, column + COLUMN.rest), load(z, m.columns, column + COLUMN.inverse)
    for l in range(count):
        store(z, m.fold.cross, cross_terms + l, dot6(s, load6(z, w, member.at + 6 * l)))
    for l in range(count):
        share = load(z, m.fold.cross, cross_terms + l) * inverse
        store6(z, w, member.at + 6 * l, add_scaled6(load6(z, w, member.at + 6 * l), -share, U))
        add(z, w, c.at + count * count + l, -share * u)
        for n in range(count):
            add(z, w, c.at + l * count + n, -share * load(z, m.fold.cross, cross_terms + n))


@kernel
def hand_on(z, t, at, bias, r, m):
    """Take the bias of a member into u, and give its U to its parent, r before it."""
    member, w = member_at(t, at), m.fold.clusters
    c = cluster_at(t, member.cluster)
    for l in range(c.velocities):
        U = load6(z, w, member.at + 6 * l)
        add(z, w, c.at + c.velocities * c.velocities + l, -dot6(U, bias))
        parent = member.parent + 6 * l
        store6(z, w, parent, add6(load6(z, w, parent), at_parent(r, U)))


@kernel
def eliminate_closed(z, t, i, J, tau, m, status):
    """Eliminate the free columns of a joint that are not open, last to first."""
    b, member = body_at(t, i), folded_at(t, i).member
    note_least(z, b, J, m.columns)
    for k in range(b.v0 + b.nv - 1, b.v0 - 1, -1):
        if not (is_prescribed(t, k) or is_open(t, k)):
            J, status = eliminate_column(z, t, i, k, J, tau, m.columns, status)
            if member:
                meet(z, t, member, k, m)
    return J, status


@kernel
def eliminate_cluster(z, t, n, J, m, status):
    """Eliminate the velocities of a cluster, last to first, from the inertia J of the slot that it hangs from."""
    A, B, C, P = J
    c, w = cluster_at(t, n), m.fold.clusters
    count = c.velocities
    rest, least = c.at + count * count, c.at + count * count + count
    for l in range(count - 1, -1, -1):
        d, u = load(z, w, c.at + l * (count + 1)), load(z, w, rest + l)
        U, inverse = load6(z, w, c.reaction + 6 * l), 1.0 / d
        status = first_failure(z, status, less(load(z, w, least + l), d), d, c.body)
        A, B, C = reduced(A, B, C, U, inverse)
        P = add_scaled6(P, u * inverse, U)
        column = t.codes[c.first_velocity + l] * COLUMN.size
        store6(z, m.columns, column + COLUMN.reaction, U)
        store(z, m.columns, column + COLUMN.inverse, inverse)
        store(z, m.columns, column + COLUMN.rest, u)
        for k in range(l):
            share = load(z, w, c.at + l * count + k) * inverse
            at = c.reaction + 6 * k
            store6(z, w, at, add_scaled6(load6(z, w, at), -share, U))
            add(z, w, rest + k, -share * u)
            for j in range(l):
                add(z, w, c.at + k * count + j, -share * load(z, w, c.at + l * count + j))
    return Articulated(A, B, C, P), status


@kernel
def driven_bias(z, t, i, c, acceleration, m):
    """The bias with the accelerations of prescribed velocities, own ones and guests."""
    f, nv = folded_at(t, i), header(t).nv
    c = with_prescribed(z, t, body_at(t, i), c, acceleration, m.columns)
    for g in range(f.first_guest, f.first_guest + f.guests):
        k = guest_velocity(t, g)
        if is_prescribed(t, k):
            c = add_scaled6(c, load(z, acceleration, k), load6(z, m.columns, (nv + g) * COLUMN.size + COLUMN.axis))
    return c


@kernel
def articulate_clusters(z, t, tau, acceleration, pushed, m):
    """As `articulate`, in a model with followers. Returns the status."""
    status, slots, h = z, m.slots, folding(t)
    for k in range(h.cluster_room):
        store(z, m.fold.clusters, k, z)
    begin_forces(z, t, tau, 0, m)
    begin_inertias(z, t, m)
    for i in range(header(t).bodies - 1, -1, -1):
        b, f, at = body_at(t, i), folded_at(t, i), (i + 1) * SLOT.size
        J = gathered(z, t, b, i, pushed, m)
        for k in range(f.roots):
            J, status = eliminate_cluster(z, t, t.codes[f.first_root + k], J, m, status)
        c = driven_bias(z, t, i, load6(z, slots, at + SLOT.bias), acceleration, m)
        store6(z, slots, at + SLOT.bias, c)
        if f.member:
            open_columns(z, t, f.member, J, m)
        J, status = eliminate_closed(z, t, i, J, tau, m, status)
        r = load3(z, slots, at + SLOT.offset)
        if f.member:
            hand_on(z, t, f.member, c, r, m)
        add_to_parent(z, slots, b.parent * SLOT.size, seen_from_parent(z, J, c, r), b.starts)
    for k in range(h.world_roots):
        J = Articulated(
            load6(z, slots, SLOT.A), load9(z, slots, SLOT.B), load6(z, slots, SLOT.C), load6(z, slots, SLOT.force)
        )
        J, status = eliminate_cluster(z, t, t.codes[h.first_world_root + k], J, m, status)
    return status
